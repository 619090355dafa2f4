#!/bin/sh
# Runs the fuzz targets one after the other and prints executions, executions a second, coverage (edges) and
# the size of the corpus of each. New inputs go to a folder of the build, finds (crash-*, ...) beside it.
#   tests/fuzz/run.sh BUILD SECONDS [TARGET...]     e.g. build/fuzz 300
#   RUNS=20000000 JOBS=2 tests/fuzz/run.sh build/fuzz 7200 json
set -eu
build=$1 seconds=$2
shift 2
source=$(cd "$(dirname "$0")" && pwd)
# Small blocks are not kept after they are freed for long: the targets allocate much for each input.
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=8:detect_leaks=1:malloc_context_size=3}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}"
export LACUNA_CACHE=off
[ -d /dev/shm ] && [ -z "${TMPDIR:-}" ] && export TMPDIR=/dev/shm
status=0
for target in ${*:-json sqlite inflate cache ncucsv ncureport}; do
    work=$build/fuzz-$target
    mkdir -p "$work/corpus"
    dictionary=
    [ -f "$source/$target.dict" ] && dictionary=-dict=$source/$target.dict
    binary=$(cd "$build" && pwd)/tests/fuzz/fuzz_$target
    set +e
    (cd "$work" && "$binary" $dictionary -max_len=4096 -timeout=20 -rss_limit_mb=2048 -entropic=0 -use_value_profile=0 \
        -max_total_time="$seconds" ${RUNS:+-runs=$RUNS} ${JOBS:+-fork=$JOBS} -print_final_stats=1 \
        corpus "$source/corpus/$target" >log 2>&1)
    code=$?
    set -e
    [ $code -eq 0 ] || status=1
    last=$(grep -aE '^#[0-9]+.*cov: ' "$work/log" | tail -1)
    echo "$target: exit $code  $last"
    grep -aE 'stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)|ERROR|SUMMARY|broken:' "$work/log" || true
done
exit $status
