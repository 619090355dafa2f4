#include "core/base/text_format.h"

#include "core/base/ascii.h"

#include <array>
#include <charconv>
#include <limits>
#include <vector>

namespace lacuna {

namespace {

constexpr std::string_view kThinSpace = "\u2009";
constexpr std::array<std::uint64_t, 4> kUnitNs{1, 1'000, 1'000'000, 1'000'000'000};
constexpr std::array<std::uint64_t, 10> kPow10{1,       10,        100,        1'000,       10'000,
                                               100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

std::uint64_t magnitude(std::int64_t v) {
    return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
}

// |v| in a unit, rounded half away from zero to `decimals` digits: integer part and the digits behind the
// point.
struct Fixed {
    std::uint64_t whole = 0, fraction = 0;
};

Fixed rounded(std::uint64_t ns, TimeUnit unit, int decimals) {
    const auto index = static_cast<std::size_t>(unit);
    const auto unitDigits = static_cast<int>(index) * 3;
    Fixed f{ns / kUnitNs[index], ns % kUnitNs[index]};
    if (decimals >= unitDigits) {
        f.fraction *= kPow10[static_cast<std::size_t>(decimals - unitDigits)];
        return f;
    }
    const std::uint64_t step = kPow10[static_cast<std::size_t>(unitDigits - decimals)];
    f.fraction = (f.fraction + step / 2) / step;
    if (f.fraction == kPow10[static_cast<std::size_t>(decimals)]) {
        ++f.whole;
        f.fraction = 0;
    }
    return f;
}

std::string digits(std::uint64_t v) {
    return std::to_string(v);
}

std::string grouped(std::uint64_t v) {
    const std::string plain = digits(v);
    std::string text;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (i > 0 && (plain.size() - i) % 3 == 0)
            text += kThinSpace;
        text += plain[i];
    }
    return text;
}

std::string textOf(const Fixed& f, int decimals, bool negative) {
    std::string text = negative && (f.whole != 0 || f.fraction != 0) ? "-" : "";
    text += grouped(f.whole);
    if (decimals > 0) {
        const std::string fraction = digits(f.fraction);
        text += '.';
        text.append(static_cast<std::size_t>(decimals) - fraction.size(), '0');
        text += fraction;
    }
    return text;
}

int digitCount(std::uint64_t v) {
    return static_cast<int>(digits(v).size());
}

std::string oneDecimal(double v) {
    std::array<char, 64> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), v, std::chars_format::fixed, 1);
    return {buffer.data(), end.ptr};
}

// Largest unit whose rounded value stays below 1,000 steps of the next one: "1.0 MiB", never "1024.0 KiB".
template <std::size_t N>
std::string scaled(double v, double base, const std::array<std::string_view, N>& units) {
    std::size_t unit = 0;
    while (unit + 1 < N && v >= base - 0.05) {
        v /= base;
        ++unit;
    }
    return oneDecimal(v) + " " + std::string(units[unit]);
}

std::optional<std::uint64_t> unitOf(std::string_view text) {
    if (text.empty() || text == "ns")
        return 1;
    if (text == "us" || text == "\u00b5s" || text == "\u03bcs")
        return kUnitNs[1];
    if (text == "ms")
        return kUnitNs[2];
    if (text == "s")
        return kUnitNs[3];
    return std::nullopt;
}

// whole.fraction in a unit -> ns; none when digits below 1 ns are not zero or the value does not fit.
std::optional<std::uint64_t> nsOf(std::string_view whole, std::string_view fraction, std::uint64_t unitNs) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t ns = 0;
    for (const char c : whole) {
        if (ns > kMax / 10)
            return std::nullopt;
        ns = ns * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (ns > kMax / unitNs)
        return std::nullopt;
    ns *= unitNs;
    for (const char c : fraction) {
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (unitNs == 1 && digit != 0)
            return std::nullopt;
        unitNs /= unitNs > 1 ? 10 : 1;
        ns += digit * unitNs;
    }
    return ns <= kMax ? std::optional(ns) : std::nullopt;
}

} // namespace

std::string_view unitName(TimeUnit unit) {
    constexpr std::array<std::string_view, 4> kNames{"ns", "\u00b5s", "ms", "s"};
    return kNames[static_cast<std::size_t>(unit)];
}

