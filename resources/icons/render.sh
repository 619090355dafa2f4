#!/bin/sh
# Renders png/ from lacuna.svg; run it when the drawing changes. Needs rsvg-convert (librsvg2-bin).
set -eu
cd "$(dirname "$0")"
for size in 16 24 32 48 64 128 256 512; do
    rsvg-convert -w $size -h $size lacuna.svg -o png/lacuna-$size.png
done
