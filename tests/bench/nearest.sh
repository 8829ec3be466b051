#!/usr/bin/env bash
# The nearest block of 20 biomes within 4096 blocks, compared with a search of every block on 50
# seeds: some minutes. `make unit` does the same within 500 blocks on 3 seeds.
# usage: nearest.sh [TEST_QUERY]
set -euo pipefail
test=$(realpath "${1:-build/release/tests/test_query}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
exec "$test" "${SEEDS:-50}" "${WITHIN:-4096}"
