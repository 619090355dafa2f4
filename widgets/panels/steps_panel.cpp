#include "widgets/panels/steps_panel.h"

#include "core/base/text_format.h"
#include "widgets/session/settle.h"
#include "widgets/steps/candidate_bar.h"
#include "widgets/steps/step_inputs.h"
#include "widgets/steps/step_numbers.h"
#include "widgets/tables/report_job.h"
#include "widgets/tables/table_tools.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr int kNumbersWidth = 780, kInputsWidth = 320;

QScrollArea* scrolled(QWidget* page, const QString& name, int least) {
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setMinimumWidth(least);
    area->setAccessibleName(name);
    area->setWidget(page);
    return area;
}

} // namespace

StepsPanel::StepsPanel(const PanelContext& context, QWidget* parent)
    : TablePanel(context, u"step"_s, u"steps"_s, parent), m_study(context.view),
      m_candidates(new CandidateBar(m_study)), m_numbers(new StepNumbers(m_study)),
      m_inputs(new StepInputs(m_study)), m_chip(new QToolButton) {
    setAccessibleName(title());
    m_table->setAccessibleName(tr("Steps in order of time"));
    m_chip->setObjectName(u"warmUpChip"_s);
    m_chip->setFont(uiFont(Face::Regular, 12));
    m_chip->setFocusPolicy(Qt::TabFocus);
    m_tools->addFirst(m_chip);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(scrolled(m_numbers, tr("Statistics of the steps"), 320));
    splitter->addWidget(scrolled(m_inputs, tr("What the trace does not record"), 260));
    splitter->setSizes({820, kNumbersWidth, kInputsWidth});
    splitter->setStretchFactor(0, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_candidates);
    layout->addWidget(splitter, 1);
    layout->addWidget(m_notes);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettleMs);
    connect(&m_soon, &QTimer::timeout, this, [this] { refresh(); });
    connect(m_chip, &QToolButton::clicked, this, [this] {
        const bool include = !m_study.settings().values()->includeWarmUp;
        m_study.settings().setOfTrace("warm_up", include ? "include" : "exclude",
                                      include ? tr("Include the warm-up") : tr("Leave the warm-up out"));
    });
    connect(&m_study, &StepStudy::changed, this, [this] { refresh(); });
    connect(&m_study, &StepStudy::currentChanged, this, [this] {
        const auto current = m_study.current();
        for (std::size_t row = 0; current && row < m_rowSteps.size(); ++row)
            if (m_rowSteps[row] == *current)
                m_table->setCurrentTableRow(static_cast<std::uint32_t>(row));
    });
    connect(m_table, &ReportTableView::rowPointed, this, [this](std::uint32_t row, bool) { open(row); });
    connect(&context.session, &AnalysisSession::documentChanged, this, [this] {
        const Document* document = m_context.session.document();
        m_details =
            document == nullptr ? nullptr : std::make_shared<JobDetails>(document->path, document->member);
    });
    connect(&context.session.selection(), &SelectionModel::changed, this, [this] {
        if (m_context.session.selection().range() != m_range)
            m_soon.start();
    });
    refresh();
}

StepsPanel::~StepsPanel() {
    m_job.cancel();
}

void StepsPanel::takeFocus() {
    if (m_study.facts() != nullptr && !m_study.facts()->times.steps.empty())
        m_table->setFocus(Qt::TabFocusReason);
    else if (auto* meaning = m_candidates->findChild<QWidget*>(u"candidateMeaning"_s);
             meaning->isVisibleTo(this))
        meaning->setFocus(Qt::TabFocusReason);
    else
        m_inputs->takeFocus();
}

void StepsPanel::focusInputs() {
    m_inputs->takeFocus();
}

void StepsPanel::askForLog() {
    m_inputs->askForLog();
}

void StepsPanel::setThemePalette(const ThemePalette& palette) {
    TablePanel::setThemePalette(palette);
    m_candidates->setThemePalette(palette);
    m_numbers->setThemePalette(palette);
    m_inputs->setThemePalette(palette);
}

// The table is not computed while the panel is hidden.
void StepsPanel::refresh() {
    m_soon.stop();
    m_job.cancel();
    showChip();
    setStale(!isVisible());
    if (isStale())
        return;
    m_range = m_context.session.selection().range();
    m_numbers->showSteps(m_range);
    const StepFacts* facts = m_study.facts();
    if (facts == nullptr) {
        m_rowSteps.clear();
        showTable({}, m_context.session.document() == nullptr ? tr("No trace is open.") : QString());
        return;
    }
    ReportQuery query;
    query.name = "steps";
    query.options.range = m_range;
    query.options.settings = facts->settings;
    m_job.start<ShownReport>([trace = facts->trace, details = m_details,
                              query](JobControl& job) { return computeReport(*trace, *details, query, job); },
                             [this](Result<ShownReport> report) { showSteps(std::move(report)); });
}

void StepsPanel::showSteps(Result<ShownReport> report) {
    const StepFacts* facts = m_study.facts();
    if (!report || facts == nullptr) {
        showTable({}, report ? QString() : text(report.error().detail));
        return;
    }
    m_rowSteps.clear();
    for (std::size_t k = 0; k < facts->times.steps.size(); ++k) {
        const TimeRange range = facts->times.steps[k].range;
        if (!m_range || (range.begin < m_range->end && range.end > m_range->begin))
            m_rowSteps.push_back(k);
    }
    QString ofRange;
    if (m_range) {
        std::size_t whole = 0;
        for (const StepTime& step : facts->times.steps)
            if (step.range.begin >= m_range->begin && step.range.end <= m_range->end)
                ++whole;
        ofRange =
            tr("The range holds %n whole %1(s).", nullptr, pluralOf(whole)).arg(text(facts->times.meaning));
    }
    showTable(*std::move(report),
              facts->candidates.empty()
                  ? tr("No repeated step was found. Mark one: select a range and press "
                       "Shift+S; or name the ranges that are steps at the right.")
                  : tr("Nothing in the trace marks steps. Say above what the repeats are, or "
                       "name the ranges that are steps at the right."),
              ofRange);
}

void StepsPanel::showChip() {
    const StepFacts* facts = m_study.facts();
    const std::size_t warmUps = facts == nullptr ? 0 : facts->times.warmUps;
    m_chip->setVisible(warmUps != 0);
    if (warmUps == 0)
        return;
    const int count = pluralOf(warmUps);
    m_chip->setText((facts->times.warmUpsIncluded ? tr("%n warm-up %1(s) included of %2", nullptr, count)
                                                  : tr("%n warm-up %1(s) excluded of %2", nullptr, count))
                        .arg(text(facts->times.meaning))
                        .arg(facts->times.steps.size()));
    m_chip->setToolTip(facts->times.warmUpsIncluded
                           ? tr("Click to leave them out of statistics")
                           : tr("Click for statistics with them; leaving them out makes no program faster"));
}

void StepsPanel::open(std::uint32_t row) {
    if (row < m_rowSteps.size())
        m_study.goTo(m_rowSteps[row]);
}

Panel* makeStepsPanel(const PanelContext& context, QWidget* parent) {
    return new StepsPanel(context, parent);
}

} // namespace lacuna::ui
