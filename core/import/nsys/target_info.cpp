#include "core/import/nsys/target_info.h"

#include "core/import/nsys/info_rows.h"
#include "core/import/nsys/table_list.h"

#include <algorithm>
#include <array>
#include <set>

namespace lacuna::nsys {

namespace {

struct FactName {
    std::string_view key, fact;
};

// Keys that may be shown; the tables hold host names, users, paths and environments beside them.
constexpr std::array kExportFacts = {
    FactName{"EXPORT_PRODUCT_VERSION", "nsys_version"},
    FactName{"EXPORT_SCHEMA_VERSION", "nsys_schema"},
    FactName{"EXPORT_PLATFORM", "platform"},
    FactName{"EXPORT_ARCH", "architecture"},
};
constexpr std::array kSystemFacts = {
    FactName{"OsDescription", "os"},
    FactName{"CpuDescription", "cpu"},
    FactName{"CpuCores", "cpu_cores"},
    FactName{"NvDriverVersion", "gpu_driver_version"},
    FactName{"CudaDriverVersion", "cuda_driver_version"},
};
constexpr std::array kCaptureFacts = {
    FactName{"CAPTURE_EVENT_TYPE", "captured"},
    FactName{"PROCESS_0:CUDA_GRAPH_TRACE_OPTIONS:MODE", "cuda_graph_trace"},
    FactName{"CUDA_GRAPH_TRACE_OPTIONS:MODE", "cuda_graph_trace"},
    FactName{"COLLECT_GPU_MEMORY_USAGE", "gpu_memory_usage"},
    FactName{"PROCESS_0:COLLECT_GPU_MEMORY_USAGE", "gpu_memory_usage"},
};

template <std::size_t N>
const FactName* findFact(const std::array<FactName, N>& facts, std::string_view key) {
    const auto* at =
        std::find_if(facts.begin(), facts.end(), [&](const FactName& fact) { return fact.key == key; });
    return at == facts.end() ? nullptr : &*at;
}

template <std::size_t N>
void loadFacts(NsysReader& reader, std::string_view table, const std::array<FactName, N>& wanted) {
    InfoRows rows(reader.db, table, {"name", "value"});
    while (rows.next())
        if (const FactName* fact = findFact(wanted, rows.text(0)))
            reader.builder.facts().metadata.emplace_back(fact->fact, oneLine(rows.text(1)));
}

void loadWriterAndBase(NsysReader& reader) {
    TraceFacts& facts = reader.builder.facts();
    facts.writer = "Nsight Systems";
    bool shifted = false;
    for (const std::string_view table : {"EXPORT_META_DATA", "META_DATA_EXPORT"}) {
        InfoRows rows(reader.db, table, {"name", "value"});
        while (rows.next()) {
            const std::string key = rows.text(0), value = rows.text(1);
            if (key == "EXPORT_PRODUCT_VERSION" && !value.empty())
                facts.writer = "Nsight Systems " + oneLine(value);
            shifted = shifted || (key == "EXPORT_PARAM_TIME_NORMALIZE" && value == "true") ||
                      ((key == "EXPORT_PARAM_TIME_SHIFT" || key == "EXPORT_CONFIG_TIME_SHIFT") &&
                       !value.empty() && value != "0");
        }
        loadFacts(reader, table, kExportFacts);
    }
    InfoRows session(reader.db, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"});
    if (!session.next())
        return;
    if (!shifted)
        facts.baseNs = session.integer(0);
    else
        reader.report.note(
            "shifted_times",
            "The export moved its times (normalised or shifted): they no longer start at the session "
            "start, so the clock time of the trace is unknown.",
            {{}, "META_DATA_EXPORT", 0});
}

} // namespace

namespace {

// Names of a descriptive table as one fact, each once, in the order of the table.
void listNames(NsysReader& reader, std::string_view table, const char* fact) {
    std::vector<std::string> names;
    InfoRows rows(reader.db, table, {"name"});
    while (rows.next())
        if (std::string name = oneLine(rows.text(0));
            !name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(std::move(name));
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    if (!list.empty())
        reader.builder.facts().metadata.emplace_back(fact, list);
}

// How long after the launch of the program the collection began; most began with it, which is not worth a
// fact.
void loadDelay(NsysReader& reader) {
    InfoRows rows(reader.db, "META_DATA_CAPTURE", {"name", "value"});
    while (rows.next())
        if (rows.text(0) == "START_DELAY_MS" && rows.text(1) != "0")
            reader.builder.facts().metadata.emplace_back("start_delay_ms", oneLine(rows.text(1)));
}

} // namespace

void loadTargetInfo(NsysReader& reader) {
    loadWriterAndBase(reader);
    loadFacts(reader, "TARGET_INFO_SYSTEM_ENV", kSystemFacts);
    loadFacts(reader, "META_DATA_CAPTURE", kCaptureFacts);
    loadDelay(reader);
    InfoRows gpus(reader.db, "TARGET_INFO_GPU", {"name"});
    while (gpus.next())
        reader.builder.facts().metadata.emplace_back("gpu", oneLine(gpus.text(0)));

    InfoRows processes(reader.db, "PROCESSES", {"globalPid", "name"});
    while (processes.next())
        if (const auto id = processes.integer(0))
            reader.processNames.insert_or_assign(processKey(*id), oneLine(processes.text(1)));
    InfoRows ranks(reader.db, "MPI_RANKS", {"globalTid", "rank"}); // of the thread that called MPI_Init
    while (ranks.next())
        if (ranks.integer(0) && ranks.integer(1))
            reader.mpiRanks.try_emplace(processKey(*ranks.integer(0)), *ranks.integer(1));
    listNames(reader, "NVTX_PAYLOAD_SCHEMAS", "nvtx_payload_schemas");
    InfoRows threads(reader.db, "ThreadNames", {"globalTid", "nameId"});
    while (threads.next()) {
        const auto id = threads.integer(0), nameId = threads.integer(1);
        if (!id || !nameId)
            continue;
        if (const auto name = reader.names.find(*nameId))
            reader.threadNames.insert_or_assign(*id, oneLine(reader.builder.strings().view(*name)));
    }
}

void loadDiagnostics(NsysReader& reader) {
    constexpr std::size_t kMaxTexts = 16; // further texts share one note
    constexpr std::int64_t kWarning = 2, kError = 3;
    std::vector<std::string> texts;
    InfoRows rows(reader.db, "DIAGNOSTIC_EVENT", {"severity", "text"});
    std::int64_t row = 0;
    while (rows.next()) {
        ++row;
        const std::int64_t severity = rows.integer(0).value_or(0);
        if (severity != kWarning && severity != kError) {
            reader.report.note("nsys_messages",
                               "Nsight Systems left messages that are neither warnings nor errors.",
                               {{}, "DIAGNOSTIC_EVENT", row});
            continue;
        }
        const std::string text = oneLine(rows.text(1));
        auto at = std::find(texts.begin(), texts.end(), text);
        if (at == texts.end() && texts.size() < kMaxTexts)
            at = texts.insert(texts.end(), text);
        const std::string number = std::to_string(at - texts.begin() + 1);
        reader.report.note(
            at == texts.end() ? "nsys_diagnostics" : "nsys_diagnostic_" + number,
            at == texts.end() ? "Nsight Systems reported further problems." : "Nsight Systems: " + text,
            {{}, "DIAGNOSTIC_EVENT", row}, severity == kError ? Severity::Error : Severity::Warning);
    }
}

namespace {

struct NameList {
    std::string text;
    std::uint64_t count = 0;
    void add(std::string_view name) {
        text.append(count == 0 ? "" : ", ").append(name);
        ++count;
    }
};

// Names without folders: paths tell of users and machines.
std::string baseName(const std::string& path) {
    return oneLine(path.substr(path.find_last_of("/\\") + 1));
}

void listAttachedFiles(NsysReader& reader) {
    NameList files;
    InfoRows attached(reader.db, "ANALYSIS_FILE", {"filename"});
    while (attached.next())
        files.add(baseName(attached.text(0)));
    InfoRows streams(reader.db, "ProcessStreams", {"filenameId"});
    NameList outputs;
    while (streams.next())
        if (const auto id = streams.integer(0))
            if (const auto name = reader.names.find(*id))
                outputs.add(baseName(std::string(reader.builder.strings().view(*name))));
    for (const auto& [fact, list] :
         {std::pair{"attached_files", &files}, std::pair{"captured_output", &outputs}})
        if (list->count > 0)
            reader.builder.facts().metadata.emplace_back(fact, list->text);
}

} // namespace

void noteUnreadTables(NsysReader& reader) {
    NameList graphics, unknown, all;
    for (const SqliteTable& table : reader.db.tables()) {
        const TableUse use = useOf(table.name);
        if ((use != TableUse::Graphics && use != TableUse::Unknown) || !reader.hasRows(table.name))
            continue;
        (use == TableUse::Graphics ? graphics : unknown).add(table.name);
        all.add(table.name);
    }
    const auto note = [&](std::string_view code, const NameList& list, const char* one, const char* many) {
        reader.report.note(
            code, std::to_string(list.count) + (list.count == 1 ? one : many) + " not shown: " + list.text,
            {{}, list.text.substr(0, list.text.find(',')), 1}, Severity::Info, list.count);
    };
    if (unknown.count > 0)
        note("unknown_tables", unknown, " table of this export is newer than this Lacuna and is",
             " tables of this export are newer than this Lacuna and are");
    if (graphics.count > 0)
        note("tables_not_shown", graphics, " table of this export is about graphics or other work and is",
             " tables of this export are about graphics or other work and are");
    if (all.count > 0)
        reader.builder.facts().metadata.emplace_back("tables_not_read", all.text);
    listAttachedFiles(reader);
}

// ---- GPUs

GpuNames::GpuNames(SqliteDb& db) {
    InfoRows gpus(db, "TARGET_INFO_GPU", {"id", "deviceId", "cuDevice", "name"});
    while (gpus.next()) {
        // 2021 files call the number deviceId.
        const auto id = gpus.integer(0) ? gpus.integer(0) : gpus.integer(1);
        if (id)
            m_gpus.push_back({*id, gpus.integer(2), oneLine(gpus.text(3))});
    }
    if (m_gpus.empty()) {
        InfoRows oldest(db, "TARGET_INFO_CUDA_GPU", {"deviceId", "name"});
        while (oldest.next())
            if (const auto id = oldest.integer(0))
                m_gpus.push_back({*id, id, oneLine(oldest.text(1))});
    }
    InfoRows map(db, "TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"});
    while (map.next())
        if (map.integer(0) && map.integer(1) && map.integer(2))
            m_byProcess.insert_or_assign({*map.integer(0), *map.integer(1)}, *map.integer(2));
    std::set<std::int64_t> ordinals;
    m_ordinalsAreUnique = std::all_of(m_gpus.begin(), m_gpus.end(), [&](const Gpu& gpu) {
        return gpu.cudaOrdinal && ordinals.insert(*gpu.cudaOrdinal).second;
    });
}

const GpuNames::Gpu* GpuNames::find(std::int64_t processNumber, std::int64_t ordinal) const {
    const auto where = [&](auto&& matches) {
        const auto at = std::find_if(m_gpus.begin(), m_gpus.end(), matches);
        return at == m_gpus.end() ? nullptr : &*at;
    };
    if (!m_byProcess.empty()) {
        const auto at = m_byProcess.find({processNumber, ordinal});
        return at == m_byProcess.end() ? nullptr
                                       : where([&](const Gpu& gpu) { return gpu.id == at->second; });
    }
    if (m_ordinalsAreUnique)
        return where([&](const Gpu& gpu) { return gpu.cudaOrdinal == ordinal; });
    return where([&](const Gpu& gpu) { return gpu.id == ordinal; });
}

std::string GpuNames::name(std::int64_t processNumber, std::int64_t ordinal) const {
    const Gpu* gpu = find(processNumber, ordinal);
    return gpu == nullptr ? std::string() : gpu->name;
}

std::optional<std::int64_t> GpuNames::gpu(std::int64_t processNumber, std::int64_t ordinal) const {
    if (m_byProcess.empty() && m_gpus.size() != 1)
        return std::nullopt;
    const Gpu* gpu = find(processNumber, ordinal);
    return gpu == nullptr ? std::nullopt : std::optional(gpu->id);
}

// ---- streams

StreamTitles::StreamTitles(NsysReader& reader) {
    InfoRows streams(reader.db, "TARGET_INFO_CUDA_STREAM",
                     {"processId", "contextId", "streamId", "priority", "flag"});
    while (streams.next()) {
        Stream stream;
        // An int32 stored without its sign.
        stream.priority = static_cast<std::int32_t>(streams.integer(3).value_or(0) & 0xffffffff);
        const std::int64_t flag = streams.integer(4).value_or(0);
        stream.isNonBlocking = flag == 2;
        stream.isDefault = flag == 3;
        m_streams.insert_or_assign(
            {streams.integer(0).value_or(0), streams.integer(1).value_or(0), streams.integer(2).value_or(0)},
            std::move(stream));
    }
    for (const auto& [table, column] : {std::pair{"TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId"},
                                        std::pair{"TARGET_INFO_CUDA_NULL_STREAM", "streamId"}}) {
        InfoRows contexts(reader.db, table, {"processId", "contextId", column});
        while (contexts.next())
            if (const auto stream = contexts.integer(2))
                m_streams[{contexts.integer(0).value_or(0), contexts.integer(1).value_or(0), *stream}]
                    .isDefault = true;
    }
    InfoRows named(reader.db, "TARGET_INFO_NVTX_CUDA_STREAM", {"processId", "contextId", "streamId", "name"});
    while (named.next())
        m_streams[{named.integer(0).value_or(0), named.integer(1).value_or(0), named.integer(2).value_or(0)}]
            .name = oneLine(named.text(3));
}

std::string StreamTitles::title(std::int64_t processNumber, std::int64_t context, std::int64_t stream) const {
    std::string title = "stream " + std::to_string(stream);
    const auto at = m_streams.find({processNumber, context, stream});
    if (at == m_streams.end())
        return title;
    const Stream& known = at->second;
    if (!known.name.empty())
        return known.name + " (" + title + ")";
    if (known.isDefault)
        title += " (default)";
    else if (known.isNonBlocking)
        title += " (non-blocking)";
    if (known.priority != 0)
        title += ", priority " + std::to_string(known.priority);
    return title;
}

} // namespace lacuna::nsys
