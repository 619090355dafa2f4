#include "widgets/plot/kernel_plots.h"

#include "core/base/text_format.h"
#include "widgets/plot/plot_axes.h"
#include "widgets/text.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

using Anchor = PlotText::Anchor;
constexpr double kLeft = kPlotLeft, kBottom = kPlotBottom, kTop = kPlotTop;

} // namespace

std::int64_t histogramBin(const std::vector<std::int64_t>& durationsNs) {
    constexpr double kMostBins = 30; // and one at either end
    const auto [least, most] = std::minmax_element(durationsNs.begin(), durationsNs.end());
    const double wanted = std::max(1.0, static_cast<double>(*most - *least) / kMostBins);
    double width = roundStep(wanted);
    if (width >= 100 && width / 2 >= wanted) // 2.5 of a power of ten, which is no step of an axis
        width /= 2;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(width)));
}

PlotScene histogramScene(const DurationHistogram& input, const ThemePalette& palette, QSize size,
                         const FigureFonts& fonts) {
    ScenePen pen(palette, fonts, size);
    const std::int64_t bin = histogramBin(input.durationsNs);
    const auto [least, most] = std::minmax_element(input.durationsNs.begin(), input.durationsNs.end());
    const std::int64_t first = *least / bin, last = *most / bin;
    std::vector<double> counts(static_cast<std::size_t>(last - first) + 1, 0.0);
    for (const std::int64_t ns : input.durationsNs)
        counts[static_cast<std::size_t>(ns / bin - first)] += 1;
    const double highest = *std::max_element(counts.begin(), counts.end());
    const TimeUnit unit = unitFor({*most});
    const double perUnit = nsPerUnit(unit), bottom = size.height() - kBottom;
    const LinearAxis x(static_cast<double>(first * bin) / perUnit,
                       static_cast<double>((last + 1) * bin) / perUnit, kLeft + 8, size.width() - 4.0);
    const LinearAxis y(0, highest * 1.08, bottom, kTop);
    countAxis(pen, y, 26); // launches are whole
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double from = x.at(static_cast<double>((first + static_cast<std::int64_t>(i)) * bin) / perUnit);
        const double to =
            x.at(static_cast<double>((first + static_cast<std::int64_t>(i) + 1) * bin) / perUnit);
        if (counts[i] > 0)
            pen.rect(
                QRectF(QPointF(from + 0.5, y.at(counts[i])), QPointF(std::max(to - 0.5, from + 1.5), bottom)),
                Ink::Kernel);
    }
    timeAxis(pen, x, text(unitName(unit)), bottom);
    const double medianX = x.at(static_cast<double>(input.medianNs) / perUnit),
                 p95X = x.at(static_cast<double>(input.p95Ns) / perUnit);
    const auto mark = [&](double at, const QString& name, bool isLeft) {
        pen.line({{at, kTop - 4}, {at, bottom}}, Ink::Selection, 1, true);
        pen.text({at + (isLeft ? -4 : 4), kTop + 4}, name, Ink::Selection,
                 isLeft ? Anchor::Right : Anchor::Left);
    };
    const bool isRight = medianX > size.width() - 60;
    mark(medianX, u"median"_s, isRight || (p95X - medianX < 52 && medianX > kLeft + 60));
    if (p95X - medianX > 1)
        mark(p95X, u"p95"_s, p95X > size.width() - 34);
    pen.scene.title = u"Duration"_s;
    pen.scene.description = u"%1 launches from %2 to %3, median %4, 95th percentile %5"_s.arg(
        QString::number(input.durationsNs.size()), text(formatDuration({*least})),
        text(formatDuration({*most})), text(formatDuration({input.medianNs})),
        text(formatDuration({input.p95Ns})));
    return std::move(pen.scene);
}

