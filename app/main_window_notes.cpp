// What the window tells about the open file: banners, the list of notes, the places behind them.

#include "app/main_window.h"
#include "app/read_choice.h"
#include "app/status_line.h"
#include "core/analysis/capture_window.h"
#include "core/base/text_format.h"
#include "core/output/check_output.h"
#include "core/output/text_sink.h"
#include "widgets/notes/note_texts.h"
#include "widgets/notes/notes_popover.h"
#include "widgets/notes/place_dialog.h"
#include "widgets/states/banner.h"
#include "widgets/summary/summary_strip.h"
#include "widgets/text.h"

#include <QApplication>
#include <QClipboard>

#include <algorithm>

namespace lacuna::ui {

namespace {
constexpr int kMargin = 12;
} // namespace

// A file that could not be opened while another one is open: that one stays.
void MainWindow::showFailure() {
    const OpenFailure& failure = *m_session.failure();
    QStringList detail{text(failure.error.place), text(failure.error.remedy)};
    detail.removeAll(QString());
    m_banner->showMessage(
        tr("%1 could not be opened: %2").arg(displayName(failure.path), text(failure.error.detail)),
        detail.join(u". "_s), tr("Open another..."));
}

// An error in the file is told at once; all else waits in the list. The notes begin with the worst.
void MainWindow::showWorstNote() {
    const Document& document = *m_session.document();
    if (document.notes.empty() || document.notes.front().severity != Severity::Error) {
        showCaptureWindow();
        return;
    }
    const Issue& note = document.notes.front();
    QString detail = displayName(document.path);
    if (const QString place = placeText(note.first); !place.isEmpty())
        detail = tr("%1, %2").arg(detail, place);
    if (const QString remedy = text(remedyOf(note)); !remedy.isEmpty())
        detail = tr("%1. %2").arg(detail, remedy);
    m_banner->showMessage(text(note.message), detail, tr("All notes"));
}

// A delayed capture may have missed what was meant.
void MainWindow::showCaptureWindow() {
    const Trace& trace = m_session.document()->trace();
    if (!isDelayedCapture(trace))
        return;
    const CaptureWindow window = captureWindow(trace);
    m_banner->showFact(
        text(captureWindowText(window)),
        window.ranges.empty()
            ? tr("Nothing in the trace tells whether the delayed capture landed in the phase that was "
                 "meant. "
                 "Ranges (NVTX, record_function) would.")
            : tr("The capture was delayed: see that these are ranges of the phase that was meant."));
}

void MainWindow::showNotes() {
    if (m_session.document() == nullptr)
        return;
    const QPoint corner = m_summary->mapToGlobal(m_summary->rect().bottomRight());
    const int room = mapToGlobal(rect().bottomLeft()).y() - corner.y() - kMargin;
    auto* notes = new NotesPopover(*m_session.document(), m_theme.palette(), room, this);
    connect(notes, &NotesPopover::placeRequested, this, &MainWindow::showPlace);
    connect(notes, &NotesPopover::copyRequested, this, &MainWindow::copyReport);
    connect(notes, &NotesPopover::readAgainRequested, this, [this](const ReadAs& how) {
        // Callouts are anchored in time: with another unit they would stand elsewhere.
        const bool isOtherTime =
            how.timesAreNs != readAsOf(m_session.document()->trace().report()).timesAreNs;
        if (!isOtherTime || mayLoseCallouts())
            ReadChoice::of(m_session).readAgain(how);
    });
    notes->move(corner - QPoint(notes->width() + kMargin, 0));
    notes->show();
}

void MainWindow::showPlace(const Issue& note) {
    if (m_session.document() == nullptr || !hasPlace(note))
        return;
    auto* place = new PlaceDialog(m_session, note, m_theme.palette(), this);
    place->setAttribute(Qt::WA_DeleteOnClose);
    connect(place, &PlaceDialog::eventFound, this,
            [this](EventId event) { m_view.goTo(event, Origin::Command); });
    place->show();
}

void MainWindow::copyReport() {
    const Document* document = m_session.document();
    if (document == nullptr)
        return;
    StringSink report;
    writeCheckText(document->trace(), document->completeness, report);
    QApplication::clipboard()->setText(text(report.text()));
    m_status->showMessage(tr("The report is copied."));
}

} // namespace lacuna::ui
