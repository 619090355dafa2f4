// Several events chosen by Ctrl+click or from a table: of two what lies between them; of any number their
// durations, summed and as a union side by side, and their statistics (features.md A17).

#include "core/analysis/sample_statistics.h"
#include "core/base/interval_set.h"
#include "core/base/text_format.h"
#include "widgets/panels/inspector_pages.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/measurement.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr std::size_t kMostRows = 20;

void addMeasurement(InspectorPage& page, const Measurement& m) {
    page.addText(InspectorPage::tr("From the first to the second"), Qt::PlainText, 12, true);
    QLabel* length =
        page.addText(signedDuration(m.isGap() ? m.endToStart : m.startToStart), Qt::PlainText, 22);
    length->setFont(uiFont(Face::SemiBold, 22));
    length->setObjectName(u"measuredLength"_s);
    page.addField(InspectorPage::tr("end to start"), text(formatExact(m.endToStart)));
    page.addField(InspectorPage::tr("start to start"), text(formatExact(m.startToStart)));
    page.addField(InspectorPage::tr("start to end"), text(formatExact(m.startToEnd)));
    page.addField(InspectorPage::tr("end to end"), text(formatExact(m.endToEnd)));
}

} // namespace

QWidget* makeEventsPage(const PageContext& context, const std::vector<EventId>& events) {
    const Trace& trace = context.session.shown()->trace();
    auto* page = new InspectorPage(context.palette);
    if (events.size() == 2)
        addMeasurement(*page, measured(trace, events[0], events[1]));
    std::vector<std::int64_t> lengths;
    std::vector<TimeRange> ranges;
    std::int64_t sum = 0;
    for (const EventId event : events) {
        ranges.push_back(trace.events().range(event));
        lengths.push_back(ranges.back().length().v);
        sum = saturatingAdd(sum, lengths.back());
    }
    const std::size_t n = lengths.size();
    const auto field = [&](const QString& name, std::int64_t ns) {
        page->addField(name, text(formatExact({ns})));
    };
    page->addHeading(InspectorPage::tr("Chosen"), InspectorPage::tr("%n event(s)", nullptr, pluralOf(n)));
    field(InspectorPage::tr("sum"), sum);
    const IntervalSet covered = IntervalSet::fromUnsorted(ranges);
    field(InspectorPage::tr("union"), covered.measure().v);
    if (const auto& marked = context.session.selection().range()) { // as its own page counts
        std::int64_t inside = 0;
        for (const TimeRange& range : ranges)
            inside = saturatingAdd(inside, intersection(range, *marked).length().v);
        field(InspectorPage::tr("sum in the range"), inside);
        field(InspectorPage::tr("union in the range"), covered.measureIn(*marked).v);
    }
    const SampleStatistics figures = sampleStatistics(std::move(lengths));
    field(InspectorPage::tr("mean"), std::llround(figures.mean));
    field(InspectorPage::tr("median"), std::llround(figures.median));
    field(InspectorPage::tr("95th percentile"), std::llround(figures.p95));
    field(InspectorPage::tr("standard deviation"), std::llround(figures.deviation));
    field(InspectorPage::tr("shortest"), figures.min);
    field(InspectorPage::tr("longest"), figures.max);
    for (std::size_t i = 0; i < std::min(n, kMostRows); ++i)
        page->addRow({inkOf(trace, events[i]),
                      text(elideMiddle(trace.nameOf(events[i]), 80)),
                      true,
                      false,
                      false,
                      false,
                      {text(formatDuration(trace.events().duration(events[i])))},
                      text(elideMiddle(trace.nameOf(events[i]), 300))},
                     [show = context.show, range = ranges[i]] { show(range); });
    if (n > kMostRows)
        page->addText(InspectorPage::tr("and %1 more").arg(n - kMostRows), Qt::PlainText, 12, true);
    page->finish();
    return page;
}

} // namespace lacuna::ui
