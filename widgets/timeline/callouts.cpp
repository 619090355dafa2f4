#include "widgets/timeline/callouts.h"

#include "core/base/text_format.h"
#include "core/document/live_notes.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/session/note_author.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/note_ink.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace lacuna::ui {

namespace {
constexpr int kEditorWidth = 340, kEditorTextHeight = 66;
constexpr std::size_t kMaxTitleName = 40;

QIcon swatch(const QColor& colour) {
    QPixmap pixmap(12, 12);
    pixmap.fill(colour);
    return pixmap;
}
} // namespace

// --- CalloutEditor

CalloutEditor::CalloutEditor(const Callout& callout, bool deletable, const ThemePalette& palette,
                             QWidget* parent)
    : QFrame(parent), m_callout(callout), m_title(new QLineEdit), m_text(new QPlainTextEdit),
      m_colour(new QComboBox) {
    setObjectName(u"calloutEditor"_s);
    setAccessibleName(tr("Callout"));
    setFrameShape(QFrame::Box);
    setAutoFillBackground(true);
    setFixedWidth(kEditorWidth);
    m_title->setText(text(callout.title));
    m_title->setPlaceholderText(tr("Title"));
    m_title->setAccessibleName(tr("Title of the callout"));
    m_title->setObjectName(u"calloutTitle"_s);
    m_title->setFont(uiFont(Face::SemiBold, 12.5));
    m_text->setPlainText(text(callout.text));
    m_text->setPlaceholderText(tr("What is to be seen here; **bold**, *italic*, `code`"));
    m_text->setAccessibleName(tr("Text of the callout"));
    m_text->setObjectName(u"calloutText"_s);
    m_text->setFixedHeight(kEditorTextHeight);
    m_text->setTabChangesFocus(true);
    m_text->installEventFilter(this);
    const std::array<QString, kNoteColours> colours{tr("Note"), tr("GPU idle"), tr("Selection"), tr("Text")};
    for (std::size_t i = 0; i < kNoteColours; ++i)
        m_colour->addItem(swatch(palette.color(noteInk(static_cast<NoteColour>(i)))), colours[i]);
    m_colour->setCurrentIndex(static_cast<int>(callout.colour));
    m_colour->setObjectName(u"calloutColour"_s);
    m_colour->setAccessibleName(tr("Colour of the callout"));
    m_colour->setToolTip(tr("Colour, one of the theme's"));
    auto* save = new QPushButton(tr("Save"));
    save->setObjectName(u"calloutSave"_s);
    save->setDefault(true);
    save->setToolTip(tr("Ctrl+Enter"));
    auto* cancel = new QPushButton(tr("Cancel"));
    connect(save, &QPushButton::clicked, this, &CalloutEditor::accepted);
    connect(cancel, &QPushButton::clicked, this, &CalloutEditor::cancelled);
    connect(m_title, &QLineEdit::returnPressed, this, &CalloutEditor::accepted);
    auto* buttons = new QHBoxLayout;
    if (deletable) {
        auto* remove = new QPushButton(tr("Delete"));
        remove->setObjectName(u"calloutDelete"_s);
        connect(remove, &QPushButton::clicked, this, &CalloutEditor::deleteRequested);
        buttons->addWidget(remove);
    }
    buttons->addWidget(m_colour);
    buttons->addStretch(1);
    buttons->addWidget(save);
    buttons->addWidget(cancel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addLayout(buttons);
    setFocusProxy(m_title);
}

Callout CalloutEditor::callout() const {
    Callout callout = m_callout;
    callout.title = m_title->text().trimmed().toStdString();
    callout.text = m_text->toPlainText().trimmed().toStdString();
    callout.colour = static_cast<NoteColour>(m_colour->currentIndex());
    if (callout.title != m_callout.title || callout.text != m_callout.text)
        callout.isLive = false; // the words are the user's now
    return callout;
}

// Shortcuts of the timeline around it are letters and Enter here.
bool CalloutEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

void CalloutEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        Q_EMIT cancelled();
    // Keys stay in the editor: none may reach the timeline behind it.
    event->accept();
}

