#pragma once
// Arguments that a Chrome trace records with the end of a slice (ph E) or of an async operation (e, F). A cut
// writes the end right behind its begin, and the end may stand anywhere in the file: so they are found
// beforehand, paired as the importer pairs them (core/import/detail/chrome_pairs.h).

#include "core/base/job_control.h"
#include "core/import/detail/chrome_lanes.h"
#include "core/import/detail/chrome_pairs.h"
#include "core/import/detail/json_events.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lacuna::chrome {

struct EndArgs {
    bool isObject = false;
    std::string padded;             // as every text that is parsed (json_scan.h)
    std::string_view text() const { // strict JSON
        return std::string_view(padded).substr(0, padded.size() - json::kPadding);
    }
};
using EndArgsOfBegins = std::unordered_map<std::uint64_t, EndArgs>; // by the place of the begin

// Three passes over the file, the second and third only where an end has arguments. Memory: in the second
// about 60 bytes for every begin and end of the threads with such ends, then the arguments that are kept.
class EndArgsFinder {
public:
    EndArgsFinder();

    // First pass: every element.
    void look(const json::Event& event);
    bool hasFound() const { return m_hasFound; }

    using Walk = std::function<Status(json::EventSink&)>;
    // `wanted` is asked for begins in ascending order of their places.
    Result<EndArgsOfBegins> collect(const Walk& walk, const std::function<bool(std::uint64_t)>& wanted,
                                    JobControl& job);

private:
    class Marks;
    class Collector;
    std::uint32_t keyOf(const json::Event& event, char phase);
    static bool isSlice(char phase) { return phase == 'B' || phase == 'E'; }

    TraceBuilder m_scratch; // names and threads; nothing is made of it
    Lanes m_lanes;
    LaneId m_lane;
    std::unordered_map<std::string, std::uint32_t> m_asyncKeys;
    std::vector<bool> m_threads, m_asyncs; // by key: has ends with arguments
    bool m_hasFound = false;
};

} // namespace lacuna::chrome
