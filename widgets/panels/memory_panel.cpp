// Memory: the curve of what is in use with its peak, and what was in use at the peak by who allocated it.
// Traces that record curves only show a row for each.

#include "widgets/panels/memory_panel.h"

#include "core/analysis/memory_tracks.h"
#include "widgets/panels/panel.h"
#include "widgets/plot/memory_plot.h"
#include "widgets/plot/pick_plot.h"
#include "widgets/session/settle.h"
#include "widgets/tables/report_job.h"
#include "widgets/tables/table_tools.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QShowEvent>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

#include <optional>

namespace lacuna::ui {

namespace {

constexpr int kPlotHeight = 150;

class MemoryPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::MemoryPanel)
public:
    MemoryPanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_palette(ThemePalette::of(Theme::Light)),
          m_table(new ReportTableView),
          m_tools(new TableTools(context.view, context.commands, *m_table, u"memory"_s, this)),
          m_what(new QComboBox), m_curves(new QComboBox), m_notes(new QLabel) {
        setAccessibleName(title());
        m_table->setObjectName(u"memoryTable"_s);
        m_table->setAccessibleName(tr("Memory in use"));
        m_what->setObjectName(u"memoryReport"_s);
        m_what->setAccessibleName(tr("What makes a row"));
        m_what->addItems({tr("in use at the peak"), tr("curves")});
        m_curves->setObjectName(u"memoryCurves"_s);
        m_curves->setAccessibleName(tr("Memory that is drawn"));
        m_tools->addFirst(m_what);
        m_tools->addFirst(m_curves);
        m_plot = new PickPlot([this](QSize size, const FigureFonts& fonts) { return scene(size, fonts); },
                              kPlotHeight);
        m_plot->setObjectName(u"memoryPlot"_s);
        auto* splitter = new QSplitter(Qt::Horizontal);
        splitter->setHandleWidth(1);
        splitter->setChildrenCollapsible(false);
        splitter->addWidget(m_table);
        auto* right = new QWidget;
        right->setObjectName(u"memoryRight"_s);
        right->setMinimumWidth(280);
        right->setAutoFillBackground(true);
        auto* column = new QVBoxLayout(right);
        column->setContentsMargins(8, 4, 8, 4);
        column->addWidget(m_plot);
        column->addStretch(1);
        splitter->addWidget(right);
        splitter->setSizes({900, 540});
        m_notes->setObjectName(u"memoryNotes"_s);
        m_notes->setFont(uiFont(Face::Regular, 12));
        m_notes->setTextFormat(Qt::PlainText);
        m_notes->setWordWrap(true);
        m_notes->setContentsMargins(10, 3, 10, 4);
        m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addWidget(splitter, 1);
        layout->addWidget(m_notes);
        m_soon.setSingleShot(true);
        m_soon.setInterval(kSettleMs);
        connectAll();
        showDocument();
    }
    ~MemoryPanel() override { m_job.cancel(); }

    QString title() const override { return tr("Memory"); }
    QWidget* tabTools() override { return m_tools; }
    void takeFocus() override { m_table->setFocus(Qt::TabFocusReason); }
    void setThemePalette(const ThemePalette& palette) override {
        m_palette = palette;
        m_table->setThemePalette(palette);
        m_notes->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
        QPalette ground = m_plot->parentWidget()->palette();
        ground.setColor(QPalette::Window, palette.color(Ink::Ground));
        m_plot->parentWidget()->setPalette(ground);
        m_plot->remake();
    }
    QVariantMap kept() const override {
        QVariantMap kept = Panel::kept();
        kept[u"table"_s] = QVariant::fromValue(m_state);
        return kept;
    }
    void restore(const QVariantMap& kept) override {
        if (kept.isEmpty())
            return;
        Panel::restore(kept);
        m_state = kept.value(u"table"_s).value<ReportViewState>();
    }

protected:
    void showEvent(QShowEvent* event) override {
        Panel::showEvent(event);
        if (m_isStale)
            compute();
    }

private:
    void connectAll() {
        connect(&m_soon, &QTimer::timeout, this, [this] { compute(); });
        connect(m_what, &QComboBox::currentIndexChanged, this, [this] {
            m_state = {}; // other columns
            compute();
        });
        connect(m_curves, &QComboBox::currentIndexChanged, this, [this] { showPlot(); });
        connect(m_plot, &PickPlot::picked, this, [this](std::size_t column) {
            if (column < m_columns.size())
                m_context.view.centre({m_columns[column], m_columns[column]});
        });
        connect(m_table, &ReportTableView::stateChanged, this, [this] { m_state = m_table->state(); });
        connect(m_table, &ReportTableView::exportDone, m_notes, &QLabel::setText);
        connect(m_table, &ReportTableView::rowPointed, this,
                [this](std::uint32_t row, bool again) { open(row, again); });
        connect(&m_context.session, &AnalysisSession::documentChanged, this, [this] { showDocument(); });
        connect(&m_context.session.selection(), &SelectionModel::changed, this, [this] {
            if (m_context.session.selection().range() != m_range)
                m_soon.start();
        });
    }

