#!/bin/sh
# Used by run.sh and test.sh: configures build/release where needed and builds the given ninja targets there,
# under a lock. All output goes to standard error. Nothing to do takes a fraction of a second.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release

exec >&2
mkdir -p "$build"
exec 9<"$build" # the folder itself is the lock: it can be locked by who may only read it
if ! flock -n 9; then
    echo "Waiting for another build in build/release ..."
    flock 9
fi

# Configured again when the presets, the place of the sources, the compiler cache or cmake itself changed; the
# rest (CMakeLists.txt, sources) ninja sees by itself.
ccache=$(command -v ccache || true)
stamp="$(cksum "$root/CMakePresets.json") $ccache $(command -v cmake) $(cmake --version | head -n 1)"
configured=false
if [ -f "$build/build.ninja" ] && [ "$stamp" = "$(cat "$build/.stamp" 2>/dev/null)" ]; then
    configured=true
fi
if [ ! -w "$build" ]; then
    # Built by somebody else (root, for example): fine as long as there is nothing to build.
    if $configured && ninja -C "$build" -n "$@" | grep -q 'no work to do'; then
        exit 0
    fi
    echo "build/release is out of date and belongs to $(stat -c %U "$build"): build as that user, or remove it."
    exit 1
fi
if ! $configured; then
    echo "Configuring build/release ..."
    rm -f "$build/.stamp"
    # From nothing it compiles twice as fast in batches of files.
    (cd "$root" && cmake --preset release --fresh -DLACUNA_UNITY=ON ${ccache:+-DCMAKE_CXX_COMPILER_LAUNCHER="$ccache"})
    printf '%s\n' "$stamp" >"$build/.stamp"
fi
ninja -C "$build" "$@"
