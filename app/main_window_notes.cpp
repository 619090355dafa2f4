// What the window tells about the open file: banners, the list of notes, the places behind them.

#include "app/main_window.h"
#include "app/read_choice.h"
#include "app/status_line.h"
#include "core/analysis/capture_window.h"
#include "core/base/text_format.h"
#include "core/document/world.h"
#include "core/import/byte_source.h"
#include "core/output/check_output.h"
#include "core/output/text_sink.h"
#include "widgets/notes/note_texts.h"
#include "widgets/notes/notes_popover.h"
#include "widgets/notes/place_dialog.h"
#include "widgets/session/open_ranks.h"
#include "widgets/states/banner.h"
#include "widgets/states/stretch_dialog.h"
#include "widgets/summary/summary_strip.h"
#include "widgets/text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

#include <algorithm>
#include <set>

namespace lacuna::ui {

namespace {
constexpr int kMargin = 12;
} // namespace

// A file that could not be opened while another one is open: that one stays.
void MainWindow::showFailure() {
    const OpenFailure& failure = *m_session.failure();
    QStringList detail{text(failure.error.place), text(failure.error.remedy)};
    detail.removeAll(QString());
    tell(tr("%1 could not be opened: %2").arg(displayName(failure.path), text(failure.error.detail)),
         detail.join(u". "_s), !failure.lacksMemory ? tr("Open another...") : tr("Choose steps..."), [this] {
             if (m_session.failure()->lacksMemory)
                 chooseSteps();
             else
                 chooseFile();
         });
}

void MainWindow::chooseSteps() {
    if (const auto& failure = m_session.failure())
        m_session.survey(QString(failure->path), QString(failure->member));
}

void MainWindow::tell(const QString& message, const QString& detail, const QString& action,
                      std::function<void()> does) {
    m_tellsRanks = false;
    m_bannerDoes = std::move(does);
    m_banner->showMessage(message, detail, action);
}

void MainWindow::openAgain(OpenHow how) {
    if (const auto& failure = m_session.failure())
        m_session.open(QString(failure->path), QString(failure->member), how);
}

// An error in the file is told at once; all else waits in the list. The notes begin with the worst.
void MainWindow::showWorstNote() {
    const Document& document = *m_session.document();
    if (document.stoppedAt) {
        showStopped();
        return;
    }
    if (document.stretch) {
        showStretch();
        return;
    }
    if (document.notes.empty() || document.notes.front().severity != Severity::Error) {
        if (!showCaptureWindow())
            showRanks();
        return;
    }
    const Issue& note = document.notes.front();
    QString detail = displayName(document.path);
    if (const QString place = placeText(note.first); !place.isEmpty())
        detail = tr("%1, %2").arg(detail, place);
    if (const QString remedy = text(remedyOf(note)); !remedy.isEmpty())
        detail = tr("%1. %2").arg(detail, remedy);
    tell(text(note.message), detail, tr("All notes"), [this] { showNotes(); });
}

// The rest of the file can be read after all, unless it was a pipe.
void MainWindow::showStopped() {
    if (m_session.isLoading())
        return;
    const Document& document = *m_session.document();
    tell(tr("Stopped at %1. The first %2 are open; the rest is not read.")
             .arg(text(formatBytes(*document.stoppedAt)), text(formatDuration(document.readFor))),
         tr("What is not read may hold work that fills gaps shown here."),
         isStandardInput(document.path.toStdString()) ? QString() : tr("Continue"),
         [this] { m_session.reload(); });
}

// All of it can be read after all.
void MainWindow::showStretch() {
    if (m_session.isLoading())
        return;
    const Document& document = *m_session.document();
    const FileStretch& stretch = *document.stretch;
    m_tellsRanks = false;
    m_banner->showFact(tr("%1 of this trace are open; the rest is not read.")
                           .arg(text(formatDuration({stretch.endNs - stretch.beginNs}))),
                       tr("What is not read may tell more of what happened at the edges."),
                       tr("Read all of it"));
    m_bannerDoes = [this] {
        const Document& now = *m_session.document();
        m_session.open(QString(now.path), QString(now.member));
    };
}

// A large trace was looked through: which of it is to be read?
void MainWindow::askForStretch() {
    const Surveyed& found = *m_session.lastSurvey();
    const auto& failure = m_session.failure();
    const bool isSame = failure && failure->path == found.path;
    auto* dialog = new StretchDialog(displayName(found.path), found.survey, isSame ? failure->neededBytes : 0,
                                     m_session.freeBytes(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowModality(Qt::WindowModal);
    connect(dialog, &StretchDialog::chosen, this,
            [this, path = found.path, member = found.member](const FileStretch& stretch) {
                m_session.openStretch(path, member, stretch);
            });
    dialog->show();
}

// A delayed capture may have missed what was meant.
bool MainWindow::showCaptureWindow() {
    const Trace& trace = m_session.document()->trace();
    if (!isDelayedCapture(trace))
        return false;
    const CaptureWindow window = captureWindow(trace);
    m_banner->showFact(
        text(captureWindowText(window)),
        window.ranges.empty()
            ? tr("Nothing in the trace tells whether the delayed capture landed in the phase that was "
                 "meant. "
                 "Ranges (NVTX, record_function) would.")
            : tr("The capture was delayed: see that these are ranges of the phase that was meant."));
    return true;
}

// Of a run of several ranks, those in other tabs are counted with this one.
void MainWindow::showRanks() {
    const Document& document = *m_session.document();
    const auto world = worldOf(document.trace().facts());
    if (!world || world->size < 2 || m_ranksKnown == document.path)
        return;
    std::set<std::int64_t> open;
    for (const OpenRank& one : openRanks(m_session))
        open.insert(one.rank);
    const std::int64_t missing = world->size - static_cast<std::int64_t>(open.size());
    if (missing <= 0)
        return;
    QStringList ranks;
    for (const std::int64_t rank : open)
        ranks << QString::number(rank);
    const QString opened = tr("Rank(s) %1 of %2 (is|are) open.", nullptr, pluralOf(open.size()))
                               .arg(ranks.join(u", "_s))
                               .arg(world->size);
    const QString rest =
        tr("%1 rank(s) (is|are) not.", nullptr, pluralOf(static_cast<std::uint64_t>(missing))).arg(missing);
    m_banner->showFact(opened + u' ' + rest, {}, m_openElsewhere ? tr("Add...") : QString());
    m_bannerDoes = [this] { addRanks(); };
    m_tellsRanks = true;
}

// Each in a tab of its own.
void MainWindow::addRanks() {
    const QStringList files = QFileDialog::getOpenFileNames(this, tr("Add ranks"), m_folder, fileFilter());
    for (const QString& file : files)
        m_openElsewhere(file, {}, {});
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
