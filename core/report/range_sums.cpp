#include "core/report/range_sums.h"

#include "core/report/time_sums.h"

#include <utility>

namespace lacuna {

Result<ReportTable> rangeTimes(const ReportInput& input, bool pushPop, bool startEnd, JobControl& job) {
    const auto tree = RangeTree::collect(input, job);
    if (!tree)
        return cancelledError();
    GroupedValues times;
    for (const AnnotatedRange& range : tree->ranges())
        if (range.style == RangeStyle::PushPop ? pushPop : startEnd)
            times.add(range.name, range.end - range.begin);
    std::vector<TimeSum> sums;
    for (const GroupedValues::Group& group : times.take()) {
        const RangeName& name = tree->names()[group.key];
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
