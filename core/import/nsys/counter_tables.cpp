// Counter tracks: device memory in use, sampled GPU metrics, and the metrics that older exports kept as
// generic events.

#include "core/import/nsys/device_lanes.h"
#include "core/import/nsys/info_rows.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace lacuna::nsys {

namespace {

struct MemoryEvent {
    std::int64_t time = 0, order = 0; // order = row in the table: keeps equal times as they stand
    std::optional<std::int64_t> pid;
    std::int64_t ordinal = 0, kind = 0;
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    bool isFree = false;
};

// Running sum per (process, device, memory kind). A free whose allocation was not recorded changes nothing:
// the curve must not fall below what is known to be in use.
class MemoryCurves {
public:
    MemoryCurves(NsysReader& reader, DeviceLanes& lanes) : m_reader(reader), m_lanes(lanes) {}

    void load() {
        enum Column { Begin, Pid, Device, Address, Bytes, Kind, Operation };
        TableRows rows(
            m_reader, "CUDA_GPU_MEMORY_USAGE_EVENTS",
            {"start", "globalPid", "deviceId", "address", "bytes", "memKind", "memoryOperationType"});
        std::vector<MemoryEvent> events;
        while (rows.next()) {
            const auto at = rows.time();
            if (!at)
                continue;
            const auto bytes = rows.integer(Bytes), operation = rows.integer(Operation);
            if (!bytes || *bytes < 0 || !operation) {
                rows.drop("bad_memory_row", "Memory rows without size or operation were left out.");
                continue;
            }
            rows.keep(EventKind::Counter);
            events.push_back({*at, rows.place().row, rows.integer(Pid), rows.integerOr(Device, 0),
                              rows.integerOr(Kind, 7), static_cast<std::uint64_t>(rows.integerOr(Address, 0)),
                              *bytes, *operation == 1});
        }
        std::sort(events.begin(), events.end(), [](const MemoryEvent& a, const MemoryEvent& b) {
            return std::tie(a.time, a.order) < std::tie(b.time, b.order);
        });
        for (const MemoryEvent& event : events)
            apply(event);
        m_reader.report.note("free_without_allocation",
                             "Frees of memory whose allocation was not recorded are not in the memory curve.",
                             {{}, "CUDA_GPU_MEMORY_USAGE_EVENTS", m_firstUnmatched}, Severity::Info,
                             m_unmatched);
    }

private:
    struct Curve {
        CounterId counter;
        std::int64_t inUse = 0;
        std::unordered_map<std::uint64_t, std::int64_t> live; // address -> bytes
    };

    void apply(const MemoryEvent& event) {
        Curve& curve = m_curves[{event.pid.value_or(-1), event.ordinal, event.kind}];
        if (!curve.counter)
            curve.counter = counterOf(event);
        const auto block = curve.live.find(event.address);
        if (!event.isFree) {
            // Memory is reused without a recorded free now and then: the address then holds the new block.
            if (block != curve.live.end())
                curve.inUse -= block->second;
            curve.live.insert_or_assign(event.address, event.bytes);
            if (__builtin_add_overflow(curve.inUse, event.bytes, &curve.inUse))
                curve.inUse = INT64_MAX;
        } else if (block != curve.live.end()) {
            curve.inUse = std::max<std::int64_t>(0, curve.inUse - block->second);
            curve.live.erase(block);
        } else {
            if (m_unmatched++ == 0)
                m_firstUnmatched = event.order;
        }
        m_reader.builder.addSample(curve.counter, event.time, static_cast<double>(curve.inUse));
    }

    CounterId counterOf(const MemoryEvent& event) {
        const std::string_view label = m_reader.labels.label("ENUM_CUDA_MEM_KIND", event.kind);
        const std::string kind = label.empty() ? "kind " + std::to_string(event.kind) : std::string(label);
        const DeviceId device = m_lanes.device(event.pid, event.ordinal);
        return m_reader.builder.counter(kind + " memory in use", m_reader.builder.device(device).process,
                                        device, "bytes");
    }

