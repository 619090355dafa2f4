#include "core/document/workspace.h"

#include "core/document/workspace_json.h"
#include "core/output/output_file.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace lacuna {

namespace {

Error workspaceError(Errc code, std::string detail, std::string remedy = {}) {
    return {code, std::move(detail), {}, std::move(remedy)};
}

std::optional<TimeRange> rangeOf(const WorkspaceJson& object) {
    const auto begin = wholeOf(object, "begin_ns"), end = wholeOf(object, "end_ns");
    if (!begin || !end || *begin >= *end)
        return std::nullopt;
    return TimeRange{{*begin}, {*end}};
}

std::vector<std::string> sortedKeys(const WorkspaceJson& object, const char* key) {
    std::vector<std::string> keys = keysOf(object, key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

WorkspaceView viewOf(const WorkspaceJson& stored) {
    WorkspaceView view;
    view.range = rangeOf(stored);
    view.folded = sortedKeys(stored, "folded");
    view.unfolded = sortedKeys(stored, "unfolded");
    view.scrollPx = static_cast<std::int32_t>(pixelsOf(stored, "scroll_px", 0));
    if (const WorkspaceJson* gap = memberOf(stored, "gap"); gap != nullptr)
        if (const auto range = rangeOf(*gap))
            view.gap = WorkspaceGap{wholeOf(*gap, "device").value_or(0), *range};
    view.colourBy = colourByOf(textOf(stored, "colour_by")).value_or(ColourBy::Kind);
    view.fullNames = isTrueIn(stored, "full_names");
    view.timeBase = timeBaseOf(textOf(stored, "time_base")).value_or(TimeBase::TraceStart);
    view.timeZero = {wholeOf(stored, "time_zero_ns").value_or(0)};
    constexpr std::int64_t kMostZoneS = 86'400;
    view.zoneS = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(wholeOf(stored, "zone_s").value_or(0), -kMostZoneS, kMostZoneS));
    return view;
}

ReadAs readAsIn(const WorkspaceJson& trace) {
    const WorkspaceJson how = objectIn(trace, "read_as");
    return {isTrueIn(how, "times_ns"), isTrueIn(how, "without_overruns")};
}

WorkspaceJson readAsJson(const ReadAs& how, WorkspaceJson stored) {
    for (const auto& [key, asked] :
         {std::pair("times_ns", how.timesAreNs), std::pair("without_overruns", how.withoutOverruns)}) {
        stored.erase(key);
        if (asked)
            stored[key] = true;
    }
    return stored;
}

// A member that is there only when it says something.
void putUnlessEmpty(WorkspaceJson& object, const char* key, WorkspaceJson value) {
    if (value.empty())
        object.erase(key);
    else
        object[key] = std::move(value);
}

WorkspaceJson traceJson(const WorkspaceTrace& trace, WorkspaceJson stored) {
    put(stored, "name", trace.name);
    put(stored, "path", trace.path);
    put(stored, "member", trace.member);
    put(stored, "sha256", trace.sha256);
    stored["size"] = trace.size;
    putUnlessEmpty(stored, "read_as", readAsJson(trace.readAs, objectIn(stored, "read_as")));
    return stored;
}

WorkspaceJson viewJson(const WorkspaceView& view, WorkspaceJson stored) {
    for (const char* key : {"begin_ns", "end_ns", "gap"})
        stored.erase(key);
    if (view.range) {
        stored["begin_ns"] = view.range->begin.v;
        stored["end_ns"] = view.range->end.v;
    }
    stored["folded"] = view.folded;
    stored["unfolded"] = view.unfolded;
    stored["scroll_px"] = view.scrollPx;
    if (view.gap)
        stored["gap"] = {{"device", view.gap->device},
                         {"begin_ns", view.gap->range.begin.v},
                         {"end_ns", view.gap->range.end.v}};
    put(stored, "colour_by", view.colourBy == ColourBy::Kind ? "" : std::string(colourByName(view.colourBy)));
    stored.erase("full_names");
    if (view.fullNames)
        stored["full_names"] = true;
    const bool isWall = view.timeBase == TimeBase::WallClock, isPlain = view.timeBase == TimeBase::TraceStart;
    put(stored, "time_base", isPlain ? "" : std::string(timeBaseName(view.timeBase)));
    for (const char* key : {"time_zero_ns", "zone_s"})
        stored.erase(key);
    if (isWall)
        stored["zone_s"] = view.zoneS;
    else if (!isPlain)
        stored["time_zero_ns"] = view.timeZero.v;
    return stored;
}

// 1 to 9, with a place to go to.
std::optional<WorkspaceBookmark> bookmarkOf(const WorkspaceJson& value) {
    constexpr std::int64_t kMostKey = 9;
    const auto key = wholeOf(value, "key");
    const auto range = rangeOf(value);
    if (!key || *key < 1 || *key > kMostKey || !range)
        return std::nullopt;
    return WorkspaceBookmark{static_cast<int>(*key), *range,
                             static_cast<std::int32_t>(pixelsOf(value, "scroll_px", 0))};
}

// Bookmarks in their order, then what is not known as it was.
WorkspaceJson bookmarksJson(const std::vector<WorkspaceBookmark>& bookmarks, const WorkspaceJson* stored) {
    WorkspaceJson list = WorkspaceJson::array(), old = WorkspaceJson::array();
    if (stored != nullptr && stored->is_array())
        old = *stored;
    for (const WorkspaceBookmark& bookmark : bookmarks) {
        WorkspaceJson value = WorkspaceJson::object();
        for (const WorkspaceJson& known : old)
            if (const auto same = bookmarkOf(known); same && same->key == bookmark.key)
                value = known;
        value["key"] = bookmark.key;
        value["begin_ns"] = bookmark.range.begin.v;
        value["end_ns"] = bookmark.range.end.v;
        value["scroll_px"] = bookmark.scrollPx;
        list.push_back(std::move(value));
    }
    for (const WorkspaceJson& other : old)
        if (!bookmarkOf(other))
            list.push_back(other);
    return list;
}

bool isLogEntry(const WorkspaceJson& value) {
    return value.is_object() && memberOf(value, "observed") != nullptr;
}

LogEntry logEntryOf(const WorkspaceJson& value) {
    LogEntry entry;
    entry.observed = textOf(value, "observed");
    entry.hypothesis = textOf(value, "hypothesis");
    entry.changed = textOf(value, "changed");
    entry.measured = textOf(value, "measured");
    entry.isRejected = isTrueIn(value, "rejected");
    entry.author = textOf(value, "author");
    entry.written = textOf(value, "written");
    entry.range = rangeOf(value);
    entry.known = value.dump(-1, ' ', false, WorkspaceJson::error_handler_t::replace);
    return entry;
}

// Entries in their order, then what is not known as it was.
WorkspaceJson logJson(const std::vector<LogEntry>& log, const WorkspaceJson* stored) {
    WorkspaceJson list = WorkspaceJson::array();
    for (const LogEntry& entry : log) {
        WorkspaceJson value = WorkspaceJson::parse(entry.known, nullptr, false);
        if (!value.is_object())
            value = WorkspaceJson::object();
        for (const char* key : {"rejected", "begin_ns", "end_ns"})
            value.erase(key);
        value["observed"] = entry.observed; // also empty: it makes an entry
        put(value, "hypothesis", entry.hypothesis);
        put(value, "changed", entry.changed);
        put(value, "measured", entry.measured);
        put(value, "author", entry.author);
        put(value, "written", entry.written);
        if (entry.isRejected)
            value["rejected"] = true;
        if (entry.range) {
            value["begin_ns"] = entry.range->begin.v;
            value["end_ns"] = entry.range->end.v;
        }
        list.push_back(std::move(value));
    }
    if (stored != nullptr && stored->is_array())
        for (const WorkspaceJson& other : *stored)
            if (!isLogEntry(other))
                list.push_back(other);
    return list;
}

// Texts are settings; members of other types are not known here and stay.
WorkspaceJson settingsJson(const std::map<std::string, std::string, std::less<>>& settings,
                           const WorkspaceJson& stored) {
    WorkspaceJson object = WorkspaceJson::object();
    for (const auto& [key, value] : stored.items())
        if (!value.is_string())
            object[key] = value;
    for (const auto& [key, value] : settings)
        object[key] = value;
    return object;
}

} // namespace

Result<Workspace> Workspace::parse(std::string_view text) {
    if (text.size() > kMaxBytes)
        return workspaceError(Errc::TooLarge, "The workspace is larger than any that Lacuna writes.");
    const WorkspaceJson root = WorkspaceJson::parse(text, nullptr, false);
    if (root.is_discarded())
        return workspaceError(Errc::Malformed, "The workspace is no complete JSON.",
                              "Restore it from a copy.");
    if (textOf(root, "format") != "lacuna-workspace")
        return workspaceError(Errc::NotRecognised, "This is no Lacuna workspace.");
    if (const auto version = wholeOf(root, "version"); !version || *version < 1 || *version > kVersion)
        return workspaceError(Errc::Unsupported, "The workspace was written by a newer Lacuna.",
                              "Open it with that version.");
    Workspace workspace;
    workspace.m_loaded = text;
    if (const WorkspaceJson* trace = memberOf(root, "trace"); trace != nullptr) {
        workspace.trace = {
            textOf(*trace, "name"),
            textOf(*trace, "path"),
            textOf(*trace, "member"),
            textOf(*trace, "sha256"),
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, wholeOf(*trace, "size").value_or(0))),
            readAsIn(*trace)};
    }
    if (const WorkspaceJson* views = memberOf(root, "views");
        views != nullptr && views->is_array() && !views->empty())
        workspace.view = viewOf(views->front());
    if (const WorkspaceJson* list = memberOf(root, "annotations"); list != nullptr && list->is_array()) {
        if (list->size() > kMaxCallouts)
            return workspaceError(Errc::TooLarge, "The workspace holds more notes than Lacuna can show.");
        for (const WorkspaceJson& annotation : *list)
            if (isAnnotation(annotation))
                workspace.callouts.push_back(annotationOf(annotation));
    }
    if (const WorkspaceJson* list = memberOf(root, "bookmarks"); list != nullptr && list->is_array())
        for (const WorkspaceJson& value : *list)
            if (const auto bookmark = bookmarkOf(value);
                bookmark && workspace.bookmarks.size() < kMaxCallouts)
                workspace.bookmarks.push_back(*bookmark);
    if (const WorkspaceJson* lanes = memberOf(root, "lanes"); lanes != nullptr)
        workspace.lanes = lanePlanOf(*lanes);
    workspace.names = namesOf(root, "names");
    workspace.settings = namesOf(root, "steps");
    if (const WorkspaceJson* list = memberOf(root, "log"); list != nullptr && list->is_array()) {
        if (list->size() > kMaxCallouts)
            return workspaceError(Errc::TooLarge, "The log of the workspace is longer than Lacuna can show.");
        for (const WorkspaceJson& value : *list)
            if (isLogEntry(value))
                workspace.log.push_back(logEntryOf(value));
    }
    return workspace;
}

