#pragma once
// Vocabulary of the gap attribution: causes, classes and pieces (analysis.md sections 4.4, 4.6 and 9).
// One table each, in gap_cause.cpp.

#include <cstdint>
#include <string_view>

namespace lacuna {

enum class GapCause : std::uint8_t {
    SyncDrain,
    LaunchBound,
    SlowLaunchCall,
    GraphLaunch,
    GraphUpload,
    LaunchLatency,
    DriverLock,
    PageableCopy,
    HostWork,
    HostUnrecorded,
    HostBlockedOther,
    OsWait,
    Gc,
    DataLoading,
    Allocation,
    StreamDependency,
    InsideOneLaunch,
    HostCallback,
    OtherStreamRunning,
    ModuleLoad,
    Compile,
    ProfilerArtifact,
    EdgeStart,
    EdgeEnd,
    LaunchNotRecorded,
    QueuedBeforeCapture,
    PossiblyUnrecordedWork,
    DeviceUnexplained
};
inline constexpr std::size_t kGapCauses = static_cast<std::size_t>(GapCause::DeviceUnexplained) + 1;
std::string_view causeName(GapCause cause); // "SYNC_DRAIN"

enum class GapClass : std::uint8_t {
    Sync,
    Launch,
    Host,
    Copy,
    Data,
    Allocation,
    Dependency,
    Startup,
    Edge,
    Unknown
};
inline constexpr std::size_t kGapClasses = static_cast<std::size_t>(GapClass::Unknown) + 1;
GapClass classOf(GapCause cause);
std::string_view className(GapClass cls);  // "sync"
std::string_view classTitle(GapClass cls); // "host work", for people
char classLetter(GapClass cls);            // S L H C D A W P - ?

// Class of a piece of a gap. The first group are the classes of `before`; segment names are those of
// contract.md ("before:sync_api", "inside", "after", "unknown").
enum class PieceClass : std::uint8_t {
    SyncApi,
    BlockingCopy,
    Allocation,
    Module,
    Launch,
    Api,
    Operator,
    DataLoading,
    Range,
    OsWait,
    Python,
    Overhead,
    Uncovered,
    Inside,
    After,
    Unknown
};
inline constexpr std::size_t kPieceClasses = static_cast<std::size_t>(PieceClass::Unknown) + 1;
std::string_view segmentName(PieceClass cls);
std::string_view pieceTitle(PieceClass cls); // "return of the wait", "operator", "launch call" ... for people

enum class GapConfidence : std::uint8_t { High, Medium, Low };
std::string_view confidenceName(GapConfidence confidence); // "high"
std::string_view confidenceWord(GapConfidence confidence); // "Observed", "Likely", "Unknown"

enum class BlockingRole : std::uint8_t { None, DrainedBy, Launch, HeldBy };
std::string_view roleName(BlockingRole role); // "drained_by"

} // namespace lacuna
