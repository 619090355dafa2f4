#!/bin/sh
# The Debian packages that the two commands and .ci/run need, in one place.
#   packaging/deps.sh GROUP...         installs what is missing of the groups; nothing, and quietly, if nothing is
#   packaging/deps.sh --list GROUP...  prints the packages, one a line
# Groups: run (build and start the program), test (its tests), checks (.ci/run), package (a manual page in what
# is installed), wayland (a session without X).
# dpkg is asked first; apt-get is called only for what is missing, as root or through sudo. With neither right
# the exact command is printed and the exit code is 1.
set -eu

packages() {
    case $1 in
    run) echo build-essential cmake ninja-build pkg-config qt6-base-dev libsqlite3-dev nlohmann-json3-dev \
        zlib1g-dev libisal-dev libzstd-dev liblzma-dev libarchive-dev libssl-dev libcli11-dev ;;
    test) echo xvfb xauth openbox xdotool dbus-daemon at-spi2-core ;;
    checks) echo clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev valgrind python3 \
        scdoc desktop-file-utils appstream xdotool ;;
    package) echo scdoc ;;
    wayland) echo qt6-wayland ;;
    *)
        echo "deps.sh: unknown group '$1' (run, test, checks, package, wayland)" >&2
        exit 2
        ;;
    esac
}

list=false
if [ "${1:-}" = --list ]; then
    list=true
    shift
fi
wanted=
for group in "$@"; do
    names=$(packages "$group")
    wanted="$wanted $names"
done
if $list; then
    # shellcheck disable=SC2086 # a list of words
    printf '%s\n' $wanted
    exit 0
fi

if ! command -v dpkg-query >/dev/null; then
    echo "deps.sh: this is no Debian system; install by hand what corresponds to:$wanted" >&2
    exit 1
fi
# shellcheck disable=SC2086
installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii *//p') || true
missing=
for package in $wanted; do
    case "
$installed
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -eq 0 ]; then
    as_root=env
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root="sudo env"
else
    {
        echo "These packages are missing and there is no right to install them here:$missing"
        echo "Run this as root, then start again:"
        echo "  apt-get update && $install"
    } >&2
    exit 1
fi
echo "Installing:$missing" >&2
$as_root DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
# shellcheck disable=SC2086
$as_root DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
    install -y --no-install-recommends $missing >&2
