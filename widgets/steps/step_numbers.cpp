#include "widgets/steps/step_numbers.h"

#include "core/base/text_format.h"
#include "widgets/kernels/field_grid.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lacuna::ui {

namespace {

constexpr int kPlotHeight = 112;

QString nsText(double ns) {
    return text(formatDuration({std::llround(ns)}));
}

QString countText(const StepQuantity& quantity, const StepTimes& times) {
    const QString count = QString::number(quantity.values.size());
    if (times.warmUps == 0)
        return count;
    return times.warmUpsIncluded ? StepNumbers::tr("%1, %2 of them warm-up").arg(count).arg(times.warmUps)
                                 : StepNumbers::tr("%1, %2 warm-up excluded").arg(count).arg(times.warmUps);
}

QString modesText(const std::vector<DurationMode>& modes) {
    if (modes.size() < 2)
        return StepNumbers::tr("one");
    QStringList parts;
    for (const DurationMode& mode : modes)
        parts << u"%1 (%2)"_s.arg(nsText(static_cast<double>(mode.medianNs))).arg(mode.count);
    return StepNumbers::tr("%1: %2").arg(modes.size()).arg(parts.join(u", "_s));
}

std::optional<Drift> shownDrift(const std::vector<std::int64_t>& values, const Thresholds& thresholds) {
    const Drift drift = driftOf(values);
    return drift.fit >= thresholds[Threshold::DriftFit] && drift.fit > 0 ? std::optional(drift)
                                                                         : std::nullopt;
}

} // namespace

StepFigures stepFigures(const StepQuantity& quantity, const StepTimes& times, const Thresholds& thresholds,
                        QuantileDefinition definition) {
    const SampleStatistics values = sampleStatistics(quantity.values, definition);
    const auto outliers = outliersOf(quantity.values, thresholds[Threshold::UnusualFactor]);
    const auto modes = durationModes(quantity.values, thresholds[Threshold::ModeShare]);
    const auto drift = shownDrift(quantity.values, thresholds);
    return {{StepNumbers::tr("values"), countText(quantity, times)},
            {StepNumbers::tr("mean"), nsText(values.mean)},
            {StepNumbers::tr("median"), nsText(values.median)},
            {StepNumbers::tr("p95"), nsText(values.p95)},
            {StepNumbers::tr("standard deviation"), nsText(values.deviation)},
            {StepNumbers::tr("min"), text(formatDuration({values.min}))},
            {StepNumbers::tr("max"), text(formatDuration({values.max}))},
            {StepNumbers::tr("outliers"), QString::number(outliers.size())},
            {StepNumbers::tr("modes"), modesText(modes)},
            {StepNumbers::tr("drift"), drift ? u"%1%2 %"_s.arg(drift->change() < 0 ? u"−"_s : u"+"_s)
                                                   .arg(std::fabs(drift->change()) * 100, 0, 'f', 1)
                                             : StepNumbers::tr("no line fits")}};
}

StepNumbers::StepNumbers(StepStudy& study, QWidget* parent)
    : QWidget(parent), m_study(study), m_palette(ThemePalette::of(Theme::Light)), m_which(new QComboBox),
      m_definitions(new QComboBox),
      m_histogram(new PickPlot(
          [this](QSize size, const FigureFonts& fonts) { return makeHistogram(size, fonts); }, kPlotHeight)),
      m_course(new PickPlot([this](QSize size, const FigureFonts& fonts) { return makeCourse(size, fonts); },
                            kPlotHeight)),
      m_definitionText(new QLabel), m_body(new QBoxLayout(QBoxLayout::TopToBottom)) {
    m_which->setObjectName(u"stepQuantity"_s);
    m_which->setAccessibleName(tr("Quantity of the steps"));
    m_definitions->setObjectName(u"stepDefinition"_s);
    m_definitions->setAccessibleName(tr("Definition of median and p95"));
    m_definitions->addItem(tr("usual median, p95"));
    m_definitions->addItem(tr("as timing loops"));
    m_histogram->setObjectName(u"stepHistogram"_s);
    m_course->setObjectName(u"stepCourse"_s);
    m_definitionText->setFont(uiFont(Face::Regular, 12));
    m_definitionText->setWordWrap(true);
    m_definitionText->setObjectName(u"stepDefinitionText"_s);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_which);
    head->addWidget(m_definitions);
    head->addStretch(1);
    m_body->setSpacing(14);
    m_body->addWidget(m_histogram, 1, Qt::AlignTop);
    m_body->addWidget(m_course, 1, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 6);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addLayout(m_body);
    layout->addWidget(m_definitionText);
    layout->addStretch(1);
    connect(m_which, &QComboBox::activated, this, [this](int index) {
        m_wanted = m_quantities[static_cast<std::size_t>(index)].which;
        showFigures();
    });
    connect(m_definitions, &QComboBox::activated, this, [this](int index) {
        m_definition = index == 0 ? QuantileDefinition::Usual : QuantileDefinition::Benchmark;
        showFigures();
    });
    connect(m_histogram, &PickPlot::picked, this, &StepNumbers::pickBin);
    connect(m_course, &PickPlot::picked, this, [this](std::size_t step) { m_study.goTo(step); });
    connect(&study, &StepStudy::currentChanged, this, [this] { m_course->remake(); });
    rebuild();
}

