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
}
void unpack(Unpacker& in, Process& p) {
    p.idText = in.text();
    p.osPid = in.optional<std::int64_t>();
    p.name = in.text();
    p.sortIndex = in.value<std::int64_t>();
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

template <class T> void packAll(Packer& out, const std::vector<T>& list) {
    out.value(static_cast<std::uint64_t>(list.size()));
    for (const T& element : list)
        pack(out, element);
}
// `least`: bytes of the smallest element.
template <class T> void unpackAll(Unpacker& in, std::vector<T>& list, std::size_t least) {
    list.resize(in.count(least));
    for (T& element : list) {
        if (in.failed())
            return;
        unpack(in, element);
    }
}

} // namespace

std::string TraceArchive::packSmall(const Trace& trace) {
    Packer out;
    packAll(out, trace.m_processes);
    out.value(static_cast<std::uint64_t>(trace.m_threads.size()));
    for (const Thread& t : trace.m_threads) {
        out.id(t.process);
        out.text(t.idText);
        out.value(t.tid);
        out.text(t.name);
    }
    out.value(static_cast<std::uint64_t>(trace.m_devices.size()));
    for (const Device& d : trace.m_devices) {
        out.id(d.process);
        out.value(d.ordinal);
        out.text(d.name);
    }
    out.value(static_cast<std::uint64_t>(trace.m_counters.size()));
    for (const CounterTrack& c : trace.m_counters) {
        out.text(c.name);
        out.text(c.unit);
        out.id(c.process);
        out.id(c.device);
        out.value(static_cast<std::uint64_t>(c.timeNs.size()));
    }
    out.value(static_cast<std::uint64_t>(trace.m_lanes.size()));
    for (const Lane& l : trace.m_lanes) {
        out.enumerator(l.kind);
        out.id(l.title);
        out.id(l.process);
        out.id(l.thread);
        out.id(l.device);
        out.value(l.sourceId);
        out.id(l.counter);
        out.value(l.depth);
    }
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
    unpackAll(in, trace.m_processes, 26);
    const std::size_t processes = trace.m_processes.size();
    trace.m_threads.resize(in.count(28));
    for (Thread& t : trace.m_threads) {
        t.process = in.id<ProcessId>(processes);
        t.idText = in.text();
        t.tid = in.value<std::int64_t>();
        t.name = in.text();
    }
    trace.m_devices.resize(in.count(20));
    for (Device& d : trace.m_devices) {
        d.process = in.id<ProcessId>(processes);
        d.ordinal = in.value<std::int64_t>();
        d.name = in.text();
    }
    trace.m_counters.resize(in.count(32));
    for (CounterTrack& c : trace.m_counters) {
        c.name = in.text();
        c.unit = in.text();
        c.process = in.id<ProcessId>(processes);
        c.device = in.id<DeviceId>(trace.m_devices.size());
        parts.sampleCounts.push_back(in.value<std::uint64_t>());
    }
    trace.m_lanes.resize(in.count(33));
    for (Lane& l : trace.m_lanes) {
        l.kind = in.enumerator(LaneKind::Counter);
        l.title = in.id<StringId>(trace.m_strings.size());
        l.process = in.id<ProcessId>(processes);
        l.thread = in.id<ThreadId>(trace.m_threads.size());
        l.device = in.id<DeviceId>(trace.m_devices.size());
        l.sourceId = in.value<std::int64_t>();
        l.counter = in.id<CounterId>(trace.m_counters.size());
        l.depth = in.value<std::uint32_t>();
    }
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
