// Everything of a trace that is no long column: lanes, processes, facts, report, sparse arguments.

#include "core/cache/packer.h"
#include "core/cache/trace_archive.h"

namespace lacuna {

namespace {

void pack(Packer& out, const Process& p) {
    out.text(p.idText);
    out.optional(p.osPid);
    out.text(p.name);
    out.value(p.sortIndex);
    out.optional(p.mpiRank);
}
void unpack(Unpacker& in, Process& p) {
    p.idText = in.text();
    p.osPid = in.optional<std::int64_t>();
    p.name = in.text();
    p.sortIndex = in.value<std::int64_t>();
    p.mpiRank = in.optional<std::int64_t>();
}

void pack(Packer& out, const CopyArgs& a) {
    out.id(a.event);
    out.value(a.bytes);
    out.enumerator(a.kind);
    out.enumerator(a.src);
    out.enumerator(a.dst);
}
void unpack(Unpacker& in, CopyArgs& a) {
    a.event = {in.value<std::uint32_t>()};
    a.bytes = in.value<std::int64_t>();
    a.kind = in.enumerator(CopyKind::Set);
    if (a.kind > CopyKind::UnifiedDtoD && a.kind != CopyKind::Set)
        in.fail();
    a.src = in.enumerator(MemKind::Unknown);
    a.dst = in.enumerator(MemKind::Unknown);
}

void pack(Packer& out, const SyncArgs& a) {
    out.id(a.event);
    out.enumerator(a.kind);
    for (const std::int64_t v : {a.stream, a.sourceStream, a.recordCorrelation, a.eventId, a.eventSyncId})
        out.value(v);
}
void unpack(Unpacker& in, SyncArgs& a) {
    a.event = {in.value<std::uint32_t>()};
    a.kind = in.enumerator(SyncKind::EventRecord);
    for (std::int64_t* v : {&a.stream, &a.sourceStream, &a.recordCorrelation, &a.eventId, &a.eventSyncId})
        *v = in.value<std::int64_t>();
}

void pack(Packer& out, const GraphArgs& a) {
    out.id(a.event);
    out.value(a.graph);
    out.value(a.node);
}
void unpack(Unpacker& in, GraphArgs& a) {
    a.event = {in.value<std::uint32_t>()};
    a.graph = in.value<std::uint64_t>();
    a.node = in.value<std::uint64_t>();
}

void pack(Packer& out, const Issue& issue) {
    out.text(issue.code);
    out.enumerator(issue.severity);
    out.value(issue.count);
    out.text(issue.message);
    out.optional(issue.first.offset);
    out.text(issue.first.table);
    out.value(issue.first.row);
    out.flag(issue.dropsRows);
}
void unpack(Unpacker& in, Issue& issue) {
    issue.code = in.text();
    issue.severity = in.enumerator(Severity::Error);
    issue.count = in.value<std::uint64_t>();
    issue.message = in.text();
    issue.first.offset = in.optional<std::uint64_t>();
    issue.first.table = in.text();
    issue.first.row = in.value<std::int64_t>();
    issue.dropsRows = in.flag();
}

void pack(Packer& out, const TraceFacts& f) {
    for (const std::string* text : {&f.path, &f.fileName, &f.format, &f.writer})
        out.text(*text);
    out.value(f.fileSize);
    out.optional(f.baseNs);
    out.value(static_cast<std::uint64_t>(f.metadata.size()));
    for (const auto& [key, value] : f.metadata) {
        out.text(key);
        out.text(value);
    }
    for (const bool flag : {f.pythonRecorded, f.osRuntimeRecorded, f.syncRowsRecorded})
        out.flag(flag);
}
void unpack(Unpacker& in, TraceFacts& f) {
    for (std::string* text : {&f.path, &f.fileName, &f.format, &f.writer})
        *text = in.text();
    f.fileSize = in.value<std::uint64_t>();
    f.baseNs = in.optional<std::int64_t>();
    f.metadata.resize(in.count(16));
    for (auto& [key, value] : f.metadata) {
        key = in.text();
        value = in.text();
    }
    for (bool* flag : {&f.pythonRecorded, &f.osRuntimeRecorded, &f.syncRowsRecorded})
        *flag = in.flag();
}

// How many lists may refer to; ids beyond it fail.
struct Counts {
    std::size_t processes = 0, threads = 0, devices = 0, counters = 0, strings = 0;
};

void pack(Packer& out, const Thread& t) {
    out.id(t.process);
    out.text(t.idText);
    out.value(t.tid);
    out.text(t.name);
}
void unpack(Unpacker& in, Thread& t, const Counts& counts) {
    t.process = in.id<ProcessId>(counts.processes);
    t.idText = in.text();
    t.tid = in.value<std::int64_t>();
    t.name = in.text();
}

void pack(Packer& out, const Device& d) {
    out.id(d.process);
    out.value(d.ordinal);
    out.text(d.name);
}
void unpack(Unpacker& in, Device& d, const Counts& counts) {
    d.process = in.id<ProcessId>(counts.processes);
    d.ordinal = in.value<std::int64_t>();
    d.name = in.text();
}

// The samples themselves are long columns.
void pack(Packer& out, const CounterTrack& c) {
    out.text(c.name);
    out.text(c.unit);
    out.id(c.process);
    out.id(c.device);
    out.value(static_cast<std::uint64_t>(c.timeNs.size()));
}
void unpack(Unpacker& in, CounterTrack& c, const Counts& counts, std::vector<std::uint64_t>& sampleCounts) {
    c.name = in.text();
    c.unit = in.text();
    c.process = in.id<ProcessId>(counts.processes);
    c.device = in.id<DeviceId>(counts.devices);
    sampleCounts.push_back(in.value<std::uint64_t>());
}

void pack(Packer& out, const Lane& l) {
    out.enumerator(l.kind);
    out.id(l.title);
    out.id(l.process);
    out.id(l.thread);
    out.id(l.device);
    out.value(l.sourceId);
    out.id(l.counter);
    out.value(l.depth);
}
void unpack(Unpacker& in, Lane& l, const Counts& counts) {
    l.kind = in.enumerator(LaneKind::Counter);
    l.title = in.id<StringId>(counts.strings);
    l.process = in.id<ProcessId>(counts.processes);
    l.thread = in.id<ThreadId>(counts.threads);
    l.device = in.id<DeviceId>(counts.devices);
    l.sourceId = in.value<std::int64_t>();
    l.counter = in.id<CounterId>(counts.counters);
    l.depth = in.value<std::uint32_t>();
}

template <class T, class Memory> void packAll(Packer& out, const std::vector<T, Memory>& list) {
    out.value(static_cast<std::uint64_t>(list.size()));
    for (const T& element : list)
        pack(out, element);
}
// `least`: bytes of the smallest element; `known` goes to every unpack().
template <class T, class Memory, class... Known>
void unpackAll(Unpacker& in, std::vector<T, Memory>& list, std::size_t least, Known&... known) {
    list.resize(in.count(least));
    for (T& element : list) {
        if (in.failed())
            return;
        unpack(in, element, known...);
    }
}

} // namespace

std::string TraceArchive::packSmall(const Trace& trace) {
    Packer out;
    packAll(out, trace.m_processes);
    packAll(out, trace.m_threads);
    packAll(out, trace.m_devices);
    packAll(out, trace.m_counters);
    packAll(out, trace.m_lanes);
    out.value(static_cast<std::uint64_t>(trace.m_strips.size()));
    for (const Strip& s : trace.m_strips)
        out.value(s.size());
    packAll(out, trace.m_hotArgs.copies.rows());
    packAll(out, trace.m_hotArgs.syncs.rows());
    packAll(out, trace.m_hotArgs.graphs.rows());
    for (const std::uint64_t rows : trace.m_report.m_kept)
        out.value(rows);
    packAll(out, trace.m_report.m_issues);
    out.flag(trace.m_report.m_partial);
    pack(out, trace.m_facts);
    out.value(trace.m_window.begin.v);
    out.value(trace.m_window.end.v);
    return out.bytes();
}

bool TraceArchive::unpackSmall(std::string_view bytes, Trace& trace, Parts& parts) {
    Unpacker in(bytes);
    Counts counts;
    counts.strings = trace.m_strings.size();
    unpackAll(in, trace.m_processes, 42);
    counts.processes = trace.m_processes.size();
    unpackAll(in, trace.m_threads, 28, counts);
    counts.threads = trace.m_threads.size();
    unpackAll(in, trace.m_devices, 20, counts);
    counts.devices = trace.m_devices.size();
    unpackAll(in, trace.m_counters, 32, counts, parts.sampleCounts);
    counts.counters = trace.m_counters.size();
    unpackAll(in, trace.m_lanes, 33, counts);
    parts.stripRows.resize(in.count(4));
    for (std::uint32_t& rows : parts.stripRows)
        rows = in.value<std::uint32_t>();
    unpackAll(in, trace.m_hotArgs.copies.rows(), 15);
    unpackAll(in, trace.m_hotArgs.syncs.rows(), 45);
    unpackAll(in, trace.m_hotArgs.graphs.rows(), 20);
    for (std::uint64_t& rows : trace.m_report.m_kept)
        rows = in.value<std::uint64_t>();
    unpackAll(in, trace.m_report.m_issues, 51);
    trace.m_report.m_partial = in.flag();
    unpack(in, trace.m_facts);
    trace.m_window.begin.v = in.value<std::int64_t>();
    trace.m_window.end.v = in.value<std::int64_t>();
    return in.isComplete();
}

} // namespace lacuna