void StepNumbers::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    m_definitionText->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
    rebuild();
}

void StepNumbers::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    constexpr int kBeside = 640;
    m_body->setDirection(width() < kBeside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void StepNumbers::showSteps(const std::optional<TimeRange>& range) {
    const StepFacts* facts = m_study.facts();
    m_times = facts == nullptr ? StepTimes{} : facts->times;
    m_firstShown = 0;
    if (range && facts != nullptr) {
        keepStepsOf(m_times, *range);
        if (!m_times.steps.empty())
            while (facts->times.steps[m_firstShown].range != m_times.steps.front().range)
                ++m_firstShown;
    }
    m_quantities = stepQuantities(m_times);
    rebuild();
}

void StepNumbers::rebuild() {
    m_which->clear();
    int chosen = 0;
    for (const StepQuantity& quantity : m_quantities) {
        if (quantity.which == m_wanted)
            chosen = m_which->count();
        m_which->addItem(text(quantity.title));
    }
    m_which->setCurrentIndex(m_quantities.empty() ? -1 : chosen);
    const bool any = !m_quantities.empty();
    for (QWidget* part : {static_cast<QWidget*>(m_which), static_cast<QWidget*>(m_definitions),
                          static_cast<QWidget*>(m_histogram), static_cast<QWidget*>(m_course),
                          static_cast<QWidget*>(m_definitionText)})
        part->setVisible(any);
    showFigures();
}

const StepQuantity* StepNumbers::quantity() const {
    const int index = m_which->currentIndex();
    return index < 0 || m_quantities.empty() ? nullptr : &m_quantities[static_cast<std::size_t>(index)];
}

void StepNumbers::showFigures() {
    m_bin.reset();
    delete m_figures;
    m_figures = nullptr;
    const StepQuantity* shown = quantity();
    if (shown == nullptr)
        return;
    const StepFigures figures =
        stepFigures(*shown, m_times, m_study.facts()->settings->thresholds, m_definition);
    FieldGrid grid(m_palette);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto which = static_cast<StepFigure>(i);
        std::function<void()> open;
        if (!placesOf(which).empty())
            open = [this, which] { openSteps(which); };
        i < (figures.size() + 1) / 2 ? grid.left(figures[i].first, figures[i].second, open)
                                     : grid.right(figures[i].first, figures[i].second, open);
    }
    m_figures = grid.take();
    m_figures->setObjectName(u"stepFigures"_s);
    m_body->insertWidget(0, m_figures, 0, Qt::AlignTop);
    m_definitionText->setText(
        tr("%1. Standard deviation of the sample (n − 1).").arg(text(quantileTitle(m_definition))));
    m_histogram->remake();
    m_course->remake();
}

