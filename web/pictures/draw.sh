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

# Kinds of erosion, of one ground. The reference forms: the fast ones leave ridges of single cells.
config=$(mktemp)
trap 'rm -f "$config"' EXIT
kind() {
    cat >"$config" <<END
worlds:
  - name: relief
    generator: relief
    seed: 11
    sea_level: 48
    blend: {spacing: 8, padding: 4}
    relief:
      low: 34
      high: 170
      perturb_by: midpoint
      sources: [{kind: midpoint-smoothed, weight: 2, features: 4}, {kind: voronoi, features: 4}]
      erosion: [$2]
END
    "$ecotone" render --config "$config" --world relief --layer relief --step 4 \
        --rect=-680,-800,440,320 -o "web/pictures/erosion-$1.png"
}
kind base ""
kind thermal "{kind: thermal, form: reference, iterations: 100, talus: 3, c: 0.1}"
kind hydraulic "{kind: hydraulic, form: reference, iterations: 100, capacity: 0.1}"
kind inverted "{kind: inverted, iterations: 50, talus: 14}, {kind: settle, iterations: 10, talus: 8}"
