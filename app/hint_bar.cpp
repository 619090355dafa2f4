#include "app/hint_bar.h"

#include "widgets/command/command_registry.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <utility>

namespace lacuna::ui {

namespace {
enum Move { WalkGapsMove, ZoomMove, MarkRangeMove, AnnotateMove, ExportMove };
}

HintBar::HintBar(AnalysisSession& session, TimelineViewModel& view, const CommandRegistry& commands,
                 std::function<void()> done)
    : m_session(session), m_view(view), m_commands(commands), m_done(std::move(done)),
      m_palette(ThemePalette::of(Theme::Light)), m_count(new QLabel), m_text(new QLabel) {
    setObjectName(u"hintBar"_s);
    m_text->setObjectName(u"hintText"_s);
    m_count->setFont(uiFont(Face::SemiBold, 12));
    m_text->setFont(uiFont(Face::Regular, 12));
    auto* skip = new QPushButton(tr("Skip these hints"));
    skip->setObjectName(u"hintSkip"_s);
    skip->setFlat(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 3, 12, 3);
    layout->setSpacing(10);
    layout->addWidget(m_count);
    layout->addWidget(m_text, 1);
    layout->addWidget(skip);
    connect(skip, &QPushButton::clicked, this, &HintBar::finish);
    connect(&session, &AnalysisSession::documentChanged, this, &HintBar::showMove);
    connect(&session.selection(), &SelectionModel::changed, this, [this] {
        if (m_session.selection().gap())
            made(WalkGapsMove);
        if (m_session.selection().range())
            made(MarkRangeMove);
    });
    connect(&view, &TimelineViewModel::viewChanged, this, &HintBar::viewMoved);
    connect(&session, &AnalysisSession::annotationsChanged, this, [this] {
        if (!m_session.annotations().isEmpty())
            made(AnnotateMove);
    });
    if (const QAction* action = commands.action(u"file.export"_s))
        connect(action, &QAction::triggered, this, [this] { made(ExportMove); });
    connect(&commands, &CommandRegistry::keysChanged, this, &HintBar::showMove);
    hide();
}

void HintBar::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

void HintBar::viewMoved() {
    if (m_move == ZoomMove && m_nsPerPx > 0 && m_view.viewport().nsPerPx != m_nsPerPx)
        made(ZoomMove);
}

// Moves are taught in order.
void HintBar::made(int move) {
    if (move != m_move || isHidden())
        return;
    if (++m_move == kMoves)
        finish();
    else
        showMove();
}

void HintBar::showMove() {
    if (m_move >= kMoves)
        return;
    const auto key = [this](const char* id) {
        const QList<QKeySequence>& keys = m_commands.keys(QLatin1String(id));
        return keys.isEmpty() ? tr("the menu") : keys.front().toString(QKeySequence::NativeText);
    };
    QString what;
    switch (m_move) {
    case WalkGapsMove:
        what = tr("Press %1: the gap that costs most, and why. Again: the next one.").arg(key("gaps.next"));
        break;
    case ZoomMove:
        what = tr("%1 and %2 zoom at the pointer, as Ctrl and the wheel do; %3 fits what is selected.")
                   .arg(key("timeline.zoomIn"), key("timeline.zoomOut"), key("timeline.focusSelection"));
        break;
    case MarkRangeMove:
        what = tr("Drag over the lanes: the range that you mark gets its own figures in the inspector.");
        break;
    case AnnotateMove:
        what = tr("%1 puts a callout at the selection; %2 takes the verdict of a gap as its text.")
                   .arg(key("annotate.add"), key("annotate.addVerdict"));
        break;
    default:
        what = tr("%1 makes a figure of what you see, for a colleague or a paper.").arg(key("file.export"));
    }
    m_nsPerPx = m_view.viewport().nsPerPx;
    m_count->setText(tr("%1 of %2").arg(m_move + 1).arg(kMoves));
    m_text->setText(what);
    setAccessibleName(what);
    setVisible(m_session.document() != nullptr);
}

void HintBar::finish() {
    m_move = kMoves;
    hide();
    if (m_done)
        std::exchange(m_done, nullptr)();
}

void HintBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), mixed(m_palette.ink(Ink::Selection), m_palette.ink(Ink::Window), 0.08));
    painter.fillRect(QRect(0, 0, 3, height()), m_palette.color(Ink::Selection));
    painter.fillRect(QRect(0, 0, width(), 1), m_palette.color(Ink::Border));
}

} // namespace lacuna::ui
