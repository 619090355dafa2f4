#include "core/ncu/ncu_units.h"

#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace lacuna {

namespace {

std::string lowered(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

// Seconds of one unit.
std::optional<double> secondsOf(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, double>, 13> kTimes{{
        {"ns", 1e-9},
        {"nsecond", 1e-9},
        {"nanosecond", 1e-9},
        {"us", 1e-6},
        {"usecond", 1e-6},
        {"microsecond", 1e-6},
        {"ms", 1e-3},
        {"msecond", 1e-3},
        {"millisecond", 1e-3},
        {"s", 1},
        {"sec", 1},
        {"second", 1},
        {"seconds", 1},
    }};
    for (const auto& [name, seconds] : kTimes)
        if (unit == name)
            return seconds;
    return std::nullopt;
}

// "Kbyte" -> 1e3 "byte", "Ghz" -> 1e9 "hz".
std::optional<NcuUnit> scaledUnit(std::string_view unit) {
    constexpr std::array<std::pair<char, double>, 6> kPrefixes{
        {{'k', 1e3}, {'m', 1e6}, {'g', 1e9}, {'t', 1e12}, {'p', 1e15}, {'e', 1e18}}};
    for (const std::string_view base : {std::string_view("byte"), std::string_view("hz")}) {
        if (unit == base || (base == "byte" && unit == "bytes"))
            return NcuUnit{1, std::string(base)};
        if (!unit.ends_with(base) || unit.size() != base.size() + 1)
            continue;
        for (const auto& [prefix, factor] : kPrefixes)
            if (unit.front() == prefix)
                return NcuUnit{factor, std::string(base)};
    }
    return std::nullopt;
}

std::string_view countedThing(std::string_view stem) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kThings{{
        {"bytes", "byte"},
        {"sectors", "sector"},
        {"cycles", "cycle"},
        {"inst_executed", "inst"},
        {"inst_issued", "inst"},
        {"warps", "warp"},
    }};
    for (const auto& [part, unit] : kThings)
        if (stem.find(part) != std::string_view::npos)
            return unit;
    return {};
}

} // namespace

NcuUnit ncuBaseUnit(std::string_view printed) {
    const std::size_t slash = printed.find('/');
    const std::string above = lowered(printed.substr(0, slash));
    NcuUnit unit{1, std::string(printed.substr(0, slash))};
    if (const auto seconds = secondsOf(above))
        unit = {*seconds * 1e9, "ns"};
    else if (auto scaled = scaledUnit(above))
        unit = *std::move(scaled);
    if (slash == std::string_view::npos)
        return unit;
    const std::string below = lowered(printed.substr(slash + 1));
    if (const auto seconds = secondsOf(below)) {
        unit.factor /= *seconds;
        unit.base += "/s";
    } else if (auto scaled = scaledUnit(below)) {
        unit.factor *= scaled->factor;
        unit.base += "/" + scaled->base;
    } else {
        unit.base.append(printed.substr(slash));
    }
    return unit;
}

std::string_view ncuUnitOfName(std::string_view metric) {
    if (metric.find(".pct") != std::string_view::npos || metric.ends_with("_pct"))
        return "%";
    const std::size_t dot = metric.find('.');
    const std::string_view stem = metric.substr(0, dot);
    const std::string_view rest = dot == std::string_view::npos ? std::string_view{} : metric.substr(dot);
    if (stem.ends_with("time_duration"))
        return "ns";
    if (stem.starts_with("launch__shared_mem_per_block"))
        return "byte/block";
    if (stem.starts_with("launch__registers_per_thread"))
        return "register/thread";
    if (rest.find(".ratio") != std::string_view::npos)
        return {};
    const std::string_view thing = countedThing(stem);
    if (rest.ends_with(".per_second"))
        return thing == "byte"     ? "byte/s"
               : thing == "sector" ? "sector/s"
               : thing == "inst"   ? "inst/s"
               : thing == "cycle"  ? "hz"
                                   : "1/s";
    if (rest.find(".per_cycle") != std::string_view::npos || rest.ends_with(".peak_sustained"))
        return thing == "byte"     ? "byte/cycle"
               : thing == "sector" ? "sector/cycle"
               : thing == "inst"   ? "inst/cycle"
               : thing == "warp"   ? "warp"
                                   : "1/cycle";
    return thing;
}

} // namespace lacuna
