#include "core/import/detail/chrome_facts.h"

#include "core/import/detail/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna::chrome {

namespace {

constexpr std::size_t kMaxEntries = 400, kMaxText = 1000;

// Absolute times of 2.3 and before: between 2001 and 2096. Relative ones are far below.
constexpr std::int64_t kEpochFrom = 1'000'000'000'000'000'000;

std::string textOf(const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

void Facts::keep(std::string key, std::string_view text) {
    auto& metadata = m_builder.facts().metadata;
    if (metadata.size() >= kMaxEntries)
        return;
    std::string kept(text.substr(0, kMaxText));
    if (text.size() > kMaxText) {
        while (!kept.empty() && (static_cast<unsigned char>(kept.back()) & 0xC0u) == 0x80u)
            kept.pop_back(); // not in the middle of a character
        if (!kept.empty() && static_cast<unsigned char>(kept.back()) >= 0xC0u)
            kept.pop_back();
        kept += "…";
    }
    metadata.emplace_back(std::move(key), std::move(kept));
}

// Objects one level deep, member by member; everything else as text.
void Facts::keepTree(const std::string& key, const json::Value& value) {
    if (value.type != json::ValueType::Object) {
        keep(key, json::meaning(value));
        return;
    }
    json::Members members(value.text);
    std::string_view name;
    json::Value member;
    while (members.next(name, member))
        keep(key + "." + std::string(name), json::meaning(member));
}

void Facts::readDevices(const json::Value& list) {
    const auto devices = nlohmann::json::parse(list.text, nullptr, false);
    if (!devices.is_array())
        return;
    for (const nlohmann::json& device : devices) {
        if (!device.is_object() || !device.contains("id") || !device["id"].is_number_integer())
            continue;
        const auto ordinal = device["id"].get<std::int64_t>();
        if (device.contains("name") && device["name"].is_string())
            m_deviceNames[ordinal] = device["name"].get<std::string>();
        for (const auto& [name, value] : device.items())
            keep("device " + std::to_string(ordinal) + "." + name, textOf(value));
    }
}

void Facts::noteLog(std::string_view level, const json::Value& lines) {
    const auto list = nlohmann::json::parse(lines.text, nullptr, false);
    if (!list.is_array() || list.empty())
        return;
    const bool isError = level == "ERROR";
    const std::string first = textOf(list.front()).substr(0, kMaxText);
    m_builder.report().note(isError ? "profiler_errors" : "profiler_warnings",
                            "The profiler logged: " + first, {}, isError ? Severity::Warning : Severity::Info,
                            list.size());
}

// Parts of a trace beside its events that have no place on the timeline yet.
void Facts::noteNotShown(std::string_view key, const json::Value& value) {
    if (value.text.size() <= 2) // [], "" and the like
        return;
    ImportReport& report = m_builder.report();
    if (key == "samples")
        report.note("samples_not_shown", R"(Stack samples outside the events ("samples") are not shown.)",
                    {});
    else if (key == "systemTraceEvents")
        report.note("ftrace_not_shown",
                    R"(What the operating system recorded ("systemTraceEvents") is not shown.)", {});
    else if (key == "powerTraceAsString")
        report.note("power_not_shown", R"(Samples of power ("powerTraceAsString") are not shown.)", {});
}

void Facts::rootValue(std::string_view key, const json::Value& value, bool afterEvents) {
    if (!value)
        return;
    if (key == "baseTimeNanoseconds") {
        m_baseNs = json::asInteger(value.text);
        m_baseAfterEvents = afterEvents;
    }
    m_hasSchema = m_hasSchema || key == "schemaVersion";
    noteNotShown(key, value);
    const std::string name = json::meaning({key, json::ValueType::String, false});
    if (key == "ERROR" || key == "WARNING")
        noteLog(key, value);
    else if (key == "deviceProperties" || key == "computeProperties")
        readDevices(value);
    else if (value.type == json::ValueType::Array || key == "stackFrames")
        return; // log lines, samples, power traces: large, and not for a list of facts
    else
        keepTree(name, value);
}

bool Facts::has(std::string_view key) const {
    const auto& metadata = m_builder.facts().metadata;
    return std::any_of(metadata.begin(), metadata.end(),
                       [&](const auto& entry) { return entry.first == key; });
}

// Newest sign first. The release numbers of chrome_json.md section 6 are right to one release.
std::string Facts::writer(const Signs& signs, bool isKineto) const {
    for (const auto& [key, text] : m_builder.facts().metadata)
        if (key == "viztracer_metadata.version")
            return "viztracer " + text;
    if (!isKineto)
        return {};
    const std::array<std::pair<bool, std::string_view>, 12> signsOfRelease{{
        {signs.occupancyObject, " >= 2.12"},
        {signs.graphNode, " >= 2.11"},
        {signs.cudaEvent, " >= 2.10"},
        {m_baseNs && !m_baseAfterEvents, " >= 2.7"},
        {has("cupti_version") || has("cuda_runtime_version") || has("roctracer_version"), " >= 2.5"},
        {m_baseNs && signs.fractionalTime, " >= 2.4"},
        {signs.driverOrSync, " >= 2.1"},
        {signs.ac2gFlow, " >= 2.0"},
        {signs.asyncCpuToGpuFlow, " 1.12-1.13"},
        {signs.asyncGpuFlow, " 1.10-1.11"},
        {signs.operatorRow && signs.oldCategory, " 1.8-1.9"},
        {true, ""},
    }};
    const auto newest = std::find_if(signsOfRelease.begin(), signsOfRelease.end(),
                                     [](const auto& sign) { return sign.first; });
    const bool isRocm = has("roctracer_version") || has("hip_runtime_version");
    return "PyTorch" + std::string(newest->second) + (isRocm ? " (Kineto, ROCm)" : " (Kineto)");
}

void Facts::apply(const Signs& signs, std::optional<std::int64_t> earliestNs) {
    const bool isKineto = signs.kinetoCategory || (m_hasSchema && signs.oldCategory);
    TraceFacts& facts = m_builder.facts();
    facts.format = isKineto ? "kineto-json" : "chrome-json";
    facts.writer = writer(signs, isKineto);
    if (earliestNs && *earliestNs >= kEpochFrom)
        facts.baseNs = 0;
    else
        facts.baseNs = m_baseNs;
    for (std::size_t i = 0; i < m_builder.deviceCount(); ++i) {
        Device& device = m_builder.device(DeviceId{static_cast<std::uint32_t>(i)});
        if (const auto name = m_deviceNames.find(device.ordinal); name != m_deviceNames.end())
            device.name = name->second;
    }
}

} // namespace lacuna::chrome
