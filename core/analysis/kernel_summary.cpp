#include "core/analysis/kernel_summary.h"

#include "core/base/poll.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna {

namespace {

// Rows by name in the order of their first operation.
template <class Row> class ByName {
public:
    Row& of(StringId name) {
        const auto [at, isNew] = m_index.try_emplace(name, rows.size());
        if (isNew)
            rows.emplace_back().name = name;
        return rows[at->second];
    }
    std::vector<Row> rows;

private:
    std::unordered_map<StringId, std::size_t> m_index;
};

void addKernel(KernelTime& row, std::int64_t ns) {
    row.minNs = row.count == 0 ? ns : std::min(row.minNs, ns);
    row.maxNs = std::max(row.maxNs, ns);
    row.sumNs = saturatingAdd(row.sumNs, ns);
    ++row.count;
}

void addMemoryOp(MemoryOpTime& row, std::int64_t ns, const CopyArgs* args) {
    row.sumNs = saturatingAdd(row.sumNs, ns);
    row.bytes = saturatingAdd(row.bytes, args != nullptr ? args->bytes : 0);
    ++row.count;
}

} // namespace

Result<KernelSummary> summariseKernels(const Trace& trace, DeviceId device, JobControl& job) {
    const EventTable& events = trace.events();
    ByName<KernelTime> kernels;
    ByName<MemoryOpTime> memoryOps;
    for (const Strip& strip : trace.strips()) {
        const Lane& lane = trace.lane(strip.lane);
        if (lane.kind != LaneKind::GpuStream || lane.device != device)
            continue;
        for (EventId op = strip.first; op < strip.last; ++op.v) {
            if (op.v % kRowsPerPoll == 0) {
                job.countEvents(kRowsPerPoll);
                if (job.cancelled())
                    return cancelledError();
            }
            const EventKind kind = events.kind[op.v];
            const std::int64_t ns = events.duration(op).v;
            if (kind == EventKind::Memcpy || kind == EventKind::Memset)
                addMemoryOp(memoryOps.of(events.name[op.v]), ns, trace.hotArgs().copies.find(op));
            else if (isDeviceOp(kind))
                addKernel(kernels.of(events.name[op.v]), ns);
        }
    }
    const auto nameOf = [&](StringId name) { return trace.strings().view(name); };
    std::sort(kernels.rows.begin(), kernels.rows.end(), [&](const KernelTime& a, const KernelTime& b) {
        return a.sumNs != b.sumNs ? a.sumNs > b.sumNs : nameOf(a.name) < nameOf(b.name);
    });
    std::sort(memoryOps.rows.begin(), memoryOps.rows.end(),
              [&](const MemoryOpTime& a, const MemoryOpTime& b) { return nameOf(a.name) < nameOf(b.name); });
    return KernelSummary{std::move(kernels.rows), std::move(memoryOps.rows)};
}

} // namespace lacuna
