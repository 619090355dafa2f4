#!/bin/sh
# packaging/appimage.sh [BUILD]: makes an AppImage with its own Qt in BUILD (build/appimage). It needs linuxdeploy
# with its plug-ins qt and appimage in PATH. Run it on the oldest system that the result is for: glibc stays outside.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/appimage}
id=io.github.lacuna_viewer.Lacuna

for tool in linuxdeploy linuxdeploy-plugin-qt linuxdeploy-plugin-appimage; do
    if ! command -v "$tool" >/dev/null; then
        echo "appimage.sh: $tool is not in PATH (https://github.com/linuxdeploy)" >&2
        exit 1
    fi
done

cd "$root" # where the presets are
cmake --preset package -B "$build"
ninja -C "$build"
rm -rf "$build/AppDir"
DESTDIR="$build/AppDir" cmake --install "$build" --strip

# Verbs draw without a display (offscreen); the update information lets AppImageUpdate fetch only what changed.
export QMAKE="${QMAKE:-qmake6}" EXTRA_PLATFORM_PLUGINS="libqoffscreen.so;libqwayland-generic.so"
machine=$(uname -m)
export LDAI_UPDATE_INFORMATION="gh-releases-zsync|lacuna-viewer|lacuna|latest|Lacuna-*$machine.AppImage.zsync"
cd "$build" # where the AppImage is written
exec linuxdeploy --appdir AppDir --plugin qt --output appimage \
    --desktop-file "AppDir/usr/share/applications/$id.desktop" \
    --icon-file "AppDir/usr/share/icons/hicolor/256x256/apps/$id.png"
