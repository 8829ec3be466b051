#!/usr/bin/env bash
# Each rule of includes.sh, broken once: a check that cannot fail proves nothing.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/includes.sh
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/include/ecotone "$root"/src/{base,world,http}

expect() { # STATUS PATH LINE: includes.sh ends with STATUS when PATH holds LINE alone
    local status=0
    printf '%s\n' "$3" >"$root/$2"
    "$check" "$root" >/dev/null 2>&1 || status=$?
    rm "$root/$2"
    [ $((status != 0)) = "$1" ] || {
        echo "includes.sh ended with $status for $2: $3"
        exit 1
    }
}

expect 0 src/http/a.c '#include "world/config.h"'
expect 0 src/http/a.c '#include <microhttpd.h>'
expect 0 src/base/a.c '#include "ecotone/error.h"'
expect 0 include/ecotone/a.h '#include "ecotone/error.h"'
expect 1 src/world/a.c '#include "http/server.h"'
expect 1 src/world/a.c '  #  include   "serve/service.h"'
expect 1 src/world/a.c '#include <microhttpd.h>'
expect 1 src/http/a.c '#include <sqlite3.h>'
expect 1 src/http/a.c '#include <png.h>'
expect 1 src/world/a.c '#include "config.h"'
expect 1 src/world/a.c '#include "elsewhere/config.h"'
expect 1 include/ecotone/a.h '#include "base/arena.h"'
expect 1 include/ecotone/a.h '#include <jansson.h>'
expect 1 src/base/a.c "/* TO""DO: later */"
mkdir "$root/src/misc"
expect 1 src/misc/a.c '#include <stdio.h>'
