// Times of the interval algebra and of the device timeline; prints one line per measurement, best of five.
//   interval_set_bench [millions of intervals, default 1]
// Not a test: figures go into a note, nothing is asserted.

#include "core/analysis/device_busy.h"
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

using namespace lacuna;

namespace {

double bestMs(const std::function<void()>& work) {
    double best = 1e300;
    for (int k = 0; k < 5; ++k) {
        const auto from = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - from;
        best = std::min(best, took.count());
    }
    return best;
}

std::vector<TimeRange> intervals(std::size_t n, unsigned seed) {
    std::mt19937 rng(seed);
    std::vector<TimeRange> ranges;
    std::int64_t at = 0;
    for (std::size_t k = 0; k < n; ++k) {
        at += static_cast<std::int64_t>(rng() % 2'000);
        ranges.push_back({{at}, {at + static_cast<std::int64_t>(rng() % 1'500)}});
    }
    return ranges;
}

std::shared_ptr<const Trace> deviceTrace(std::size_t ops) {
    TraceBuilder builder;
    const DeviceId device = builder.device({}, 0);
    const StringId names[] = {builder.strings().intern("gemm"),
                              builder.strings().intern("ncclDevKernel_AllReduce"),
                              builder.strings().intern("Memcpy HtoD (Pinned -> Device)")};
    std::int64_t ends[4] = {};
    std::mt19937 rng(1);
    for (std::size_t k = 0; k < ops; ++k) {
        const std::size_t stream = rng() % 4;
        const std::size_t what = stream == 3 ? 2 : stream == 2 ? 1 : 0;
        std::int64_t& end = ends[stream];
        const std::int64_t begin = end + static_cast<std::int64_t>(rng() % 2'000);
        end = begin + static_cast<std::int64_t>(rng() % 20'000);
        LaneKey key;
        key.kind = LaneKind::GpuStream;
        key.device = device;
        key.sourceId = static_cast<std::int64_t>(stream);
        builder.add({builder.lane(key), begin, end, names[what],
                     what == 2 ? EventKind::Memcpy : EventKind::Kernel, 0, SourceRef::offset(k)});
    }
    JobControl job;
    auto trace = std::move(builder).finish(job);
    return trace ? *trace : nullptr;
}

void print(const char* what, double ms) {
    std::printf("%-36s %10.2f ms\n", what, ms);
}

} // namespace

int main(int argc, char** argv) {
    const double millions = argc > 1 ? std::atof(argv[1]) : 1.0;
    const auto n = static_cast<std::size_t>(millions * 1e6);
    const std::vector<TimeRange> sorted = intervals(n, 1);
    std::vector<TimeRange> shuffled = sorted;
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(2));
    const IntervalSet a = IntervalSet::fromUnsorted(sorted);
    const IntervalSet b = IntervalSet::fromUnsorted(intervals(n, 3));
    std::printf("%zu intervals, %zu members\n", n, a.ranges().size());
    std::int64_t sum = 0;
    print("fromUnsorted, sorted", bestMs([&] { sum += IntervalSet::fromUnsorted(sorted).measure().v; }));
    print("fromUnsorted, shuffled", bestMs([&] { sum += IntervalSet::fromUnsorted(shuffled).measure().v; }));
    print("united", bestMs([&] { sum += a.united(b).measure().v; }));
    print("intersected", bestMs([&] { sum += a.intersected(b).measure().v; }));
    print("minus", bestMs([&] { sum += a.minus(b).measure().v; }));
    const auto trace = deviceTrace(n);
    if (trace == nullptr)
        return 1;
    print("deviceOps", bestMs([&] { sum += static_cast<std::int64_t>(deviceOps(*trace, {0}).size()); }));
    print("deviceBusy", bestMs([&] {
              JobControl job;
              sum += deviceBusy(*trace, {0}, job).busyNs;
          }));
    std::printf("checksum %lld\n", static_cast<long long>(sum));
    return 0;
}
