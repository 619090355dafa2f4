#pragma once
// Annotated ranges (NVTX, record_function, ProfilerStep) with what encloses what, as the vendor's NVTX
// reports see them: by thread, across domains, push/pop ranges as a tree; start/end ranges may cross and
// enclose nothing.

#include "core/report/report_rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

enum class RangeStyle : std::uint8_t { None, PushPop, StartEnd };
std::string_view rangeStyleName(RangeStyle style); // "PushPop", "StartEnd", ""

struct AnnotatedRange {
    static constexpr std::uint32_t kNoParent = UINT32_MAX;
    EventId event;
    std::int64_t begin = 0, end = 0;
    ThreadId thread;
    RangeStyle style = RangeStyle::PushPop;
    std::uint32_t name = 0;           // RangeTree::names()
    std::uint32_t parent = kNoParent; // the tightest push/pop range that encloses it
    std::uint32_t level = 0, children = 0;
    std::int64_t childrenNs = 0;
    std::int64_t id = 0; // RangeId: the row of an Nsight export, else its number by start, from 1
};

// "domain:text", and ":text" in the default domain.
struct RangeName {
    RangeStyle style = RangeStyle::PushPop;
    std::string text;
};

class RangeTree {
public:
    // Ranges that the options select; what encloses them is looked for among these. None when the job was
    // cancelled. O(n log n) for ranges that nest.
    static std::optional<RangeTree> build(const ReportInput& input, JobControl& job);
    // The same without order, levels and parents, for sums by name. O(n).
    static std::optional<RangeTree> collect(const ReportInput& input, JobControl& job);

    // By start, the outer first, then in the order of the file.
    const std::vector<AnnotatedRange>& ranges() const { return m_ranges; }
    // Names by style and text; equal ones once.
    const std::vector<RangeName>& names() const { return m_names; }
    const std::string& nameOf(const AnnotatedRange& range) const { return m_names[range.name].text; }
    // ":2:14:31", the numbers from the outermost to this one.
    std::string stackOf(const AnnotatedRange& range) const;

private:
    bool nest(JobControl& job);
    std::uint32_t nameNumber(RangeStyle style, std::string text);

    std::vector<AnnotatedRange> m_ranges;
    std::vector<RangeName> m_names;
    std::map<std::pair<RangeStyle, std::string>, std::uint32_t> m_numbers;
};

} // namespace lacuna
