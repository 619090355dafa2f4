#include "core/import/detail/chrome_flows.h"

#include "core/import/detail/json_text.h"

#include <algorithm>
#include <array>

namespace lacuna::chrome {

namespace {

// Launch call -> device work in PyTorch 1.8 to now (chrome_json.md 4.2).
constexpr std::array<std::string_view, 4> kLaunchCategories{"ac2g", "async_cpu_to_gpu", "async_gpu", "async"};

bool isLaunchCategory(std::string_view cat) {
    return std::find(kLaunchCategories.begin(), kLaunchCategories.end(), cat) != kLaunchCategories.end();
}

// The id inside {"local": ..} or {"global": ..}.
json::Value scopedId(const json::Value& id2, bool& isLocal) {
    json::Members members(id2.text);
    std::string_view name;
    json::Value value;
    while (members.next(name, value)) {
        isLocal = name == "local";
        if (isLocal || name == "global")
            return value;
    }
    return {};
}

} // namespace

std::uint32_t Flows::space() {
    if (m_key == m_lastKey && !m_spaces.empty())
        return m_lastSpace;
    const auto next = static_cast<std::uint32_t>(m_spaces.size());
    const auto [at, isNew] = m_spaces.try_emplace(m_key, next);
    if (isNew)
        m_isLaunch.push_back(false);
    m_lastKey = m_key;
    m_lastSpace = at->second;
    return m_lastSpace;
}

// m_key holds what the id is compared within, up to the id's own scope and type.
void Flows::setId(const json::Event& event, const json::Value& id, bool isLocal, FlowEnd& end) {
    m_key.append(1, '\0').append(isLocal ? event.pid.text : rankPrefix(event.pid.text));
    if (const auto number = json::asUnsigned(id.text)) {
        end.id = *number;
    } else {
        const auto next = static_cast<std::uint64_t>(m_textIds.size());
        end.id = m_textIds.try_emplace(std::string(id.text), next).first->second;
        m_key.append(1, '\0').append("text");
    }
    end.space = space();
}

void Flows::add(const json::Event& event, std::optional<std::int64_t> time, Lanes& lanes) {
    const bool isLaunch = isLaunchCategory(event.cat.text);
    if (isLaunch && m_hasCorrelations)
        return;
    bool isLocal = false;
    const json::Value id =
        event.id2.type == json::ValueType::Object ? scopedId(event.id2, isLocal) : event.id;
    if (!time || !id) {
        m_builder.report().note("flow_without_id", "The end of an arrow has no id or no time.",
                                {event.offset, {}, 0});
        return;
    }
    FlowEnd end;
    end.at = *time;
    m_key.assign(event.cat.text).append(1, '\0').append(event.name.text);
    setId(event, id, isLocal, end);
    m_isLaunch[end.space] = isLaunch;
    end.lanes = lanes.threadNumber(event);
    const char phase = event.ph.text[0];
    end.part = phase == 's' ? FlowPart::Start : phase == 't' ? FlowPart::Step : FlowPart::End;
    end.binding = phase == 'f' && !event.bindsEnclosing ? FlowBinding::Next : FlowBinding::Enclosing;
    end.name = m_builder.strings().intern(json::meaning(event.name ? event.name : event.cat));
    m_flows.ends.push_back(end);
}

bool Flows::addSlice(const json::Event& event) {
    if (!event.bindId || (!event.flowIn && !event.flowOut))
        return false;
    FlowEnd end;
    end.at = static_cast<std::int64_t>(event.offset);
    m_key = "bind_id"; // one space for the file, whatever the category
    setId(event, event.bindId, false, end);
    end.part = event.flowIn && event.flowOut ? FlowPart::Step
               : event.flowOut               ? FlowPart::Start
                                             : FlowPart::End;
    end.binding = FlowBinding::Row;
    end.name = m_builder.strings().intern(json::meaning(event.cat));
    m_flows.ends.push_back(end);
    return true;
}

void Flows::bindToBegins(std::vector<std::pair<std::uint64_t, std::uint64_t>> begins) {
    if (begins.empty())
        return;
    std::sort(begins.begin(), begins.end());
    for (FlowEnd& end : m_flows.ends) {
        if (end.binding != FlowBinding::Row)
            continue;
        const auto offset = static_cast<std::uint64_t>(end.at);
        const auto begin =
            std::lower_bound(begins.begin(), begins.end(), std::pair(offset, std::uint64_t{0}));
        if (begin != begins.end() && begin->first == offset)
            end.at = static_cast<std::int64_t>(begin->second);
    }
}

void Flows::handOver(Lanes& lanes) {
    if (m_hasCorrelations)
        std::erase_if(m_flows.ends, [&](const FlowEnd& end) { return m_isLaunch[end.space]; });
    if (m_flows.ends.empty())
        return;
    m_flows.lanes = lanes.lanesOfThreads();
    m_builder.setFlows(std::move(m_flows));
}

} // namespace lacuna::chrome
