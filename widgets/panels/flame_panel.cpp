// Flame graph of a thread: of the marked range, else of the selected event, else of the whole trace.

#include "core/base/text_format.h"
#include "widgets/flame/flame_view.h"
#include "widgets/panels/panel.h"
#include "widgets/session/job_slot.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QShowEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lacuna::ui {

namespace {

class FlamePanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::FlamePanel)
public:
    FlamePanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_view(new FlameView), m_message(new QLabel) {
        setAccessibleName(title());
        auto* scroll = new QScrollArea;
        scroll->setWidget(m_view);
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setFocusPolicy(Qt::NoFocus);
        m_message->setAlignment(Qt::AlignCenter);
        m_message->setObjectName(u"flameMessage"_s);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_message);
        layout->addWidget(scroll, 1);
        makeTools();
        connect(m_view, &FlameView::chosen, this, [this](std::uint32_t node) { goTo(node); });
        connect(&context.session, &AnalysisSession::documentChanged, this, [this] { showDocument(); });
        connect(&context.session.selection(), &SelectionModel::changed, this, [this] { restart(); });
        showDocument();
    }

    QString title() const override { return tr("Flame graph"); }
    QWidget* tabTools() override { return m_tools; }
    void takeFocus() override { m_view->setFocus(Qt::TabFocusReason); }
    void setThemePalette(const ThemePalette& palette) override { m_view->setThemePalette(palette); }

protected:
    void showEvent(QShowEvent* event) override {
        Panel::showEvent(event);
        restart(); // hidden panels cost nothing
    }

