#include "core/view/time_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lacuna {

namespace {

// Steps are 1, 2 or 5 times a power of ten ns, so every tick is a whole ns.
struct Step {
    std::int64_t ns = 1;
    int parts = 5; // intervals between two major ticks
};

// Above a second the wall clock counts by sixties.
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::array<Step, 13> kClockSteps{{{2 * kSecond, 4},
                                            {5 * kSecond, 5},
                                            {10 * kSecond, 5},
                                            {15 * kSecond, 3},
                                            {30 * kSecond, 3},
                                            {60 * kSecond, 6},
                                            {120 * kSecond, 4},
                                            {300 * kSecond, 5},
                                            {600 * kSecond, 5},
                                            {1'800 * kSecond, 3},
                                            {3'600 * kSecond, 6},
                                            {21'600 * kSecond, 6},
                                            {86'400 * kSecond, 4}}};

Step stepFor(double minNs, bool isWall) {
    if (isWall && minNs > static_cast<double>(kSecond))
        for (const Step& step : kClockSteps)
            if (static_cast<double>(step.ns) >= minNs)
                return step;
    std::int64_t power = 1;
    for (int digits = 0; digits < 18; ++digits, power *= 10)
        for (const int factor : {1, 2, 5})
            if (static_cast<double>(power * factor) >= minNs)
                return {power * factor, factor == 2 ? 4 : 5};
    return {power, 5};
}

std::int64_t floorMultiple(std::int64_t t, std::int64_t step) {
    const std::int64_t rest = t % step;
    return t - (rest < 0 ? rest + step : rest);
}

constexpr std::array<std::int64_t, 4> kUnitNs{1, 1'000, 1'000'000, 1'000'000'000};

// Decimals that a multiple of step needs in a unit: 0.5 ms needs one.
int decimalsFor(std::int64_t step, TimeUnit unit) {
    int decimals = 0;
    for (std::int64_t ns = kUnitNs[static_cast<std::size_t>(unit)]; ns % 10 == 0 && step % ns != 0; ns /= 10)
        ++decimals;
    return decimals;
}

std::string absoluteLabel(std::int64_t t, std::int64_t step, TimeUnit unit) {
    return formatIn({t}, unit, decimalsFor(step, unit)) + " " + std::string(unitName(unit));
}

// Labels. Where the whole time needs at most six digits they are absolute: "5.5 ms". Deeper down only ticks
// on a multiple of the next unit are, the others say how far they are from it: "1.098 s", "+200 us"; the
// first visible tick is absolute when no such multiple is in view.
class Labels {
public:
    Labels(std::int64_t step, TimeRange visible, bool isWall) : m_step(step), m_isWall(isWall) {
        const std::int64_t largest = std::max(std::abs(visible.begin.v / 2), std::abs(visible.end.v / 2)) * 2;
        m_unit = unitFor({std::max(largest, step)});
        m_relative = largest / step >= 1'000'000;
        if (!m_relative)
            return;
        m_fine = unitFor({step});
        m_coarse = kUnitNs[std::min<std::size_t>(3, static_cast<std::size_t>(m_fine) + 1)];
    }
    bool isAnchor(std::int64_t t) const { return !m_relative || t % m_coarse == 0; }
    std::string absolute(std::int64_t t) const {
        if (m_isWall)
            return clockText(t, clockDecimals(m_relative && isAnchor(t) ? m_coarse : m_step));
        return absoluteLabel(t, m_relative && isAnchor(t) ? m_coarse : m_step, m_unit);
    }
    std::string of(std::int64_t t) const {
        if (isAnchor(t))
            return absolute(t);
        return "+" + absoluteLabel(t - floorMultiple(t, m_coarse), m_step, m_fine);
    }

private:
    // 0, 3, 6 or 9: as many as a multiple of step needs.
    static int clockDecimals(std::int64_t step) {
        constexpr int kMost = 9, kGroup = 3;
        int decimals = 0;
        for (std::int64_t ns = kSecond; decimals < kMost && step % ns != 0; ns /= 1'000)
            decimals += kGroup;
        return decimals;
    }

    std::int64_t m_step, m_coarse = 1;
    TimeUnit m_unit = TimeUnit::Ns, m_fine = TimeUnit::Ns;
    bool m_relative = false, m_isWall = false;
};

} // namespace

std::vector<Tick> timeTicks(const Viewport& trace, double minLabelPx, const TimeAxis& axis) {
    std::vector<Tick> ticks;
    if (trace.widthPx <= 0)
        return ticks;
    const std::int64_t shift = axis.shiftNs();
    const Viewport viewport{{saturatingAdd(trace.begin.v, shift)}, trace.nsPerPx, trace.widthPx}; // as shown
    const Step step = stepFor(minLabelPx * viewport.nsPerPx, axis.isWall());
    const TimeRange visible = viewport.range();
    const Labels labels(step.ns, visible, axis.isWall());
    const std::int64_t minor = step.ns % step.parts == 0 ? step.ns / step.parts : step.ns;
    const std::int64_t span = visible.end.v - visible.begin.v;
    bool anchored = false;
    std::size_t firstMajor = SIZE_MAX;
    // Offsets from the left edge: nothing overflows at the ends of the time axis.
    for (std::int64_t at = floorMultiple(visible.begin.v, minor) - visible.begin.v; at <= span; at += minor) {
        if (at < 0)
            continue;
        const std::int64_t t = visible.begin.v + at;
        Tick tick{{t - shift}, viewport.xOf({t}), t % step.ns == 0, {}};
        if (tick.major) {
            tick.label = labels.of(t);
            anchored = anchored || labels.isAnchor(t);
            firstMajor = std::min(firstMajor, ticks.size());
        }
        ticks.push_back(std::move(tick));
    }
    if (!anchored && firstMajor != SIZE_MAX)
        ticks[firstMajor].label = labels.absolute(ticks[firstMajor].time.v + shift);
    return ticks;
}

} // namespace lacuna
