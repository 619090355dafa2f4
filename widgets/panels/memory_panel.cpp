// Memory: the curve of what is in use with its peak, and what was in use at the peak by who allocated it.
// Traces that record curves only show a row for each.

#include "widgets/panels/memory_panel.h"

#include "core/analysis/memory_tracks.h"
#include "widgets/panels/table_panel.h"
#include "widgets/plot/memory_plot.h"
#include "widgets/plot/pick_plot.h"
#include "widgets/session/settle.h"
#include "widgets/tables/report_job.h"
#include "widgets/tables/table_tools.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

#include <optional>

namespace lacuna::ui {

namespace {

constexpr int kPlotHeight = 150;

class MemoryPanel final : public TablePanel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::MemoryPanel)
public:
    MemoryPanel(const PanelContext& context, QWidget* parent)
        : TablePanel(context, u"memory"_s, u"memory"_s, parent), m_palette(ThemePalette::of(Theme::Light)),
          m_what(new QComboBox), m_curves(new QComboBox) {
        setAccessibleName(title());
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
    void setThemePalette(const ThemePalette& palette) override {
        m_palette = palette;
        TablePanel::setThemePalette(palette);
        QPalette ground = m_plot->parentWidget()->palette();
        ground.setColor(QPalette::Window, palette.color(Ink::Ground));
        m_plot->parentWidget()->setPalette(ground);
        m_plot->remake();
    }

protected:
    void bringUpToDate() override { compute(); }

private:
    void connectAll() {
        connect(&m_soon, &QTimer::timeout, this, [this] { compute(); });
        connect(m_what, &QComboBox::currentIndexChanged, this, [this] {
            forgetArrangement();
            compute();
        });
        connect(m_curves, &QComboBox::currentIndexChanged, this, [this] { showPlot(); });
        connect(m_plot, &PickPlot::picked, this, [this](std::size_t column) {
            if (column < m_columns.size())
                m_context.view.centre({m_columns[column], m_columns[column]});
        });
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
        setStale(!isVisible());
        const Document* document = m_context.session.document();
        m_range = m_context.session.selection().range();
        if (document == nullptr || isStale()) {
            showTable({}, document == nullptr ? tr("No trace is open.") : QString());
            return;
        }
        showPlot();
        m_query.name = m_what->currentIndex() == 0 ? "memory_peak" : "memory";
        m_query.options.range = m_range;
        m_job.start<ShownReport>([trace = document->loaded.trace, details = m_details, query = m_query](
                                     JobControl& job) { return computeReport(*trace, *details, query, job); },
                                 [this](Result<ShownReport> report) {
                                     report ? showTable(*std::move(report))
                                            : showTable({}, text(report.error().detail));
                                 });
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

    ThemePalette m_palette;
    ReportQuery m_query;
    std::optional<TimeRange> m_range;
    QTimer m_soon;
    std::shared_ptr<JobDetails> m_details;
    std::vector<MemoryCurves> m_sets;
    std::vector<TimeNs> m_columns; // of the plot
    QComboBox *m_what, *m_curves;
    PickPlot* m_plot = nullptr;
    JobSlot m_job; // last: its destructor waits
};

} // namespace

Panel* makeMemoryPanel(const PanelContext& context, QWidget* parent) {
    return new MemoryPanel(context, parent);
}

} // namespace lacuna::ui
