#include "core/base/text_format.h"
#include "core/view/build_frame.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

// Never 0.00 for what is touched by time, never 1.00 for what is not full.
std::string hundredths(float share) {
    const auto rounded = std::lround(share * 100.0f);
    const std::int64_t shown = share > 0.0f && share < 1.0f ? std::clamp(rounded, 1L, 99L) : rounded;
    return formatIn({shown * 10}, TimeUnit::Us, 2);
}

std::string dumpBar(const Trace& trace, const Bar& bar) {
    std::string text = std::string(bar.clippedLeft ? "<" : "") + std::to_string(bar.x0) + ".." +
                       std::to_string(bar.x1) + (bar.clippedRight ? ">" : "");
    if (bar.count == 1)
        text += " " + std::string(trace.nameOf(bar.first));
    else
        text += " (" + std::to_string(bar.count) + ")";
    if (bar.coverage < 1.0f)
        text += " " + hundredths(bar.coverage);
    return text;
}

} // namespace

std::string dumpFrame(const Trace& trace, const RowLayout& layout, const Frame& frame) {
    std::string text;
    for (const LaneFrame& lane : frame.lanes) {
        const TimelineRow& row = layout.rows()[lane.row];
        text += row.key + " y " + std::to_string(lane.y) + "+" + std::to_string(lane.height) + "\n";
        std::uint32_t strip = UINT32_MAX;
        for (const Bar& bar : lane.bars) {
            if (bar.strip != strip)
                text += (strip == UINT32_MAX ? "  strip " : "\n  strip ") + std::to_string(bar.strip);
            strip = bar.strip;
            text += " | " + dumpBar(trace, bar);
        }
        text += lane.bars.empty() ? "" : "\n";
        for (const CounterPoint& point : lane.counter)
            text += "  x " + std::to_string(point.x) + " min " + std::to_string(point.min) + " max " +
                    std::to_string(point.max) + " last " + std::to_string(point.last) + "\n";
    }
    for (const GapMark& mark : frame.gaps)
        text += "gap " + std::to_string(mark.gap.v) + " " + std::to_string(mark.x0) + ".." +
                std::to_string(mark.x1) + " y " + std::to_string(mark.y) + "+" + std::to_string(mark.height) +
                " " + std::string(className(mark.cls)) + (mark.labelled ? " labelled" : "") +
                (mark.overBar ? " over bar" : "") + "\n";
    for (const Arrow& arrow : frame.arrows)
        text += std::string(arrow.style == ArrowStyle::Ownership ? "arrow " : "dashed ") +
                std::string(trace.nameOf(arrow.from)) + " -> " + std::string(trace.nameOf(arrow.to)) + " " +
                std::to_string(arrow.x0) + "," + std::to_string(arrow.y0) + " " + std::to_string(arrow.x1) +
                "," + std::to_string(arrow.y1) + (arrow.count > 1 ? " x" + std::to_string(arrow.count) : "") +
                (arrow.toOutside ? " outside" : "") + (arrow.skewed ? " skewed" : "") + "\n";
    return text;
}

} // namespace lacuna
