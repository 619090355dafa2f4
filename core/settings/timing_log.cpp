#include "core/settings/timing_log.h"

#include "core/base/ascii.h"
#include "core/base/text_format.h"
#include "core/settings/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lacuna {

namespace {

constexpr double kMostStepNumber = 9e15; // whole numbers that a double holds exactly

struct LogUnit {
    std::string_view name; // lower case
    double ns;
};
constexpr std::array kLogUnits = {
    LogUnit{"ns", 1},        LogUnit{"us", 1e3},      LogUnit{"\u00b5s", 1e3},
    LogUnit{"\u03bcs", 1e3}, LogUnit{"usec", 1e3},    LogUnit{"microseconds", 1e3},
    LogUnit{"ms", 1e6},      LogUnit{"msec", 1e6},    LogUnit{"milliseconds", 1e6},
    LogUnit{"s", 1e9},       LogUnit{"sec", 1e9},     LogUnit{"secs", 1e9},
    LogUnit{"second", 1e9},  LogUnit{"seconds", 1e9},
};

std::optional<double> unitNamed(std::string_view word) {
    const auto same = [](char a, char b) { return lower(a) == b; };
    for (const LogUnit& unit : kLogUnits)
        if (std::equal(word.begin(), word.end(), unit.name.begin(), unit.name.end(), same))
            return unit.ns;
    return std::nullopt;
}

// Letters of a unit; those of the micro sign are two bytes above ASCII.
bool isWordByte(char c) {
    return isLetter(c) || static_cast<unsigned char>(c) >= 0x80;
}

struct LogNumber {
    std::string_view label; // from the number before to this one
    double value = 0;
    bool isWhole = false;         // no point, no exponent
    bool isSure = true;           // not "10,5", which is one number or two
    std::optional<double> unitNs; // of a time
    char after = '\0';
};

// Numbers of one line, with what stands in front of them.
class LogLine {
public:
    explicit LogLine(std::string_view line) : m_line(line) {}

    std::vector<LogNumber> numbers() {
        std::vector<LogNumber> found;
        while (m_at < m_line.size()) {
            const bool isInWord = m_at > 0 && (isWordByte(m_line[m_at - 1]) || m_line[m_at - 1] == '_');
            if (!isDigit(m_line[m_at])) {
                ++m_at;
            } else if (isInWord) { // "gpu0", "fp16"
                while (m_at < m_line.size() && isDigit(m_line[m_at]))
                    ++m_at;
            } else {
                found.push_back(number());
            }
        }
        return found;
    }

private:
    bool isDigitAt(std::size_t at) const { return at < m_line.size() && isDigit(m_line[at]); }

    void skipDigits() {
        while (isDigitAt(m_at))
            ++m_at;
    }

    // "12,549": a comma and exactly three digits.
    bool isGroup() const {
        return isDigitAt(m_at + 1) && isDigitAt(m_at + 2) && isDigitAt(m_at + 3) && !isDigitAt(m_at + 4);
    }

    LogNumber number() {
        LogNumber one;
        one.label = m_line.substr(m_labelAt, m_at - m_labelAt);
        const std::size_t begin = m_at;
        skipDigits();
        while (m_at < m_line.size() && m_line[m_at] == ',' && isGroup())
            m_at += 4;
        one.isSure = !(m_at < m_line.size() && m_line[m_at] == ',' && isDigitAt(m_at + 1)) &&
                     !(begin > 0 && m_line[begin - 1] == ',' && begin > 1 && isDigit(m_line[begin - 2]));
        one.isWhole = true;
        if (m_at < m_line.size() && m_line[m_at] == '.' && isDigitAt(m_at + 1)) {
            one.isWhole = false;
            ++m_at;
            skipDigits();
        }
        skipExponent(one);
        std::string digits(m_line.substr(begin, m_at - begin));
        std::erase(digits, ',');
        one.value = parseNumber(digits).value_or(0);
        if (begin > 0 && m_line[begin - 1] == '-' && isNegative(begin))
            one.value = -one.value;
        readUnit(one);
        m_labelAt = m_at;
        one.after = m_at < m_line.size() ? m_line[m_at] : '\0';
        return one;
    }

    // A minus, and no dash between numbers ("2024-05-01").
    bool isNegative(std::size_t begin) const { return begin < 2 || !isDigit(m_line[begin - 2]); }

    void skipExponent(LogNumber& one) {
        if (m_at >= m_line.size() || lower(m_line[m_at]) != 'e')
            return;
        const bool isSigned =
            m_at + 1 < m_line.size() && (m_line[m_at + 1] == '-' || m_line[m_at + 1] == '+');
        if (!isDigitAt(m_at + (isSigned ? 2 : 1)))
            return;
        m_at += isSigned ? 2 : 1;
        skipDigits();
        one.isWhole = false;
    }

    void readUnit(LogNumber& one) {
        std::size_t from = m_at;
        if (from < m_line.size() && m_line[from] == ' ')
            ++from;
        std::size_t end = from;
        while (end < m_line.size() && isWordByte(m_line[end]))
            ++end;
        // A rate ("12 s/epoch") is the time of something else, unless it is of an iteration.
        if (const auto unit = unitNamed(m_line.substr(from, end - from)); unit && isOfIteration(end)) {
            one.unitNs = unit;
            m_at = end;
            return;
        }
        one.unitNs = unitOfLabel(one.label);
    }

