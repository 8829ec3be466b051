#!/usr/bin/env bash
# Draws the pictures of the documentation anew, from the default configuration.
# usage: web/pictures/draw.sh [ECOTONE]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
ecotone=${1:-build/release/ecotone}

# draw LAYER OUT STEP WIDTH HEIGHT X Z [OPTION]...: pixels around the block (X, Z)
draw() {
    local layer=$1 out=$2 step=$3 across=$(($3 * $4 / 2)) down=$(($3 * $5 / 2)) x=$6 z=$7
    shift 7
    "$ecotone" render --world overworld --layer "$layer" --step "$step" -o "web/pictures/$out.png" \
        --rect "$((x - across)),$((z - down)),$((x + across)),$((z + down))" "$@"
}

draw relief overworld 16 880 500 0 0
draw trees overworld-trees 4 960 540 -3600 -600
draw biome overworld-biomes 16 480 270 0 0
draw rivers overworld-rivers 8 480 270 -800 -300
for seed in 1 2 3 4 5 6 7 8; do
    draw relief "seed-$seed" 48 240 240 0 0 --seed "$seed"
done