    void showDocument() {
        const Document* document = m_context.session.document();
        m_details =
            document == nullptr ? nullptr : std::make_shared<JobDetails>(document->path, document->member);
        {
            const QSignalBlocker quiet(m_curves);
            m_curves->clear();
            m_sets = document == nullptr ? std::vector<MemoryCurves>() : memoryCurves(document->trace());
            for (const MemoryCurves& set : m_sets)
                m_curves->addItem(text(set.title));
        }
        {
            const QSignalBlocker quiet(m_what);
            const bool hasBlocks =
                document != nullptr && document->trace().strings().find("[memory]").has_value();
            m_what->setCurrentIndex(hasBlocks || m_sets.empty() ? 0 : 1);
            m_what->setVisible(hasBlocks);
        }
        m_curves->setVisible(m_sets.size() > 1);
        compute();
    }

    void compute() {
        m_soon.stop();
        m_job.cancel();
        m_isStale = !isVisible();
        const Document* document = m_context.session.document();
        m_range = m_context.session.selection().range();
        if (document == nullptr || m_isStale) {
            show({}, document == nullptr ? tr("No trace is open.") : QString());
            return;
        }
        showPlot();
        m_query.name = m_what->currentIndex() == 0 ? "memory_peak" : "memory";
        m_query.options.range = m_range;
        m_job.start<ShownReport>([trace = document->loaded.trace, details = m_details, query = m_query](
                                     JobControl& job) { return computeReport(*trace, *details, query, job); },
                                 [this](Result<ShownReport> report) {
                                     report ? show(*std::move(report), {})
                                            : show({}, text(report.error().detail));
                                 });
    }

    void show(ShownReport report, const QString& why) {
        m_tools->clear();
        QStringList notes;
        if (report.table != nullptr)
            for (const std::string& note : report.table->notes())
                notes << text(note);
        const bool isEmpty = report.table == nullptr || report.table->rows() == 0;
        m_table->showPlaceholder(!isEmpty ? QString() : why.isEmpty() ? notes.join(u' ') : why);
        m_notes->setText(isEmpty ? QString() : notes.join(u' '));
        m_notes->setVisible(!isEmpty && !notes.isEmpty());
        ReportViewState state = m_state;
        state.arrangement.filter = m_tools->filter().toStdString();
        m_table->showReport(std::move(report), state);
    }

    // ---- the plot

    void showPlot() {
        m_plot->setVisible(!m_sets.empty());
        m_plot->remake();
    }

    PickScene scene(QSize size, const FigureFonts& fonts) {
        const Document* document = m_context.session.document();
        const auto set = static_cast<std::size_t>(std::max(0, m_curves->currentIndex()));
        m_columns.clear();
        if (document == nullptr || set >= m_sets.size())
            return {};
        MemoryPlotInput input;
        input.title = text(m_sets[set].title);
        for (const CounterId track : m_sets[set].tracks)
            input.tracks.push_back(&document->trace().counters()[track.v]);
        input.range = m_range && !m_range->isEmpty() ? *m_range : m_context.view.extent();
        MemoryPlot plot = memoryPlot(input, m_palette, size, fonts);
        m_columns = std::move(plot.at);
        return std::move(plot.made);
    }

    void open(std::uint32_t row, bool again) {
        const Document* document = m_context.session.document();
        if (document == nullptr)
            return;
        const ReportEvidence evidence = evidenceOf(*m_table->rows().table(), row);
        JobControl job; // the row tells its event, or nothing
        const auto instances = instancesOf({document->trace(), nullptr, m_query.options}, evidence, job);
        m_tools->open(row, again, evidence, *instances);
    }

    PanelContext m_context;
    ThemePalette m_palette;
    ReportViewState m_state;
    ReportQuery m_query;
    std::optional<TimeRange> m_range;
    bool m_isStale = true; // nothing is computed while the panel is hidden
    QTimer m_soon;
    std::shared_ptr<JobDetails> m_details;
    std::vector<MemoryCurves> m_sets;
    std::vector<TimeNs> m_columns; // of the plot
    ReportTableView* m_table;
    TableTools* m_tools;
    QComboBox *m_what, *m_curves;
    QLabel* m_notes;
    PickPlot* m_plot = nullptr;
    JobSlot m_job; // last: its destructor waits
};

} // namespace

Panel* makeMemoryPanel(const PanelContext& context, QWidget* parent) {
    return new MemoryPanel(context, parent);
}

} // namespace lacuna::ui
