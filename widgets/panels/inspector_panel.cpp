// One inspector for any selection.

#include "core/base/text_format.h"
#include "widgets/command/command_registry.h"
#include "widgets/panels/inspector_pages.h"
#include "widgets/panels/panel.h"
#include "widgets/session/findings_job.h"
#include "widgets/session/range_work.h"
#include "widgets/session/replay_results.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr int kPulledMs = 100;
// The page of a whole trace takes as long as all that is painted of it: behind that, in a turn of its own.
constexpr int kBehindMs = 50;

class InspectorPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::InspectorPanel)
public:
    InspectorPanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_palette(ThemePalette::of(Theme::Light)),
          m_findings(context.session), m_work(context.session) {
        setAccessibleName(title());
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addWidget(makeHeader());
        m_scroll = new QScrollArea;
        m_scroll->setObjectName(u"inspectorScroll"_s);
        m_scroll->setWidgetResizable(true);
        m_scroll->setFrameShape(QFrame::NoFrame);
        m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_scroll->setFocusPolicy(Qt::StrongFocus);
        m_scroll->setAccessibleName(tr("Inspector"));
        layout->addWidget(m_scroll, 1);
        connect(&context.session, &AnalysisSession::previewChanged, this, [this] { rebuild(); });
        connect(&context.session, &AnalysisSession::documentChanged, this, [this] {
            if (m_context.session.document() == nullptr) {
                rebuild();
                return;
            }
            if (!m_showsLoading)
                replacePage(nullptr); // it tells of another trace
            m_soon.start(kBehindMs);
        });
        connect(&context.session.selection(), &SelectionModel::changed, this, [this] { followSelection(); });
        connect(&context.view, &TimelineViewModel::axisChanged, this, [this] {
            const SelectionModel& selection = m_context.session.selection();
            if (selection.event() || selection.range()) // those pages tell times
                rebuild();
        });
        m_soon.setSingleShot(true);
        connect(&m_soon, &QTimer::timeout, this, [this] { rebuild(); });
        connect(&context.session.replay(), &ReplayResults::changed, this, [this] {
            if (m_context.session.selection().gap())
                rebuild();
        });
        connect(&m_findings, &FindingsJob::changed, this, [this] {
            if (m_showsFindings)
                rebuild();
        });
        connect(&m_work, &RangeWork::changed, this, [this] {
            if (m_showsRange)
                rebuild();
        });
    }

    QString title() const override { return tr("Inspector"); }
    void setThemePalette(const ThemePalette& palette) override {
        m_palette = palette;
        m_header->setStyleSheet(u"#inspectorHeader { background: %1; border-bottom: 1px solid %2; }"_s.arg(
            palette.color(Ink::Window).name(), palette.color(Ink::Border).name()));
        m_place->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
        rebuild();
    }
    void takeFocus() override {
        // The first row that does something, else the page itself for scrolling.
        if (m_scroll->widget() != nullptr)
            for (auto* button : m_scroll->widget()->findChildren<QAbstractButton*>())
                if (button->focusPolicy() != Qt::NoFocus) {
                    button->setFocus(Qt::TabFocusReason);
                    return;
                }
        m_scroll->setFocus();
    }

