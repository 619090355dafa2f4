#include "core/view/lane_patterns.h"

#include "core/base/ascii.h"

#include <functional>

namespace lacuna {

namespace {

using KeyMap = std::map<std::string, std::string>;

// "lane/gpu_stream/" of "lane/gpu_stream/0/7".
std::string kindPartOf(const std::string& key) {
    const std::size_t first = key.find('/');
    return first == std::string::npos ? key : key.substr(0, key.find('/', first + 1) + 1);
}

std::string barePattern(const Trace& trace, const TimelineRow& row) {
    if (row.kind == RowKind::GroupHead)
        return row.thread ? "thread/" + withoutNumbers(trace.threadTitle(row.thread))
                          : "gpu/" + std::to_string(trace.devices()[row.device.v].ordinal);
    const Lane& lane = trace.lane(row.lane);
    std::string pattern = kindPartOf(row.key);
    if (lane.device)
        pattern += std::to_string(trace.devices()[lane.device.v].ordinal) + "/*";
    else if (lane.thread)
        pattern += withoutNumbers(trace.threadTitle(lane.thread));
    const bool hasTitle = lane.kind == LaneKind::Counter || lane.kind == LaneKind::Async ||
                          lane.kind == LaneKind::Marks || lane.kind == LaneKind::Range; // as in the key
    const std::string title = hasTitle ? withoutNumbers(trace.strings().view(lane.title)) : std::string();
    return title.empty() ? pattern : pattern + "/" + title;
}

LanePlan translated(const LanePlan& plan, const std::function<std::string(const std::string&)>& translate) {
    LanePlan out;
    const auto list = [&](const std::vector<std::string>& keys) {
        std::vector<std::string> result;
        result.reserve(keys.size());
        for (const std::string& key : keys)
            if (std::string other = translate(key); !other.empty())
                result.push_back(std::move(other));
        return result;
    };
    const auto set = [&](const std::set<std::string>& keys) {
        std::set<std::string> result;
        for (const std::string& key : keys)
            if (std::string other = translate(key); !other.empty())
                result.insert(std::move(other));
        return result;
    };
    out.pinned = list(plan.pinned);
    out.order = list(plan.order);
    out.unpinned = set(plan.unpinned);
    out.hidden = set(plan.hidden);
    for (const auto& [key, percent] : plan.percent)
        if (const std::string other = translate(key); !other.empty())
            out.percent[other] = percent;
    for (const auto& [key, name] : plan.names)
        if (const std::string other = translate(key); !other.empty())
            out.names[other] = name;
    return out;
}

std::string lookUp(const KeyMap& map, const std::string& key) {
    const auto at = map.find(key);
    return at == map.end() ? std::string() : at->second;
}

} // namespace

std::string withoutNumbers(std::string_view text) {
    std::string out;
    bool inNumber = false;
    for (const char c : text) {
        if (!isDigit(c))
            out += c;
        else if (!inNumber)
            out += '*';
        inNumber = isDigit(c);
    }
    return out;
}

LanePatterns LanePatterns::of(const Trace& trace, const LayoutFacts* facts) {
    LayoutOptions options;
    options.facts = facts;
    LanePatterns patterns;
    std::map<std::string, int> seen;
    const RowLayout layout = RowLayout::build(trace, options);
    for (const TimelineRow& row : layout.rows()) {
        if (row.kind == RowKind::Note)
            continue;
        std::string pattern = barePattern(trace, row);
        if (const int number = ++seen[pattern]; number > 1)
            pattern += "#" + std::to_string(number);
        patterns.m_keyOf.emplace(pattern, row.key);
        patterns.m_patternOf.emplace(row.key, std::move(pattern));
    }
    return patterns;
}

std::string LanePatterns::patternOf(const std::string& key) const {
    return lookUp(m_patternOf, key);
}

std::string LanePatterns::keyOf(const std::string& pattern) const {
    return lookUp(m_keyOf, pattern);
}

LanePlan LanePatterns::toPatterns(const LanePlan& keys) const {
    return translated(keys, [this](const std::string& key) { return patternOf(key); });
}

LanePlan LanePatterns::toKeys(const LanePlan& patterns) const {
    return translated(patterns, [this](const std::string& pattern) { return keyOf(pattern); });
}

} // namespace lacuna