// The steps behind a figure: those that it is of, the shortest or the longest one, those that stand out.
// Places in the values.
std::vector<std::size_t> StepNumbers::placesOf(StepFigure which) const {
    const StepQuantity* shown = quantity();
    const StepFacts* facts = m_study.facts();
    std::vector<std::size_t> places;
    if (shown == nullptr || facts == nullptr)
        return places;
    const auto& values = shown->values;
    if (which == StepFigure::Min || which == StepFigure::Max) {
        const auto at = which == StepFigure::Min ? std::min_element(values.begin(), values.end())
                                                 : std::max_element(values.begin(), values.end());
        places.push_back(static_cast<std::size_t>(at - values.begin()));
    } else if (which == StepFigure::Outliers) {
        places = outliersOf(values, facts->settings->thresholds[Threshold::UnusualFactor]);
    } else {
        places.resize(values.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
    }
    return places;
}

void StepNumbers::openSteps(StepFigure which) {
    const StepQuantity* shown = quantity();
    const std::vector<std::size_t> places = placesOf(which);
    if (places.empty())
        return;
    if (places.size() == 1) {
        m_study.goTo(m_firstShown + shown->steps[places.front()]);
        return;
    }
    std::vector<EventId> marks;
    std::optional<TimeRange> time;
    for (const std::size_t place : places) {
        const StepTime& step = m_times.steps[shown->steps[place]];
        if (step.event)
            marks.push_back(step.event);
        time = time ? TimeRange{std::min(time->begin, step.range.begin), std::max(time->end, step.range.end)}
                    : step.range;
    }
    if (!marks.empty())
        m_study.view().session().selection().setEvents(marks, Origin::Table);
    if (time)
        m_study.show(*time);
}

PickScene StepNumbers::makeHistogram(QSize size, const FigureFonts& fonts) const {
    const StepQuantity* shown = quantity();
    if (shown == nullptr)
        return {};
    const SampleStatistics values = sampleStatistics(shown->values, m_definition);
    StepHistogram input;
    input.quantity = text(shown->title);
    input.bins = histogramOf(shown->values, kStepBins);
    input.median = values.median;
    input.p95 = values.p95;
    input.modes = durationModes(shown->values, m_study.facts()->settings->thresholds[Threshold::ModeShare]);
    input.current = m_bin;
    return stepHistogramScene(input, m_palette, size, fonts);
}

PickScene StepNumbers::makeCourse(QSize size, const FigureFonts& fonts) const {
    const StepQuantity* shown = quantity();
    if (shown == nullptr)
        return {};
    const StepFacts& facts = *m_study.facts();
    StepCourse input;
    input.quantity = text(shown->title);
    const std::size_t measuredFrom = m_times.steps.size() - m_times.measured().size();
    for (std::size_t k = 0; k < m_times.steps.size(); ++k) {
        const auto ns = stepValue(m_times, k, shown->which);
        if (!ns)
            continue;
        if (k < measuredFrom)
            input.firstMeasured = input.bars.size() + 1;
        const StepTime& step = m_times.steps[k];
        StepBar bar;
        bar.step = m_firstShown + k;
        bar.ns = *ns;
        bar.isWarmUp = step.isWarmUp;
        bar.isUnusual = step.isUnusual;
        bar.title = text(stepTitle(*facts.trace, facts.times, bar.step));
        if (shown->which == StepValue::Iteration) // what it waited for before (features.md A12)
            bar.dataNs = step.dataNs.value_or(0);
        input.bars.push_back(std::move(bar));
    }
    input.median = sampleStatistics(shown->values, m_definition).median;
    input.drift = shownDrift(shown->values, facts.settings->thresholds);
    input.current = m_study.current();
    return stepCourseScene(input, m_palette, size, fonts);
}

// The first step whose value lies in the bin; picked again, the next one.
void StepNumbers::pickBin(std::size_t bin) {
    const StepQuantity* shown = quantity();
    if (shown == nullptr)
        return;
    const std::vector<HistogramBin> bins = histogramOf(shown->values, kStepBins);
    const bool isLast = bin + 1 == bins.size();
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < shown->values.size(); ++i)
        if (shown->values[i] >= bins[bin].begin &&
            (shown->values[i] < bins[bin].end || (isLast && shown->values[i] == bins[bin].end)))
            inside.push_back(m_firstShown + shown->steps[i]);
    if (inside.empty())
        return;
    const auto next = m_bin == bin && m_study.current()
                          ? std::upper_bound(inside.begin(), inside.end(), *m_study.current())
                          : inside.begin();
    m_bin = bin;
    m_histogram->remake();
    m_study.goTo(next == inside.end() ? inside.front() : *next);
}

} // namespace lacuna::ui