bool CalloutEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return && (key->modifiers() & Qt::ControlModifier) != 0) {
            Q_EMIT accepted();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

// --- Callouts

Callouts::Callouts(TimelineView& view, AnalysisSession& session)
    : QObject(&view), m_view(view), m_session(session) {
    connect(&view, &TimelineView::calloutMoved, this, &Callouts::move);
    connect(&view, &TimelineView::calloutEditRequested, this, &Callouts::edit);
    connect(&view, &TimelineView::calloutPlaceChosen, this, &Callouts::addAt);
    connect(&view, &TimelineView::calloutRangeDrawn, this, &Callouts::addAtSelection);
    connect(&session, &AnalysisSession::documentChanged, this, [this] { delete m_editor; });
}

std::optional<Callout> Callouts::calloutForSelection() const {
    const Document* document = m_session.document();
    const auto time = m_view.model().selectedTime();
    if (document == nullptr || !time)
        return std::nullopt;
    const Trace& trace = document->trace();
    const RowLayout& layout = m_view.model().layout();
    Callout callout;
    callout.time = time->begin;
    callout.end = time->end;
    LaneId lane = m_view.model().selectedLane();
    if (const EventId event = m_session.selection().event()) {
        callout.strip = trace.stripOf(event).v - trace.lane(lane).firstStrip.v;
        callout.title =
            elideMiddle(trace.nameOf(event), kMaxTitleName) + ", " + formatDuration(time->length());
    } else if (m_session.selection().gap()) {
        callout.title = "The gap, " + formatDuration(time->length());
    } else {
        callout.title = formatDuration(time->length());
        if (!lane && !layout.rows().empty()) // a range belongs to no lane: it hangs on the first in view
            for (const TimelineRow& row : layout.rows())
                if (row.lane && m_view.model().beginsInView(row)) {
                    lane = row.lane;
                    break;
                }
    }
    const auto row = lane ? layout.visibleRowOf(lane) : std::nullopt;
    if (!row)
        return std::nullopt;
    callout.laneKey = layout.rows()[*row].key;
    // Below the anchor where the lane lies in the upper part of the view, else above.
    const int y = m_view.model().topOf(layout.rows()[*row]);
    if (y < m_view.model().area().height() / 3)
        callout.boxDy = layout.rows()[*row].height + 40;
    sign(callout);
    return callout;
}

// On an empty place of a lane.
void Callouts::addAt(const std::string& laneKey, TimeNs time) {
    Callout callout;
    callout.laneKey = laneKey;
    callout.time = time;
    sign(callout);
    openEditor(callout, false);
}

void Callouts::setTool(bool on) {
    m_view.setCalloutTool(on);
}

bool Callouts::canAddVerdict() const {
    return static_cast<bool>(m_session.selection().gap()) && canAdd();
}

void Callouts::addAtSelection() {
    if (const auto callout = calloutForSelection())
        openEditor(*callout, false);
}

void Callouts::addVerdict() {
    auto callout = calloutForSelection();
    if (!callout || !m_session.selection().gap())
        return;
    const GapId gap = m_session.selection().gap();
    callout->title = liveTitle(m_session.document()->gaps->gap(gap));
    callout->text = m_session.story(gap).verdict;
    callout->isLive = true;
    m_session.undoStack().push(
        new EditAnnotations(m_session, AnnotationEdit::add(*callout), tr("Add callout")));
    if (!m_session.annotations().isEmpty())
        m_view.model().setSelectedCallout(m_session.annotations().callouts().back().id);
}

bool Callouts::hasSelected() const {
    return m_session.annotations().find(m_view.model().selectedCallout()) != nullptr;
}

void Callouts::editSelected() {
    edit(m_view.model().selectedCallout());
}
void Callouts::removeSelected() {
    remove(m_view.model().selectedCallout());
}

void Callouts::edit(std::uint32_t id) {
    if (const Callout* callout = m_session.annotations().find(id))
        openEditor(*callout, true);
}

void Callouts::move(std::uint32_t id, double dx, double dy) {
    const Callout* callout = m_session.annotations().find(id);
    if (callout == nullptr || callout->kind != AnnotationKind::Callout)
        return;
    Callout moved = *callout;
    moved.boxDx += dx;
    moved.boxDy += dy;
    m_session.undoStack().push(
        new EditAnnotations(m_session, AnnotationEdit::replace(moved), tr("Move callout")));
}

void Callouts::remove(std::uint32_t id) {
    if (m_session.annotations().find(id) == nullptr)
        return;
    m_session.undoStack().push(
        new EditAnnotations(m_session, AnnotationEdit::remove(id), tr("Delete callout")));
    m_view.model().setSelectedCallout(0);
}

void Callouts::openEditor(const Callout& callout, bool existing) {
    delete m_editor;
    m_editor = new CalloutEditor(callout, existing, m_view.themePalette(), m_view.viewport());
    const auto close = [this] {
        m_editor->hide();
        m_editor->deleteLater();
        m_editor = nullptr;
        m_view.setFocus();
    };
    connect(m_editor, &CalloutEditor::cancelled, this, close);
    connect(m_editor, &CalloutEditor::deleteRequested, this, [this, close, id = callout.id] {
        close();
        remove(id);
    });
    connect(m_editor, &CalloutEditor::accepted, this, [this, close, existing] {
        const Callout written = m_editor->callout();
        close();
        if (written.title.empty() && written.text.empty())
            return;
        m_session.undoStack().push(new EditAnnotations(
            m_session, existing ? AnnotationEdit::replace(written) : AnnotationEdit::add(written),
            existing ? tr("Edit callout") : tr("Add callout")));
        if (!existing && !m_session.annotations().isEmpty())
            m_view.model().setSelectedCallout(m_session.annotations().callouts().back().id);
    });
    placeEditor(callout);
    m_editor->show();
    m_editor->setFocus();
}

void Callouts::placeEditor(const Callout& callout) {
    m_editor->adjustSize();
    const QRect lanes = m_view.lanesRect();
    const double x = m_view.model().viewport().xOf(callout.anchorTime()) + lanes.left() + callout.boxDx;
    double y = lanes.top() + lanes.height() / 3.0;
    for (const TimelineRow& row : m_view.model().layout().rows())
        if (row.key == callout.laneKey)
            y = lanes.top() + m_view.model().topOf(row) + callout.boxDy;
    const QSize size = m_editor->size();
    m_editor->move(std::clamp(static_cast<int>(x), lanes.left() + 4,
                              std::max(lanes.left() + 4, lanes.right() - size.width() - 4)),
                   std::clamp(static_cast<int>(y), lanes.top() + 4,
                              std::max(lanes.top() + 4, lanes.bottom() - size.height() - 4)));
}

} // namespace lacuna::ui
