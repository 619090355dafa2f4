#!/usr/bin/env python3
"""Makes the bundled faces from Debian's fonts-inter and fonts-jetbrains-mono (needs python3-fonttools).

Two changes: the family is renamed, so that a system font of the same name can never take its place (pictures
must not depend on the machine), and digits are the tabular ones. Scripts kept: Latin, Greek, Cyrillic, signs.
Run by hand when a face changes; the build only reads the results.
"""
import sys
from fontTools import subset
from fontTools.ttLib import TTFont

INTER = "/usr/share/fonts/opentype/inter/Inter-%s.otf"
MONO = "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-%s.ttf"
UNICODES = [*range(0x20, 0x530), *range(0x1E00, 0x2000), *range(0x2000, 0x2070), *range(0x2070, 0x20C0),
            *range(0x2100, 0x2300), *range(0x2460, 0x2480), *range(0x25A0, 0x2600), 0x2605, 0x26A0, 0x276F,
            *range(0x2713, 0x2718), 0xFFFD]
WEIGHTS = {"Regular": 400, "Medium": 500, "SemiBold": 600}


def tabular_digits(font):
    for lookup_index in {i for r in font["GSUB"].table.FeatureList.FeatureRecord if r.FeatureTag == "tnum"
                         for i in r.Feature.LookupListIndex}:
        for table in font["GSUB"].table.LookupList.Lookup[lookup_index].SubTable:
            mapping = getattr(table, "ExtSubTable", table).mapping
            for cmap in font["cmap"].tables:
                for code, glyph in list(cmap.cmap.items()):
                    if code in range(0x30, 0x3A) and glyph in mapping:
                        cmap.cmap[code] = mapping[glyph]


def rename(font, family, style):
    names = font["name"]
    names.names = [n for n in names.names if n.nameID in (0, 5, 7, 8, 9, 11, 12, 13, 14)]
    text = {1: family + ("" if style == "Regular" else " " + style), 2: "Regular", 3: f"{family} {style}",
            4: f"{family} {style}", 6: family.replace(" ", "") + "-" + style, 16: family, 17: style}
    for number, value in text.items():
        names.setName(value, number, 3, 1, 0x409)
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames[0] = text[6]
        cff.topDictIndex[0].FamilyName = family
        cff.topDictIndex[0].FullName = text[4]
    font["OS/2"].usWeightClass = WEIGHTS[style]
    font["OS/2"].fsSelection = (font["OS/2"].fsSelection & ~0x21) | 0x40
    font["head"].macStyle = 0


def make(source, target, family, style):
    font = TTFont(source, recalcTimestamp=False)
    if "GSUB" in font:
        tabular_digits(font)
    options = subset.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    options.name_IDs = ["*"]
    options.hinting = False
    options.notdef_outline = True
    tool = subset.Subsetter(options)
    tool.populate(unicodes=UNICODES)
    tool.subset(font)
    rename(font, family, style)
    font.save(target)


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    for face in WEIGHTS:
        make(INTER % face, f"{folder}/LacunaSans-{face}.otf", "Lacuna Sans", face)
    make(MONO % "Regular", f"{folder}/LacunaMono-Regular.ttf", "Lacuna Mono", "Regular")
