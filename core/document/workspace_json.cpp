#include "core/document/workspace_json.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::int64_t kMostNs = 4'000'000'000'000'000'000; // differences of two still fit
constexpr double kMostPx = 1e6;
constexpr std::size_t kMostKeys = 100'000;

std::string lineOf(const WorkspaceJson& value) {
    return value.dump(-1, ' ', false, WorkspaceJson::error_handler_t::replace);
}

void putKeys(WorkspaceJson& object, const char* key, const std::vector<std::string>& keys) {
    if (keys.empty())
        object.erase(key);
    else
        object[key] = keys;
}

} // namespace

const WorkspaceJson* memberOf(const WorkspaceJson& object, const char* key) {
    if (!object.is_object())
        return nullptr;
    const auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
}

std::string textOf(const WorkspaceJson& object, const char* key) {
    const WorkspaceJson* value = memberOf(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<std::int64_t> wholeOf(const WorkspaceJson& object, const char* key) {
    const WorkspaceJson* value = memberOf(object, key);
    if (value == nullptr || !value->is_number_integer())
        return std::nullopt;
    if (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(kMostNs))
        return std::nullopt;
    const auto number = value->get<std::int64_t>();
    return number < -kMostNs || number > kMostNs ? std::nullopt : std::optional(number);
}

double pixelsOf(const WorkspaceJson& object, const char* key, double absent) {
    const WorkspaceJson* value = memberOf(object, key);
    return value != nullptr && value->is_number() ? std::clamp(value->get<double>(), -kMostPx, kMostPx)
                                                  : absent;
}

bool isTrueIn(const WorkspaceJson& object, const char* key) {
    const WorkspaceJson* value = memberOf(object, key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::vector<std::string> keysOf(const WorkspaceJson& object, const char* key) {
    std::vector<std::string> keys;
    if (const WorkspaceJson* list = memberOf(object, key); list != nullptr && list->is_array())
        for (const WorkspaceJson& item : *list)
            if (item.is_string() && keys.size() < kMostKeys)
                keys.push_back(item.get<std::string>());
    return keys;
}

std::map<std::string, std::string, std::less<>> namesOf(const WorkspaceJson& object, const char* key) {
    std::map<std::string, std::string, std::less<>> names;
    if (const WorkspaceJson* list = memberOf(object, key); list != nullptr && list->is_object())
        for (const auto& [name, value] : list->items())
            if (value.is_string() && names.size() < kMostKeys)
                names[name] = value.get<std::string>();
    return names;
}

void put(WorkspaceJson& object, const char* key, const std::string& text) {
    if (text.empty())
        object.erase(key);
    else
        object[key] = text;
}

WorkspaceJson objectIn(const WorkspaceJson& root, const char* key) {
    const WorkspaceJson* value = memberOf(root, key);
    return value != nullptr && value->is_object() ? *value : WorkspaceJson::object();
}

std::string workspaceLines(const WorkspaceJson& root) {
    std::string text = "{\n";
    bool isFirst = true;
    for (const auto& [key, value] : root.items()) {
        text.append(isFirst ? "" : ",\n").append(lineOf(key)).append(":");
        isFirst = false;
        if (!value.is_array() || value.empty()) {
            text += lineOf(value);
            continue;
        }
        text += "[\n";
        for (std::size_t i = 0; i < value.size(); ++i)
            text.append(lineOf(value[i])).append(i + 1 < value.size() ? ",\n" : "\n");
        text += "]";
    }
    return text + "\n}\n";
}

// --- lanes

LanePlan lanePlanOf(const WorkspaceJson& value) {
    LanePlan plan;
    plan.pinned = keysOf(value, "pinned");
    plan.order = keysOf(value, "order");
    for (const auto& [key, set] : {std::pair("unpinned", &plan.unpinned), std::pair("hidden", &plan.hidden)})
        for (std::string& item : keysOf(value, key))
            set->insert(std::move(item));
    for (auto& [key, name] : namesOf(value, "names"))
        plan.names.emplace(key, name);
    if (const WorkspaceJson* list = memberOf(value, "percent"); list != nullptr && list->is_object())
        for (const auto& [key, number] : list->items())
            if (const auto percent = wholeOf(*list, key.c_str()); percent && plan.percent.size() < kMostKeys)
                plan.percent[key] =
                    static_cast<int>(std::clamp<std::int64_t>(*percent, kLeastPercent, kMostPercent));
    return plan;
}

WorkspaceJson lanePlanJson(const LanePlan& plan, WorkspaceJson stored) {
    putKeys(stored, "pinned", plan.pinned);
    putKeys(stored, "order", plan.order);
    putKeys(stored, "unpinned", {plan.unpinned.begin(), plan.unpinned.end()});
    putKeys(stored, "hidden", {plan.hidden.begin(), plan.hidden.end()});
    stored.erase("percent");
    stored.erase("names");
    if (!plan.percent.empty())
        stored["percent"] = plan.percent;
    if (!plan.names.empty())
        stored["names"] = plan.names;
    return stored;
}

} // namespace lacuna
