#include "core/import/detail/chrome_producers.h"

#include "core/import/detail/json_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace lacuna::chrome {

namespace {

bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

// The digits that text begins with.
std::optional<std::int64_t> leadingNumber(std::string_view text) {
    const std::size_t end = text.find_first_not_of("0123456789");
    return json::asInteger(text.substr(0, end));
}

// Device number after "gpu:" of "/device:GPU:0" and "/gpu:0"; `rest` is what follows it.
std::optional<std::int64_t> gpuOf(std::string_view name, std::string_view& rest) {
    constexpr std::string_view kGpu = "gpu:";
    const std::string plain = lower(name);
    const std::size_t at = plain.find(kGpu);
    if (at == std::string::npos || at == 0 || (plain[at - 1] != '/' && plain[at - 1] != ':'))
        return std::nullopt;
    rest = name.substr(at + kGpu.size());
    const auto number = leadingNumber(rest);
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of("0123456789")));
    return number;
}

} // namespace

ProcessName processNamed(std::string_view name) {
    ProcessName out;
    std::string_view rest;
    if (const auto gpu = gpuOf(name, rest)) {
        out.device = *gpu;
        constexpr std::string_view kStream = "/stream:";
        if (rest.empty() && name.starts_with("/device:")) {
            out.role = ProcessRole::XlaDevice;
        } else if (rest.ends_with(" Compute") && rest.starts_with(kStream)) {
            out.stream = leadingNumber(rest.substr(kStream.size()));
            out.role = out.stream ? ProcessRole::TfStream : ProcessRole::TfSummary;
        } else if (rest.ends_with(" Compute") && rest.starts_with("/memcpy")) {
            out.role = ProcessRole::TfSummary;
        }
        return out;
    }
    if (name.starts_with("GPU") && name.size() > 3)
        if (const auto number = json::asInteger(name.substr(3)); number && *number >= 0) {
            out.role = ProcessRole::RpdDevice;
            out.device = *number;
        }
    return out;
}

std::optional<std::int64_t> xlaStream(std::string_view threadName) {
    constexpr std::string_view kStream = "Stream #";
    if (!threadName.starts_with(kStream))
        return std::nullopt;
    return leadingNumber(threadName.substr(kStream.size()));
}

CopyKind copyKindByName(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, CopyKind>, 11> kWords{{
        {"memcpyh2d", CopyKind::HtoD},
        {"memcpyd2h", CopyKind::DtoH},
        {"memcpyd2d", CopyKind::DtoD},
        {"memcpyp2p", CopyKind::PeerToPeer},
        {"memcpyhtod", CopyKind::HtoD},
        {"memcpydtoh", CopyKind::DtoH},
        {"memcpydtod", CopyKind::DtoD},
        {"memcpyptop", CopyKind::PeerToPeer},
        {"copyhosttodevice", CopyKind::HtoD},
        {"copydevicetohost", CopyKind::DtoH},
        {"copydevicetodevice", CopyKind::DtoD},
    }};
    const std::string plain = lower(name.substr(0, 32));
    for (const auto& [word, kind] : kWords)
        if (plain.starts_with(word))
            return kind;
    return CopyKind::Unknown;
}

EventKind deviceKindByName(std::string_view name) {
    const std::string plain = lower(name.substr(0, 8));
    if (plain.starts_with("memset") || name.starts_with("FillBuffer"))
        return EventKind::Memset;
    if (plain.starts_with("memcpy") || copyKindByName(name) != CopyKind::Unknown)
        return EventKind::Memcpy;
    return EventKind::Kernel;
}

EventKind callKindByName(std::string_view name) {
    const auto isCall = [&](std::string_view prefix) {
        return name.starts_with(prefix) && name.size() > prefix.size() && isUpper(name[prefix.size()]);
    };
    if (isCall("cuda") || isCall("hip"))
        return EventKind::RuntimeApi;
    return isCall("cu") ? EventKind::DriverApi : EventKind::Other;
}

} // namespace lacuna::chrome
