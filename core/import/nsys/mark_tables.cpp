// Events beside the streams and calls: page faults of unified memory, memory pools, and accesses to files.

#include "core/import/nsys/device_lanes.h"
#include "core/import/nsys/info_rows.h"

#include <string>
#include <unordered_map>

namespace lacuna::nsys {

namespace {

// Names made of a label and its number, interned once per number.
class LabelNames {
public:
    LabelNames(NsysReader& reader, std::string_view enumeration, std::string_view before)
        : m_reader(reader), m_enumeration(enumeration), m_before(before) {}

    StringId name(std::optional<std::int64_t> id) {
        StringId& name = m_names[id.value_or(-1)];
        if (name)
            return name;
        const std::string_view label = id ? m_reader.labels.label(m_enumeration, *id) : std::string_view{};
        std::string text(m_before);
        if (!label.empty())
            text.append(", ").append(label);
        else if (id)
            text.append(", kind ").append(std::to_string(*id));
        name = m_reader.builder.strings().intern(text);
        return name;
    }

private:
    NsysReader& m_reader;
    std::string_view m_enumeration, m_before;
    std::unordered_map<std::int64_t, StringId> m_names;
};

void loadCpuFaults(NsysReader& reader) {
    enum Column { Begin, Pid, Instruction };
    TableRows rows(reader, "CUDA_UM_CPU_PAGE_FAULT_EVENTS", {"start", "globalPid", "CpuInstruction"});
    while (rows.next()) {
        const auto at = rows.time();
        if (!at)
            continue;
        const StringId name = reader.name(rows.integer(Instruction), "CPU page fault", rows);
        reader.builder.add({reader.hostLane(LaneKind::Marks, rows.integer(Pid), "CPU page faults"), *at, *at,
                            name, EventKind::Instant, 0, rows.source()});
        rows.keep(EventKind::Instant);
    }
}

// The interval of a fault is no work of a stream: it may lie inside a kernel that waits for it.
void loadGpuFaults(NsysReader& reader, DeviceLanes& lanes) {
    enum Column { Begin, End, Pid, Device, Access };
    TableRows rows(reader, "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
                   {"start", "end", "globalPid", "deviceId", "faultAccessType"});
    LabelNames names(reader, "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", "GPU page fault");
    while (rows.next()) {
        const auto time = rows.interval(true);
        if (!time)
            continue;
        const LaneId lane = lanes.marks(rows.integer(Pid), rows.integerOr(Device, 0), "GPU page faults");
        reader.builder.add({lane, time->begin, time->end, names.name(rows.integer(Access)), EventKind::Other,
                            0, rows.source()});
        rows.keep(EventKind::Other);
    }
}

void loadPools(NsysReader& reader, DeviceLanes& lanes) {
    enum Column { Begin, Pid, Device, Operation, PoolOperation };
    // The vendor's documents and exports do not agree on the name of the operation's column.
    TableRows rows(reader, "CUDA_GPU_MEMORY_POOL_EVENTS",
                   {"start", "globalPid", "deviceId", "operationType", "memoryPoolOperationType"});
    LabelNames names(reader, "ENUM_CUDA_MEMPOOL_OPER", "memory pool");
    while (rows.next()) {
        const auto at = rows.time();
        if (!at)
            continue;
        const auto operation =
            rows.integer(Operation) ? rows.integer(Operation) : rows.integer(PoolOperation);
        const LaneId lane = lanes.marks(rows.integer(Pid), rows.integerOr(Device, 0), "memory pools");
        reader.builder.add({lane, *at, *at, names.name(operation), EventKind::Instant, 0, rows.source()});
        rows.keep(EventKind::Instant);
    }
}

} // namespace

void loadMemoryMarks(NsysReader& reader, DeviceLanes& lanes) {
    loadCpuFaults(reader);
    loadGpuFaults(reader, lanes);
    loadPools(reader, lanes);
}

// These tables hold plain numbers of processes and threads; the process stands with the file's description.
void loadFileAccess(NsysReader& reader) {
    enum Column { Begin, End, File, Thread, Call, Type };
    TableRows rows(reader, "OSRT_FILE_ACCESS_EVENTS",
                   {"startedAt", "endedAt", "fileAccessId", "threadId", "apiCallId", "eventType"});
    std::unordered_map<std::int64_t, std::int64_t> processes; // by file
    InfoRows files(reader.db, "OSRT_FILE_ACCESS_DESCRIPTORS", {"fileAccessId", "processId"});
    while (files.next())
        if (files.integer(0) && files.integer(1))
            processes.try_emplace(*files.integer(0), *files.integer(1));
    LabelNames types(reader, "ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", "file access");
    while (rows.next()) {
        const auto time = rows.interval(false);
        if (!time)
            continue;
        const auto call = rows.integer(Call);
        const StringId name = call ? reader.name(call, {}, rows) : types.name(rows.integer(Type));
        std::optional<std::int64_t> thread = rows.integer(Thread);
        if (const auto process = processes.find(rows.integerOr(File, -1));
            thread && process != processes.end())
            thread = reader.globalThread(process->second, *thread);
        else
            thread.reset();
        reader.builder.add({reader.hostLane(LaneKind::Marks, thread, "file access"), time->begin, time->end,
                            name, EventKind::Other, 0, rows.source()});
        rows.keep(EventKind::Other);
    }
}

} // namespace lacuna::nsys
