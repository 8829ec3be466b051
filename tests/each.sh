#!/usr/bin/env bash
# Runs test programs, JOBS of them at a time, and shows the output of each in one piece. Fails when
# one of them fails or takes longer than LIMIT seconds.
# usage: each.sh PROGRAM...
set -euo pipefail
limit=${LIMIT:-300}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run_one() { # LIMIT FOLDER PROGRAM
    local status=0 out=$2/${3##*/}
    echo "== $3" >"$out"
    timeout "$1" "$3" >>"$out" 2>&1 || status=$?
    [ $status = 0 ] || echo "$3 ended with $status" >>"$out"
    cat "$out"
    return $status
}
export -f run_one
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-$(nproc)}" bash -c 'run_one "$@"' _ "$limit" "$work"
