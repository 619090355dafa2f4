#pragma once
// What was noticed while reading, and the account of the rows: read = kept + dropped.

#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"

#include <QFrame>

namespace lacuna::ui {

class NotesPopover : public QFrame {
    Q_OBJECT
public:
    NotesPopover(const Document& document, const ThemePalette& palette, QWidget* parent = nullptr);
};

} // namespace lacuna::ui
