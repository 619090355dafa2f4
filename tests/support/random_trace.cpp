#include "tests/support/random_trace.h"

#include "core/trace/read_part.h"
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lacuna::test {

std::uint64_t RandomSource::next() {
    m_state += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

std::int64_t RandomSource::between(std::int64_t low, std::int64_t high) {
    const auto width = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(next() % width);
}

namespace {

using Names = std::array<std::string_view, 6>;
constexpr Names kOperators{"aten::add", "aten::mul", "aten::item", "aten::to", "aten::copy_", "aten::linear"};
constexpr Names kRanges{"forward", "backward", "ProfilerStep#1", "step 12", "data", "optimizer"};
constexpr Names kFrames{"train.py(10): main",     "train.py(20): step", "model.py(7): forward",
                        "<built-in method item>", "loss.py(3): loss",   "optim.py(9): step"};
constexpr Names kOsCalls{"poll", "futex", "usleep", "pthread_cond_wait", "read", "pthread_cond_signal"};
constexpr Names kPlainCalls{
    "cudaMalloc",     "cudaFree", "cudaEventQuery", "cudaStreamSynchronize", "cudaDeviceSynchronize",
    "cudaEventRecord"};
constexpr Names kKernels{"gemm", "relu", "ncclDevKernel_AllReduce", "softmax", "add_kernel", "copy_kernel"};

class Generator {
public:
    Generator(std::uint64_t seed, const RandomTraceOptions& options) : m_random(seed), m_options(options) {}

    std::vector<RandomRow> run() {
        for (int t = 0; t < m_options.threads; ++t)
            hostRows(t);
        deviceRows();
        shuffleSome();
        return std::move(m_rows);
    }

private:
    std::string pick(const Names& names) {
        return std::string(names[static_cast<std::size_t>(m_random.between(0, 5))]);
    }
    std::int64_t time(std::int64_t units) const { return m_options.originNs + units * m_options.unitNs; }

    void addHost(EventKind kind, int thread, std::int64_t begin, std::int64_t end, std::string name,
                 std::uint64_t correlation = 0) {
        RandomRow row;
        row.kind = kind;
        row.thread = thread;
        row.beginNs = time(begin);
        row.endNs = time(end);
        row.name = std::move(name);
        row.correlation = correlation;
        m_rows.push_back(std::move(row));
    }

    void hostRows(int thread) {
        m_left = m_options.hostRows;
        std::int64_t at = m_random.between(0, 10);
        while (m_left > 0 && at < m_options.horizon) {
            const std::int64_t end = std::min(m_options.horizon, at + m_random.between(0, 60));
            hostTree(thread, at, end, 0);
            at = end + (m_random.chance(30) ? 0 : m_random.between(0, 25));
        }
    }

    // A row over [begin, end] and rows inside it; a crossing row reaches past the end of its parent.
    void hostTree(int thread, std::int64_t begin, std::int64_t end, int depth) {
        --m_left;
        const bool leaf = depth >= 4 || end - begin < 3 || m_random.chance(35);
        if (leaf) {
            hostLeaf(thread, begin, end);
            return;
        }
        const std::int64_t cross = m_options.crossingRows && m_random.chance(12) ? m_random.between(1, 8) : 0;
        addHost(innerKind(), thread, begin, end + cross, {});
        RandomRow& row = m_rows.back();
        row.name = pick(row.kind == EventKind::Range    ? kRanges
                        : row.kind == EventKind::Python ? kFrames
                                                        : kOperators);
        std::int64_t at = begin + m_random.between(0, 3);
        while (at <= end && m_left > 0) {
            const std::int64_t childEnd = std::min(end, at + m_random.between(0, end - begin));
            hostTree(thread, at, childEnd, depth + 1);
            at = childEnd + m_random.between(0, 8) + 1;
        }
    }

    EventKind innerKind() {
        if (m_options.ranges && m_random.chance(20))
            return EventKind::Range;
        if (m_options.pythonRows && m_random.chance(20))
            return EventKind::Python;
        return EventKind::CpuOp;
    }

    void hostLeaf(int thread, std::int64_t begin, std::int64_t end) {
        if (m_options.osRows && m_random.chance(12))
            return addHost(EventKind::OsRuntime, thread, begin, end, pick(kOsCalls));
        if (m_random.chance(25))
            return addHost(EventKind::CpuOp, thread, begin, end, pick(kOperators));
        const std::uint64_t correlation = ++m_lastCorrelation;
        if (m_random.chance(35))
            return addHost(EventKind::RuntimeApi, thread, begin, end, pick(kPlainCalls), correlation);
        const auto what = static_cast<std::size_t>(m_random.between(0, 4));
        constexpr std::array<std::string_view, 5> kSubmit{
            "cudaLaunchKernel", "cuLaunchKernel", "cudaMemcpyAsync", "cudaMemsetAsync", "cudaGraphLaunch"};
        const EventKind kind = what == 1 ? EventKind::DriverApi : EventKind::RuntimeApi;
        addHost(kind, thread, begin, end, std::string(kSubmit[what]), correlation);
        m_launches.push_back({begin, end, correlation, kSubmit[what]});
    }

    struct Launch {
        std::int64_t begin, end;
        std::uint64_t correlation;
        std::string_view api;
    };

    void deviceRows() {
        const auto byTime = [](const Launch& a, const Launch& b) {
            return std::pair(a.begin, a.correlation) < std::pair(b.begin, b.correlation);
        };
        std::sort(m_launches.begin(), m_launches.end(), byTime);
        m_streamEnd.assign(static_cast<std::size_t>(m_options.devices * m_options.streams), 0);
        for (const Launch& launch : m_launches) {
            if (m_options.unknownLaunches && m_random.chance(5))
                deviceOp(
                    {launch.begin, launch.end, 0, launch.api}); // the call that submitted it is not recorded
            if (m_random.chance(8))
                continue; // a call whose operation is not recorded
            const std::int64_t ops = launch.api == "cudaGraphLaunch" ? m_random.between(1, 4) : 1;
            for (std::int64_t k = 0; k < ops; ++k)
                deviceOp(launch);
        }
    }

    void deviceOp(const Launch& launch) {
        RandomRow row;
        row.device = static_cast<int>(m_random.between(0, m_options.devices - 1));
        row.stream = m_random.between(0, m_options.streams - 1);
        row.correlation = launch.correlation;
        std::int64_t& streamEnd = m_streamEnd[static_cast<std::size_t>(row.device * m_options.streams +
                                                                       static_cast<int>(row.stream))];
        std::int64_t begin = std::max(streamEnd, launch.begin + m_random.between(0, 6));
        if (m_options.clockAnomalies && m_random.chance(4))
            begin = std::max<std::int64_t>(0, launch.begin - m_random.between(1, 3));
        else if (m_options.overlapOnStream && m_random.chance(6))
            begin = launch.begin + m_random.between(0, 2);
        const std::int64_t end = begin + (m_random.chance(8) ? 0 : m_random.between(1, m_options.maxOpUnits));
        streamEnd = std::max(streamEnd, end + (m_random.chance(40) ? 0 : m_random.between(0, 3)));
        row.beginNs = time(begin);
        row.endNs = time(end);
        nameOp(row, launch.api);
        m_rows.push_back(std::move(row));
    }

    void nameOp(RandomRow& row, std::string_view api) {
        row.kind = EventKind::Kernel;
        row.name = pick(kKernels);
        if (api == "cudaMemsetAsync") {
            row.kind = EventKind::Memset;
            row.name = "Memset (Device)";
            row.copyKind = CopyKind::Set;
            row.bytes = m_random.between(1, 4096);
        } else if (api == "cudaMemcpyAsync") {
            row.kind = EventKind::Memcpy;
            const bool toHost = m_random.chance(50), pageable = m_random.chance(50);
            const MemKind host = pageable ? MemKind::Pageable : MemKind::Pinned;
            row.copyKind = toHost ? CopyKind::DtoH : CopyKind::HtoD;
            row.src = toHost ? MemKind::Device : host;
            row.dst = toHost ? host : MemKind::Device;
            row.name = std::string(toHost ? "Memcpy DtoH" : "Memcpy HtoD");
            row.bytes = m_random.between(1, 1 << 20);
        }
    }

    // Kineto writes operators first and device work last, threads in turn, not in the order of time.
    void shuffleSome() {
        for (std::size_t k = m_rows.size(); k > 1; --k)
            if (m_random.chance(30))
                std::swap(
                    m_rows[k - 1],
                    m_rows[static_cast<std::size_t>(m_random.between(0, static_cast<std::int64_t>(k) - 1))]);
    }

    RandomSource m_random;
    RandomTraceOptions m_options;
    std::vector<RandomRow> m_rows;
    std::vector<Launch> m_launches;
    std::vector<std::int64_t> m_streamEnd;
    std::uint64_t m_lastCorrelation = 0;
    int m_left = 0;
};

LaneKind laneKindOf(EventKind kind) {
    switch (kind) {
    case EventKind::RuntimeApi:
    case EventKind::DriverApi:
        return LaneKind::CudaApi;
    case EventKind::Range:
        return LaneKind::Range;
    case EventKind::Python:
        return LaneKind::Python;
    case EventKind::OsRuntime:
        return LaneKind::OsRuntime;
    case EventKind::Kernel:
    case EventKind::Memcpy:
    case EventKind::Memset:
    case EventKind::GraphLaunch:
        return LaneKind::GpuStream;
    case EventKind::Sync:
        return LaneKind::GpuSync;
    case EventKind::GpuRange:
        return LaneKind::GpuRange;
    default:
        return LaneKind::CpuThread;
    }
}

} // namespace

std::shared_ptr<const Trace> traceOfRows(const std::vector<RandomRow>& rows, bool isStopped) {
    TraceBuilder builder;
    builder.setTimeZero(TimeZero::FirstDuration);
    const ProcessId process = builder.process("100");
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const RandomRow& row = rows[k];
        LaneKey key;
        key.kind = laneKindOf(row.kind);
        if (row.device >= 0) {
            key.device = builder.device({}, row.device);
            key.sourceId = row.stream;
        } else {
            key.process = process;
            key.thread = builder.thread(process, std::to_string(row.thread + 1));
            key.sourceId = row.thread + 1;
        }
        RawEvent event;
        event.lane = builder.lane(key);
        event.beginNs = row.beginNs;
        event.endNs = row.endNs;
        event.name = builder.strings().intern(row.name);
        event.kind = row.kind;
        event.correlation = row.correlation;
        event.source = SourceRef::offset(k);
        const std::uint32_t number = builder.add(event);
        builder.report().keep(row.kind);
        if (row.kind == EventKind::Memcpy || row.kind == EventKind::Memset)
            builder.setCopy(number, {{}, row.bytes, row.copyKind, row.src, row.dst});
    }
    if (isStopped) {
        builder.report().note(kReadingStopped, "Reading was stopped.", {rows.size(), {}, 0}, Severity::Error);
        builder.report().setPartial();
    }
    JobControl job;
    auto trace = std::move(builder).finish(job);
    return trace ? *trace : nullptr;
}

RandomTrace makeRandomTrace(std::uint64_t seed, const RandomTraceOptions& options) {
    RandomTrace random;
    random.seed = seed;
    random.rows = Generator(seed, options).run();
    random.trace = traceOfRows(random.rows);
    return random;
}

} // namespace lacuna::test
