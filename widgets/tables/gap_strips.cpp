#include "widgets/tables/gap_strips.h"

#include "core/base/poll.h"

#include <algorithm>
#include <vector>

namespace lacuna::ui {

namespace {

std::vector<const GapRows::Sum*> sumsOf(const GapRows& rows) {
    std::vector<const GapRows::Sum*> sums{&rows.micro, &rows.filtered};
    for (const GapRows::Row& row : rows.rows)
        sums.push_back(&row.sum);
    std::erase_if(sums, [](const GapRows::Sum* sum) { return sum->gaps.size() <= GapStrips::kFew; });
    return sums;
}

} // namespace

bool GapStrips::areNeeded(const GapRows& rows) {
    return !sumsOf(rows).empty();
}

Result<std::shared_ptr<const GapStrips>> GapStrips::of(const GapAnalysis& analysis, const GapRows& rows,
                                                       JobControl& job) {
    auto strips = std::make_shared<GapStrips>();
    const TimeRange window = analysis.trace().window();
    const double perCell = static_cast<double>(window.length().v) / static_cast<double>(kCells);
    const auto cellOf = [&](TimeNs t) {
        const double cell = static_cast<double>((t - window.begin).v) / perCell;
        return static_cast<std::size_t>(std::clamp(cell, 0.0, static_cast<double>(kCells - 1)));
    };
    std::size_t seen = 0;
    for (const GapRows::Sum* sum : sumsOf(rows)) {
        Cells& cells = strips->m_cells[sum];
        for (const GapId id : sum->gaps) {
            if (seen++ % kRowsPerPoll == 0 && job.cancelled())
                return cancelledError();
            const TimeRange range = analysis.gap(id).range;
            for (std::size_t c = cellOf(range.begin), last = cellOf(range.end); c <= last; ++c)
                cells.set(c);
        }
    }
    return std::shared_ptr<const GapStrips>(std::move(strips));
}

} // namespace lacuna::ui
