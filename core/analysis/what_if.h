#pragma once
// What would be saved by taking something away: three figures for each thing (analysis.md section 5).
//   attributed   idle time of the gaps that it is behind; for copies and their device time too
//   bound        what of that can go at most, gap by gap (sync part, pieces of the removed host time)
//   replay       how much earlier the last remaining operation ends in the model (replay.h); of one thing
//                alone at most the attributed time, as that is all the idle time behind it
// Single savings are never added up. The limits of the model belong to every answer: replayLimits().

#include "core/analysis/event_numbers.h"
#include "core/analysis/gap_analysis.h"
#include "core/analysis/gap_groups.h"
#include "core/analysis/replay_changes.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class WhatIfKind : std::uint8_t {
    RemoveWait,          // waiting calls of a call site
    RemoveRead,          // the operators around them that only read back
    RemoveHostTime,      // a range's host time, or that of calls that neither launch nor wait
    RemoveCopy,          // copies of a call site
    PinCopy,             // copies of pageable memory of a call site
    RemoveLaunchLatency, // what launches take beyond the median
};
inline constexpr std::size_t kWhatIfKinds = 6;
std::string_view whatIfName(WhatIfKind kind); // "remove_wait"

struct WhatIfQuestion {
    WhatIfKind kind = WhatIfKind::RemoveWait;
    bool isRange = false;    // where is the name of a range, else a call site
    std::string where;       // "cudaStreamSynchronize < aten::item < \u2039log_loss\u203a"
    std::int64_t timeNs = 0; // that the items took: which questions to ask first
    // By kind: waits, operations, or rows.
    std::vector<std::uint32_t> waits, ops;
    std::vector<EventId> rows;
    std::size_t times() const { return waits.size() + ops.size() + rows.size(); }
};

struct WhatIfAnswer {
    std::int64_t attributedNs = 0, boundNs = 0, replayNs = 0;
    std::int64_t modelNs = 0; // what the replay says before the cap
    std::optional<ReplayResult::StepPeriod> stepPeriod;
};

struct WhatIfOptions {
    double pinnedBytesPerSecond = 0; // 0: the best of the trace
};

class WhatIf {
public:
    // Keeps both. O(n log n). Error: Cancelled.
    static Result<std::shared_ptr<const WhatIf>> build(std::shared_ptr<const GapAnalysis> gaps,
                                                       std::shared_ptr<const ReplayModel> model,
                                                       const WhatIfOptions& options, JobControl& job);

    // Everything that can be asked, by kind, then time, then first occurrence.
    const std::vector<WhatIfQuestion>& questions() const { return m_questions; }
    // What removes the call or the range that a gap is blamed on: its draining wait, as a read where it is
    // one; else the range around the holder; null where there is neither.
    const WhatIfQuestion* questionFor(const Gap& gap) const;
    // O(n): one replay. A single cause: replayNs is at most attributedNs. Error: Cancelled.
    Result<WhatIfAnswer> answer(const WhatIfQuestion& question, JobControl& job) const;
    // All of them at once: gaps and host time that several of them remove count once; the replay stands as it
    // is.
    Result<WhatIfAnswer> answerTogether(std::span<const WhatIfQuestion* const> questions,
                                        JobControl& job) const;
    // What it takes away: the waits, operations or rows.
    std::vector<EventId> rowsOf(const WhatIfQuestion& question) const;
    const ReplayModel& model() const { return *m_model; }
    // Bytes per second that pinned copies to the device are taken to have; 0: each lasts as recorded.
    double pinnedBandwidth() const;

private:
    friend struct WhatIfBuilder;
    WhatIf() = default;
    bool numberQuestions(RowPoll& poll);
    ReplayChange changeOf(const WhatIfQuestion& question, const JobControl& job) const;
    bool addIdle(const ReplayChange& change, WhatIfAnswer& answer, RowPoll& poll) const;
    bool addLatency(WhatIfAnswer& answer, RowPoll& poll) const;

    std::shared_ptr<const GapAnalysis> m_gaps;
    std::shared_ptr<const ReplayModel> m_model;
    std::optional<ReplayChanges> m_changes;
    WhatIfOptions m_options;
    std::vector<WhatIfQuestion> m_questions;
    EventNumbers m_questionOf; // wait event or range row -> question
};

// Rank: replay, then bound, attributed, as asked.
struct WhatIfRow {
    WhatIfQuestion question;
    WhatIfAnswer answer;
};
struct WhatIfTable {
    std::vector<WhatIfRow> rows;          // by rank
    std::optional<WhatIfAnswer> together; // of all rows but removed copies
    std::size_t notAsked = 0;             // of the kinds that have more than `perKind` questions
};
struct WhatIfSelection {
    std::vector<std::string> texts;  // a place must hold one of these; none given: all do
    std::optional<TimeRange> window; // only what begins in it goes; launch latency is of the whole trace
    std::size_t perKind = 8;         // questions asked of each kind, most time first
    bool together = false;
};
// One replay for each row. Error: Cancelled.
Result<WhatIfTable> whatIfTable(const WhatIf& whatIf, const WhatIfSelection& selection, JobControl& job);

} // namespace lacuna
