#include "core/analysis/gap_cause.h"

#include <array>

namespace lacuna {

namespace {

struct CauseRow {
    std::string_view name;
    GapClass cls;
};

// In the order of GapCause; classes are the table of analysis.md section 9.
constexpr std::array<CauseRow, kGapCauses> kCauses{{
    {"SYNC_DRAIN", GapClass::Sync},
    {"LAUNCH_BOUND", GapClass::Launch},
    {"SLOW_LAUNCH_CALL", GapClass::Launch},
    {"GRAPH_LAUNCH", GapClass::Launch},
    {"GRAPH_UPLOAD", GapClass::Launch},
    {"LAUNCH_LATENCY", GapClass::Launch},
    {"DRIVER_LOCK", GapClass::Launch},
    {"PAGEABLE_COPY", GapClass::Copy},
    {"HOST_WORK", GapClass::Host},
    {"HOST_UNRECORDED", GapClass::Host},
    {"HOST_BLOCKED_OTHER", GapClass::Host},
    {"OS_WAIT", GapClass::Host},
    {"GC", GapClass::Host},
    {"DATA_LOADING", GapClass::Data},
    {"ALLOCATION", GapClass::Allocation},
    {"STREAM_DEPENDENCY", GapClass::Dependency},
    {"INSIDE_ONE_LAUNCH", GapClass::Dependency},
    {"HOST_CALLBACK", GapClass::Dependency},
    {"OTHER_STREAM_RUNNING", GapClass::Dependency},
    {"MODULE_LOAD", GapClass::Startup},
    {"COMPILE", GapClass::Startup},
    {"PROFILER_ARTIFACT", GapClass::Startup},
    {"EDGE_START", GapClass::Edge},
    {"EDGE_END", GapClass::Edge},
    {"LAUNCH_NOT_RECORDED", GapClass::Unknown},
    {"QUEUED_BEFORE_CAPTURE", GapClass::Unknown},
    {"POSSIBLY_UNRECORDED_WORK", GapClass::Unknown},
    {"DEVICE_UNEXPLAINED", GapClass::Unknown},
}};
static_assert(kCauses.back().name == "DEVICE_UNEXPLAINED");

struct ClassRow {
    std::string_view name, title;
    char letter;
};

// In the order of GapClass; letters are those of ux.md section 5.
constexpr std::array<ClassRow, kGapClasses> kClasses{{
    {"sync", "sync", 'S'},
    {"launch", "launch", 'L'},
    {"host", "host work", 'H'},
    {"copy", "copy", 'C'},
    {"data", "data", 'D'},
    {"allocation", "allocation", 'A'},
    {"dependency", "dependency", 'W'},
    {"startup", "start-up", 'P'},
    {"edge", "edge", '-'},
    {"unknown", "unknown", '?'},
}};

struct PieceRow {
    std::string_view segment, title;
};

// In the order of PieceClass; segments are those of contract.md.
constexpr std::array<PieceRow, kPieceClasses> kPieces{{
    {"before:sync_api", "return of the wait"},
    {"before:blocking_copy", "return of the copy"},
    {"before:allocation", "allocation"},
    {"before:module", "module loading"},
    {"before:launch", "other launch"},
    {"before:api", "CUDA call"},
    {"before:operator", "operator"},
    {"before:data_loading", "data loading"},
    {"before:range", "host work"},
    {"before:os_wait", "OS wait"},
    {"before:python", "Python"},
    {"before:overhead", "profiler overhead"},
    {"before:uncovered", "nothing recorded"},
    {"inside", "launch call"},
    {"after", "launch latency"},
    {"unknown", "unknown"},
}};

struct ConfidenceRow {
    std::string_view name, word;
};
constexpr std::array<ConfidenceRow, 3> kConfidence{
    {{"high", "Observed"}, {"medium", "Likely"}, {"low", "Unknown"}}};
constexpr std::array<std::string_view, 4> kRoles{"", "drained_by", "launch", "held_by"};

constexpr std::size_t rowOf(GapCause cause) {
    return static_cast<std::size_t>(cause);
}
constexpr std::size_t rowOf(GapClass cls) {
    return static_cast<std::size_t>(cls);
}

} // namespace

std::string_view causeName(GapCause cause) {
    return kCauses[rowOf(cause)].name;
}
GapClass classOf(GapCause cause) {
    return kCauses[rowOf(cause)].cls;
}
std::string_view className(GapClass cls) {
    return kClasses[rowOf(cls)].name;
}
std::string_view classTitle(GapClass cls) {
    return kClasses[rowOf(cls)].title;
}
char classLetter(GapClass cls) {
    return kClasses[rowOf(cls)].letter;
}
std::string_view segmentName(PieceClass cls) {
    return kPieces[static_cast<std::size_t>(cls)].segment;
}
std::string_view pieceTitle(PieceClass cls) {
    return kPieces[static_cast<std::size_t>(cls)].title;
}
std::string_view confidenceName(GapConfidence confidence) {
    return kConfidence[static_cast<std::size_t>(confidence)].name;
}
std::string_view confidenceWord(GapConfidence confidence) {
    return kConfidence[static_cast<std::size_t>(confidence)].word;
}
std::string_view roleName(BlockingRole role) {
    return kRoles[static_cast<std::size_t>(role)];
}

} // namespace lacuna
