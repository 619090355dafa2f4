#pragma once
// Bytes of a file as text that can be shown: what is no text is made visible, and where the named bytes are
// in it.

#include "core/import/place_text.h"

#include <QString>

namespace lacuna::ui {

struct ShownBytes {
    QString text;
    int mark = 0, markEnd = 0; // of the named bytes, in UTF-16 units of `text`
    bool isText = true;        // else a table of bytes: offset, sixteen in hex, and their characters
};
// Control characters but line ends and tabs, and bytes that are no UTF-8, become U+FFFD. A character that is
// cut at either end is left out.
ShownBytes shownBytes(const PlaceText& place);

} // namespace lacuna::ui
