#pragma once
// The place that a note points to: the bytes around it or the row, read from the file again in the
// background. Never changes anything; closing it stops the reading.

#include "core/import/place_text.h"
#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace lacuna::ui {

class PlaceDialog : public QDialog {
    Q_OBJECT
public:
    // The session has a document, and the note a place in it.
    PlaceDialog(const AnalysisSession& session, const Issue& note, const ThemePalette& palette,
                QWidget* parent = nullptr);

Q_SIGNALS:
    void eventFound(lacuna::EventId event); // that was made of the place

private:
    struct Found {
        PlaceText place;
        EventId event;
    };
    void read(const Document& document);
    void showFound(const Found& found);
    void showBytes(const PlaceText& place);
    void showRow(const PlaceText& place);
    void showError(const Error& error);

    Issue m_note;
    ThemePalette m_palette;
    QLabel *m_where, *m_state, *m_event;
    QStackedWidget* m_pages;
    QPlainTextEdit* m_bytes;
    QTreeWidget* m_row;
    QPushButton* m_copy;
    QString m_copied;  // what Copy gives
    JobSlot m_reading; // last: its destructor waits for the job
};

} // namespace lacuna::ui
