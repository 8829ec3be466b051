#!/usr/bin/env bash
# Runs the two commands of the README on a Debian 12 on which nothing is installed, not even make,
# from a copy of what git tracks. Each is run twice: the second time it must install nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tests/container/engine.sh

first='apt-get install -y make && make run'
second='make check'
for command in "$first" "$second"; do
    grep -qF "$command" README.md || { echo "README.md does not say: $command" >&2; exit 1; }
done
if (: </dev/tcp/127.0.0.1/8080) 2>/dev/null; then
    echo "Port 8080 is taken; the first command needs it." >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/ecotone"
git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - | tar -xf - -C "$work/ecotone"
cp tests/container/fresh_inside.sh "$work/"

run_container --rm --shm-size 512m -v "$work:/work" -w /work/ecotone "$base" \
    bash /work/fresh_inside.sh "$first" "$second"
