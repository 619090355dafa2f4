#pragma once
// What Lacuna's own writer (core/output/chrome_writer.h) says in the root member "lacuna", and rows that name
// their lane by number (member "lane"): processes, threads, devices, lanes and counters are then exactly
// those of the trace that was written, not guessed from pid, tid and category.
//
//  "lacuna": {"version": 1, "format", "writer", "source": {"name", "size", "sha256"},
//             "time_zero_ns": the time on this file's axis that was time zero of the source,
//             "recorded": {"python", "os_runtime", "sync"}, "cut": {"start_ns", "end_ns"} (lacuna trim only),
//             "owners": [{"ordinal", "process", "name", "sort_index"}] (of devices, cuts of Chrome traces
//             only), "processes": [{"id", "name", "sort_index"}], "threads": [{"process", "id", "name"}],
//             "devices": [{"process", "ordinal", "name"}],
//             "lanes": [{"kind", "process", "thread", "device", "id", "title"}],
//             "counters": [{"process", "device", "name", "unit"}]}
//
// The member is untrusted like everything else: what does not fit is ignored.

#include "core/import/detail/chrome_category.h"
#include "core/import/detail/json_events.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lacuna::chrome {

class WrittenTrace {
public:
    explicit WrittenTrace(TraceBuilder& builder) : m_builder(builder) {}

    // The value of the root member.
    void read(const json::Value& value);
    // Times of the file count from the time zero of the source.
    bool hasTimeZero() const { return m_hasTimeZero; }
    // The element names a lane of the list.
    bool hasLane(const json::Event& event) const { return laneOf(event).has_value(); }
    // The counter that an element names; none when it names none, or one that is not listed.
    CounterId counterOf(const json::Event& event) const;
    // A row of an element that hasLane().
    void add(const json::Event& event, EventKind kind, StringId name, TimeRange range);
    // After the last row: what a cut cannot show by itself.
    void applyFacts() const;

private:
    struct WrittenLane {
        LaneId id;                // none: not usable
        std::uint64_t domain = 0; // of correlation ids; 0: the lane belongs to no process
    };
    std::optional<WrittenLane> laneOf(const json::Event& event) const;

    struct Owner {
        std::int64_t ordinal = 0, sortIndex = 0;
        std::string process, name;
    };

    TraceBuilder& m_builder;
    std::vector<Owner> m_owners;
    std::vector<WrittenLane> m_lanes; // by number, like m_counters
    std::vector<CounterId> m_counters;
    std::string m_writer, m_format;
    bool m_hasTimeZero = false, m_python = false, m_osRuntime = false, m_sync = false;
};

} // namespace lacuna::chrome
