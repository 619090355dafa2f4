#pragma once
// Arrows that a Chrome trace records: events of phase s, t and f, and slices, their ends and marks with
// bind_id (chrome_json.md 2.4). Kept as unresolved ends until the rows are in order. Launch arrows of the
// PyTorch profiler say again what correlation ids say better, so they are not kept in a file that has those.

#include "core/import/detail/chrome_lanes.h"
#include "core/import/detail/json_events.h"
#include "core/trace/flow_binding.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lacuna::chrome {

class Flows {
public:
    explicit Flows(TraceBuilder& builder) : m_builder(builder) {}
    void sawCorrelation() { m_hasCorrelations = true; }
    // An event of phase s, t or f.
    void add(const json::Event& event, std::optional<std::int64_t> time, Lanes& lanes);
    // An event that has a bind_id and becomes a row, or ends one. True when it is the end of an arrow.
    bool addSlice(const json::Event& event);
    // Ends of arrows that stand at the end of a row, (offset of it, offset of the row), any order.
    void bindToBegins(std::vector<std::pair<std::uint64_t, std::uint64_t>> begins);
    // After the last row.
    void handOver(Lanes& lanes);

private:
    void setId(const json::Event& event, const json::Value& id, bool isLocal, FlowEnd& end);
    std::uint32_t space();

    TraceBuilder& m_builder;
    FlowEnds m_flows;
    std::unordered_map<std::string, std::uint32_t> m_spaces;
    std::unordered_map<std::string, std::uint64_t> m_textIds;
    std::vector<bool> m_isLaunch; // per space
    std::string m_key, m_lastKey;
    std::uint32_t m_lastSpace = 0;
    bool m_hasCorrelations = false;
};

} // namespace lacuna::chrome
