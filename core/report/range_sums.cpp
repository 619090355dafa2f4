#include "core/report/range_sums.h"

#include "core/report/time_sums.h"

#include <utility>

namespace lacuna {

Result<ReportTable> rangeTimes(const ReportInput& input, bool pushPop, bool startEnd, JobControl& job) {
    RangeNames numbers(input.trace);
    GroupedValues times;
    const bool done = forEachRow(input, kindBit(EventKind::Range), job, [&](EventId e, const Lane& lane) {
        const std::uint32_t number = numbers.of(e, lane);
        if (numbers.style(number) == RangeStyle::PushPop ? pushPop : startEnd)
            times.add(number, input.trace.events().duration(e).v);
    });
    if (!done)
        return cancelledError();
    const std::vector<RangeName> names = numbers.take();
    std::vector<TimeSum> sums;
    for (const GroupedValues::Group& group : times.take(job)) {
        const RangeName& name = names[group.key];
        std::vector<std::string> labels = {name.text};
        if (pushPop && startEnd)
            labels.insert(labels.begin(), std::string(rangeStyleName(name.style)));
        sums.push_back({group.values, std::move(labels)});
    }
    std::vector<std::string> titles = {"Range"};
    if (pushPop && startEnd)
        titles.insert(titles.begin(), "Style");
    ReportTable table = timeSumTable("Instances", titles, std::move(sums));
    if (table.rows() == 0)
        table.addNote("The trace has no such ranges.");
    return table;
}

} // namespace lacuna
