#!/bin/sh
# packaging/test.sh [CTEST ARGS...]: installs what is missing, builds everything and runs every test; no display
# is needed. Standard output and the exit code are those of ctest.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(dirname "$here")/build/release

"$here/deps.sh" run test || exit 1
"$here/build.sh" all || exit 1

unset DISPLAY WAYLAND_DISPLAY
folder=$build
if [ ! -w "$build" ]; then
    # Built by somebody else: ctest keeps its log in a folder of our own.
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    echo "subdirs(\"$build\")" >"$folder/CTestTestfile.cmake"
fi
ctest --test-dir "$folder" --output-on-failure -j "$(nproc)" "$@"