private:
    QWidget* makeHeader() {
        m_header = new QWidget;
        m_header->setObjectName(u"inspectorHeader"_s);
        m_header->setFixedHeight(Measures::kRulerHeight);
        auto* layout = new QHBoxLayout(m_header);
        layout->setContentsMargins(kInspectorPadding, 0, 8, 0);
        layout->setSpacing(2);
        auto* name = new QLabel(title());
        name->setFont(uiFont(Face::SemiBold, 12.5));
        layout->addWidget(name);
        layout->addStretch(1);
        m_place = new QLabel;
        m_place->setFont(uiFont(Face::Regular, 12));
        m_previous = makeStep(u"‹"_s, u"gaps.previous"_s, tr("Previous gap, worst first"));
        m_next = makeStep(u"›"_s, u"gaps.next"_s, tr("Next gap, worst first"));
        layout->addWidget(m_previous);
        layout->addWidget(m_place);
        layout->addWidget(m_next);
        return m_header;
    }

    QToolButton* makeStep(const QString& sign, const QString& command, const QString& name) {
        auto* button = new QToolButton;
        button->setText(sign);
        button->setAccessibleName(name);
        button->setToolTip(name);
        button->setFocusPolicy(Qt::TabFocus);
        button->setFixedSize(24, 24);
        connect(button, &QToolButton::clicked, this, [this, command] { m_context.commands.run(command); });
        return button;
    }

    void showPlace() {
        const Document* document = m_context.session.document();
        const GapId gap = m_context.session.selection().gap();
        const bool any = document != nullptr && !document->gaps->gaps().empty();
        m_previous->setVisible(any);
        m_next->setVisible(any);
        m_place->setVisible(any);
        if (!any)
            return;
        const auto groups = document->gaps->groups().size();
        m_place->setText(gap ? tr("gap %1 of %2 groups").arg(document->gaps->gap(gap).group + 1).arg(groups)
                             : tr("%n group(s) of gaps", nullptr, pluralOf(groups)));
    }

    // While a range is pulled by the pointer its page, which takes longer than the timeline's picture,
    // follows a few times a second.
    void followSelection() {
        const bool isPulled =
            m_context.session.selection().range() && QGuiApplication::mouseButtons() != Qt::NoButton;
        if (!isPulled)
            rebuild();
        else if (!m_soon.isActive())
            m_soon.start(kPulledMs);
    }

    void rebuild() {
        m_soon.stop();
        m_showsLoading = false;
        showPlace();
        if (m_context.session.shown() == nullptr) {
            replacePage(nullptr);
            return;
        }
        const PageContext context{
            m_context.session,
            m_palette,
            [this](const Selection& what) { m_context.view.goTo(what, Origin::Inspector); },
            [this](TimeRange range) { m_context.view.reveal(range, {}); },
            [this](const std::vector<EventId>& events) {
                m_context.session.selection().setEvents(events, Origin::Inspector);
            },
            [this](TimeRange range, GapId gap) {
                SelectionModel& selection = m_context.session.selection();
                if (gap) {
                    selection.markBeside(range, Origin::Inspector);
                    m_context.view.goTo(gap, Origin::Inspector);
                } else {
                    selection.set(range, Origin::Inspector);
                    m_context.view.reveal(range, {});
                }
            },
            m_findings.found() ? &*m_findings.found() : nullptr,
            &m_work,
            m_context.view.axis()};
        m_showsFindings = m_showsRange = false;
        const SelectionModel& selection = m_context.session.selection();
        if (selection.events().size() > 1)
            replacePage(makeEventsPage(context, selection.events()));
        else if (const EventId event = selection.event())
            replacePage(makeEventPage(context, event));
        else if (m_context.session.isPreview()) {
            m_showsLoading = true;
            replacePage(makeLoadingPage());
        } else if (const GapId gap = selection.gap())
            replacePage(makeGapPage(context, gap));
        else if (selection.range()) {
            m_showsRange = true;
            replacePage(makeRangePage(context, *selection.range()));
        } else {
            m_showsFindings = true;
            replacePage(makeFindingsPage(context));
        }
    }

    // Gaps and their causes need the whole trace.
    QWidget* makeLoadingPage() const {
        auto* page = new InspectorPage(m_palette);
        page->addHeading(tr("Loading..."));
        page->addText(tr("What keeps the GPU idle is shown when the whole trace is read."), Qt::PlainText, 12,
                      true);
        page->finish();
        return page;
    }

    // The old page may be the sender of the signal that replaces it, so it is deleted later.
    void replacePage(QWidget* page) {
        if (QWidget* old = m_scroll->takeWidget()) {
            old->hide();
            old->deleteLater();
        }
        if (page != nullptr)
            m_scroll->setWidget(page);
    }

    PanelContext m_context;
    ThemePalette m_palette;
    bool m_showsLoading = false; // while the file is read
    bool m_showsFindings = false, m_showsRange = false;
    QTimer m_soon;
    FindingsJob m_findings;
    RangeWork m_work;
    QWidget* m_header = nullptr;
    QLabel* m_place = nullptr;
    QToolButton *m_previous = nullptr, *m_next = nullptr;
    QScrollArea* m_scroll = nullptr;
};

} // namespace

Panel* makeInspectorPanel(const PanelContext& context, QWidget* parent) {
    return new InspectorPanel(context, parent);
}

} // namespace lacuna::ui
