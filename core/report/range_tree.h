#pragma once
// Annotated ranges (NVTX, record_function, ProfilerStep) with what encloses what, as the vendor's NVTX
// reports see them: by thread, across domains, push/pop ranges as a tree; start/end ranges may cross and
// enclose nothing.

#include "core/base/column.h"
#include "core/report/report_rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
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

// Numbers for the names of ranges, equal ones once. Rows are to be asked for lane after lane.
class RangeNames {
public:
    explicit RangeNames(const Trace& trace);
    std::uint32_t of(EventId range, const Lane& lane) {
        if (&lane != m_lane)
            enter(lane);
        const StringId name = m_trace.events().name[range.v];
        return m_ofName[name.v] != kUnseen ? m_ofName[name.v] : add(name);
    }
    RangeStyle style(std::uint32_t number) const { return m_names[number].style; }
    std::vector<RangeName> take() { return std::move(m_names); }

private:
    static constexpr std::uint32_t kUnseen = UINT32_MAX;
    void enter(const Lane& lane);
    std::uint32_t add(StringId name);

    const Trace& m_trace;
    const Lane* m_lane = nullptr;
    RangeStyle m_style = RangeStyle::PushPop; // of the lane
    std::string m_domain;                     // of the lane
    std::vector<std::uint32_t> m_ofName;      // in the lane, by StringId
    std::vector<StringId> m_seen;             // in the lane
    std::vector<RangeName> m_names;
    std::map<std::pair<RangeStyle, std::string>, std::uint32_t> m_numbers;
};

class RangeTree {
public:
    // Ranges that the options select; what encloses them is looked for among these. None when the job was
    // cancelled. O(n log n) for ranges that nest.
    static std::optional<RangeTree> build(const ReportInput& input, JobControl& job);

    // By start, the outer first, then in the order of the file.
    std::span<const AnnotatedRange> ranges() const { return m_ranges; }
    // Names by style and text; equal ones once.
    const std::vector<RangeName>& names() const { return m_names; }
    const std::string& nameOf(const AnnotatedRange& range) const { return m_names[range.name].text; }
    // ":2:14:31", the numbers from the outermost to this one.
    std::string stackOf(const AnnotatedRange& range) const;

private:
    bool collect(const ReportInput& input, JobControl& job);
    bool nest(JobControl& job);

    Column<AnnotatedRange> m_ranges;
    std::vector<RangeName> m_names;
};

} // namespace lacuna