Result<Workspace> Workspace::read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text;
    if (in) {
        text.resize(kMaxBytes + 1);
        in.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    }
    if (!in && !in.eof())
        return workspaceError(Errc::Io, "The workspace could not be read.",
                              "Check that the file is there and may be read.");
    return parse(text);
}

std::string Workspace::text() const {
    WorkspaceJson root = WorkspaceJson::parse(m_loaded, nullptr, false);
    if (!root.is_object())
        root = WorkspaceJson::object();
    root["format"] = "lacuna-workspace";
    root["version"] = kVersion;
    root["trace"] = traceJson(trace, objectIn(root, "trace"));
    WorkspaceJson& views = root["views"];
    if (!views.is_array() || views.empty())
        views = WorkspaceJson::array({WorkspaceJson::object()});
    views.front() = viewJson(view, views.front().is_object() ? views.front() : WorkspaceJson::object());
    root["annotations"] = annotationsJson(callouts, memberOf(root, "annotations"));
    putUnlessEmpty(root, "bookmarks", bookmarksJson(bookmarks, memberOf(root, "bookmarks")));
    putUnlessEmpty(root, "lanes", lanePlanJson(lanes, objectIn(root, "lanes")));
    putUnlessEmpty(root, "names", names);
    putUnlessEmpty(root, "steps", settingsJson(settings, objectIn(root, "steps")));
    putUnlessEmpty(root, "log", logJson(log, memberOf(root, "log")));
    return workspaceLines(root);
}

std::map<std::string, std::string> Workspace::statedSetup() const {
    const WorkspaceJson root = WorkspaceJson::parse(m_loaded, nullptr, false);
    std::map<std::string, std::string> stated;
    const WorkspaceJson setup = objectIn(root, "setup");
    for (const auto& [key, value] : setup.items())
        if (value.is_string())
            stated[key] = value.get<std::string>();
    return stated;
}

Status Workspace::write(const std::filesystem::path& file, const std::filesystem::path& traceFile,
                        const FileCalls& calls) const {
    OutputFile::Options options;
    options.calls = calls;
    options.source = traceFile;
    options.replace = true;
    auto output = OutputFile::create(file, options);
    if (!output)
        return output.error();
    (*output)->write(text());
    return (*output)->commit();
}

EventLook Workspace::look() const {
    return {view.colourBy, view.fullNames, names};
}

AnnotationSet Workspace::annotations() const {
    AnnotationSet set;
    for (const Callout& callout : callouts)
        set.apply(AnnotationEdit::add(callout));
    return set;
}

void Workspace::setAnnotations(const AnnotationSet& set) {
    callouts.assign(set.callouts().begin(), set.callouts().end());
    for (Callout& callout : callouts)
        callout.id = 0;
}

} // namespace lacuna
