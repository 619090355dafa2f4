#pragma once
// What was noticed about the open trace: every note with its first place and what to do, what the capture
// holds, and the account of the rows (read = kept + left out). The sentences are those of `lacuna check`.

#include "core/import/read_as.h"
#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"

#include <QFrame>

class QPushButton;

namespace lacuna::ui {

class NotesPopover : public QFrame {
    Q_OBJECT
public:
    // Not higher than `room`, logical pixels. Closes by Escape or a click elsewhere.
    NotesPopover(const Document& document, const ThemePalette& palette, int room, QWidget* parent = nullptr);

Q_SIGNALS:
    void placeRequested(const lacuna::Issue& note); // the first place of a note, in the file
    void readAgainRequested(const lacuna::ReadAs& how);
    void copyRequested(); // the whole report, as text

private:
    QWidget* makeHead(const Document& document, const ThemePalette& palette) const;
    QWidget* makeFoot();
};

} // namespace lacuna::ui
