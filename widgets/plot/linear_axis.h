#pragma once
// A linear axis with round ticks.

#include <vector>

namespace lacuna::ui {

class LinearAxis {
public:
    // Covers [least, most] exactly, drawn from `from` to `to`, which may run backwards; an empty range is
    // widened to one.
    LinearAxis(double least, double most, double from, double to);
    double at(double value) const;
    double least() const { return m_least; }
    double most() const { return m_most; }
    // Multiples of a step of 1, 2 or 5 times a power of ten inside the range, at least `spacing` px apart.
    std::vector<double> ticks(double spacing) const;
    double step(double spacing) const;

private:
    double m_least, m_most, m_from, m_to;
};

// Smallest of 1, 2, 5 times a power of ten that is no less than `value` (> 0).
double roundStep(double value);

} // namespace lacuna::ui
