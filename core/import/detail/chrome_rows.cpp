#include "core/import/detail/chrome_rows.h"

#include "core/import/detail/chrome_producers.h"
#include "core/import/detail/chrome_ranks.h"
#include "core/import/detail/json_items.h"
#include "core/import/detail/json_nanos.h"
#include "core/import/detail/json_text.h"
#include "core/import/read_as.h"
#include "core/ncu/ncu_units.h"
#include "core/trace/read_part.h"

#include <algorithm>

namespace lacuna::chrome {

namespace {

// A row longer than this is a corrupted timestamp (analysis.md section 1).
constexpr std::int64_t kLongestNs = std::int64_t{7} * 24 * 3600 * 1'000'000'000;

constexpr std::int64_t kSecondNs = 1'000'000'000;

constexpr std::string_view kUnfinished = "An event has no end: it is drawn to the last time of the file.";

bool isStepName(std::string_view name) {
    return name.starts_with("ProfilerStep#") || name.starts_with("ProfilerStep #");
}

} // namespace

Rows::Rows(TraceBuilder& builder, const Known* known, TimeUnitOfFile unit)
    : m_builder(builder), m_known(known), m_unit(unit),
      m_lanes(builder, known == nullptr ? nullptr : &known->names), m_facts(builder), m_flows(builder),
      m_written(builder), m_noName(builder.strings().intern("[no name]")) {
    builder.setTimeZero(TimeZero::FirstDuration);
    m_hasWritten = known != nullptr && !known->written.empty();
    if (m_hasWritten)
        m_written.read({known->written, json::ValueType::Object, false});
}

Result<std::optional<Known>> Rows::wantsSecondPass(JobControl& job) const {
    if (m_known != nullptr)
        return std::optional<Known>();
    const auto isEarly = isPlacedTooEarly(m_builder, m_lanes, job);
    if (!isEarly)
        return cancelledError();
    const bool areCallsLate = m_hasEarlyCalls && m_lanes.hasDeviceNames();
    if (!*isEarly && !areCallsLate && m_lateWritten.empty())
        return std::optional<Known>();
    return std::optional<Known>({m_lanes.names(), m_lateWritten});
}

void Rows::drop(const json::Event& event, std::string_view code, std::string_view message,
                Severity severity) {
    m_builder.report().drop(code, message, {event.offset, {}, 0}, severity);
}

void Rows::rootValue(std::string_view key, const json::Value& value) {
    if (key == "lacuna") {
        const bool isLate = m_sawEvents && !m_hasWritten; // else a further document has one of its own
        if (isLate && m_known == nullptr)
            m_lateWritten = value.text;
        else
            m_written.read(value);
        m_hasWritten = true;
        return;
    }
    m_facts.rootValue(key, value, m_sawEvents);
}

void Rows::trouble(json::Trouble what, std::uint64_t offset) {
    ImportReport& report = m_builder.report();
    const IssuePlace place{offset, {}, 0};
    switch (what) {
    case json::Trouble::UnreadableEvent:
        return report.drop("unreadable_event", "An event could not be read and was skipped.", place);
    case json::Trouble::OversizedEvent:
        return report.drop("oversized_event", "An event is larger than 64 MiB and was skipped.", place);
    case json::Trouble::NotAnObject:
        return report.drop("not_an_event", "An element of the event array is no object.", place);
    case json::Trouble::DamagedValue:
        return report.note("damaged_value", "A value outside the event array could not be read.", place,
                           Severity::Warning);
    case json::Trouble::OversizedValue:
        return report.note("oversized_value",
                           "A value outside the event array is larger than 16 MiB and was skipped.", place,
                           Severity::Warning);
    case json::Trouble::NoArray:
        return report.note("events_no_array", "traceEvents is not an array.", place, Severity::Warning);
    case json::Trouble::Truncated:
        report.setPartial();
        return report.note("truncated", "The file ends early. Everything before this byte is open.", place,
                           Severity::Error);
    case json::Trouble::DataAfterRoot:
        return report.note("data_after_end",
                           "What follows the end of the trace is no further trace and was ignored.", place,
                           Severity::Warning);
    case json::Trouble::Stopped:
        report.setPartial();
        return report.note(kReadingStopped,
                           "Reading was stopped: what follows this event in the file is not read.", place,
                           Severity::Error);
    }
}

void Rows::event(const json::Event& event) {
    m_sawEvents = true;
    if (m_builder.isSnapshotDue()) {
        m_lanes.applyNames();
        m_builder.offerSnapshot();
    }
    if (event.isSalvaged)
        m_builder.report().note("damaged_event",
                                "An event is damaged; its time and lane could still be read.",
                                {event.offset, {}, 0}, Severity::Warning);
    if (event.isEmpty)
        return m_builder.report().keep(EventKind::Metadata);
    if (event.ph.text.size() != 1)
        return drop(event, "missing_phase", "An event has no phase (ph).");
    switch (const char phase = event.ph.text[0]) {
    case 'X':
        return complete(event);
    case 's':
    case 't':
    case 'f':
        return flow(event);
    case 'M':
        m_lanes.metadata(event);
        return m_builder.report().keep(EventKind::Metadata);
    case 'B':
    case 'E':
        return durationMark(event, phase == 'B');
    case 'i':
    case 'I':
    case 'R':
    case 'N': // objects and samples: the moment is all that a timeline can show of them
    case 'O':
    case 'D':
    case 'P':
        return instant(event);
    case 'C':
        return counter(event);
    case 'T':
        if (event.dur) // Perfetto's dialect: a thread state
            return complete(event);
        [[fallthrough]];
    case 'b':
    case 'n':
    case 'e':
    case 'S':
    case 'p':
    case 'F':
        return asyncMark(event, phase);
    default:
        return otherPhase(event, phase);
    }
}

void Rows::otherPhase(const json::Event& event, char phase) {
    switch (phase) {
    case 'V':
    case 'v':
        return drop(event, "memory_dump_not_shown",
                    "Memory dumps (phase V or v) have no place on a timeline.", Severity::Info);
    case 'c':
        return drop(event, "clock_sync_not_used", "Clock marks (phase c) are for tools that merge files.",
                    Severity::Info);
    case '(':
    case ')':
        return drop(event, "context_not_shown", "Context marks (phase ( and )) are not shown.",
                    Severity::Info);
    default:
        return drop(event, "unknown_phase",
                    std::string("Events of an unknown phase, such as \"") + phase + "\", are not shown.");
    }
}

void Rows::flow(const json::Event& event) {
    const std::string_view cat = event.cat.text;
    m_signs.ac2gFlow = m_signs.ac2gFlow || cat == "ac2g";
    m_signs.asyncGpuFlow = m_signs.asyncGpuFlow || cat == "async_gpu";
    m_signs.asyncCpuToGpuFlow = m_signs.asyncCpuToGpuFlow || cat == "async_cpu_to_gpu";
    const auto time = asNs(event.ts.text);
    if (time && !isTaken(event, EventKind::Flow, *time, *time))
        return;
    m_flows.add(event, time, m_lanes);
    m_builder.report().keep(EventKind::Flow);
}

const Category& Rows::category(const json::Event& event) {
    const std::string_view cat = event.cat.text;
    if (cat == m_lastCat)
        return m_lastCategory;
    m_lastCat = cat;
    m_lastCategory = categoryOf(cat);
    m_signs.kinetoCategory = m_signs.kinetoCategory || m_lastCategory.isKineto;
    m_signs.oldCategory = m_signs.oldCategory || m_lastCategory.isOld;
    m_signs.operatorRow = m_signs.operatorRow || cat == "Operator";
    m_signs.driverOrSync = m_signs.driverOrSync || cat == "cuda_driver" || cat == "cuda_sync";
    m_signs.cudaEvent = m_signs.cudaEvent || cat == "cuda_event";
    return m_lastCategory;
}

StringId Rows::nameOf(const json::Event& event) {
    if (!event.name || (event.name.type == json::ValueType::Scalar && event.name.text == "null"))
        return m_noName;
    return m_builder.strings().intern(json::meaning(event.name, m_scratch));
}

std::optional<std::int64_t> Rows::asNs(std::string_view text) const {
    return m_unit == TimeUnitOfFile::Ns ? json::nanosAsNs(text) : json::microsAsNs(text);
}

// False: the element was counted as not chosen. Times of the steps are told by rows of any category.
bool Rows::isTaken(const json::Event& event, EventKind kind, std::int64_t beginNs, std::int64_t endNs) {
    if (m_builder.choice() == nullptr)
        return true;
    const bool isStep = kind == EventKind::CpuOp && isStepName(event.name.text);
    if (m_builder.takes(isStep ? EventKind::Range : kind, beginNs, endNs))
        return true;
    drop(event, kRowsNotChosen, kRowsNotChosenText, Severity::Info);
    return false;
}

// None: the element was dropped and counted.
std::optional<std::int64_t> Rows::timeOf(const json::Event& event) {
    const auto time = asNs(event.ts.text);
    if (time) {
        m_earliestAnyNs = std::min(m_earliestAnyNs, *time);
    } else {
        m_beyondClock += json::nanosAsNs(event.ts.text) ? 1u : 0u;
        drop(event, "missing_time", "An event has no usable time (ts).");
    }
    return time;
}

std::optional<Rows::Interval> Rows::intervalOf(const json::Event& event, const Category& category,
                                               std::optional<std::int64_t> duration) {
    const auto begin = timeOf(event);
    if (!begin)
        return std::nullopt;
    if (!duration && json::asReal(event.dur.text)) { // a number beyond the clock
        drop(event, "implausible_duration", "A complete event lasts more than 7 days: its time is corrupt.");
        return std::nullopt;
    }
    if (!duration) {
        drop(event, "missing_duration", "A complete event has no usable duration (dur).");
        return std::nullopt;
    }
    if (*duration < 0) {
        drop(event, "negative_duration", "A complete event has a negative duration.");
        return std::nullopt;
    }
    if (*duration > kLongestNs) {
        drop(event, "implausible_duration", "A complete event lasts more than 7 days: its time is corrupt.");
        return std::nullopt;
    }
    // CUPTI records without times, and event records of CUDA before 12.8.
    if (!m_written.hasTimeZero() && isUnfilledRecord(category.kind, *begin, *duration)) {
        drop(event, "zero_gpu_record", "A device row has no time (ts 0).");
        return std::nullopt;
    }
    m_signs.fractionalTime = m_signs.fractionalTime || event.ts.text.find('.') != std::string_view::npos;
    m_earliestNs = std::min(m_earliestNs, *begin);
    m_latestNs = std::max(m_latestNs, *begin + *duration);
    return Interval{*begin, *begin + *duration};
}

// A host row that was open when the recording ended. The end of device work is never guessed.
void Rows::unfinished(const json::Event& event, const Category& category) {
    const auto begin = timeOf(event);
    if (!begin || !isTaken(event, category.kind, *begin, *begin))
        return;
    m_unfinished.push_back(static_cast<std::uint32_t>(m_builder.size()));
    m_earliestNs = std::min(m_earliestNs, *begin);
    hostRow(event, category, {*begin, *begin});
    m_builder.report().note("unfinished", kUnfinished, {event.offset, {}, 0}, Severity::Info);
}

void Rows::complete(const json::Event& event) {
    const Category& known = category(event);
    if (known.kind != EventKind::Other)
        return completeAs(event, known, {});
    // The category tells nothing: names may.
    const DeviceLine line = m_lanes.deviceLine(event);
    Category named = known;
    if (line.role == DeviceLine::Role::Work) {
        named = {deviceKindByName(event.name.text), LaneKind::GpuStream};
    } else if (line.role == DeviceLine::Role::Summary) {
        named = {EventKind::Range, LaneKind::Range};
    } else if (const EventKind call = callKindByName(event.name.text); call != EventKind::Other) {
        if (m_lanes.hasDeviceNames())
            named = {call, LaneKind::CudaApi};
        else
            m_hasEarlyCalls = true;
    }
    completeAs(event, named, line);
}

void Rows::completeAs(const json::Event& event, const Category& kind, const DeviceLine& line) {
    m_flows.addSlice(event);
    const auto duration = asNs(event.dur.text);
    if (!duration && !isDeviceLane(kind.lane) && !json::asReal(event.dur.text))
        return unfinished(event, kind);
    const auto interval = intervalOf(event, kind, duration);
    if (!interval || !isTaken(event, kind.kind, interval->beginNs, interval->endNs))
        return;
    if (m_written.hasLane(event)) {
        m_flows.sawCorrelation(); // launches are told by it, not by the arrows for other viewers
        return m_written.add(event, kind.kind, nameOf(event), {{interval->beginNs}, {interval->endNs}});
    }
    if (isDeviceLane(kind.lane))
        deviceRow(event, kind, line, *interval);
    else
        hostRow(event, kind, *interval);
}

void Rows::hostRow(const json::Event& event, const Category& category, Interval interval) {
    RawEvent row;
    row.beginNs = interval.beginNs;
    row.endNs = interval.endNs;
    row.name = nameOf(event);
    row.kind = category.kind;
    row.source = SourceRef::offset(event.offset);
    LaneKind lane = category.lane;
    if (category.lane == LaneKind::CudaApi) {
        if (const std::uint64_t id = correlationOf(event.args); id != 0)
            row.correlation = (std::uint64_t{m_lanes.correlationDomain(event, true)} << 32) + id;
        if (row.correlation != 0)
            m_flows.sawCorrelation();
    } else if (isStepName(m_builder.strings().view(row.name)) &&
               (row.kind == EventKind::Range || row.kind == EventKind::CpuOp)) {
        lane = LaneKind::Steps;
        row.kind = EventKind::Range;
    }
    TraceFacts& facts = m_builder.facts();
    facts.pythonRecorded = facts.pythonRecorded || row.kind == EventKind::Python;
    row.lane = m_lanes.hostLane(lane, event);
    m_builder.add(row);
    m_builder.report().keep(row.kind);
}

void Rows::deviceRow(const json::Event& event, const Category& category, const DeviceLine& line,
                     Interval interval) {
    RowArgs args = deviceArgs(event.args);
    if (line.role == DeviceLine::Role::Work) {
        args.device = line.device;
        args.stream = line.stream;
    }
    RawEvent row;
    row.beginNs = interval.beginNs;
    row.endNs = interval.endNs;
    row.name = nameOf(event);
    row.kind = category.kind;
    row.source = SourceRef::offset(event.offset);
    row.lane = m_lanes.deviceLane(category.lane, event, args.device, args.stream);
    if (args.correlation != 0)
        row.correlation = (std::uint64_t{m_lanes.correlationDomain(event, false)} << 32) + args.correlation;
    const std::uint32_t at = m_builder.add(row);
    m_builder.report().keep(row.kind);

    const std::string_view name = m_builder.strings().view(row.name);
    if (row.kind == EventKind::Memcpy || row.kind == EventKind::Memset) {
        CopyArgs copy = copyArgs(name, args.bytes.value_or(0));
        if (copy.kind == CopyKind::Unknown)
            copy.kind = row.kind == EventKind::Memset ? CopyKind::Set : copyKindByName(name);
        m_builder.setCopy(at, copy);
    }
    m_kernels += row.kind == EventKind::Kernel ? 1 : 0;
    m_longKernels += row.kind == EventKind::Kernel && interval.endNs - interval.beginNs > kSecondNs ? 1 : 0;
    if (row.kind == EventKind::Sync) {
        SyncArgs sync = syncArgs(name, args);
        if (event.cat.text == "cuda_event")
            sync.kind = SyncKind::EventRecord;
        m_builder.setSync(at, sync);
        m_builder.facts().syncRowsRecorded = true;
    }
    if (args.graph != 0 || args.graphNode != 0) {
        GraphArgs graph;
        graph.graph = args.graph;
        graph.node = args.graphNode;
        m_builder.setGraph(at, graph);
    }
    m_signs.graphNode = m_signs.graphNode || args.hasGraphNode;
    m_signs.occupancyObject = m_signs.occupancyObject || args.hasOccupancyObject;
}

void Rows::instant(const json::Event& event) {
    const auto time = timeOf(event);
    if (!time || !isTaken(event, EventKind::Instant, *time, *time))
        return;
    m_flows.addSlice(event);
    if (m_written.hasLane(event))
        return m_written.add(event, EventKind::Instant, nameOf(event), {{*time}, {*time}});
    RawEvent row;
    row.beginNs = row.endNs = *time;
    row.name = nameOf(event);
    row.kind = EventKind::Instant;
    row.source = SourceRef::offset(event.offset);
    const bool isOfThread = event.s.text != "g" && event.s.text != "p";
    row.lane = isOfThread ? m_lanes.hostLane(LaneKind::Marks, event)
                          : m_lanes.processLane(LaneKind::Marks, event, {});
    m_builder.add(row);
    m_builder.report().keep(EventKind::Instant);
    if (event.name.text == "[memory]" || event.name.text == "[OutOfMemory]")
        if (const auto mark = memoryMark(event.args))
            m_memory.add({*time, m_lanes.process(event), *mark});
}

// xprof: all samples of a track in one element, [[ts, value], ...].
bool Rows::counterEntries(const json::Event& event, std::string_view title) {
    std::optional<CounterId> track;
    json::Items entries(event.entries.text);
    json::Value entry;
    while (entries.next(entry)) {
        json::Items parts(entry.text);
        json::Value at, value;
        if (entry.type != json::ValueType::Array || !parts.next(at) || !parts.next(value))
            continue;
        const auto time = asNs(at.text);
        const auto number = json::asReal(value.text);
        if (!time || !number)
            continue;
        if (!track)
            track = m_builder.counter(title, m_lanes.process(event), {}, {});
        m_earliestAnyNs = std::min(m_earliestAnyNs, *time);
        m_builder.addSample(*track, *time, *number);
    }
    return track.has_value();
}

void Rows::counter(const json::Event& event) {
    std::string title(json::meaning(event.name, m_scratch));
    if (event.id)
        title += " " + json::meaning(event.id);
    bool hasValue = event.entries.type == json::ValueType::Array && counterEntries(event, title);
    if (!hasValue) {
        const auto time = timeOf(event);
        if (!time || !isTaken(event, EventKind::Counter, *time, *time))
            return;
        const ProcessId process = m_lanes.process(event);
        json::Members members(event.args.type == json::ValueType::Object ? event.args.text : "");
        std::string_view series;
        json::Value value;
        while (members.next(series, value)) {
            const auto number = json::asReal(value.text);
            if (!number)
                continue;
            hasValue = true;
            if (const CounterId written = m_written.counterOf(event)) {
                m_builder.addSample(written, *time, *number);
                continue;
            }
            const std::string seriesName = json::meaning({series, json::ValueType::String, false});
            std::string track = title;
            if (!seriesName.empty() && seriesName != title)
                track.append(": ").append(seriesName);
            // Kineto's hardware counters bear the names of Nsight Compute's metrics, which tell the unit.
            const std::string_view unit =
                track.find("__") == std::string::npos ? std::string_view() : ncuUnitOfName(track);
            m_builder.addSample(m_builder.counter(track, process, {}, unit), *time, *number);
        }
    }
    if (hasValue)
        m_builder.report().keep(EventKind::Counter);
    else
        drop(event, "counter_without_value", "A counter event has no number.");
}

void Rows::durationMark(const json::Event& event, bool isBegin) {
    const auto time = timeOf(event);
    if (!time)
        return;
    PairMark mark;
    mark.timeNs = *time;
    mark.offset = event.offset;
    mark.isBegin = isBegin;
    mark.key = m_lanes.threadNumber(event);
    if (event.name)
        mark.name = nameOf(event);
    mark.bindsFlow = m_flows.addSlice(event) && !isBegin;
    if (isBegin) {
        const Category& kind = category(event);
        mark.kind = isDeviceLane(kind.lane) ? EventKind::Other : kind.kind;
        mark.lane = m_lanes.hostLane(isDeviceLane(kind.lane) ? LaneKind::CpuThread : kind.lane, event);
        m_earliestNs = std::min(m_earliestNs, *time);
    }
    m_slices.add(mark);
}

std::uint32_t Rows::asyncKey(const json::Event& event, bool isNestable) {
    const auto next = static_cast<std::uint32_t>(m_asyncKeys.size());
    return m_asyncKeys.try_emplace(asyncKeyOf(event, isNestable), next).first->second;
}

void Rows::asyncMark(const json::Event& event, char phase) {
    const auto time = timeOf(event);
    if (!time)
        return;
    const std::string title = event.cat ? json::meaning(event.cat) : "async";
    const LaneId lane = m_lanes.processLane(LaneKind::Async, event, title);
    const bool bindsFlow = m_flows.addSlice(event);
    if (phase == 'n' || phase == 'T' || phase == 'p') {
        if (!isTaken(event, EventKind::Instant, *time, *time))
            return;
        m_builder.add(
            {lane, *time, *time, nameOf(event), EventKind::Instant, 0, SourceRef::offset(event.offset)});
        m_builder.report().keep(EventKind::Instant);
        return;
    }
    PairMark mark;
    mark.timeNs = *time;
    mark.offset = event.offset;
    mark.key = asyncKey(event, phase == 'b' || phase == 'e');
    mark.lane = lane;
    mark.kind = EventKind::Async;
    mark.isBegin = phase == 'b' || phase == 'S';
    mark.bindsFlow = bindsFlow && !mark.isBegin;
    if (event.name)
        mark.name = nameOf(event);
    m_asyncs.add(mark);
}

// Some writers put nanoseconds into ts, which is in microseconds by definition.
void Rows::noteDoubtfulUnit() {
    if (m_unit == TimeUnitOfFile::Ns)
        return m_builder.report().note(kTimesReadAsNs,
                                       "Times (ts and dur) are read as nanoseconds, as asked; the format has "
                                       "microseconds.",
                                       {}, Severity::Info);
    const bool areKernelsLong = m_longKernels * 2 > m_kernels;
    const bool isTraceLong = m_latestNs > m_earliestNs && m_latestNs - m_earliestNs > 24 * 3600 * kSecondNs;
    if (areKernelsLong || isTraceLong || m_beyondClock > 0)
        m_builder.report().note(
            kDoubtfulTimeUnit,
            "Most kernels last over a second, the trace over a day, or times lie beyond every clock: the "
            "writer may have put nanoseconds where the format has microseconds. Times are shown as the "
            "format "
            "defines them.",
            {}, Severity::Info);
}

bool Rows::finish(JobControl& job) {
    // Both kinds of open begins last to the same moment.
    const std::int64_t lastNs =
        std::max({m_builder.lastTimeNs(), m_slices.lastTimeNs(), m_asyncs.lastTimeNs()});
    for (const std::uint32_t row : m_unfinished)
        m_builder.setEnd(row, lastNs);
    if (!m_slices.resolve(m_builder, lastNs, job) || !m_asyncs.resolve(m_builder, lastNs, job))
        return false;
    if (!splitCorrelations(m_builder, m_lanes.hostDomains(), job))
        return false;
    noteDoubtfulUnit();
    m_memory.addTracks(m_builder, m_lanes);
    m_lanes.applyNames();
    m_flows.bindToBegins(m_slices.beginsOfFlows());
    m_flows.bindToBegins(m_asyncs.beginsOfFlows());
    m_flows.handOver(m_lanes);
    const std::int64_t earliestNs = m_earliestNs != INT64_MAX ? m_earliestNs : m_earliestAnyNs;
    m_facts.apply(m_signs, earliestNs == INT64_MAX ? std::nullopt : std::optional(earliestNs));
    m_written.applyFacts();
    return true;
}

} // namespace lacuna::chrome
