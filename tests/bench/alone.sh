#!/usr/bin/env bash
# Runs a command in a session of its own which, where Linux shares processors out by sessions, comes before all
# others: what else runs on the machine then hardly counts. Without the right to do that it runs it as it is.
# usage: alone.sh COMMAND...
set -euo pipefail
if [ "${ALONE:-}" != yes ]; then
    ALONE=yes exec setsid -w "$0" "$@"
fi
(echo -19 >/proc/self/autogroup) 2>/dev/null || true
exec "$@"
