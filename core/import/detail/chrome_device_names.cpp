#include "core/import/detail/chrome_device_names.h"

#include "core/import/detail/json_text.h"

#include <algorithm>

namespace lacuna::chrome {

namespace {

bool isHipThread(std::string_view name) {
    return name.starts_with("Hip ");
}

} // namespace

std::optional<std::int64_t> lastNumber(std::string_view text) {
    if (const auto whole = json::asInteger(text))
        return whole;
    const std::size_t last = text.find_last_of("0123456789");
    if (last == std::string_view::npos)
        return std::nullopt;
    const std::size_t before = text.find_last_not_of("0123456789", last);
    const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
    return json::asInteger(text.substr(first, last - first + 1));
}

std::string threadKeyOf(std::string_view pid, std::string_view tid) {
    std::string key(pid);
    key.push_back('\0');
    return key.append(tid);
}

DeviceNames::DeviceNames(const Names& names) {
    for (const auto& [pid, name] : names.processes)
        process(pid, name);
    for (const auto& [key, name] : names.threads)
        thread(name);
}

void DeviceNames::process(const std::string& pid, std::string_view name) {
    ++m_namesSoFar;
    const ProcessName named = processNamed(name);
    if (named.role == ProcessRole::Ordinary)
        return;
    m_processes[pid] = named;
    m_hasTfStreams = m_hasTfStreams || named.role == ProcessRole::TfStream;
    m_hasDevices = true;
}

void DeviceNames::thread(std::string_view name) {
    m_hasHipThreads = m_hasHipThreads || isHipThread(name);
    ++m_namesSoFar;
}

DeviceLine DeviceNames::find(const std::string& threadKey, const Names& names) const {
    const std::size_t split = threadKey.find('\0');
    const auto process = m_processes.find(threadKey.substr(0, split));
    if (process == m_processes.end())
        return {};
    const ProcessName& name = process->second;
    const std::string_view tid = std::string_view(threadKey).substr(split + 1);
    const DeviceLine work{DeviceLine::Role::Work, name.device, lastNumber(tid).value_or(-1)};
    switch (name.role) {
    case ProcessRole::Ordinary:
        break;
    case ProcessRole::XlaDevice: {
        const auto thread = names.threads.find(threadKey);
        if (thread == names.threads.end())
            break;
        if (const auto stream = xlaStream(thread->second))
            return {DeviceLine::Role::Work, name.device, *stream};
        return {DeviceLine::Role::Summary, name.device, 0};
    }
    case ProcessRole::TfStream:
        return {DeviceLine::Role::Work, name.device, name.stream.value_or(-1)};
    case ProcessRole::TfSummary:
        return m_hasTfStreams ? DeviceLine{DeviceLine::Role::Summary, name.device, 0} : work;
    case ProcessRole::RpdDevice:
        return m_hasHipThreads ? work : DeviceLine{};
    }
    return {};
}

DeviceLine DeviceNames::lineOf(const std::string& threadKey, const Names& names) {
    const auto [at, isNew] = m_answers.try_emplace(threadKey);
    Answer& answer = at->second;
    if (answer.names != m_namesSoFar) {
        answer.line = find(threadKey, names);
        answer.names = m_namesSoFar;
        if (isNew)
            answer.first = answer.line;
        m_hasChanged = m_hasChanged || answer.line != answer.first;
    }
    return answer.line;
}

bool DeviceNames::answeredOtherwiseThan(DeviceNames& all, const Names& names) const {
    return m_hasChanged || std::any_of(m_answers.begin(), m_answers.end(), [&](const auto& given) {
               return all.lineOf(given.first, names) != given.second.first;
           });
}

} // namespace lacuna::chrome