    NsysReader& m_reader;
    DeviceLanes& m_lanes;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Curve> m_curves;
    std::uint64_t m_unmatched = 0;
    std::int64_t m_firstUnmatched = 0;
};

// Counters of sampled metrics, by (typeId, metric).
class MetricTracks {
public:
    MetricTracks(NsysReader& reader, DeviceLanes& lanes) : m_reader(reader), m_lanes(lanes) {
        const SqliteTable* table = reader.db.table("TARGET_INFO_GPU_METRICS");
        if (table == nullptr || table->column("typeId") == nullptr)
            return;
        const bool named = table->column("metricId") != nullptr && table->column("metricName") != nullptr;
        auto rows =
            reader.db.prepare(named ? "SELECT typeId, metricId, metricName FROM TARGET_INFO_GPU_METRICS"
                                    : "SELECT typeId, NULL, NULL FROM TARGET_INFO_GPU_METRICS");
        while (rows && rows->step() == SqliteStatement::Step::Row) {
            const auto type = rows->integer(0), metric = rows->integer(1);
            if (!type)
                continue;
            m_gpuTypes.insert(*type);
            if (metric)
                m_names.insert_or_assign({*type, *metric}, std::string(rows->text(2)));
        }
        std::set<std::int64_t> gpus;
        for (const std::int64_t type : m_gpuTypes)
            gpus.insert(gpuOf(type));
        m_severalGpus = gpus.size() > 1;
    }

    bool isGpuType(std::int64_t type) const { return m_gpuTypes.count(type) != 0; }

    CounterId byId(std::int64_t type, std::int64_t metric) {
        CounterId& counter = m_byId[{type, metric}];
        if (!counter) {
            const auto name = m_names.find({type, metric});
            counter = make(type, name == m_names.end() ? "metric " + std::to_string(metric) : name->second);
        }
        return counter;
    }

    CounterId byName(std::int64_t type, const std::string& name) { return make(type, name); }

private:
    // The low byte of a type id is the number of the GPU (nsys.md section 3.6).
    static std::int64_t gpuOf(std::int64_t type) { return type & 0xff; }

    // "SMs Active [Throughput %]" keeps its name: several units of one metric stand side by side. Clocks are
    // stored in Hz whatever their name says.
    CounterId make(std::int64_t type, std::string name) {
        std::string unit;
        const std::string_view megahertz = " [MHz]";
        if (name.size() > megahertz.size() && std::string_view(name).substr(name.size() - 6) == megahertz) {
            name.resize(name.size() - megahertz.size());
            unit = "Hz";
        } else if (name.find("%]") != std::string::npos) {
            unit = "%";
        }
        const DeviceId device = m_lanes.onlyDeviceOf(gpuOf(type));
        if (m_severalGpus && !device)
            name = "GPU " + std::to_string(gpuOf(type)) + " " + name;
        const ProcessId process = device ? m_reader.builder.device(device).process : ProcessId{};
        return m_reader.builder.counter(name, process, device, unit);
    }

