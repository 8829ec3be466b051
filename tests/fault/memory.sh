#!/usr/bin/env bash
# Resident memory after 100,000 requests over 10,000 tiles: at most 40 MB more than the configured
# memory cache. Fails when it is more.
# usage: memory.sh ECOTONE
# Environment: TILES (10000), REQUESTS (100000), MEMORY of the cache in MiB (64)
set -euo pipefail
ecotone=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tiles=${TILES:-10000}
requests=${REQUESTS:-100000}
memory=${MEMORY:-64}
work=$(mktemp -d)
. tests/bench/daemon.sh
trap 'stop_all; rm -rf "$work"' EXIT

# A square of tiles at zoom 18, a fifth of each layer.
export PATHS=$work/paths
awk -v tiles="$tiles" 'BEGIN {
    split("biome blend height relief terrarium", layers, " ")
    for (side = 1; side * side * 5 < tiles; side++);
    for (n = 0; n < tiles; n++) {
        at = int(n / 5)
        printf "/tiles/demo/%s/18/%d/%d.png\n", layers[n % 5 + 1], 131072 + at % side,
            131072 + int(at / side)
    }
}' >"$PATHS"

resident() { # KEY: KiB
    sed -n "s/^$1:[^0-9]*\([0-9]*\) kB/\1/p" "/proc/$pid/status"
}

start memory "$(config_with_memory "${memory}MiB")" "$work/tiles.sqlite"
at_start=$(resident VmRSS)
limit=$((40000 + memory * 1024 * 1024 / 1000))
asked=0
while [ "$asked" -lt "$requests" ] || [ "$(counter "$port" renders)" -lt "$tiles" ]; do
    read -r count _ errors _ < <(wrk -t1 -c32 -d10s --timeout 30s -s tests/bench/wrk.lua \
        "http://127.0.0.1:$port" | sed -n 's/^result //p')
    [ "$errors" = 0 ] || { echo "$errors of $count requests failed" >&2; exit 1; }
    asked=$((asked + count))
    [ $SECONDS -lt 900 ] || { echo "too slow: $asked requests in $SECONDS s" >&2; exit 1; }
done
[ "$(counter "$port" renders)" = "$tiles" ] || { echo "tiles were rendered twice: $(curl -sS "http://127.0.0.1:$port/healthz")" >&2; exit 1; }
# The kernel counts in KiB, the limit in thousands of bytes.
at_end=$(($(resident VmRSS) * 1024 / 1000))
echo "$asked requests over $tiles tiles in $SECONDS s, memory cache of $memory MiB:" \
    "$((at_start * 1024 / 1000)) kB at the start, $at_end kB at the end," \
    "$(($(resident VmHWM) * 1024 / 1000)) kB at most, limit $limit kB"
[ "$at_end" -le "$limit" ]
