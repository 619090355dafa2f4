#include "core/report/copy_names.h"

namespace lacuna {

namespace {

std::string_view directionName(CopyKind kind) {
    switch (kind) {
    case CopyKind::HtoD:
    case CopyKind::UnifiedHtoD:
        return "HtoD";
    case CopyKind::DtoH:
    case CopyKind::UnifiedDtoH:
        return "DtoH";
    case CopyKind::DtoD:
    case CopyKind::UnifiedDtoD:
        return "DtoD";
    case CopyKind::HtoH:
        return "HtoH";
    case CopyKind::PeerToPeer:
        return "PtoP";
    case CopyKind::HtoA:
        return "HtoA";
    case CopyKind::AtoH:
        return "AtoH";
    case CopyKind::AtoA:
        return "AtoA";
    case CopyKind::AtoD:
        return "AtoD";
    case CopyKind::DtoA:
        return "DtoA";
    case CopyKind::Set:
        return "set";
    case CopyKind::Unknown:
        break;
    }
    return "unknown";
}

std::string_view memoryName(MemKind kind) {
    switch (kind) {
    case MemKind::Pageable:
        return "pageable";
    case MemKind::Pinned:
        return "pinned";
    case MemKind::Device:
    case MemKind::DeviceStatic:
        return "device";
    case MemKind::Array:
        return "array";
    case MemKind::Managed:
    case MemKind::ManagedStatic:
        return "managed";
    case MemKind::Unknown:
        break;
    }
    return "";
}

} // namespace

CopyLabels copyLabels(const Trace& trace, EventId copy, const Lane& lane) {
    const CopyArgs* args = trace.hotArgs().copies.find(copy);
    const CopyArgs known = args != nullptr ? *args : CopyArgs{};
    const CopyKind kind = trace.events().kind[copy.v] == EventKind::Memset ? CopyKind::Set : known.kind;
    return {lane.device ? trace.devices()[lane.device.v].ordinal : -1, directionName(kind),
            memoryName(known.src), memoryName(known.dst)};
}

std::string untoldBytesNote(std::int64_t copies) {
    if (copies == 0)
        return {};
    return std::to_string(copies) + (copies == 1 ? " copy or set does" : " copies or sets do") +
           " not tell how many bytes: sums of bytes and bandwidths are unknown where they take part.";
}

} // namespace lacuna
