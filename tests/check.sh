#!/usr/bin/env bash
# Every check and test, one after the other, even when an earlier one failed. Logs lie in
# build/logs/; the last line sums up what the test runners counted, and each other step as one.
# Environment: BUILD, JOBS.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${BUILD:-build}
jobs=${JOBS:-$(nproc)}
logs=$build/logs
fuzz_seconds=10
unset MAKEFLAGS MFLAGS MAKELEVEL # each step is a run of its own, with its own jobs
rm -rf "$logs"
mkdir -p "$logs"

passed=0
failed=0
skipped=0
failed_steps=()

# Adds up what the runners in the log $1 say: cmocka's and node's closing lines.
count() {
    awk '
    /^\[  PASSED  \] [0-9]+ test/ { passed += $4 }
    /^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
    /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
    /^(#|ℹ) pass [0-9]+$/ { passed += $3 }
    /^(#|ℹ) (fail|cancelled) [0-9]+$/ { failed += $3 }
    /^(#|ℹ) (skipped|todo) [0-9]+$/ { skipped += $3 }
    END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}

# The lines of the log $1 that tell of failures, and its end.
show() {
    {
        grep -nE '^ *not ok|^✖|FAILED|ended with|error:|ERROR:|SUMMARY:|Error [0-9]' "$1" | head -n 40
        echo "--- the last lines of $1"
        tail -n 60 "$1"
    } | cut -c 1-300 | sed 's/^/    /'
}

# step NAME tests|one MAKE-ARGUMENT...
step() {
    local name=$1 kind=$2 log=$logs/$1.log status=0 p f s begin=$SECONDS report
    shift 2
    ASAN_OPTIONS="strict_string_checks=1:log_path=$PWD/$logs/$name.asan" \
        TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:log_path=$PWD/$logs/$name.tsan" \
        make --no-print-directory -j"$jobs" BUILD="$build" WERROR=1 "$@" >"$log" 2>&1 </dev/null ||
        status=$?
    # What a sanitizer said fails the step, even of a process whose exit nobody looked at.
    for report in "$logs/$name".[at]san.*; do
        grep -qsE 'SUMMARY:|ERROR:|runtime error:' "$report" || continue
        [ $status -ne 0 ] || status=1
        cat "$report" >>"$log"
    done
    read -r p f s < <([ "$kind" = one ] && echo "$((status == 0)) 0 0" || count "$log")
    # A runner that died, or that ran nothing, is a failure too.
    if [ $status -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1
    elif [ $((p + f)) -eq 0 ]; then
        echo "No test ran." >>"$log"
        f=1
    fi
    passed=$((passed + p))
    failed=$((failed + f))
    skipped=$((skipped + s))
    printf '%-16s %5d passed %3d failed %6d s\n' "$name" "$p" "$f" $((SECONDS - begin))
    if [ "$f" -ne 0 ]; then
        failed_steps+=("$name")
        show "$log"
    fi
}

step format one format
step tidy one tidy
step cppcheck one cppcheck
step includes one check-includes
# Builds for later steps in what the steps that mostly wait leave of the processors.
ahead() {
    local profile wanted
    while read -r profile wanted; do
        # shellcheck disable=SC2086 # several words
        nice -n 19 make --no-print-directory BUILD="$build" PROFILE="$profile" $wanted
    done <<'END'
asan test-programs WERROR=1
tsan test-programs WERROR=1
fuzz fuzz-programs
END
}

step build one all
ahead >"$logs/ahead.log" 2>&1 &
ahead=$!
step install one check-install
step unit tests unit
step http tests http
step browser tests browser
wait "$ahead" # its errors show where the step builds again
step asan-unit tests PROFILE=asan unit
step asan-http tests PROFILE=asan http
step tsan-threads tests PROFILE=tsan threads
step tsan-http tests PROFILE=tsan http HTTP_TESTS=tests/http/load.test.mjs
step fuzz one WERROR= FUZZ_SECONDS=$fuzz_seconds fuzz # clang warns of other things than gcc

echo "Logs: $logs/"
[ $failed -eq 0 ] || echo "Failed: ${failed_steps[*]}"
if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
