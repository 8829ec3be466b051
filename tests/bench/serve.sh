#!/usr/bin/env bash
# Requests a second for cached tiles, from memory and from SQLite, beside nginx serving the same PNG
# files, in one run. The three take turns, so that a busy machine is busy for all.
# usage: serve.sh ECOTONE FOLDER     writes FOLDER/serve.json
# Environment: ROUNDS (5), SECONDS_EACH (4), WORKERS of nginx (2, as many as threads of HTTP here),
# NGINX (more settings for it, such as "open_file_cache max=1000;")
set -euo pipefail
ecotone=$(realpath "$1")
out=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rounds=${ROUNDS:-5}
seconds=${SECONDS_EACH:-4}
workers=${WORKERS:-2}
work=$(mktemp -d)
chmod 755 "$work"
. tests/bench/daemon.sh
trap 'stop_all; rm -rf "$work"' EXIT

# 256 tiles around the centre of the world at zoom 18.
export PATHS=$work/paths
for x in $(seq 131064 131079); do
    for y in $(seq 131064 131079); do
        echo "/tiles/demo/relief/18/$x/$y.png"
    done
done >"$PATHS"

start memory "$(config_with_memory 256MiB)" "$work/memory.sqlite"
port_memory=$port
fetch_all "$port_memory" "$PATHS" "$work/static"
start store "$(config_with_memory 0)" "$work/store.sqlite"
port_store=$port
fetch_all "$port_store" "$PATHS" "$work/again"
diff -r "$work/static" "$work/again" >/dev/null || { echo "two daemons, two pictures" >&2; exit 1; }
for _ in $(seq 100); do
    [ "$(counter "$port_store" pending)" = 0 ] && break
    sleep 0.1
done

chmod -R a+rX "$work/static" # for the user that nginx works as
port_nginx=18080
while (: <"/dev/tcp/127.0.0.1/$port_nginx") 2>/dev/null; do
    port_nginx=$((port_nginx + 1))
done
# Debian's settings, less the log, and as many requests a connection as we allow.
cat >"$work/nginx.conf" <<NGINX
worker_processes $workers;
pid $work/nginx.pid;
error_log $work/nginx.log warn;
daemon off;
events { worker_connections 768; }
http {
    sendfile on;
    tcp_nopush on;
    access_log off;
    keepalive_requests 1000000000;
    types { image/png png; }
    ${NGINX:-}
    client_body_temp_path $work/nginx-body;
    proxy_temp_path $work/nginx-proxy;
    fastcgi_temp_path $work/nginx-fastcgi;
    uwsgi_temp_path $work/nginx-uwsgi;
    scgi_temp_path $work/nginx-scgi;
    server { listen 127.0.0.1:$port_nginx; root $work/static; }
}
NGINX
nginx -c "$work/nginx.conf" -e "$work/nginx.log" 2>/dev/null &
pids+=($!)
sleep 0.5

# measure SERVER PORT ROUND: adds a line "server round requests/s p50 p99" to the results.
measure() {
    local requests duration errors p50 p99 slowest
    read -r requests duration errors p50 p99 slowest < <(wrk -t1 -c32 -d"${4:-$seconds}s" \
        -s tests/bench/wrk.lua "http://127.0.0.1:$2" | sed -n 's/^result //p')
    [ "$errors" = 0 ] || { echo "$1: $errors of $requests requests failed" >&2; exit 1; }
    awk "BEGIN { print \"$1\", $3, $requests * 1e6 / $duration, $p50, $p99 }" >>"$work/results"
}

for server in nginx memory store; do # warm up, not counted
    port=port_$server
    measure $server "${!port}" 0 1
done
renders=$(($(counter "$port_memory" renders) + $(counter "$port_store" renders)))
for round in $(seq "$rounds"); do
    for server in nginx memory store; do
        port=port_$server
        measure $server "${!port}" "$round"
    done
done
[ $(($(counter "$port_memory" renders) + $(counter "$port_store" renders))) = $renders ] ||
    { echo "tiles were rendered while hits were measured" >&2; exit 1; }
[ "$(counter "$port_memory" store_hits)" = 0 ] && [ "$(counter "$port_store" memory_hits)" = 0 ] ||
    { echo "hits came from the wrong cache" >&2; exit 1; }

bytes=$(cat $(sed "s|^|$work/static|" "$PATHS") | wc -c)
awk -v bytes="$bytes" -v json="$out/serve.json" '
function median(list, n,    i, j, t) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
            t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
        }
    return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
$2 > 0 {
    rate[$1, $2] = $3; p50[$1, $2] = $4; p99[$1, $2] = $5
    rounds = $2 > rounds ? $2 : rounds
}
END {
    printf "%d rounds, wrk -t1 -c32, 256 tiles of %d bytes on average\n", rounds, bytes / 256
    printf "%-8s %12s %10s %8s %8s %10s\n", "server", "requests/s", "of nginx", "p50 us", "p99 us",
        "worst p99"
    split("nginx memory store", servers, " ")
    printf "[" >json
    for (s = 1; s <= 3; s++) {
        name = servers[s]
        worst = 0
        for (r = 1; r <= rounds; r++) {
            a[r] = rate[name, r]; b[r] = rate[name, r] / rate["nginx", r]
            c[r] = p50[name, r]; d[r] = p99[name, r]
            worst = d[r] > worst ? d[r] : worst
        }
        row = sprintf("%s %.0f %.3f %.0f %.0f %.0f", name, median(a, rounds), median(b, rounds),
            median(c, rounds), median(d, rounds), worst)
        split(row, v, " ")
        printf "%-8s %12s %10s %8s %8s %10s\n", v[1], v[2], v[3], v[4], v[5], v[6]
        printf "%s\n  {\"server\": \"%s\", \"requests_per_second\": %s, \"of_nginx\": %s, \"p50_us\": %s, \"p99_us\": %s}",
            (s > 1 ? "," : ""), v[1], v[2], v[3], v[4], v[5] >json
    }
    printf "\n]\n" >json
}' "$work/results"
