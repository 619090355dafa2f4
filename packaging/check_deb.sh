#!/bin/sh
# packaging/check_deb.sh DEB: what a package has to pass before it is handed out. lintian finds no error; in a clean
# Debian 12 root it installs, draws a figure, opens a window far enough to say that there is no display, and leaves
# nothing behind when it is purged. Needs root, a network, lintian and debootstrap; the root is kept in the folder
# $LACUNA_ROOT where that is set.
set -eu
deb=$1
samples=$(cd "$(dirname "$0")/../resources/samples" && pwd)

lintian --allow-root --fail-on error "$deb"

root=${LACUNA_ROOT:-}
if [ -z "$root" ]; then
    root=$(mktemp -d)
    trap 'rm -rf "$root"' EXIT
fi
[ -x "$root/usr/bin/dpkg" ] || debootstrap --variant=minbase bookworm "$root" >&2
cp "$deb" "$root/tmp/lacuna.deb"
cp "$samples/item_sync.pt.trace.json.gz" "$root/tmp/trace.json.gz"
chroot "$root" sh -eu <<'INSIDE'
export DEBIAN_FRONTEND=noninteractive LC_ALL=C HOME=/tmp
apt-get -q update >/dev/null
apt-get -q install -y --no-install-recommends /tmp/lacuna.deb >/dev/null
dpkg -V lacuna
lacuna --version
lacuna render /tmp/trace.json.gz --gap 1 -o /tmp/figure.png
[ -s /tmp/figure.png ]
lacuna && exit 1
[ $? -eq 3 ]
dpkg -L lacuna >/tmp/files
apt-get -q purge -y lacuna >/dev/null
while read -r path; do
    if [ -f "$path" ]; then
        echo "left behind: $path" >&2
        exit 1
    fi
done </tmp/files
INSIDE
echo "check_deb.sh: $deb installs, runs and goes"
