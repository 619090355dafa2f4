// One function per analysis of the reference: computes it with Lacuna and compares every member of the
// expected object. A member that no comparison knows is a difference too, so that none is passed over.

#include "core/analysis/device_busy.h"
#include "core/analysis/kernel_summary.h"
#include "core/analysis/launch_pairs.h"
#include "core/analysis/op_attribution.h"
#include "core/analysis/stream_summary.h"
#include "tests/support/oracles.h"

#include <algorithm>
#include <set>

namespace lacuna::test {

using nlohmann::json;

namespace {

QString name(const std::string& text) {
    return QString::fromStdString(text);
}

std::int64_t count(std::uint64_t n) {
    return static_cast<std::int64_t>(n);
}

// Looks up members and remembers which were asked for.
class Expected {
public:
    Expected(const json& object, Differences& differences) : m_object(object), m_differences(differences) {}
    void compare(const char* key, std::int64_t actual) {
        m_seen.insert(key);
        m_differences.compare(name(key), actual, m_object.contains(key) ? m_object.at(key) : json());
    }
    const json& take(const char* key) {
        m_seen.insert(key);
        static const json none;
        return m_object.contains(key) ? m_object.at(key) : none;
    }
    void nothingElse() {
        for (const auto& [key, value] : m_object.items())
            if (!m_seen.contains(key))
                m_differences.add(QStringLiteral("not compared: %1").arg(name(key)));
    }

private:
    const json& m_object;
    Differences& m_differences;
    std::set<std::string> m_seen;
};

// Kind of our model for a category of the file; none: its rows are of no kind of their own.
std::optional<EventKind> kindOfCategory(const std::string& category) {
    static const std::map<std::string, EventKind> kinds{{"cpu_op", EventKind::CpuOp},
                                                        {"Operator", EventKind::CpuOp},
                                                        {"cuda_runtime", EventKind::RuntimeApi},
                                                        {"Runtime", EventKind::RuntimeApi},
                                                        {"cuda_driver", EventKind::DriverApi},
                                                        {"kernel", EventKind::Kernel},
                                                        {"Kernel", EventKind::Kernel},
                                                        {"gpu_memcpy", EventKind::Memcpy},
                                                        {"Memcpy", EventKind::Memcpy},
                                                        {"gpu_memset", EventKind::Memset},
                                                        {"Memset", EventKind::Memset},
                                                        {"user_annotation", EventKind::Range},
                                                        {"gpu_user_annotation", EventKind::GpuRange},
                                                        {"cuda_sync", EventKind::Sync},
                                                        {"python_function", EventKind::Python},
                                                        {"overhead", EventKind::Overhead}};
    const auto at = kinds.find(category);
    return at == kinds.end() ? std::nullopt : std::optional(at->second);
}

std::int64_t keptWithDuration(const ImportReport& report) {
    std::int64_t rows = 0;
    for (std::size_t k = 0; k < kEventKinds; ++k) {
        const auto kind = static_cast<EventKind>(k);
        if (kind != EventKind::Counter && kind != EventKind::Instant && kind != EventKind::Metadata &&
            kind != EventKind::Flow && kind != EventKind::Async)
            rows += count(report.kept(kind));
    }
    return rows;
}

// Decimals of a microsecond that the times use: 0..3.
std::int64_t decimalsUsed(const EventTable& events) {
    std::int64_t decimals = 0;
    for (std::size_t k = 0; k < events.size(); ++k)
        for (const std::int64_t ns : {events.beginNs[k], events.endNs[k] - events.beginNs[k]})
            decimals = std::max<std::int64_t>(decimals, ns % 1000 == 0  ? 0
                                                        : ns % 100 == 0 ? 1
                                                        : ns % 10 == 0  ? 2
                                                                        : 3);
    return decimals;
}

bool isHostKind(EventKind kind) {
    return kind == EventKind::CpuOp || kind == EventKind::Range || isHostCall(kind) ||
           kind == EventKind::Overhead;
}

OpAttribution attributionOf(const OracleTrace& loaded) {
    JobControl job;
    auto result = attributeOperators(*loaded.trace, *loaded.tree, job);
    return *std::move(result);
}

std::int64_t opsOfWork(const Trace& trace, DeviceId device, DeviceWork work) {
    const std::vector<EventId> ops = deviceOps(trace, device);
    return std::count_if(ops.begin(), ops.end(), [&](EventId op) { return workOf(trace, op) == work; });
}

} // namespace

void compareInventory(const OracleTrace& loaded, const json& expected, Differences& differences) {
    const Trace& trace = *loaded.trace;
    const ImportReport& report = trace.report();
    Expected want(expected, differences);
    want.compare("n_trace_events", count(report.rowsRead()));
    want.compare("X_unusable", count(report.rowsDropped()));
    std::map<std::string, std::int64_t> phases{{"M", count(report.kept(EventKind::Metadata))},
                                               {"f", count(report.kept(EventKind::Flow))},
                                               {"i", count(report.kept(EventKind::Instant))},
                                               {"C", count(report.kept(EventKind::Counter))},
                                               {"X", keptWithDuration(report) + count(report.rowsDropped())}};
    json byPhase = want.take("ph_counts");
    byPhase["f"] =
        byPhase.value("f", 0) + byPhase.value("s", 0) + byPhase.value("t", 0); // flow ends and starts
    byPhase.erase("s");
    byPhase.erase("t");
    for (const auto& [phase, rows] : byPhase.items())
        differences.compare(QStringLiteral("ph ") + name(phase), phases[phase], rows);

    std::map<EventKind, std::int64_t> byKind;
    for (const auto& [category, rows] : want.take("X_cat_counts").items())
        if (const auto kind = kindOfCategory(category))
            byKind[*kind] += rows.get<std::int64_t>();
    for (const EventKind kind :
         {EventKind::CpuOp, EventKind::RuntimeApi, EventKind::DriverApi, EventKind::Kernel, EventKind::Memcpy,
          EventKind::Memset, EventKind::Range, EventKind::GpuRange, EventKind::Sync, EventKind::Python,
          EventKind::Overhead})
        differences.compare(name(std::string(kindName(kind))), count(report.kept(kind)), json(byKind[kind]));

    std::int64_t ops = 0, withoutLaunch = 0;
    for (EventId e{0}; e.v < trace.events().size(); ++e.v)
        if (isDeviceOp(trace.events().kind[e.v])) {
            ++ops;
            withoutLaunch += trace.correlations().launchOf(trace.events(), e) ? 0 : 1;
        }
    want.compare("gpu_ops", ops);
    want.compare("gpu_ops_without_host_launch", withoutLaunch);
    want.compare("host_partial_overlaps", count(loaded.tree->partialOverlaps()));
    want.compare("last_end_rel_ns", trace.window().end.v);
    want.compare("max_decimals_us", decimalsUsed(trace.events()));
    want.nothingElse();
}

void compareHostThreads(const OracleTrace& loaded, const json& expected, Differences& differences) {
    const Trace& trace = *loaded.trace;
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> actual; // "pid/tid": rows, union
    for (std::uint32_t t = 0; t < trace.threads().size(); ++t) {
        const HostTree::ThreadPart& part = loaded.tree->part({t});
        std::vector<TimeRange> ranges;
        for (HostRow row{part.firstRow}; row.v < part.lastRow; ++row.v)
            if (isHostKind(loaded.tree->kind(row)))
                ranges.push_back(loaded.tree->range(row));
        const Thread& thread = trace.threads()[t];
        if (!ranges.empty()) {
            const auto rows = count(ranges.size());
            actual[trace.processes()[thread.process.v].idText + "/" + thread.idText] = {
                rows, IntervalSet::fromUnsorted(std::move(ranges)).measure().v};
        }
    }
    for (const json& row : expected) {
        const auto text = [&](const char* key) {
            return row.at(key).is_string() ? row.at(key).get<std::string>() : row.at(key).dump();
        };
        const std::string key = text("pid") + "/" + text("tid");
        const auto at = actual.find(key);
        differences.compare(name(key) + QStringLiteral(" events"), at == actual.end() ? 0 : at->second.first,
                            row.at("events"));
        differences.compare(name(key) + QStringLiteral(" union"), at == actual.end() ? 0 : at->second.second,
                            row.at("busy_union_ns"));
    }
    differences.compare(QStringLiteral("threads"), count(actual.size()), json(expected.size()));
}

void compareOperators(const OracleTrace& loaded, OperatorOrder order, const json& top,
                      Differences& differences) {
    OpAttribution result = attributionOf(loaded);
    const auto nameOf = [&](const OperatorTime& row) { return loaded.trace->strings().view(row.name); };
    std::sort(result.rows.begin(), result.rows.end(), [&](const OperatorTime& a, const OperatorTime& b) {
        const auto value = [&](const OperatorTime& row) {
            return order == OperatorOrder::HostSelf ? row.hostSelfNs : row.deviceSelfNs;
        };
        return value(a) != value(b) ? value(a) > value(b) : nameOf(a) < nameOf(b);
    });
    for (std::size_t k = 0; k < top.size(); ++k) {
        if (k >= result.rows.size()) {
            differences.add(QStringLiteral("row %1 is missing").arg(k));
            break;
        }
        const OperatorTime& row = result.rows[k];
        const QString prefix = QStringLiteral("row %1 ").arg(k);
        differences.compareText(prefix + QStringLiteral("name"), nameOf(row), top[k].at("name"));
        differences.compare(prefix + QStringLiteral("count"), count(row.calls), top[k].at("count"));
        differences.compare(prefix + QStringLiteral("host total"), row.hostTotalNs,
                            top[k].at("host_total_ns"));
        differences.compare(prefix + QStringLiteral("host self"), row.hostSelfNs, top[k].at("host_self_ns"));
        differences.compare(prefix + QStringLiteral("device self"), row.deviceSelfNs,
                            top[k].at("device_self_ns"));
        differences.compare(prefix + QStringLiteral("device total"), row.deviceTotalNs,
                            top[k].at("device_total_ns"));
    }
}

void compareOperatorTotals(const OracleTrace& loaded, const json& totals, Differences& differences) {
    const OpAttribution result = attributionOf(loaded);
    std::int64_t calls = 0, hostSelf = 0, deviceSelf = 0;
    for (const OperatorTime& row : result.rows) {
        calls += count(row.calls);
        hostSelf += row.hostSelfNs;
        deviceSelf += row.deviceSelfNs;
    }
    Expected want(totals, differences);
    want.compare("names", count(result.rows.size()));
    want.compare("count", calls);
    want.compare("host_self_ns", hostSelf);
    want.compare("device_self_ns", deviceSelf);
    want.nothingElse();
}

void compareOutsideOperators(const OracleTrace& loaded, const json& expected, Differences& differences) {
    const OpAttribution result = attributionOf(loaded);
    differences.compare(QStringLiteral("outside ns"), result.outside.ns,
                        expected.at("device_time_outside_any_cpu_op_ns"));
    differences.compare(QStringLiteral("outside ops"), count(result.outside.ops),
                        expected.at("gpu_ops_outside_any_cpu_op"));
}

void compareLaunchPairs(const OracleTrace& loaded, const json& expected, Differences& differences) {
    JobControl job;
    const auto pairs = launchPairs(*loaded.trace, job);
    Expected want(expected, differences);
    want.compare("pairs", count(pairs->pairs.size()));
    if (pairs->isEmpty())
        return;
    want.compare("start_to_start_min_ns", pairs->minNs());
    want.compare("start_to_start_lower_median_ns", pairs->lowerMedianNs());
    want.compare("start_to_start_max_ns", pairs->maxNs());
    want.compare("start_to_start_sum_ns", pairs->startToStartSumNs);
    want.compare("kernel_started_before_call_returned", count(pairs->startedBeforeReturn));
    want.compare("kernel_started_before_call_began", count(pairs->startedBeforeCall));
    want.compare("hta_launch_delay_sum_ns", pairs->delaySumNs);
    want.compare("launch_calls_with_more_than_one_gpu_op", count(pairs->callsWithManyOps));
    json names = json::object();
    for (const auto& [api, n] : pairs->apiNames)
        names[std::string(api)] = n;
    if (names != want.take("api_names"))
        differences.add(QStringLiteral("api names: ") + name(names.dump()));
    want.nothingElse();
}

void compareDeviceTimeline(const OracleTrace& loaded, DeviceId device, const json& expected,
                           Differences& differences) {
    const Trace& trace = *loaded.trace;
    JobControl job;
    const DeviceBusy busy = deviceBusy(trace, device, job);
    const auto both = [&](unsigned a, unsigned b) { // overlap from the exclusive states
        std::int64_t sum = 0;
        for (unsigned mask = 0; mask < 16; ++mask)
            sum += (mask & a) != 0 && (mask & b) != 0 ? busy.stateNs[mask] : 0;
        return sum;
    };
    Expected want(expected, differences);
    want.compare("ops", count(busy.ops));
    want.compare("first_start_rel_ns", busy.span.begin.v);
    want.compare("last_end_rel_ns", busy.span.end.v);
    want.compare("span_ns", busy.span.length().v);
    want.compare("sum_durations_ns", busy.sumNs);
    want.compare("busy_union_ns", busy.busyNs);
    want.compare("idle_ns", busy.idleNs());
    want.compare("compute_union_ns", busy.byWork[0].measure().v);
    want.compare("comm_union_ns", busy.byWork[1].measure().v);
    want.compare("memcpy_union_ns", busy.byWork[2].measure().v);
    want.compare("memset_union_ns", busy.byWork[3].measure().v);
    want.compare("memory_union_ns", both(kCopy | kSet, 15));
    want.compare("compute_ops", opsOfWork(trace, device, kCompute));
    want.compare("comm_ops", opsOfWork(trace, device, kCommunication));
    want.compare("memcpy_ops", opsOfWork(trace, device, kCopy));
    want.compare("memset_ops", opsOfWork(trace, device, kSet));
    want.compare("comm_and_compute_ns", both(kCommunication, kCompute));
    want.compare("memory_and_compute_ns", both(kCopy | kSet, kCompute));
    want.compare("memory_and_comm_ns", both(kCopy | kSet, kCommunication));
    want.compare("exposed_comm_ns", busy.exposedCommunicationNs());
    want.compare("exposed_memory_ns", busy.exposedCopyNs());
    want.nothingElse();
}

void compareStreams(const OracleTrace& loaded, DeviceId device, const json& expected,
                    Differences& differences) {
    JobControl job;
    const auto streams = summariseStreams(*loaded.trace, device, job);
    differences.compare(QStringLiteral("streams"), count(streams->size()), json(expected.size()));
    for (const json& row : expected) {
        const auto at = std::find_if(streams->begin(), streams->end(),
                                     [&](const StreamSummary& s) { return s.stream == row.at("stream"); });
        if (at == streams->end()) {
            differences.add(QStringLiteral("no stream ") + name(row.at("stream").dump()));
            continue;
        }
        Differences inner;
        Expected want(row, inner);
        want.compare("stream", at->stream);
        want.compare("ops", count(at->ops));
        want.compare("busy_union_ns", at->busyNs);
        want.compare("span_ns", at->span.length().v);
        want.compare("idle_ns", at->idleNs);
        want.compare("overlapping_starts", count(at->overlappingStarts));
        want.compare("max_queue_depth", at->maxQueueDepth);
        want.nothingElse();
        if (!inner.isEmpty())
            differences.add(QStringLiteral("stream %1: %2").arg(at->stream).arg(inner.text()));
    }
}

void compareKernels(const OracleTrace& loaded, DeviceId device, const json& expected,
                    Differences& differences) {
    JobControl job;
    const auto summary = summariseKernels(*loaded.trace, device, job);
    const auto nameOf = [&](StringId id) { return loaded.trace->strings().view(id); };
    differences.compare(QStringLiteral("names"), count(summary->kernels.size()), expected.at("kernel_names"));
    const json& top = expected.at("top_kernels");
    for (std::size_t k = 0; k < top.size() && k < summary->kernels.size(); ++k) {
        const KernelTime& row = summary->kernels[k];
        const QString prefix = QStringLiteral("kernel %1 ").arg(k);
        differences.compareText(prefix + QStringLiteral("name"), nameOf(row.name), top[k].at("name"));
        differences.compare(prefix + QStringLiteral("count"), count(row.count), top[k].at("count"));
        differences.compare(prefix + QStringLiteral("sum"), row.sumNs, top[k].at("sum_ns"));
        differences.compare(prefix + QStringLiteral("min"), row.minNs, top[k].at("min_ns"));
        differences.compare(prefix + QStringLiteral("max"), row.maxNs, top[k].at("max_ns"));
    }
    const json& memory = expected.at("memory_ops");
    differences.compare(QStringLiteral("memory names"), count(summary->memoryOps.size()),
                        json(memory.size()));
    for (std::size_t k = 0; k < memory.size() && k < summary->memoryOps.size(); ++k) {
        const MemoryOpTime& row = summary->memoryOps[k];
        const QString prefix = QStringLiteral("memory %1 ").arg(k);
        differences.compareText(prefix + QStringLiteral("name"), nameOf(row.name), memory[k].at("name"));
        differences.compare(prefix + QStringLiteral("count"), count(row.count), memory[k].at("count"));
        differences.compare(prefix + QStringLiteral("bytes"), row.bytes, memory[k].at("bytes"));
        differences.compare(prefix + QStringLiteral("ns"), row.sumNs, memory[k].at("dur_ns"));
    }
}

} // namespace lacuna::test
