#!/usr/bin/env bash
# The part of fresh.sh that runs inside the bare system.
# usage: fresh_inside.sh COMMAND-THAT-SERVES COMMAND-THAT-CHECKS
set -euo pipefail
serve=$1
check=$2

for tool in make gcc node npm; do
    command -v $tool >/dev/null && { echo "not a bare system: $tool is here" >&2; exit 1; }
done
# An image comes without the lists of packages that an installed Debian has.
apt-get update -qq

# The daemon answers once it is built, and the whole command ends well when the daemon is told to.
serve_once() {
    local pid command daemon=
    bash -c "$serve" </dev/null &
    pid=$!
    for _ in $(seq 600); do
        if [ -x build/release/ecotone ] && build/release/ecotone health >/tmp/health 2>/dev/null; then
            break
        fi
        kill -0 $pid 2>/dev/null || { echo "'$serve' ended" >&2; return 1; }
        sleep 1
    done
    build/release/ecotone health || { echo "no daemon answers" >&2; return 1; }
    for command in /proc/[0-9]*/comm; do
        [ "$(cat "$command" 2>/dev/null)" != ecotone ] || daemon=$(basename "$(dirname "$command")")
    done
    kill -TERM "$daemon"
    wait $pid || { echo "'$serve' ended with $?" >&2; return 1; }
}

# From now on whoever wants to install something is told off, and it is remembered.
forbid_installing() {
    mkdir -p /forbid
    for tool in apt-get sudo npm; do
        printf '#!/bin/sh\necho "%s $*" >>/forbid/log\nexit 1\n' $tool >/forbid/$tool
    done
    chmod +x /forbid/apt-get /forbid/sudo /forbid/npm
    PATH=/forbid:$PATH
}
allow_installing() {
    PATH=${PATH#/forbid:}
    [ ! -e /forbid/log ] || { echo "the second run wanted to install:" >&2; cat /forbid/log >&2; exit 1; }
}

echo "== $serve"
serve_once
echo "== again: ${serve#*&& }"
serve=${serve#*&& }
forbid_installing
serve_once
allow_installing

echo "== $check"
bash -c "$check" </dev/null
echo "== again, as far as installing goes"
forbid_installing
make packages-test build/release/ecotone
allow_installing
echo "fresh-check passed: both commands did all their set-up, and nothing the second time"