private:
    QComboBox* addChoice(QLayout& layout, const QString& name, const QString& what,
                         const QStringList& choices) {
        auto* box = new QComboBox;
        box->setObjectName(name);
        box->setAccessibleName(what);
        box->setToolTip(what);
        box->addItems(choices);
        layout.addWidget(box);
        return box;
    }

    void makeTools() {
        m_tools = new QWidget(this);
        auto* layout = new QHBoxLayout(m_tools);
        layout->setContentsMargins(0, 0, 12, 0);
        layout->setSpacing(8);
        m_scope = new QLabel;
        m_scope->setObjectName(u"flameScope"_s);
        m_scope->setFont(uiFont(Face::Regular, 12));
        layout->addWidget(m_scope);
        m_thread = addChoice(*layout, u"flameThread"_s, tr("Thread"), {});
        m_order = addChoice(*layout, u"flameOrder"_s, tr("Order"), {tr("In time"), tr("Aggregated")});
        m_weight = addChoice(*layout, u"flameWeight"_s, tr("Width is"),
                             {tr("Host time"), tr("Host time, covered"), tr("GPU time")});
        m_order->setCurrentIndex(1);
        for (QComboBox* box : {m_thread, m_order})
            connect(box, &QComboBox::currentIndexChanged, this, [this] { restart(); });
        connect(m_weight, &QComboBox::currentIndexChanged, this, [this] { showWeight(); });
    }

    void showDocument() {
        m_job.cancel();
        m_tree.reset();
        m_shown.reset();
        m_walked = {};
        m_view->setGraph(nullptr, nullptr);
        const QSignalBlocker quiet(m_thread);
        m_thread->clear();
        if (const Document* document = m_context.session.document()) {
            const Trace& trace = document->trace();
            std::vector<std::pair<std::uint64_t, std::uint32_t>> threads; // most launches first
            for (std::uint32_t t = 0; t < trace.threads().size(); ++t)
                threads.emplace_back(~(t < document->facts.launches.size() ? document->facts.launches[t] : 0),
                                     t);
            std::sort(threads.begin(), threads.end());
            for (const auto& [order, t] : threads)
                m_thread->addItem(text(trace.threadTitle(ThreadId{t})), t);
        }
        restart();
    }

    struct Scope {
        ThreadId thread;
        TimeRange window;
        QString title;
        FlameOrder order = FlameOrder::Aggregated;
        friend bool operator==(const Scope&, const Scope&) = default;
    };

    std::optional<Scope> scope() const {
        const Document* document = m_context.session.document();
        if (document == nullptr || m_thread->currentIndex() < 0)
            return std::nullopt;
        Scope scope;
        scope.thread = ThreadId{m_thread->currentData().toUInt()};
        scope.order = m_order->currentIndex() == 0 ? FlameOrder::Time : FlameOrder::Aggregated;
        const SelectionModel& selection = m_context.session.selection();
        if (selection.range()) {
            scope.window = *selection.range();
            scope.title = tr("marked range");
        } else if (const EventId event = selection.event(); event && event == m_walked && m_shown) {
            scope.window = m_shown->window; // chosen in the graph: it stays what it is
            scope.title = m_shown->title;
        } else if (event) {
            scope.window = document->trace().events().range(event);
            scope.title = tr("selected event");
        } else {
            scope.window = document->trace().window();
            scope.title = tr("whole trace");
        }
        if (scope.window.isEmpty())
            scope.window.end = scope.window.begin + DurationNs{1};
        return scope;
    }

    void restart() {
        if (!isVisible())
            return;
        const auto now = scope();
        if (now == m_shown)
            return;
        m_shown = now;
        if (!now) {
            m_scope->clear();
            m_view->setGraph(nullptr, nullptr);
            return;
        }
        m_scope->setText(now->title + u", "_s + text(formatDuration(now->window.length())));
        const auto trace = m_context.session.document()->loaded.trace;
        struct Made {
            std::shared_ptr<const HostTree> tree;
            std::shared_ptr<const FlameGraph> graph;
        };
        m_job.start<Made>(
            [trace, tree = m_tree, scope = *now](JobControl& job) mutable -> Result<Made> {
                if (tree == nullptr) {
                    auto built = HostTree::build(*trace, {}, job);
                    if (!built)
                        return built.error();
                    tree = std::make_shared<const HostTree>(std::move(*built));
                }
                auto graph = makeFlameGraph(*trace, *tree, scope.thread, scope.window, scope.order, job);
                if (!graph)
                    return graph.error();
                return Made{tree, std::make_shared<const FlameGraph>(std::move(*graph))};
            },
            [this, trace, scope = *now](Result<Made> made) {
                m_message->setVisible(!made);
                if (!made) {
                    m_message->setText(text(made.error().detail + " " + made.error().remedy));
                    m_view->setGraph(nullptr, nullptr);
                    return;
                }
                m_tree = made->tree;
                m_view->setRootTitle(text(trace->threadTitle(scope.thread)) + u", "_s +
                                     text(formatDuration(scope.window.length())));
                m_view->setGraph(trace, made->graph);
                showWeight();
            });
        m_message->setVisible(false);
    }

    void showWeight() {
        static constexpr FlameWeight kWeights[] = {FlameWeight::Host, FlameWeight::Self, FlameWeight::Device};
        const FlameWeight by = kWeights[std::max(0, m_weight->currentIndex())];
        m_view->setWeight(by, m_order->currentIndex() == 1);
        if (m_view->graph() == nullptr)
            return;
        const bool isEmpty = m_view->boxes().empty();
        m_message->setVisible(isEmpty);
        m_message->setText(by == FlameWeight::Device ? tr("Nothing was launched from this thread here.")
                                                     : tr("Nothing is recorded of this thread here."));
    }

    // The longest of the rows behind a box; the graph stays that of the scope.
    void goTo(std::uint32_t node) {
        const EventId event = m_view->graph()->nodes[node].longest;
        if (!event)
            return;
        m_walked = event;
        m_context.view.goTo(event, Origin::Table);
    }

    PanelContext m_context;
    FlameView* m_view;
    QLabel* m_message;
    QWidget* m_tools = nullptr;
    QLabel* m_scope = nullptr;
    QComboBox *m_thread = nullptr, *m_order = nullptr, *m_weight = nullptr;
    std::shared_ptr<const HostTree> m_tree;
    std::optional<Scope> m_shown;
    EventId m_walked; // selected by a click on a box
    JobSlot m_job;    // last: its destructor waits
};

} // namespace

Panel* makeFlamePanel(const PanelContext& context, QWidget* parent) {
    return new FlamePanel(context, parent);
}

} // namespace lacuna::ui
