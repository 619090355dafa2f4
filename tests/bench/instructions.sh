#!/bin/sh
# The regression gate of the loader (performance.md goal 18): instructions per byte of a generated trace of
# 100,000 events, counted by callgrind, so the answer does not depend on the machine's load. Fails 5 % above the
# figure in tests/bench/instructions.txt; the goal of 14 is told where it is not met.
#   tests/bench/instructions.sh LOAD_ONCE GENERATOR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
load=$1
generator=$2
if [ ! -f "$generator" ]; then
    echo "skipped: the generator of traces is not here ($generator)"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$generator" --format kineto --events 100000 --seed 1 --out "$work/trace.json" 2>/dev/null
# One thread: the counts of several would hold their waiting.
valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.out" "$load" "$work/trace.json" 1 \
    >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; exit 1; }
instructions=$(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' "$work/err")
bytes=$(stat -c %s "$work/trace.json")
awk -v i="$instructions" -v b="$bytes" -v last="$(cat "$here/instructions.txt")" 'BEGIN {
    now = i / b
    limit = last * 1.05
    printf "%.2f instructions per byte (limit %.2f, recorded %.2f)%s\n", now, limit, last,
        (now > 14 ? "; the goal is 14" : "")
    exit now > limit
}'
