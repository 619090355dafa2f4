#include "core/document/workspace.h"

#include "core/output/output_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <utility>

namespace lacuna {

namespace {

using WorkspaceJson = nlohmann::json; // sorted keys

constexpr std::int64_t kMostNs = 4'000'000'000'000'000'000; // differences of two still fit
constexpr double kMostPx = 1e6;

Error workspaceError(Errc code, std::string detail, std::string remedy = {}) {
    return {code, std::move(detail), {}, std::move(remedy)};
}

const WorkspaceJson* memberOf(const WorkspaceJson& object, const char* key) {
    if (!object.is_object())
        return nullptr;
    const auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
}

std::string textOf(const WorkspaceJson& object, const char* key) {
    const WorkspaceJson* value = memberOf(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<std::int64_t> wholeOf(const WorkspaceJson& object, const char* key) {
    const WorkspaceJson* value = memberOf(object, key);
    if (value == nullptr || !value->is_number_integer())
        return std::nullopt;
    if (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(kMostNs))
        return std::nullopt;
    const auto number = value->get<std::int64_t>();
    return number < -kMostNs || number > kMostNs ? std::nullopt : std::optional(number);
}

double pixelsOf(const WorkspaceJson& object, const char* key, double absent) {
    const WorkspaceJson* value = memberOf(object, key);
    return value != nullptr && value->is_number() ? std::clamp(value->get<double>(), -kMostPx, kMostPx)
                                                  : absent;
}

std::optional<TimeRange> rangeOf(const WorkspaceJson& object) {
    const auto begin = wholeOf(object, "begin_ns"), end = wholeOf(object, "end_ns");
    if (!begin || !end || *begin >= *end)
        return std::nullopt;
    return TimeRange{{*begin}, {*end}};
}

std::vector<std::string> keysOf(const WorkspaceJson& object, const char* key) {
    std::vector<std::string> keys;
    if (const WorkspaceJson* list = memberOf(object, key); list != nullptr && list->is_array())
        for (const WorkspaceJson& item : *list)
            if (item.is_string())
                keys.push_back(item.get<std::string>());
    std::sort(keys.begin(), keys.end());
    return keys;
}

bool isCallout(const WorkspaceJson& annotation) {
    return textOf(annotation, "kind") == "callout" && !textOf(annotation, "lane").empty() &&
           wholeOf(annotation, "time_ns");
}

int numberOf(const WorkspaceJson& annotation) {
    constexpr std::int64_t kMost = 1'000'000;
    return static_cast<int>(std::clamp<std::int64_t>(wholeOf(annotation, "number").value_or(0), 0, kMost));
}

Callout calloutOf(const WorkspaceJson& annotation) {
    constexpr std::int64_t kDeepest = 10'000;
    Callout callout;
    callout.laneKey = textOf(annotation, "lane");
    callout.time = {*wholeOf(annotation, "time_ns")};
    if (const auto end = wholeOf(annotation, "end_ns"); end && *end > callout.time.v)
        callout.end = TimeNs{*end};
    callout.strip = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(wholeOf(annotation, "strip").value_or(0), 0, kDeepest));
    callout.number = numberOf(annotation);
    callout.title = textOf(annotation, "title");
    callout.text = textOf(annotation, "text");
    callout.boxDx = pixelsOf(annotation, "box_dx", callout.boxDx);
    callout.boxDy = pixelsOf(annotation, "box_dy", callout.boxDy);
    return callout;
}

WorkspaceView viewOf(const WorkspaceJson& stored) {
    WorkspaceView view;
    view.range = rangeOf(stored);
    view.folded = keysOf(stored, "folded");
    view.unfolded = keysOf(stored, "unfolded");
    view.scrollPx = static_cast<std::int32_t>(pixelsOf(stored, "scroll_px", 0));
    if (const WorkspaceJson* gap = memberOf(stored, "gap"); gap != nullptr)
        if (const auto range = rangeOf(*gap))
            view.gap = WorkspaceGap{wholeOf(*gap, "device").value_or(0), *range};
    return view;
}

// Sets a member, or takes it away where there is nothing to say.
void put(WorkspaceJson& object, const char* key, const std::string& text) {
    if (text.empty())
        object.erase(key);
    else
        object[key] = text;
}

WorkspaceJson objectIn(const WorkspaceJson& root, const char* key) {
    const WorkspaceJson* value = memberOf(root, key);
    return value != nullptr && value->is_object() ? *value : WorkspaceJson::object();
}

WorkspaceJson traceJson(const WorkspaceTrace& trace, WorkspaceJson stored) {
    put(stored, "name", trace.name);
    put(stored, "path", trace.path);
    put(stored, "member", trace.member);
    put(stored, "sha256", trace.sha256);
    stored["size"] = trace.size;
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
    return stored;
}

WorkspaceJson calloutJson(const Callout& callout, WorkspaceJson stored) {
    stored["kind"] = "callout";
    stored["lane"] = callout.laneKey;
    stored["time_ns"] = callout.time.v;
    stored.erase("end_ns");
    if (callout.end)
        stored["end_ns"] = callout.end->v;
    stored["strip"] = callout.strip;
    stored["number"] = callout.number;
    stored["title"] = callout.title;
    stored["text"] = callout.text;
    stored["box_dx"] = callout.boxDx;
    stored["box_dy"] = callout.boxDy;
    return stored;
}

// Callouts in their order, then what is not known as it was.
WorkspaceJson annotationsJson(const std::vector<Callout>& callouts, const WorkspaceJson* stored) {
    WorkspaceJson list = WorkspaceJson::array(), others = WorkspaceJson::array();
    std::vector<const WorkspaceJson*> known;
    if (stored != nullptr && stored->is_array())
        for (const WorkspaceJson& annotation : *stored) {
            if (isCallout(annotation))
                known.push_back(&annotation);
            else
                others.push_back(annotation);
        }
    for (const Callout& callout : callouts) {
        const auto old =
            std::find_if(known.begin(), known.end(), [&callout](const WorkspaceJson* annotation) {
                return numberOf(*annotation) == callout.number;
            });
        list.push_back(calloutJson(callout, old == known.end() ? WorkspaceJson::object() : **old));
    }
    for (WorkspaceJson& other : others)
        list.push_back(std::move(other));
    return list;
}

std::string lineOf(const WorkspaceJson& value) {
    return value.dump(-1, ' ', false, WorkspaceJson::error_handler_t::replace);
}

std::string linesOf(const WorkspaceJson& root) {
    std::string text = "{\n";
    bool isFirst = true;
    for (const auto& [key, value] : root.items()) {
        text.append(isFirst ? "" : ",\n").append(lineOf(key)).append(":");
        isFirst = false;
        if (!value.is_array() || value.empty()) {
            text += lineOf(value);
            continue;
        }
        text += "[\n";
        for (std::size_t i = 0; i < value.size(); ++i)
            text.append(lineOf(value[i])).append(i + 1 < value.size() ? ",\n" : "\n");
        text += "]";
    }
    return text + "\n}\n";
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
            textOf(*trace, "name"), textOf(*trace, "path"), textOf(*trace, "member"),
            textOf(*trace, "sha256"),
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, wholeOf(*trace, "size").value_or(0)))};
    }
    if (const WorkspaceJson* views = memberOf(root, "views");
        views != nullptr && views->is_array() && !views->empty())
        workspace.view = viewOf(views->front());
    if (const WorkspaceJson* list = memberOf(root, "annotations"); list != nullptr && list->is_array()) {
        if (list->size() > kMaxCallouts)
            return workspaceError(Errc::TooLarge, "The workspace holds more notes than Lacuna can show.");
        for (const WorkspaceJson& annotation : *list)
            if (isCallout(annotation))
                workspace.callouts.push_back(calloutOf(annotation));
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
    return linesOf(root);
}

Status Workspace::write(const std::filesystem::path& file, const std::filesystem::path& traceFile) const {
    OutputFile::Options options;
    options.source = traceFile;
    options.replace = true;
    auto output = OutputFile::create(file, options);
    if (!output)
        return output.error();
    (*output)->write(text());
    return (*output)->commit();
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
