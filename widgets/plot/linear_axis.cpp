#include "widgets/plot/linear_axis.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

LinearAxis::LinearAxis(double least, double most, double from, double to)
    : m_least(least), m_most(most > least ? most : least + 1), m_from(from), m_to(to) {}

double LinearAxis::at(double value) const {
    return m_from + (m_to - m_from) * (value - m_least) / (m_most - m_least);
}

double LinearAxis::step(double spacing) const {
    return roundStep(spacing * (m_most - m_least) / std::max(1.0, std::abs(m_to - m_from)));
}

std::vector<double> LinearAxis::ticks(double spacing) const {
    constexpr double kSlack = 1e-9; // of a step: ends that are ticks themselves
    const double width = step(spacing);
    std::vector<double> ticks;
    for (double i = std::ceil(m_least / width - kSlack); i * width <= m_most + kSlack * width; ++i)
        ticks.push_back(i * width);
    return ticks;
}

double roundStep(double value) {
    constexpr double kSlack = 1e-9;
    const double power = std::pow(10.0, std::floor(std::log10(std::max(value, 1e-300))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= value * (1 - kSlack))
            return factor * power;
    return 10 * power;
}

} // namespace lacuna::ui