    bool isOfIteration(std::size_t at) const {
        if (at >= m_line.size() || m_line[at] != '/')
            return at >= m_line.size() || (!isDigit(m_line[at]) && m_line[at] != '_');
        std::size_t end = at + 1;
        while (end < m_line.size() && isWordByte(m_line[end]))
            ++end;
        const std::string_view of = m_line.substr(at + 1, end - at - 1);
        return of.starts_with("it") || of.starts_with("step") || of.starts_with("batch");
    }

    // "(ms)" or "_ms" at the end of the label, signs left out.
    static std::optional<double> unitOfLabel(std::string_view label) {
        while (!label.empty() && !isWordByte(label.back()) && label.back() != ')')
            label.remove_suffix(1);
        const bool isBracketed = !label.empty() && label.back() == ')';
        if (isBracketed)
            label.remove_suffix(1);
        std::size_t begin = label.size();
        while (begin > 0 && isWordByte(label[begin - 1]))
            --begin;
        if (begin == 0 || label[begin - 1] != (isBracketed ? '(' : '_'))
            return std::nullopt;
        return unitNamed(label.substr(begin));
    }

    std::string_view m_line;
    std::size_t m_at = 0, m_labelAt = 0;
};

// How surely a time is that of the step: 2 by name, 1 some time, 0 another one.
int rankOf(const LogNumber& number) {
    for (const std::string_view other : {"data", "total", "elapsed", "eta", "remaining", "epoch", "load"})
        if (containsNoCase(number.label, other) && !containsNoCase(number.label, "iteration"))
            return 0;
    return containsNoCase(number.label, "iter") || containsNoCase(number.label, "step") ||
                   containsNoCase(number.label, "batch")
               ? 2
               : 1;
}

// The only time of the highest rank above 0.
const LogNumber* timeOf(const std::vector<LogNumber>& numbers) {
    for (const int rank : {2, 1}) {
        const LogNumber* found = nullptr;
        int times = 0;
        for (const LogNumber& number : numbers)
            if (number.unitNs && rankOf(number) == rank && times++ == 0)
                found = &number;
        if (times > 1)
            return nullptr;
        if (found != nullptr)
            return found->isSure && found->value > 0 ? found : nullptr;
    }
    return nullptr;
}

std::optional<std::uint64_t> numberOfStep(const std::vector<LogNumber>& numbers) {
    for (const LogNumber& number : numbers) {
        const bool isBracketed = number.label.ends_with('[') && (number.after == ']' || number.after == '/');
        const bool isNamed = containsNoCase(number.label, "step") || containsNoCase(number.label, "iter") ||
                             number.label.ends_with('#') || isBracketed;
        if (!number.unitNs && number.isWhole && number.isSure && isNamed &&
            !containsNoCase(number.label, "epoch") && number.value <= kMostStepNumber)
            return static_cast<std::uint64_t>(number.value);
    }
    return std::nullopt;
}

std::optional<double> lossOf(const std::vector<LogNumber>& numbers) {
    for (const LogNumber& number : numbers)
        if (containsNoCase(number.label, "loss") && !number.unitNs && number.isSure)
            return number.value;
    return std::nullopt;
}

Error noLoggedSteps(std::string_view text) {
    return {Errc::Unsupported,
            "'" + std::string(text) +
                "' is no list of step times; it is NUMBER:TIME:LOSS, such as "
                "0:10.2ms:2.31,1:10.1ms",
            {},
            {}};
}

} // namespace

TimingLog readTimingLog(std::string_view text) {
    TimingLog log;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\r"), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::vector<LogNumber> numbers = LogLine(line).numbers();
        if (const LogNumber* time = timeOf(numbers)) {
            const auto ns =
                static_cast<std::int64_t>(std::llround(std::min(time->value * *time->unitNs, 9e18)));
            if (ns > 0) {
                log.steps.push_back({numberOfStep(numbers), ns, lossOf(numbers)});
                continue;
            }
        }
        log.otherLines += line.find_first_not_of(" \t") == std::string_view::npos ? 0U : 1U;
    }
    return log;
}

std::string loggedStepsText(std::span<const LoggedStep> steps) {
    std::string text;
    for (const LoggedStep& step : steps) {
        text += text.empty() ? "" : ",";
        text += step.number ? std::to_string(*step.number) : std::string();
        text += ":" + std::to_string(step.ns) + "ns";
        if (step.loss)
            text += ":" + numberText(*step.loss);
    }
    return text;
}

Result<std::vector<LoggedStep>> parseLoggedSteps(std::string_view text) {
    std::vector<LoggedStep> steps;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view one = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t first = one.find(':');
        if (first == std::string_view::npos)
            return noLoggedSteps(one);
        const std::size_t second = std::min(one.find(':', first + 1), one.size());
        LoggedStep step;
        if (const std::string_view number = trimmed(one.substr(0, first)); !number.empty()) {
            const auto value = parseNumber(number);
            if (!value || *value < 0 || *value > kMostStepNumber || std::floor(*value) != *value)
                return noLoggedSteps(one);
            step.number = static_cast<std::uint64_t>(*value);
        }
        const auto time = parseTime(trimmed(one.substr(first + 1, second - first - 1)));
        if (!time || *time <= 0)
            return noLoggedSteps(one);
        step.ns = *time;
        if (second < one.size()) {
            step.loss = parseNumber(trimmed(one.substr(second + 1)));
            if (!step.loss)
                return noLoggedSteps(one);
        }
        steps.push_back(step);
    }
    return steps;
}

} // namespace lacuna
