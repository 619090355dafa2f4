#pragma once
// Begin and end events that belong together: B/E of a thread, b/e and S/F of an async id. Paired after the
// last byte, because files are not in order of time (chrome_json.md 2.3): per key in order of time, an end
// closes the innermost open begin; of async ids the innermost of its own name, where there is one. At equal
// times an end goes before the begins only when it names a slice that was opened earlier; else the order of
// the file decides. An end without begin is dropped and counted; a begin without end lasts to the last
// timestamp of the file and is noted.

#include "core/base/job_control.h"
#include "core/import/detail/json_events.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lacuna::chrome {

// What async events of one operation share. Nestable (b, e): (cat, id, scope), with the pid where the id is
// local. Legacy (S, F): (cat, name, id).
std::string asyncKeyOf(const json::Event& event, bool isNestable);

struct PairMark {
    std::int64_t timeNs = 0;
    std::uint64_t offset = 0; // in the file
    std::uint32_t key = 0;    // marks with equal keys form one stack
    LaneId lane;
    StringId name; // none: not told (ends)
    EventKind kind = EventKind::Other;
    bool isBegin = false;
    bool bindsFlow = false; // an end that carries the end of an arrow
};

class Pairs {
public:
    void add(const PairMark& mark) { m_marks.push_back(mark); }
    // Adds rows, and counts every mark as kept or dropped; begins without end last to lastNs. False when the
    // job was cancelled.
    bool resolve(TraceBuilder& into, std::int64_t lastNs, JobControl& job);
    std::int64_t lastTimeNs() const;
    // After resolve(): offsets of the ends with bindsFlow that closed something, and of its begin, which is
    // the row's place in the file. In no order.
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& beginsOfFlows() const { return m_flowBegins; }

private:
    void resolveStack(std::span<const PairMark> marks, std::int64_t lastNs, TraceBuilder& into);
    std::vector<PairMark>::iterator beginOf(const PairMark& end);
    void close(const PairMark& end, TraceBuilder& into);
    void closeEarlierOnes(std::span<const PairMark> sameTime, TraceBuilder& into);

    std::vector<PairMark> m_marks;
    std::vector<PairMark> m_open; // of the stack being resolved
    std::vector<bool> m_done;     // of the marks of one moment
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_flowBegins;
};

} // namespace lacuna::chrome