PlotScene overTimeScene(const DurationsOverTime& input, const ThemePalette& palette, QSize size,
                        const FigureFonts& fonts) {
    ScenePen pen(palette, fonts, size);
    const auto [least, most] = std::minmax_element(input.durationNs.begin(), input.durationNs.end());
    const TimeUnit unit = unitFor({*most}),
                   timeUnit = unitFor({std::max<std::int64_t>(1, input.beginNs.back())});
    const double perUnit = nsPerUnit(unit), perTime = nsPerUnit(timeUnit), bottom = size.height() - kBottom;
    const double low = static_cast<double>(*least) / perUnit, high = static_cast<double>(*most) / perUnit;
    const double margin = std::max((high - low) * 0.1, high * 0.005);
    const LinearAxis x(static_cast<double>(input.beginNs.front()) / perTime,
                       static_cast<double>(input.beginNs.back()) / perTime, kLeft + 8, size.width() - 8.0);
    const LinearAxis y(std::max(0.0, low - margin), high + margin, bottom, kTop);
    valueAxis(pen, y, 34);
    pen.line({{kLeft, bottom}, {size.width() + 0.0, bottom}}, Ink::TextSecondary);
    // Several launches on one pixel are one bar from the shortest to the longest.
    const auto columns = static_cast<std::size_t>(std::max(1, size.width()));
    const bool isDense = input.beginNs.size() > columns;
    std::vector<std::pair<double, double>> extents(isDense ? columns : 0, {1e300, -1e300});
    for (std::size_t i = 0; i < input.beginNs.size(); ++i) {
        const double px = x.at(static_cast<double>(input.beginNs[i]) / perTime);
        const double py = y.at(static_cast<double>(input.durationNs[i]) / perUnit);
        if (isDense) {
            auto& [top, foot] = extents[std::min(columns - 1, static_cast<std::size_t>(std::max(0.0, px)))];
            top = std::min(top, py);
            foot = std::max(foot, py);
        } else {
            pen.dot({px, py}, 2.5, Ink::Kernel, text(formatDuration({input.durationNs[i]})));
        }
        if (input.beginNs[i] == input.selectedBeginNs)
            pen.dot({px, py}, 4.5, Ink::Selection, text(formatDuration({input.durationNs[i]})));
    }
    for (std::size_t c = 0; c < extents.size(); ++c)
        if (extents[c].second > -1e299)
            pen.rect(QRectF(static_cast<double>(c), extents[c].first - 1, 1,
                            extents[c].second - extents[c].first + 2),
                     Ink::Kernel);
    timeAxis(pen, x, text(unitName(timeUnit)), bottom);
    pen.scene.title = u"Duration over time"_s;
    pen.scene.description = u"%1 launches"_s.arg(input.beginNs.size());
    return std::move(pen.scene);
}

