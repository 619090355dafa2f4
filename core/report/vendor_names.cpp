#include "core/report/vendor_names.h"

#include <algorithm>

namespace lacuna {

std::string_view vendorApiName(std::string_view name) {
    constexpr std::size_t kTail = 6; // _vNNNN
    if (name.size() <= kTail)
        return name;
    const std::string_view tail = name.substr(name.size() - kTail);
    const bool isVersion = tail.starts_with("_v") && std::all_of(tail.begin() + 2, tail.end(),
                                                                 [](char c) { return c >= '0' && c <= '9'; });
    return isVersion ? name.substr(0, name.size() - kTail) : name;
}

namespace {

// As in the table ENUM_CUDA_MEMCPY_OPER of an export.
std::string_view copyLabel(CopyKind kind) {
    switch (kind) {
    case CopyKind::HtoD:
        return "Host-to-Device";
    case CopyKind::DtoH:
        return "Device-to-Host";
    case CopyKind::HtoA:
        return "Host-to-Array";
    case CopyKind::AtoH:
        return "Array-to-Host";
    case CopyKind::AtoA:
        return "Array-to-Array";
    case CopyKind::AtoD:
        return "Array-to-Device";
    case CopyKind::DtoA:
        return "Device-to-Array";
    case CopyKind::DtoD:
        return "Device-to-Device";
    case CopyKind::HtoH:
        return "Host-to-Host";
    case CopyKind::PeerToPeer:
        return "Peer-to-Peer";
    case CopyKind::UnifiedHtoD:
        return "Unified Host-to-Device";
    case CopyKind::UnifiedDtoH:
        return "Unified Device-to-Host";
    case CopyKind::UnifiedDtoD:
        return "Unified Device-to-Device";
    case CopyKind::Unknown:
    case CopyKind::Set:
        break;
    }
    return "Unknown";
}

} // namespace

std::string memoryOperation(const Trace& trace, EventId copyOrSet) {
    const std::string_view name = trace.nameOf(copyOrSet);
    if (name.starts_with("[CUDA mem")) // the file's own label
        return std::string(name);
    if (trace.events().kind[copyOrSet.v] == EventKind::Memset)
        return "[CUDA memset]";
    const CopyArgs* args = trace.hotArgs().copies.find(copyOrSet);
    return "[CUDA memcpy " + std::string(copyLabel(args == nullptr ? CopyKind::Unknown : args->kind)) + "]";
}

std::string_view memoryKindLabel(MemKind kind) {
    switch (kind) {
    case MemKind::Pageable:
        return "Pageable";
    case MemKind::Pinned:
        return "Pinned";
    case MemKind::Device:
        return "Device";
    case MemKind::Array:
        return "Array";
    case MemKind::Managed:
        return "Managed";
    case MemKind::DeviceStatic:
        return "Device Static";
    case MemKind::ManagedStatic:
        return "Managed Static";
    case MemKind::Unknown:
        break;
    }
    return {};
}

} // namespace lacuna
