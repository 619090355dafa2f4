#pragma once
// Which rows of a file a load takes, where that is not all of them: those that touch a stretch of time, or,
// to learn which stretches there are, ranges alone. Rows that are not taken are counted in the import report
// (kRowsNotChosen). Times are the file's own, in ns.

#include "core/trace/event_table.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace lacuna {

// Code and text of the issue.
inline constexpr std::string_view kRowsNotChosen = "rows_not_chosen",
                                  kRowsNotChosenText =
                                      "Rows outside the stretch that was chosen are not read.";

// Half-open.
struct FileStretch {
    std::int64_t beginNs = INT64_MIN, endNs = INT64_MAX;
    friend bool operator==(const FileStretch&, const FileStretch&) = default;
};

// Belongs to one load, which asks it on one thread.
class RowChoice {
public:
    static RowChoice touching(FileStretch stretch) { return {stretch, false}; }
    static RowChoice rangesOnly() { return {{}, true}; }

    // A row without length is in the stretch that its moment is in.
    bool takes(EventKind kind, std::int64_t beginNs, std::int64_t endNs) {
        if (endNs > beginNs) { // marks and samples may stand anywhere
            m_firstNs = std::min(m_firstNs, beginNs);
            m_lastNs = std::max(m_lastNs, endNs);
        }
        return m_rangesOnly
                   ? kind == EventKind::Range
                   : beginNs < m_stretch.endNs && (endNs > m_stretch.beginNs || beginNs == m_stretch.beginNs);
    }
    // Of all rows with a length that were asked about; first > last while there was none.
    std::int64_t firstNs() const { return m_firstNs; }
    std::int64_t lastNs() const { return m_lastNs; }

private:
    RowChoice(FileStretch stretch, bool rangesOnly) : m_stretch(stretch), m_rangesOnly(rangesOnly) {}

    FileStretch m_stretch;
    bool m_rangesOnly;
    std::int64_t m_firstNs = INT64_MAX, m_lastNs = INT64_MIN;
};

} // namespace lacuna
