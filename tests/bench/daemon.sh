# Starts and stops daemons for measurements. To be sourced, with `ecotone` the program's path and
# `work` a temporary folder.
pids=()

stop_all() {
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    for pid in "${pids[@]}"; do
        wait "$pid" 2>/dev/null || true
    done
    pids=()
}

# config_with_memory BYTES: the shipped configuration with another memory cache; prints its path.
config_with_memory() {
    local file=$work/memory-${1// /}.yaml
    sed "/^cache:/,/^[a-z]/s/^\( *memory:\).*/\1 $1/" config/ecotone.yaml >"$file"
    grep -q "^ *memory: $1\$" "$file" || {
        echo "config/ecotone.yaml has no cache.memory to replace" >&2
        return 1
    }
    echo "$file"
}

# start NAME CONFIG CACHE: starts a daemon on a free port; sets `pid` and `port`.
start() {
    local log=$work/$1.log
    "$ecotone" serve --listen 127.0.0.1:0 --cache "$3" "$2" >"$log" 2>&1 &
    pid=$!
    pids+=("$pid")
    for _ in $(seq 100); do
        port=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$log" | head -n 1 | grep -oE '[0-9]+$' || true)
        [ -z "$port" ] || return 0
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    echo "the daemon does not start:" >&2
    cat "$log" >&2
    return 1
}

# counter PORT NAME: a number of /healthz.
counter() {
    curl -sS "http://127.0.0.1:$1/healthz" | sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p" | head -n 1
}

# fetch_all PORT PATHS FOLDER: gets every path of the file PATHS once, 8 at a time, into FOLDER.
fetch_all() {
    sed "s|.*|url = \"http://127.0.0.1:$1&\"\noutput = \"$3&\"|" "$2" >"$work/curl"
    curl -sS --no-progress-meter --fail --create-dirs --parallel --parallel-max 8 --config "$work/curl"
}
