#pragma once
// The ink of a note's colour.

#include "core/document/annotations.h"
#include "widgets/theme/theme_palette.h"

namespace lacuna::ui {

constexpr Ink noteInk(NoteColour colour) {
    switch (colour) {
    case NoteColour::Annotation:
        break;
    case NoteColour::Gap:
        return Ink::Gap;
    case NoteColour::Accent:
        return Ink::Selection;
    case NoteColour::Text:
        return Ink::Text;
    }
    return Ink::Annotation;
}

} // namespace lacuna::ui
