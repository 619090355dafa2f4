#pragma once
// The workspace file (name.lacuna): what a person made of a trace, never any of its data. UTF-8 JSON with
// sorted keys and one object a line, so that versions can be compared line by line:
//
//   {"format":"lacuna-workspace","version":1,"trace":{...},"views":[{...}],"annotations":[{...}],...}
//
// Members that this version does not know survive a load and a save: of the file, of the trace, of the first
// view, of the lanes, of each annotation (told by kind, number and place), and annotations and bookmarks of
// other kinds as a whole. Times are ns from
// the trace's time zero. The same text is put into pictures, so that they open again.

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/document/annotations.h"
#include "core/document/log_entry.h"
#include "core/import/read_as.h"
#include "core/output/output_file.h"
#include "core/view/event_look.h"
#include "core/view/lane_plan.h"
#include "core/view/time_axis.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct WorkspaceTrace {
    std::string name;       // without folders
    std::string path;       // from the workspace's folder; empty in pictures
    std::string member;     // of an archive; empty: none
    std::string sha256;     // lower-case hex of the file's bytes; empty: not known
    std::uint64_t size = 0; // bytes; 0: not known
    ReadAs readAs{};        // how it was read, which the times of the notes follow
    friend bool operator==(const WorkspaceTrace&, const WorkspaceTrace&) = default;
};

struct WorkspaceGap {        // of a device; gaps have no names
    std::int64_t device = 0; // its ordinal
    TimeRange range;
    friend bool operator==(const WorkspaceGap&, const WorkspaceGap&) = default;
};

struct WorkspaceView {
    std::optional<TimeRange> range;
    std::vector<std::string> folded, unfolded; // keys of rows (LayoutOptions), sorted
    std::int32_t scrollPx = 0;                 // logical
    std::optional<WorkspaceGap> gap;           // the selected one
    ColourBy colourBy = ColourBy::Kind;
    bool fullNames = false;
    TimeBase timeBase = TimeBase::TraceStart;
    TimeNs timeZero;        // of the bases step start and selection
    std::int32_t zoneS = 0; // of the wall clock
    friend bool operator==(const WorkspaceView&, const WorkspaceView&) = default;
};

struct WorkspaceBookmark { // a view to come back to
    int key = 1;           // 1 to 9
    TimeRange range;
    std::int32_t scrollPx = 0; // logical
    friend bool operator==(const WorkspaceBookmark&, const WorkspaceBookmark&) = default;
};

class Workspace {
public:
    static constexpr int kVersion = 1;
    static constexpr std::size_t kMaxBytes = std::size_t{32} << 20;
    static constexpr std::size_t kMaxCallouts = 10'000;

    WorkspaceTrace trace;
    WorkspaceView view;
    std::vector<WorkspaceBookmark> bookmarks;              // by key
    std::vector<Callout> callouts;                         // all annotations; ids are 0
    LanePlan lanes;                                        // by key
    std::map<std::string, std::string, std::less<>> names; // of events, as EventLook::names
    // What a person said of this trace's steps, by the keys of core/settings: "steps.pattern" -> "token:1".
    // Member "steps"; keys that this version does not know are kept.
    std::map<std::string, std::string, std::less<>> settings;

    // Errors: NotRecognised (no workspace), Malformed (no JSON), Unsupported (a newer version), TooLarge. A
    // known member of another type than it should have counts as absent; a callout without lane or time is
    // kept as an annotation of another kind. O(size).
    static Result<Workspace> parse(std::string_view text);
    static Result<Workspace> read(const std::filesystem::path& file); // also Io
    std::string text() const;
    // Through a temporary file in the same folder, synced, renamed: an old file survives every failure. The
    // trace itself is never replaced.
    Status write(const std::filesystem::path& file, const std::filesystem::path& traceFile = {},
                 const FileCalls& calls = FileCalls::system()) const;

    std::vector<LogEntry> log; // member "log"

    // Member "setup": what a person has stated about the measurement ("batch" -> "32"). Texts only.
    std::map<std::string, std::string> statedSetup() const;

    EventLook look() const;
    AnnotationSet annotations() const;
    void setAnnotations(const AnnotationSet& set);

private:
    std::string m_loaded; // as read, for what is not known; empty: a new one
};

} // namespace lacuna
