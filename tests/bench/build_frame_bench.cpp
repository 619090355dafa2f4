// Time of buildFrame() over the scripted zoom and pan of performance.md section 4: zoom in, pans at four
// depths, zoom out, 1920x1080, all rows open.
//
//   build_frame_bench FILE          a trace
//   build_frame_bench --events N    N kernels on 39 streams, long stalls, one 1 ns kernel in an empty second
//
// Prints ms per frame (min, median, p99, max), bars per frame and the time of layout facts and layout; before
// that the time of the indexes of all strips, on one thread.

#include "core/analysis/gap_analysis.h"
#include "core/base/text_format.h"
#include "core/import/load_trace.h"
#include "core/trace/strip_indexes.h"
#include "core/trace/trace_builder.h"
#include "core/view/build_frame.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string_view>

using namespace lacuna;

namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr std::int64_t kSpanNs = 100'000'000'000;

using Clock = std::chrono::steady_clock;
double msSince(Clock::time_point from) {
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}
// The figure to trust on a busy machine.
double cpuMs() {
    return static_cast<double>(std::clock()) * 1000.0 / CLOCKS_PER_SEC;
}

void print(const char* what, std::vector<double>& ms) {
    std::sort(ms.begin(), ms.end());
    std::printf("%s ms a frame: min %.2f median %.2f p95 %.2f p99 %.2f max %.2f\n", what, ms.front(),
                ms[ms.size() / 2], ms[ms.size() * 95 / 100], ms[ms.size() * 99 / 100], ms.back());
}

