#!/usr/bin/env bash
# Instructions a coordinate of `ecotone bench blend`, counted by callgrind: the same on every machine
# and in every run. One row for each set of SIMD kernels that ECOTONE_SIMD can choose.
# usage: instructions.sh ECOTONE FOLDER     writes FOLDER/instructions.json
# Environment: METHOD (scattered), INTERVAL (8), RADIUS (24), LEVELS ("scalar avx2")
set -euo pipefail
ecotone=$1
out=$2
method=${METHOD:-scattered}
interval=${INTERVAL:-8}
radius=${RADIUS:-24}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

collected() { # REPEATS: instructions of the whole run
    valgrind --tool=callgrind --callgrind-out-file="$work/out" "$ecotone" bench blend \
        --method "$method" --interval "$interval" --radius "$radius" --threads 1 --repeats "$1" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

if grep -q ECOTONE_SIMD "$ecotone"; then
    read -ra levels <<<"${LEVELS:-scalar avx2}"
else
    levels=(compiled) # there is one set only
fi
rows=()
for level in "${levels[@]}"; do
    export ECOTONE_SIMD=$level
    # Two maps more are what two maps cost, without the start of the program.
    one=$(collected 1)
    three=$(collected 3)
    each=$(awk "BEGIN { printf \"%.1f\", ($three - $one) / (2 * 768 * 768) }")
    printf '%-10s %s interval %s radius %s: %s instructions a coordinate\n' "$level" "$method" "$interval" "$radius" "$each"
    rows+=("{\"simd\": \"$level\", \"method\": \"$method\", \"interval\": $interval, \"radius\": $radius, \"instructions_per_coordinate\": $each}")
done
(IFS=, && printf '[%s]\n' "${rows[*]}") >"$out/instructions.json"