    NsysReader& m_reader;
    DeviceLanes& m_lanes;
    std::set<std::int64_t> m_gpuTypes;
    bool m_severalGpus = false;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_names;
    std::map<std::pair<std::int64_t, std::int64_t>, CounterId> m_byId;
};

constexpr std::string_view kNegativeMetric =
    "Metric samples with a negative time or value are fill-in of the sampler; "
    "they were left out.";

void loadGpuMetrics(NsysReader& reader, MetricTracks& tracks) {
    enum Column { Begin, Type, Metric, Value };
    TableRows rows(reader, "GPU_METRICS", {"timestamp", "typeId", "metricId", "value"});
    while (rows.next()) {
        const auto at = rows.time();
        if (!at)
            continue;
        const auto type = rows.integer(Type), metric = rows.integer(Metric), value = rows.integer(Value);
        if (!type || !metric || !value) {
            rows.drop("bad_metric", "Metric samples without metric or value were left out.");
        } else if (*at < 0 || *value < 0) {
            rows.drop("negative_metric", kNegativeMetric, Severity::Info);
        } else {
            reader.builder.addSample(tracks.byId(*type, *metric), *at, static_cast<double>(*value));
            rows.keep(EventKind::Counter);
        }
    }
}

// A number, also as text; none for anything else.
std::optional<double> numberOf(const nlohmann::json& value) {
    if (value.is_number())
        return value.get<double>();
    if (!value.is_string())
        return std::nullopt;
    const auto& text = value.get_ref<const std::string&>();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

// Titles of generic events, by type.
class GenericTypes {
public:
    explicit GenericTypes(NsysReader& reader) : m_reader(reader) {
        InfoRows types(reader.db, "GENERIC_EVENT_TYPES", {"typeId", "nameId", "data"});
        while (types.next()) {
            const auto type = types.integer(0), nameId = types.integer(1);
            if (!type)
                continue;
            const auto known = nameId ? reader.names.find(*nameId) : std::nullopt;
            m_names.insert_or_assign(*type, known ? oneLine(reader.builder.strings().view(*known))
                                                  : nameIn(types.text(2)));
        }
    }

    StringId name(std::optional<std::int64_t> known) {
        if (!known)
            return m_reader.builder.strings().intern("event without type");
        const std::int64_t type = *known;
        StringId& id = m_ids[type];
        if (!id) {
            const auto at = m_names.find(type);
            id = m_reader.builder.strings().intern(at == m_names.end() || at->second.empty()
                                                       ? "event of type " + std::to_string(type)
                                                       : at->second);
        }
        return id;
    }

private:
    // Exports before the column nameId describe a type in JSON.
    static std::string nameIn(const std::string& text) {
        const nlohmann::json data = nlohmann::json::parse(text, nullptr, false);
        if (!data.is_object())
            return {};
        for (const char* key : {"Name", "name"})
            if (const auto at = data.find(key); at != data.end() && at->is_string())
                return oneLine(at->get_ref<const std::string&>());
        return {};
    }

    NsysReader& m_reader;
    std::map<std::int64_t, std::string> m_names;
    std::unordered_map<std::int64_t, StringId> m_ids;
};

// Older exports: one JSON object per sample time, metric name -> value. Other generic events (ftrace, ETW,
// plug-ins) are marks named after their type.
void loadGenericEvents(NsysReader& reader, MetricTracks& tracks) {
    enum Column { Begin, Type, Tid, Json };
    TableRows rows(reader, "GENERIC_EVENTS", {"timestamp", "typeId", "globalTid", {"data", true}});
    std::optional<GenericTypes> types;
    while (rows.next()) {
        const auto at = rows.time();
        if (!at)
            continue;
        const auto type = rows.integer(Type);
        if (!type || !tracks.isGpuType(*type)) {
            if (!types)
                types.emplace(reader);
            const LaneId lane = reader.hostLane(LaneKind::Marks, rows.integer(Tid), "generic events");
            reader.builder.add({lane, *at, *at, types->name(type), EventKind::Instant, 0, rows.source()});
            rows.keep(EventKind::Instant);
            continue;
        }
        const nlohmann::json sample = nlohmann::json::parse(rows.text(Json), nullptr, false);
        if (!sample.is_object()) {
            rows.drop("bad_metric", "Metric samples without metric or value were left out.");
        } else if (*at < 0) {
            rows.drop("negative_metric", kNegativeMetric, Severity::Info);
        } else {
            for (const auto& [name, value] : sample.items())
                if (const auto number = numberOf(value); number && *number >= 0)
                    reader.builder.addSample(tracks.byName(*type, name), *at, *number);
            rows.keep(EventKind::Counter);
        }
    }
}

} // namespace

void loadCounters(NsysReader& reader, DeviceLanes& lanes) {
    MemoryCurves(reader, lanes).load();
    MetricTracks tracks(reader, lanes);
    loadGpuMetrics(reader, tracks);
    loadGenericEvents(reader, tracks);
}

} // namespace lacuna::nsys
