#include "widgets/plot/log_axis.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

// Rounding of log10 must not add a decade to a whole power of ten.
constexpr double kSlack = 1e-9;

} // namespace

LogAxis::LogAxis(double least, double most, double from, double to) : m_from(from), m_to(to) {
    const double low = std::floor(std::log10(std::max(least, 1e-300)) + kSlack);
    const double high = std::max(std::ceil(std::log10(std::max(most, 1e-300)) - kSlack), low + 1);
    m_least = std::pow(10.0, low);
    m_most = std::pow(10.0, high);
    m_decades = static_cast<int>(high - low);
}

double LogAxis::at(double value) const {
    const double share = value > 0 ? std::log10(value / m_least) / m_decades : 0.0;
    return m_from + (m_to - m_from) * share;
}

std::vector<LogTick> LogAxis::ticks(double spacing) const {
    const double perDecade = std::abs(m_to - m_from) / m_decades;
    const int step = std::max(1, static_cast<int>(std::ceil(spacing / std::max(perDecade, 1e-9))));
    const int first = static_cast<int>(std::lround(std::log10(m_least)));
    std::vector<LogTick> ticks;
    ticks.reserve(static_cast<std::size_t>(m_decades) + 1);
    for (int d = 0; d <= m_decades; ++d) // labels at whole multiples, so that 1 is one of them
        ticks.push_back({std::pow(10.0, first + d), (first + d) % step == 0});
    return ticks;
}

QString decadeText(double value) {
    const int exponent = static_cast<int>(std::lround(std::log10(value)));
    if (exponent >= -3 && exponent <= 2)
        return QString::number(value, 'f', std::max(0, -exponent));
    if (exponent == 3)
        return QStringLiteral("1\u2009000");
    static const QString kDigits =
        QStringLiteral("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079");
    QString text = QStringLiteral("10");
    if (exponent < 0)
        text += QChar(0x207b);
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += kDigits.at(digit.digitValue());
    return text;
}

} // namespace lacuna::ui
