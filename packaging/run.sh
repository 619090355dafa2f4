#!/bin/sh
# packaging/run.sh [ARGS...]: installs what is missing, builds, and starts `lacuna ARGS...`. Without arguments it
# opens the bundled sample trace. Standard output and the exit code are those of lacuna; what is installed and
# built is told on standard error. Exit code 1: lacuna was not started, the message says why.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

groups=run
if [ -n "${WAYLAND_DISPLAY:-}" ] && [ -z "${DISPLAY:-}" ]; then
    groups="run wayland"
fi
# shellcheck disable=SC2086
"$here/deps.sh" $groups || exit 1
"$here/build.sh" lacuna || exit 1

if [ $# -eq 0 ]; then
    set -- "$root/resources/samples/item_sync.pt.trace.json.gz"
fi
exec "$root/build/release/app/lacuna" "$@"
