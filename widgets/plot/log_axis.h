#pragma once
// A logarithmic axis: whole decades around the values, at most as many labels as fit.

#include <QString>

#include <vector>

namespace lacuna::ui {

struct LogTick {
    double value = 1;
    bool isLabelled = false;
};

class LogAxis {
public:
    // Covers [least, most] (both > 0), rounded outwards to whole decades, at least one; drawn from `from` to
    // `to`, which may run backwards.
    LogAxis(double least, double most, double from, double to);
    double least() const { return m_least; }
    double most() const { return m_most; }
    int decades() const { return m_decades; }
    double at(double value) const; // position; values <= 0 are at the least end
    // Every decade; labelled so that labels stand at least `spacing` apart.
    std::vector<LogTick> ticks(double spacing) const;

private:
    double m_least, m_most, m_from, m_to;
    int m_decades;
};

// "0.01", "1", "1 000", and "10⁶" beyond four digits.
QString decadeText(double value);

} // namespace lacuna::ui
