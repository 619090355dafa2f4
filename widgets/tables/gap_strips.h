#pragma once
// Where in the trace the gaps of a row of the table lie, as cells of equal length over the whole window. Rows
// may have a million gaps, so the cells are made off the UI thread; rows of few gaps have none and are drawn
// gap by gap.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "widgets/tables/gap_rows.h"

#include <bitset>
#include <cstddef>
#include <memory>
#include <unordered_map>

namespace lacuna::ui {

class GapStrips {
public:
    static constexpr std::size_t kCells = 4096; // several to a pixel
    static constexpr std::size_t kFew = 4096;   // gaps of a row
    using Cells = std::bitset<kCells>;          // touched by a gap

    // Whether anything of it needs cells.
    static bool areNeeded(const GapRows& rows);
    // `rows` must live as long as the result is asked. Error: cancelled.
    static Result<std::shared_ptr<const GapStrips>> of(const GapAnalysis& analysis, const GapRows& rows,
                                                       JobControl& job);

    // Null for a sum of few gaps, or of other rows.
    const Cells* cellsOf(const GapRows::Sum& sum) const {
        const auto at = m_cells.find(&sum);
        return at == m_cells.end() ? nullptr : &at->second;
    }

private:
    std::unordered_map<const GapRows::Sum*, Cells> m_cells;
};

} // namespace lacuna::ui
