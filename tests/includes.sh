#!/usr/bin/env bash
# Proves the order of the folders: one includes only those above it and the public headers. Also
# that each library stays behind its one folder, and that no line is marked as unfinished.
# usage: includes.sh [ROOT]     prints what breaks the rules, exit 1 when something does
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"

status=0
unfinished='\b(TODO|FIXME|XXX)\b'
marks=$(grep -rnE "$unfinished" --exclude-dir=node_modules --exclude="${0##*/}" \
    Makefile README.md Dockerfile .ci config include src tests web 2>/dev/null || true)
[ -z "$marks" ] || { echo "$marks" && status=1; }

find include src -name '*.[ch]' -print0 | sort -z | xargs -0 awk '
BEGIN {
    split("base noise lattice blend world raster codec store serve http cli", order, " ")
    for (i in order)
        rank[order[i]] = i + 0
    # The one folder that may include a library; "-" stands for the public headers.
    only["microhttpd.h"] = "http"
    only["sqlite3.h"] = "store"
    only["png.h"] = "codec"
    only["yaml.h"] = "world"
    only["libdeflate.h"] = "codec"
    only["jansson.h"] = "http cli"
    only["pthread.h"] = "base store serve http cli"
}
function fault(text) {
    print FILENAME ":" FNR ": " text
    faults++
}
FNR == 1 {
    split(FILENAME, part, "/")
    folder = part[1] == "include" ? "-" : part[2]
    if (folder != "-" && !(folder in rank))
        fault("src/" folder " has no place in the order of the folders")
}
/^[ \t]*#[ \t]*include/ {
    header = $0
    sub(/^[^<"]*[<"]/, "", header)
    sub(/[>"].*$/, "", header)
    split(header, part, "/")
    top = part[1]
    if (header in only && index(" " only[header] " ", " " folder " ") == 0)
        fault("only src/{" only[header] "} includes " header)
    if ($0 !~ /"/ || top == "ecotone")
        next
    if (!(top in rank) || top == header)
        fault("\"" header "\" names no folder of src")
    else if (folder == "-")
        fault("a public header includes the private " header)
    else if (rank[top] > rank[folder])
        fault("src/" folder " includes " header ", which lies below it")
}
END {
    exit faults > 0
}' || status=1
exit $status
