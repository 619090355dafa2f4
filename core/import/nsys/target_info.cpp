#include "core/import/nsys/target_info.h"

#include <algorithm>
#include <array>
#include <set>

namespace lacuna::nsys {

namespace {

constexpr int kMaxFactRows = 100'000; // descriptive tables are small; a hostile one must not hold us up

// Rows of a descriptive table: no event rows, so no counting. A column that is missing reads as NULL.
class InfoRows {
public:
    InfoRows(SqliteDb& db, std::string_view table, std::initializer_list<std::string_view> columns) {
        const SqliteTable* found = db.table(table);
        if (found == nullptr)
            return;
        std::string sql;
        for (const std::string_view name : columns) {
            const SqliteColumn* column = found->column(name);
            sql += (sql.empty() ? "SELECT " : ", ") +
                   (column == nullptr ? std::string("NULL") : quoteIdentifier(column->name));
        }
        sql += " FROM " + quoteIdentifier(found->name) + " LIMIT " + std::to_string(kMaxFactRows);
        if (auto statement = db.prepare(sql))
            m_statement.emplace(std::move(*statement));
    }
    bool next() { return m_statement && m_statement->step() == SqliteStatement::Step::Row; }
    std::optional<std::int64_t> integer(int column) const { return m_statement->integer(column); }
    std::string text(int column) { return std::string(m_statement->text(column)); }

private:
    std::optional<SqliteStatement> m_statement;
};

// One line of text: diagnostics come with line breaks and tabs.
std::string oneLine(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!blank)
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    return line;
}

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

void loadTargetInfo(NsysReader& reader) {
    loadWriterAndBase(reader);
    loadFacts(reader, "TARGET_INFO_SYSTEM_ENV", kSystemFacts);
    loadFacts(reader, "META_DATA_CAPTURE", kCaptureFacts);
    InfoRows gpus(reader.db, "TARGET_INFO_GPU", {"name"});
    while (gpus.next())
        reader.builder.facts().metadata.emplace_back("gpu", oneLine(gpus.text(0)));

    InfoRows processes(reader.db, "PROCESSES", {"globalPid", "name"});
    while (processes.next())
        if (const auto id = processes.integer(0))
            reader.processNames.insert_or_assign(processKey(*id), oneLine(processes.text(1)));
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
    std::vector<std::string> texts;
    InfoRows rows(reader.db, "DIAGNOSTIC_EVENT", {"severity", "text"});
    std::int64_t row = 0;
    while (rows.next()) {
        ++row;
        const std::int64_t severity = rows.integer(0).value_or(0);
        if (severity != 2 && severity != 3)
            continue;
        const std::string text = oneLine(rows.text(1));
        auto at = std::find(texts.begin(), texts.end(), text);
        if (at == texts.end() && texts.size() < kMaxTexts)
            at = texts.insert(texts.end(), text);
        const std::string number = std::to_string(at - texts.begin() + 1);
        reader.report.note(
            at == texts.end() ? "nsys_diagnostics" : "nsys_diagnostic_" + number,
            at == texts.end() ? "Nsight Systems reported further problems." : "Nsight Systems: " + text,
            {{}, "DIAGNOSTIC_EVENT", row}, severity == 3 ? Severity::Error : Severity::Warning);
    }
}

namespace {

// Tables that describe other tables or the machine; no user misses them as events.
bool isDescriptive(std::string_view name) {
    constexpr std::array<std::string_view, 10> kPrefixes = {
        "ENUM_",        "TARGET_INFO_", "META_DATA_", "EXPORT_META",    "ANALYSIS_",
        "NVTX_PAYLOAD", "NVTX_SCOPE",   "sqlite_",    "GENERIC_EVENT_", "OSRT_FILE_ACCESS_DESCRIPTORS"};
    constexpr std::array<std::string_view, 8> kNames = {
        "StringIds",        "PROCESSES",        "ThreadNames",       "ProcessStreams",
        "DIAGNOSTIC_EVENT", "UnwindMethodType", "MPI_COMMUNICATORS", "MPI_RANKS"};
    return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                       [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; }) ||
           std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
           name.find("CALLCHAINS") != std::string_view::npos;
}

} // namespace

void noteUnreadTables(NsysReader& reader) {
    std::string list;
    for (const SqliteTable& table : reader.db.tables()) {
        if (isDescriptive(table.name) ||
            std::find(reader.tables.begin(), reader.tables.end(), table.name) != reader.tables.end())
            continue;
        // The largest rowid costs a few pages; a count would read the whole table.
        auto last = reader.db.prepare("SELECT max(rowid) FROM " + quoteIdentifier(table.name));
        if (!last || last->step() != SqliteStatement::Step::Row || last->integer(0).value_or(0) <= 0)
            continue;
        const auto rows = static_cast<std::uint64_t>(*last->integer(0));
        list += (list.empty() ? "" : ", ") + table.name;
        if (table.name == "SCHED_EVENTS")
            reader.report.note("sched_events_not_read",
                               "Thread scheduling was recorded; Lacuna does not read these rows yet.",
                               {{}, table.name, 1}, Severity::Info, rows);
        else if (table.name == "COMPOSITE_EVENTS")
            reader.report.note("cpu_samples_not_read",
                               "CPU samples were recorded; Lacuna does not read these rows yet.",
                               {{}, table.name, 1}, Severity::Info, rows);
    }
    if (!list.empty())
        reader.builder.facts().metadata.emplace_back("tables_not_read", list);
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
