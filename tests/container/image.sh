#!/usr/bin/env bash
# Builds the container image and runs it as its users would: read-only, not as root, with a volume
# for the cache. Asks it for a tile and its health, stops it, and starts it again on the same volume.
# Environment: PORT (8080, or a free one when that is taken)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tests/container/engine.sh

image=localhost/ecotone:check
name=ecotone-check-$$
volume=ecotone-check-$$
grace=10
work=$(mktemp -d)
finish() {
    local status=$?
    if [ $status -ne 0 ]; then
        echo "container-check failed; what the container said:" >&2
        container logs "$name" >&2 2>/dev/null || true
    fi
    container rm -f "$name" >/dev/null 2>&1 || true
    container volume rm "$volume" >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "$*" >&2
    exit 1
}
taken() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
get() { # PATH FILE: prints the status
    curl -sS --max-time 20 -o "$2" -w '%{http_code}' "http://127.0.0.1:$port$1"
}
number() { # KEY FILE: a number of a JSON text
    sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" "$2" | head -n 1
}

port=${PORT:-8080}
while taken "$port"; do
    port=$((port + 1))
done

start() {
    local arguments=(--detach --name "$name" --read-only --cap-drop all -v "$volume:/data")
    if [ $published = ports ]; then
        run_container "${arguments[@]}" -p "127.0.0.1:$port:8080" "$image" >/dev/null
    elif [ "$port" = 8080 ]; then
        run_container "${arguments[@]}" "$image" >/dev/null
    else
        run_container "${arguments[@]}" "$image" serve --listen "0.0.0.0:$port" \
            --cache /data/tiles.sqlite /etc/ecotone/ecotone.yaml >/dev/null
    fi
    for _ in $(seq 100); do
        taken "$port" && return
        sleep 0.1
    done
    fail "the container does not listen on port $port"
}
stop() {
    local begin=$SECONDS status
    container stop -t $grace "$name" >/dev/null
    status=$(container inspect -f '{{.State.ExitCode}}' "$name")
    [ "$status" = 0 ] || fail "the container ended with $status"
    [ $((SECONDS - begin)) -lt $grace ] || fail "SIGTERM was not heeded within $grace seconds"
    container logs "$name" >"$work/log" 2>&1
    container rm "$name" >/dev/null
}

echo "building $image"
build_image "$image"
container volume create "$volume" >/dev/null
tile=/tiles/demo/relief/18/131072/131072.png

start
status=$(get "$tile" "$work/first.png")
[ "$status" = 200 ] || fail "$tile: status $status"
[ "$(head -c 8 "$work/first.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] ||
    fail "$tile is no PNG"
[ "$(get /healthz "$work/health")" = 200 ] || fail "/healthz is not 200"
[ "$(number renders "$work/health")" = 1 ] || fail "the tile was not rendered: $(cat "$work/health")"
[ "$(get / "$work/page")" = 200 ] || fail "the page is not 200"
inside=8080
[ $published = ports ] || inside=$port
container exec "$name" ecotone health "127.0.0.1:$inside" >/dev/null || fail "ecotone health failed"
[ "$(container exec "$name" id -u)" != 0 ] || fail "it runs as root"
[ "$(container exec "$name" cat /proc/1/comm)" = ecotone ] || fail "ecotone is not PID 1"
container exec "$name" cat /proc/mounts | grep -qE '^[^ ]+ / [^ ]+ ro[, ]' || fail "the root is writable"
container exec "$name" sh -c 'ldd /usr/local/bin/ecotone' | grep 'not found' &&
    fail "a shared library is missing"
container inspect -f '{{json .Config.Healthcheck}}' "$name" | grep -q health ||
    fail "the image has no health check"
stop

start
status=$(get "$tile" "$work/second.png")
[ "$status" = 200 ] || fail "$tile after the second start: status $status"
cmp "$work/first.png" "$work/second.png"
[ "$(get /healthz "$work/health")" = 200 ] || fail "/healthz is not 200"
[ "$(number renders "$work/health")" = 0 ] && [ "$(number store_hits "$work/health")" = 1 ] ||
    fail "the second start did not find the tile in its cache: $(cat "$work/health")"
stop

echo "container-check passed: $(container image inspect -f '{{.Size}}' "$image") bytes of image," \
    "tile, health, page, non-root, read-only, SIGTERM, cache kept"
