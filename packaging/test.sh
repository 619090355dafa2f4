#!/bin/sh
# packaging/test.sh [CTEST ARGS...]: installs what is missing, builds everything and runs every test; no display
# is needed. Standard output and the exit code are those of ctest.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

"$here/deps.sh" run test || exit 1
"$here/build.sh" all || exit 1

unset DISPLAY WAYLAND_DISPLAY
exec ctest --test-dir "$root/build/release" --output-on-failure -j "$(nproc)" "$@"
