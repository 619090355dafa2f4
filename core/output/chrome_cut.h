#pragma once
// What a cut keeps of a Chrome trace beside the rows that touch it: decided in a pass of its own, because a
// flow arrow needs both of its ends, and a counter the last sample before the cut, wherever those stand.

#include "core/import/detail/json_events.h"
#include "core/output/source_rows.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace lacuna::chrome {

class CutScan final : public json::EventSink {
public:
    // `zeroNs`: time zero of the trace on the axis of the file.
    CutScan(const Trace& trace, SourceRows& rows, TimeRange cut, std::int64_t zeroNs)
        : m_trace(trace), m_rows(rows), m_cut(cut), m_zeroNs(zeroNs) {}

    void event(const json::Event& event) override;
    void rootValue(std::string_view, const json::Value&) override {}
    void trouble(json::Trouble, std::uint64_t) override {}

    // After the pass: offsets of flow and counter elements to keep, ascending. Counters inside the cut are
    // not listed.
    std::vector<std::uint64_t> keptOffsets();

private:
    struct FlowMark {
        std::uint64_t key = 0, offset = 0; // key: of (category, name, id)
        std::int64_t timeNs = 0;
        std::uint32_t thread = 0; // number of (pid, tid)
        char phase = 's';
        bool bindsToNext = false, isKept = false;
    };
    struct Sample {
        std::int64_t timeNs = INT64_MIN;
        std::uint64_t offset = 0;
    };
    std::uint32_t threadOf(const json::Event& event);
    void flow(const json::Event& event, std::int64_t timeNs);
    void counter(const json::Event& event, std::int64_t timeNs);
    bool isBound(const FlowMark& mark) const;
    static void keepWhole(std::vector<FlowMark>::iterator first, std::vector<FlowMark>::iterator last,
                          std::vector<std::uint64_t>& kept);

    const Trace& m_trace;
    SourceRows& m_rows;
    TimeRange m_cut;
    std::int64_t m_zeroNs;
    std::string m_key;
    std::unordered_map<std::string, std::uint32_t> m_threads;
    std::vector<std::vector<LaneId>> m_lanes; // by thread number
    std::vector<FlowMark> m_flows;
    std::unordered_map<std::string, Sample> m_before; // by series
};

} // namespace lacuna::chrome
