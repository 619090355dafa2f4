#include "app/verbs/bench_frames.h"

#include "core/base/crew.h"
#include "core/base/job_control.h"
#include "core/view/build_frame.h"
#include "widgets/timeline/timeline_renderer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr double kDeepestNsPerPx = 1'000.0;
// Shares of the script: 120 frames in, 4 x 40 panning, 60 out, of 340.
constexpr double kZoomInShare = 120.0 / 340.0, kZoomOutShare = 60.0 / 340.0;
constexpr double kPanPx = 37.0; // of one frame

} // namespace

std::vector<Viewport> benchScript(TimeRange window, int widthPx, std::size_t count) {
    const double full = std::max(1.0, static_cast<double>(window.length().v) / widthPx);
    const double deep = std::min(kDeepestNsPerPx, full);
    const auto in = static_cast<std::size_t>(kZoomInShare * static_cast<double>(count));
    const auto out = static_cast<std::size_t>(kZoomOutShare * static_cast<double>(count));
    const std::size_t pans = count - in - out;
    std::vector<Viewport> views;
    const auto around = [&](double nsPerPx, double share) {
        const double centre = static_cast<double>(window.length().v) * share;
        const auto offset = static_cast<std::int64_t>(centre - nsPerPx * widthPx / 2);
        views.push_back(snapped(Viewport{window.begin + DurationNs{offset}, nsPerPx, widthPx}));
    };
    const auto zoom = [&](std::size_t frames, double from, double to) {
        for (std::size_t i = 0; i < frames; ++i)
            around(from * std::pow(to / from,
                                   static_cast<double>(i) / std::max(1.0, static_cast<double>(frames) - 1)),
                   0.505);
    };
    zoom(in, full, deep);
    const std::array<double, 4> depths{deep, std::min(50'000.0, full), std::min(2'000'000.0, full),
                                       full * 0.7};
    for (std::size_t i = 0; i < pans; ++i) {
        const std::size_t depth = i * depths.size() / pans;
        const std::size_t first = (depth * pans + depths.size() - 1) / depths.size();
        const double moved = depths[depth] * kPanPx * static_cast<double>(i - first);
        around(depths[depth], 0.3 + moved / std::max(1.0, static_cast<double>(window.length().v)));
    }
    zoom(out, deep, full);
    return views;
}

std::optional<FrameTimes> benchFrames(const GapAnalysis& analysis, std::size_t count, JobControl& job) {
    const Trace& trace = analysis.trace();
    const RowLayout layout = RowLayout::build(trace, {});
    TimelineRenderer renderer(ThemePalette::of(Theme::Light), FigureFonts::load());
    FrameOptions options;
    options.heightPx = kHeight;
    options.gaps = &analysis;
    Crew crew;
    options.crew = &crew;
    Frame frame;
    std::vector<double> ms;
    for (const Viewport& view : benchScript(trace.window(), kWidth, count)) {
        if (job.cancelled())
            return std::nullopt;
        const auto start = std::chrono::steady_clock::now();
        buildFrame(trace, layout, view, options, frame);
        TimelineScene scene;
        scene.trace = &trace;
        scene.layout = &layout;
        scene.frame = &frame;
        scene.gaps = &analysis;
        scene.crew = &crew;
        const QImage image = renderer.paintLanes(scene);
        ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(ms.begin(), ms.end());
    const auto quantile = [&ms](double q) {
        return ms[static_cast<std::size_t>(std::ceil(q * static_cast<double>(ms.size()))) - 1];
    };
    return FrameTimes{ms.size(), quantile(0.5), quantile(0.99), ms.back()};
}

} // namespace lacuna::ui
