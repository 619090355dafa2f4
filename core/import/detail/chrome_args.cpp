#include "core/import/detail/chrome_args.h"

#include "core/import/detail/json_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna::chrome {

namespace {

// Unresolved and device-wide ids are -1, in 2.1 and 2.2 its 32-bit pattern.
std::int64_t idOrNone(const json::Value& value) {
    const std::int64_t id = json::asInteger(value.text).value_or(-1);
    return id == 0xffffffff ? -1 : id;
}

std::optional<std::int64_t> idOf(const json::Value& value) {
    const auto id = json::asInteger(value.text);
    return id && *id == 0xffffffff ? std::optional<std::int64_t>(-1) : id;
}

void takeField(std::string_view name, const json::Value& value, RowArgs& out) {
    switch (name.size()) {
    case 4: // ROCm, older: text
        if (name == "size" && !out.bytes)
            out.bytes = json::asInteger(value.text);
        break;
    case 5:
        if (name == "bytes")
            out.bytes = json::asInteger(value.text);
        break;
    case 6:
        if (name == "stream")
            out.stream = idOf(value);
        else if (name == "device")
            out.device = idOf(value);
        break;
    case 8:
        if (name == "graph id")
            out.graph = json::asUnsigned(value.text).value_or(0);
        else if (name == "event_id")
            out.eventId = idOrNone(value);
        break;
    case 9:
        out.hasOccupancyObject |= name == "occupancy" && value.type == json::ValueType::Object;
        break;
    case 11:
        if (name == "correlation")
            out.correlation = json::asUnsigned(value.text).value_or(0);
        break;
    case 13:
        if (name == "graph node id") {
            out.graphNode = json::asUnsigned(value.text).value_or(0);
            out.hasGraphNode = true;
        }
        break;
    case 14:
        if (name == "wait_on_stream")
            out.waitStream = idOrNone(value);
        else if (name == "cuda_sync_kind")
            out.syncKind = value.text;
        else if (name == "correlation_id" && out.correlation == 0) // XLA
            out.correlation = json::asUnsigned(value.text).value_or(0);
        break;
    case 21:
        if (name == "wait_on_cuda_event_id")
            out.eventId = idOrNone(value);
        break;
    case 33:
        if (name == "wait_on_cuda_event_record_corr_id")
            out.recordCorrelation = idOrNone(value);
        break;
    default:
        break;
    }
}

MemKind memKind(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, MemKind>, 8> kWords{{
        {"Pageable", MemKind::Pageable},
        {"Pinned", MemKind::Pinned},
        {"Device", MemKind::Device},
        {"Array", MemKind::Array},
        {"Managed", MemKind::Managed},
        {"Device Static", MemKind::DeviceStatic},
        {"Managed Static", MemKind::ManagedStatic},
        {"Unified", MemKind::Managed},
    }};
    const auto at =
        std::find_if(kWords.begin(), kWords.end(), [&](const auto& w) { return w.first == word; });
    return at == kWords.end() ? MemKind::Unknown : at->second;
}

CopyKind copyKind(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, CopyKind>, 10> kWords{{
        {"HtoD", CopyKind::HtoD},
        {"DtoH", CopyKind::DtoH},
        {"HtoA", CopyKind::HtoA},
        {"AtoH", CopyKind::AtoH},
        {"AtoA", CopyKind::AtoA},
        {"AtoD", CopyKind::AtoD},
        {"DtoA", CopyKind::DtoA},
        {"DtoD", CopyKind::DtoD},
        {"HtoH", CopyKind::HtoH},
        {"PtoP", CopyKind::PeerToPeer},
    }};
    const auto at =
        std::find_if(kWords.begin(), kWords.end(), [&](const auto& w) { return w.first == word; });
    return at == kWords.end() ? CopyKind::Unknown : at->second;
}

SyncKind syncKind(std::string_view word) {
    if (word == "Event Sync")
        return SyncKind::Event;
    if (word == "Stream Wait Event")
        return SyncKind::StreamWaitEvent;
    if (word == "Stream Sync")
        return SyncKind::Stream;
    if (word == "Context Sync")
        return SyncKind::Context;
    return SyncKind::Unknown;
}

} // namespace

RowArgs deviceArgs(const json::Value& args) {
    RowArgs out;
    if (args.type != json::ValueType::Object)
        return out;
    json::Members members(args.text);
    std::string_view name;
    json::Value value;
    while (members.next(name, value))
        takeField(name, value, out);
    return out;
}

std::uint64_t correlationOf(const json::Value& args) {
    if (args.type != json::ValueType::Object)
        return 0;
    json::Members members(args.text);
    std::string_view name;
    json::Value value;
    while (members.next(name, value))
        if (name == "correlation" || name == "correlation_id")
            return json::asUnsigned(value.text).value_or(0);
    return 0;
}

CopyArgs copyArgs(std::string_view name, std::int64_t bytes) {
    CopyArgs out;
    out.bytes = bytes;
    constexpr std::string_view kCopy = "Memcpy ", kSet = "Memset";
    std::string_view kinds; // between the brackets
    if (const std::size_t open = name.find('('); open != std::string_view::npos && name.ends_with(')'))
        kinds = name.substr(open + 1, name.size() - open - 2);
    if (name.starts_with(kSet)) {
        out.kind = CopyKind::Set;
        out.dst = memKind(kinds);
    } else if (name.starts_with(kCopy)) {
        const std::string_view rest = name.substr(kCopy.size());
        out.kind = copyKind(rest.substr(0, rest.find(' ')));
        constexpr std::string_view kArrow = " -> ";
        if (const std::size_t arrow = kinds.find(kArrow); arrow != std::string_view::npos) {
            out.src = memKind(kinds.substr(0, arrow));
            out.dst = memKind(kinds.substr(arrow + kArrow.size()));
        }
    }
    return out;
}

SyncArgs syncArgs(std::string_view name, const RowArgs& args) {
    SyncArgs out;
    out.kind = syncKind(args.syncKind.empty() ? name : args.syncKind);
    out.stream = args.stream.value_or(-1);
    out.sourceStream = args.waitStream;
    out.recordCorrelation = args.recordCorrelation;
    out.eventId = args.eventId;
    return out;
}

std::optional<MemoryMark> memoryMark(const json::Value& args) {
    if (args.type != json::ValueType::Object)
        return std::nullopt;
    MemoryMark mark;
    bool hasBytes = false;
    json::Members members(args.text);
    std::string_view name;
    json::Value value;
    while (members.next(name, value)) {
        const auto number = json::asInteger(value.text);
        if (!number)
            continue;
        if (name == "Bytes") {
            mark.bytes = *number;
            hasBytes = true;
        } else if (name == "Device Type") {
            mark.deviceType = *number;
        } else if (name == "Device Id") {
            mark.device = *number;
        } else if (name == "Total Allocated") {
            mark.allocated = *number;
        } else if (name == "Total Reserved") {
            mark.reserved = *number;
        }
    }
    return hasBytes ? std::optional(mark) : std::nullopt;
}

} // namespace lacuna::chrome