// Bursts of 300 ns and longer with stalls in between, as in probes/timeline.cpp.
void addStream(TraceBuilder& builder, LaneId lane, std::size_t events, std::mt19937_64& rng) {
    const auto mean = static_cast<std::uint64_t>(kSpanNs) / events;
    std::int64_t t = 0;
    for (std::size_t i = 0; i < events && t < kSpanNs; ++i) {
        const bool dense = (i / 5000) % 3 != 0;
        const std::uint64_t pause = dense ? (rng() % 3 != 0 ? rng() % 1200 : 1) : mean * (rng() % 1000) / 400;
        const std::uint64_t length =
            dense ? 300 + rng() % std::max<std::uint64_t>(1, mean * 9 / 10) : 200 + rng() % 8000;
        RawEvent event;
        event.lane = lane;
        event.beginNs = t + static_cast<std::int64_t>(pause) + (i % 20'011 == 0 ? 40'000'000 : 0);
        event.endNs = event.beginNs + static_cast<std::int64_t>(length);
        event.name = builder.strings().intern("kernel_" + std::to_string(rng() % 256));
        event.kind = EventKind::Kernel;
        event.source = SourceRef::offset(builder.size());
        t = event.endNs;
        builder.add(event);
    }
}

std::shared_ptr<const Trace> synthetic(std::size_t events) {
    constexpr std::int64_t kStreams = 39;
    TraceBuilder builder;
    std::mt19937_64 rng(7);
    const DeviceId device = builder.device({}, 0);
    for (std::int64_t s = 0; s <= kStreams; ++s) {
        LaneKey key;
        key.kind = LaneKind::GpuStream;
        key.device = device;
        key.sourceId = s;
        const LaneId lane = builder.lane(key);
        if (s < kStreams)
            addStream(builder, lane, events / kStreams, rng);
        else
            builder.add({lane, kSpanNs / 2, kSpanNs / 2 + 1, builder.strings().intern("one ns"),
                         EventKind::Kernel, 0, SourceRef::offset(builder.size())});
    }
    JobControl job;
    auto trace = std::move(builder).finish(job);
    return trace ? *trace : nullptr;
}

std::vector<Viewport> script(TimeRange extent) {
    std::vector<Viewport> views;
    const Viewport all = Viewport::fitting(extent, kWidth);
    const auto length = static_cast<double>(extent.length().v);
    const double deepest = std::min(1000.0, all.nsPerPx / 4);
    const auto add = [&](double nsPerPx, double centre) {
        Viewport v = all;
        v.nsPerPx = nsPerPx;
        v.begin.v = extent.begin.v + static_cast<std::int64_t>(centre * length - nsPerPx * kWidth / 2);
        views.push_back(snapped(v.clampedTo(extent)));
    };
    for (int i = 0; i < 120; ++i)
        add(all.nsPerPx * std::pow(deepest / all.nsPerPx, i / 119.0), 0.505);
    for (const double nsPerPx :
         {deepest, deepest * 50, std::min(deepest * 2000, all.nsPerPx * 0.5), all.nsPerPx * 0.7})
        for (int i = 0; i < 40; ++i)
            add(nsPerPx, 0.3 + nsPerPx * 37 * i / length);
    for (int i = 0; i < 60; ++i)
        add(deepest * std::pow(all.nsPerPx / deepest, i / 59.0), 0.505);
    return views;
}

// Median of five.
void runIndexes(const Trace& trace) {
    std::vector<double> ms;
    for (int i = 0; i < 5; ++i) {
        Column<std::int64_t> busy;
        Column<EventId> longest;
        std::vector<std::size_t> busyFirst, longestFirst;
        const JobControl job;
        const auto from = Clock::now();
        buildStripIndexes(trace.events(), trace.strips(), {busy, busyFirst, longest, longestFirst}, job);
        ms.push_back(msSince(from));
    }
    std::sort(ms.begin(), ms.end());
    std::printf("strip indexes %.2f ms\n", ms[ms.size() / 2]);
}

void run(const std::shared_ptr<const Trace>& trace) {
    runIndexes(*trace);
    JobControl job;
    auto from = Clock::now();
    const auto gaps = GapAnalysis::run(trace, {}, job);
    std::printf("events %zu, gaps %zu in %.1f ms\n", trace->events().size(),
                gaps ? (*gaps)->gaps().size() : 0, msSince(from));
    from = Clock::now();
    const LayoutFacts facts = LayoutFacts::of(*trace);
    std::printf("layout facts %.2f ms\n", msSince(from));
    LayoutOptions options;
    options.facts = &facts;
    from = Clock::now();
    const RowLayout layout = RowLayout::build(*trace, options);
    std::printf("layout %.2f ms, %zu rows, %d px\n", msSince(from), layout.rows().size(), layout.height());

    FrameOptions frameOptions;
    frameOptions.heightPx = std::max(kHeight, layout.height()); // every lane, as the probe
    frameOptions.gaps = gaps ? gaps->get() : nullptr;
    std::vector<double> wall, cpu;
    std::size_t bars = 0, marks = 0;
    for (const Viewport& view : script(trace->window())) {
        from = Clock::now();
        const double cpuFrom = cpuMs();
        const Frame frame = buildFrame(*trace, layout, view, frameOptions);
        cpu.push_back(cpuMs() - cpuFrom);
        wall.push_back(msSince(from));
        for (const LaneFrame& lane : frame.lanes)
            bars += lane.bars.size();
        marks += frame.gaps.size();
    }
    const auto frames = static_cast<double>(wall.size());
    print("wall", wall);
    print("cpu", cpu);
    std::printf("frames %.0f, bars %.0f marks %.0f a frame\n", frames, static_cast<double>(bars) / frames,
                static_cast<double>(marks) / frames);
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--events") {
        const auto from = Clock::now();
        const auto trace = synthetic(static_cast<std::size_t>(std::strtoull(argv[2], nullptr, 10)));
        std::printf("built in %.0f ms\n", msSince(from));
        run(trace);
        return 0;
    }
    if (argc != 2) {
        std::fprintf(stderr, "build_frame_bench FILE | --events N\n");
        return 2;
    }
    JobControl job;
    const auto loaded = loadTrace(argv[1], builtinImporters(), job);
    if (!loaded) {
        std::fprintf(stderr, "%s\n", loaded.error().detail.c_str());
        return 3;
    }
    run(loaded->trace);
    return 0;
}