TimeUnit unitFor(DurationNs d) {
    const std::uint64_t ns = magnitude(d.v);
    std::size_t unit = 3;
    while (unit > 0 && ns < kUnitNs[unit])
        --unit;
    return static_cast<TimeUnit>(unit);
}

std::string formatDuration(DurationNs d) {
    const std::uint64_t ns = magnitude(d.v);
    TimeUnit unit = unitFor(d);
    if (unit == TimeUnit::Ns)
        return formatIn(d, unit, 0) + " ns";
    const auto decimalsFor = [](std::uint64_t whole) { return whole < 1000 ? 4 - digitCount(whole) : 0; };
    int decimals = decimalsFor(ns / kUnitNs[static_cast<std::size_t>(unit)]);
    Fixed f = rounded(ns, unit, decimals);
    if (f.whole >= 1000 && unit != TimeUnit::S) { // 999.96 us rounds to the next unit
        unit = static_cast<TimeUnit>(static_cast<int>(unit) + 1);
        decimals = 3;
        f = rounded(ns, unit, decimals);
    } else if (decimalsFor(f.whole) < decimals) { // 9.9996 rounds to 10.00
        decimals = decimalsFor(f.whole);
        f = rounded(ns, unit, decimals);
    }
    return textOf(f, decimals, d.v < 0) + " " + std::string(unitName(unit));
}

std::string formatIn(DurationNs d, TimeUnit unit, int decimals) {
    return textOf(rounded(magnitude(d.v), unit, decimals), decimals, d.v < 0);
}

std::string formatExact(DurationNs d) {
    return formatIn(d, TimeUnit::Ns, 0) + " ns";
}

std::string formatBytes(std::uint64_t bytes) {
    if (bytes < 1024)
        return digits(bytes) + " B";
    constexpr std::array<std::string_view, 6> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    return scaled(static_cast<double>(bytes) / 1024.0, 1024.0, kUnits);
}

std::string formatCount(std::uint64_t count) {
    return grouped(count);
}

std::string formatPercent(double share) {
    const double percent = share * 100.0;
    if (percent > 0.0 && percent < 0.05)
        return "< 0.1 %"; // never 0 for what is not 0
    return oneDecimal(percent) + " %";
}

std::string formatRate(std::uint64_t bytes, DurationNs d) {
    if (d.v <= 0)
        return {};
    constexpr std::array<std::string_view, 5> kUnits{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    return scaled(static_cast<double>(bytes) / static_cast<double>(d.v) * 1e9, 1000.0, kUnits);
}

std::optional<std::int64_t> parseTime(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (negative)
        text.remove_prefix(1);
    std::size_t whole = 0;
    while (whole < text.size() && isDigit(text[whole]))
        ++whole;
    std::size_t end = whole;
    if (end < text.size() && text[end] == '.')
        for (++end; end < text.size() && isDigit(text[end]);)
            ++end;
    const std::string_view fraction = text.substr(whole, end - whole);
    if (whole == 0 && fraction.size() < 2)
        return std::nullopt;
    std::string_view suffix = text.substr(end);
    if (!suffix.empty() && suffix.front() == ' ')
        suffix.remove_prefix(1);
    const auto unitNs = unitOf(suffix);
    if (!unitNs)
        return std::nullopt;
    const auto ns = nsOf(text.substr(0, whole), fraction.empty() ? fraction : fraction.substr(1), *unitNs);
    if (!ns)
        return std::nullopt;
    const auto value = static_cast<std::int64_t>(*ns);
    return negative ? -value : value;
}

std::optional<TimeRange> parseRange(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        return std::nullopt;
    const auto a = parseTime(text.substr(0, dots));
    const auto b = parseTime(text.substr(dots + 2));
    if (!a || !b || *a >= *b)
        return std::nullopt;
    return TimeRange{{*a}, {*b}};
}

std::string elideMiddle(std::string_view text, std::size_t maxChars) {
    std::vector<std::size_t> starts; // byte offsets of code points
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80u)
            starts.push_back(i);
    if (starts.size() <= maxChars)
        return std::string(text);
    if (maxChars == 0)
        return {};
    const std::size_t keep = maxChars - 1; // two thirds of it in front: names begin with what they are
    const std::size_t tail = keep / 3, head = keep - tail;
    std::string out(text.substr(0, starts[head]));
    out += "\u2026";
    if (tail > 0)
        out += text.substr(starts[starts.size() - tail]);
    return out;
}

} // namespace lacuna