PlotScene occupancyScene(const GpuProperties& gpu, const OccupancyInput& launch, const ThemePalette& palette,
                         QSize size, const FigureFonts& fonts) {
    ScenePen pen(palette, fonts, size);
    struct Part {
        OccupancyAxis axis;
        const char* title;
        double now, perUnit;
    };
    const Part parts[] = {
        {OccupancyAxis::BlockThreads, "block size", static_cast<double>(launch.blockThreads), 1},
        {OccupancyAxis::Registers, "registers per thread", static_cast<double>(launch.registersPerThread), 1},
        {OccupancyAxis::SharedBytes, "shared memory, KiB",
         static_cast<double>(launch.staticSharedBytes + launch.dynamicSharedBytes), 1024},
    };
    constexpr double kGap = 16, kTitleRoom = 34;
    const double bottom = size.height() - kTitleRoom;
    const double width = (size.width() - kLeft - 2 * kGap - 6) / 3;
    const LinearAxis y(0, gpu.maxWarpsPerSm(), bottom, kTop);
    for (int i = 0; i < 3; ++i) {
        const Part& part = parts[i];
        const double left = kLeft + i * (width + kGap);
        for (const double level :
             {0.0, gpu.maxWarpsPerSm() / 2.0, static_cast<double>(gpu.maxWarpsPerSm())}) {
            pen.line({{left, y.at(level)}, {left + width, y.at(level)}},
                     level == 0 ? Ink::TextSecondary : Ink::InnerLine);
            if (i == 0)
                pen.textAt(kLeft - 6, y.at(level), QString::number(level, 'f', 0), Anchor::Right);
        }
        if (i == 0)
            pen.text({left + 5, kTop + 11}, u"warps"_s);
        const auto curve = occupancyCurve(gpu, launch, part.axis);
        if (curve.empty())
            continue;
        const LinearAxis x(static_cast<double>(curve.front().first), static_cast<double>(curve.back().first),
                           left, left + width);
        std::vector<QPointF> steps;
        for (std::size_t k = 0; k < curve.size(); ++k) {
            const double at = x.at(static_cast<double>(curve[k].first));
            if (k > 0)
                steps.emplace_back(at, y.at(curve[k - 1].second));
            steps.emplace_back(at, y.at(curve[k].second));
        }
        pen.line(std::move(steps), Ink::Kernel, 1.5);
        const auto now = theoreticalOccupancy(gpu, launch);
        if (now)
            pen.dot({x.at(part.now), y.at(now->warpsPerSm)}, 4, Ink::Selection,
                    u"%1 warps"_s.arg(now->warpsPerSm));
        const auto label = [&](double value, double at, Anchor anchor) {
            pen.text({at, bottom + 15}, QString::number(value / part.perUnit, 'f', 0), Ink::TextSecondary,
                     anchor);
        };
        // The present value has the right of way.
        const double here = x.at(part.now);
        if (here > left + 22)
            label(x.least(), left, Anchor::Left);
        if (here < left + width - 30)
            label(x.most(), left + width, Anchor::Right);
        label(part.now, std::clamp(here, left + 8, left + width - 8), Anchor::Middle);
        pen.text({left + width / 2, bottom + 30}, QString::fromLatin1(part.title), Ink::TextSecondary,
                 Anchor::Middle);
    }
    pen.scene.title = u"Occupancy"_s;
    pen.scene.description = u"Warps on a multiprocessor over block size, registers and shared memory"_s;
    return std::move(pen.scene);
}

namespace {
constexpr int kStallRow = 19;
constexpr std::size_t kShownStalls = 10;

std::size_t shownStalls(const Stalls& stalls) {
    std::size_t shown = 0;
    for (const Stall& stall : stalls.reasons)
        shown += stall.value > 0 ? 1 : 0;
    return std::min(shown, kShownStalls);
}
} // namespace

int stallHeight(const Stalls& stalls) {
    return static_cast<int>(shownStalls(stalls)) * kStallRow + 4;
}

PlotScene stallScene(const Stalls& stalls, const ThemePalette& palette, QSize size,
                     const FigureFonts& fonts) {
    ScenePen pen(palette, fonts, size);
    constexpr double kNames = 124, kNumbers = 110, kBar = 11;
    const std::size_t shown = shownStalls(stalls);
    const double most = shown == 0 ? 1 : std::max(1e-9, stalls.reasons.front().value);
    const double room = size.width() - kNames - kNumbers;
    for (std::size_t i = 0; i < shown; ++i) {
        const Stall& stall = stalls.reasons[i];
        const double middle = kStallRow * (static_cast<double>(i) + 0.5);
        const bool isQuiet = stall.isHealthy();
        const QString name = text(stall.id).replace(u'_', u' ');
        pen.textAt(0, middle, name, Anchor::Left, isQuiet ? Ink::TextSecondary : Ink::Text);
        pen.rect(QRectF(kNames, middle - kBar / 2, std::max(1.0, room * stall.value / most), kBar),
                 isQuiet ? Ink::Border : Ink::Kernel);
        pen.textAt(size.width(), middle, QString::number(stall.value, 'f', 2), Anchor::Right, Ink::Text);
        if (isQuiet)
            pen.textAt(size.width() - 44, middle, u"healthy"_s, Anchor::Right);
        pen.scene.description += u"%1 %2. "_s.arg(name, QString::number(stall.value, 'f', 2));
    }
    pen.scene.title = u"Stall reasons"_s;
    return std::move(pen.scene);
}

} // namespace lacuna::ui
