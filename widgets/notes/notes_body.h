#pragma once
// The scrolled part of the list of notes.

#include "core/import/read_as.h"
#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <functional>

class QGridLayout;
class QLabel;

namespace lacuna::ui {

class NotesBody : public QWidget {
    Q_OBJECT
public:
    // showPlace is called with a note that has a place, readAgain with another way to read the file.
    NotesBody(const Document& document, const ThemePalette& palette,
              std::function<void(const Issue&)> showPlace, std::function<void(const ReadAs&)> readAgain);

private:
    QLabel* add(const QString& content, int column, int span, double size, Ink ink = Ink::Text);
    void addHeading(const QString& title);
    void addNote(const Issue& note);
    void addOffer(const Issue& note);
    void addContents(const CaptureContents& contents);
    void addRows(const Document& document);
    void addFigure(const QString& what, std::uint64_t rows);

    ThemePalette m_palette;
    std::function<void(const Issue&)> m_showPlace;
    std::function<void(const ReadAs&)> m_readAgain;
    ReadAs m_readAs; // at present
    QGridLayout* m_grid;
    int m_row = 0;
};

} // namespace lacuna::ui
