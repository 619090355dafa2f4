// Three sources, the first that yields something wins:
//  1 PyTorch's own marks "ProfilerStep#N";
//  2 ranges that count: "step 12", "iteration_3", "worker B step 9" (a step word, then a number);
//  3 ranges without number whose whole name is a step word ("step", "train_step"), at the top level of a
//  thread
//    and at least twice.
// Rows of one thread and one name without its number belong together; the group with most rows is taken
// (ties: the one that begins first), rows inside another row of the group are left out. A trace that has none
// of these has no steps: nothing is guessed from periods.

#include "core/analysis/steps.h"

#include "core/base/ascii.h"
#include "core/trace/sort_rows.h"
#include "core/trace/strip_query.h"
#include "core/trace/writer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace lacuna {

namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep";
constexpr std::array<std::string_view, 3> kStepWords{"iteration", "iter", "step"};
constexpr std::array<std::string_view, 5> kPlainNames{"step", "iteration", "iter", "trainstep",
                                                      "trainingstep"};

bool isSeparator(char c) {
    return c == ' ' || c == '_' || c == '-' || c == '#' || c == ':' || c == '/' || c == '=';
}
bool startsWithNoCase(std::string_view text, std::string_view lowerCaseWord) {
    return text.size() >= lowerCaseWord.size() &&
           std::equal(lowerCaseWord.begin(), lowerCaseWord.end(), text.begin(),
                      [](char word, char c) { return word == lower(c); });
}

// The part of the name up to its number: "worker B step " of "worker B step 9"; empty when it counts no
// steps.
std::string_view countedStem(std::string_view name) {
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (at != 0 && (isLetter(name[at - 1]) || name[at - 1] == '.'))
            continue;
        for (const std::string_view word : kStepWords) {
            if (!startsWithNoCase(name.substr(at), word))
                continue;
            std::size_t number = at + word.size();
            while (number < name.size() && isSeparator(name[number]))
                ++number;
            if (number < name.size() && isDigit(name[number]))
                return name.substr(0, number);
        }
    }
    return {};
}

bool isPlainStepName(std::string_view name) {
    std::string letters;
    for (const char c : name)
        if (!isSeparator(c))
            letters.push_back(lower(c));
    return std::find(kPlainNames.begin(), kPlainNames.end(), letters) != kPlainNames.end();
}

// What names tell of steps, asked once each: a trace has millions of ranges and few names.
class StepNames {
public:
    enum class Kind : std::uint8_t { None, Profiler, Counted, Plain };
    struct Told {
        Kind kind = Kind::None;
        std::string_view stem; // of the counted ones
    };

    explicit StepNames(const Trace& trace) : m_trace(trace), m_known(trace.strings().size(), kNotAsked) {}
    const Told& of(StringId name) {
        std::uint32_t& known = m_known[name.v];
        if (known == kNotAsked) {
            const Told told = tell(m_trace.strings().view(name));
            known = told.kind == Kind::None ? 0 : static_cast<std::uint32_t>(m_told.size());
            if (told.kind != Kind::None)
                m_told.push_back(told);
        }
        return m_told[known];
    }

private:
    static constexpr std::uint32_t kNotAsked = 0xffffffff;

    static Told tell(std::string_view name) {
        if (name.starts_with(kProfilerStep))
            return {Kind::Profiler, {}};
        if (const std::string_view stem = countedStem(name); !stem.empty())
            return {Kind::Counted, stem};
        return {isPlainStepName(name) ? Kind::Plain : Kind::None, {}};
    }

    const Trace& m_trace;
    std::vector<std::uint32_t> m_known; // by StringId: place in m_told
    std::vector<Told> m_told{Told{}};   // [0]: says nothing
};

using Groups = std::map<std::pair<ThreadId, std::string_view>, std::vector<EventId>>;

// Time order, without rows that begin inside the one before (recursion).
bool keepOutermost(const EventTable& events, std::vector<EventId>& rows, RowPoll& poll) {
    const bool isSorted = sortRows(rows, poll, [&](EventId a, EventId b) {
        if (events.beginNs[a.v] != events.beginNs[b.v])
            return events.beginNs[a.v] < events.beginNs[b.v];
        return events.endNs[a.v] > events.endNs[b.v];
    });
    if (!isSorted)
        return false;
    std::int64_t end = 0;
    std::size_t kept = 0;
    for (const EventId row : rows) {
        // A step mark may end a few us after the next one began: only rows that lie inside are left out.
        if (kept != 0 && events.endNs[row.v] <= end)
            continue;
        end = events.endNs[row.v];
        rows[kept++] = row;
    }
    rows.resize(kept);
    return true;
}

std::vector<EventId> largestGroup(const EventTable& events, Groups& groups, std::size_t atLeast,
                                  RowPoll& poll) {
    std::vector<EventId> best;
    for (auto& [key, rows] : groups) {
        if (!keepOutermost(events, rows, poll))
            return {};
        if (rows.size() < atLeast)
            continue;
        const bool earlier = rows.size() == best.size() && !best.empty() &&
                             events.beginNs[rows.front().v] < events.beginNs[best.front().v];
        if (rows.size() > best.size() || earlier)
            best = rows;
    }
    return best;
}

void summarise(const EventTable& events, Steps& steps) {
    std::vector<std::int64_t> durations;
    for (const EventId step : steps.events)
        durations.push_back(events.duration(step).v);
    std::sort(durations.begin(), durations.end());
    const std::size_t n = durations.size();
    steps.minNs = durations.front();
    steps.medianNs = durations[(n - 1) / 2];
    steps.p95Ns = durations[(n * 95 + 99) / 100 - 1]; // nearest rank
    steps.maxNs = durations.back();
}

} // namespace

Steps findSteps(const Trace& trace, const JobControl& job) {
    const EventTable& events = trace.events();
    Groups profiler, counted, plain;
    RowPoll poll(job);
    StepNames names(trace);
    for (const Strip& strip : trace.strips()) {
        const Lane& lane = trace.lane(strip.lane);
        if (lane.kind != LaneKind::Steps && lane.kind != LaneKind::Range)
            continue;
        for (EventId row = strip.first; row < strip.last; ++row.v) {
            if (!poll.tick())
                return {};
            if (events.kind[row.v] != EventKind::Range)
                continue;
            const StepNames::Told& told = names.of(events.name[row.v]);
            if (told.kind == StepNames::Kind::Profiler)
                profiler[{lane.thread, kProfilerStep}].push_back(row);
            else if (told.kind == StepNames::Kind::Counted)
                counted[{lane.thread, told.stem}].push_back(row);
            else if (told.kind == StepNames::Kind::Plain && !parentOf(trace, row))
                plain[{lane.thread, trace.nameOf(row)}].push_back(row);
        }
    }
    const char* const ranges = isOfNsight(trace.facts()) ? "NVTX" : "annotation";
    Steps steps;
    steps.source = kProfilerStep;
    steps.events = largestGroup(events, profiler, 1, poll);
    for (Groups* groups : {&counted, &plain})
        if (steps.events.empty()) {
            steps.source = ranges;
            steps.events = largestGroup(events, *groups, 2, poll);
        }
    if (steps.events.empty())
        return {};
    summarise(events, steps);
    return steps;
}

} // namespace lacuna
