#pragma once
// Turns the elements of an event array into rows of a trace. Every element is counted: kept under its kind,
// or dropped with a reason (rows read = kept + dropped). Empty elements ({}, XLA's last) are kept as
// metadata; flow events are counted as rows of kind Flow and become arrows (chrome_flows).

#include "core/import/chrome_json.h"
#include "core/import/detail/chrome_args.h"
#include "core/import/detail/chrome_category.h"
#include "core/import/detail/chrome_facts.h"
#include "core/import/detail/chrome_flows.h"
#include "core/import/detail/chrome_lanes.h"
#include "core/import/detail/chrome_late.h"
#include "core/import/detail/chrome_memory.h"
#include "core/import/detail/chrome_pairs.h"
#include "core/import/detail/chrome_written.h"
#include "core/import/detail/json_events.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lacuna::chrome {

class Rows final : public json::EventSink {
public:
    // `known`: what a first pass over the same text learnt; it must outlive the rows.
    explicit Rows(TraceBuilder& builder, const Known* known = nullptr,
                  TimeUnitOfFile unit = TimeUnitOfFile::Us);

    void event(const json::Event& event) override;
    void rootValue(std::string_view key, const json::Value& value) override;
    void trouble(json::Trouble what, std::uint64_t offset) override;

    // After the last element: what to know in a second pass, where this one met names too late; none in the
    // second. Error: cancelled.
    Result<std::optional<Known>> wantsSecondPass(JobControl& job) const;
    // Pairs, names and facts, after the last element. False when the job was cancelled.
    bool finish(JobControl& job);

private:
    struct Interval {
        std::int64_t beginNs = 0, endNs = 0;
    };
    void complete(const json::Event& event);
    void completeAs(const json::Event& event, const Category& category, const DeviceLine& line);
    void deviceRow(const json::Event& event, const Category& category, const DeviceLine& line,
                   Interval interval);
    void hostRow(const json::Event& event, const Category& category, Interval interval);
    void instant(const json::Event& event);
    void unfinished(const json::Event& event, const Category& category);
    void counter(const json::Event& event);
    bool counterEntries(const json::Event& event, std::string_view title);
    void durationMark(const json::Event& event, bool isBegin);
    void asyncMark(const json::Event& event, char phase);
    void flow(const json::Event& event);
    void otherPhase(const json::Event& event, char phase);

    // `duration` as dur tells it.
    std::optional<Interval> intervalOf(const json::Event& event, const Category& category,
                                       std::optional<std::int64_t> duration);
    std::optional<std::int64_t> timeOf(const json::Event& event);
    std::optional<std::int64_t> asNs(std::string_view text) const; // in the unit of the file
    const Category& category(const json::Event& event);
    StringId nameOf(const json::Event& event);
    std::uint32_t asyncKey(const json::Event& event, bool isNestable);
    bool isTaken(const json::Event& event, EventKind kind, std::int64_t beginNs, std::int64_t endNs);
    void drop(const json::Event& event, std::string_view code, std::string_view message,
              Severity severity = Severity::Warning);

    TraceBuilder& m_builder;
    const Known* m_known;
    TimeUnitOfFile m_unit;
    std::string m_lateWritten; // as Known::written
    bool m_hasWritten = false;
    bool m_hasEarlyCalls = false; // rows that are calls by their names, while no process was a device
    Lanes m_lanes;
    Facts m_facts;
    Flows m_flows;
    WrittenTrace m_written;
    Pairs m_slices, m_asyncs;
    Signs m_signs;
    std::string m_lastCat; // the category table is not asked again while it repeats
    Category m_lastCategory;
    std::string m_scratch;
    std::unordered_map<std::string, std::uint32_t> m_asyncKeys;
    MemoryTracks m_memory;
    std::vector<std::uint32_t> m_unfinished; // rows without duration, which last to the end of the file
    StringId m_noName;
    void noteDoubtfulUnit();

    std::uint64_t m_kernels = 0, m_longKernels = 0; // for noteDoubtfulUnit()
    std::uint64_t m_beyondClock = 0;                // times that only nanoseconds could be
    std::int64_t m_latestNs = INT64_MIN;            // end of rows with a duration
    std::int64_t m_earliestNs = INT64_MAX;          // of rows with a duration
    std::int64_t m_earliestAnyNs = INT64_MAX;       // of all
    bool m_sawEvents = false;
};

} // namespace lacuna::chrome
