// Annotations in the workspace file. Members that say nothing are left out, so that a plain callout is one
// short line.

#include "core/document/workspace_json.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::int64_t kDeepestStrip = 10'000;

std::optional<AnnotationKind> kindOf(const WorkspaceJson& value) {
    const std::string name = textOf(value, "kind");
    for (std::size_t i = 0; i < kAnnotationKinds; ++i)
        if (annotationKindName(static_cast<AnnotationKind>(i)) == name)
            return static_cast<AnnotationKind>(i);
    return std::nullopt;
}

// One that this version does not know is kept in the file and drawn as any note.
NoteColour colourIn(const WorkspaceJson& value) {
    const std::string name = textOf(value, "colour");
    for (std::size_t i = 0; i < kNoteColours; ++i)
        if (noteColourName(static_cast<NoteColour>(i)) == name)
            return static_cast<NoteColour>(i);
    return NoteColour::Annotation;
}

std::uint32_t stripOf(const WorkspaceJson& value, const char* key) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(wholeOf(value, key).value_or(0), 0, kDeepestStrip));
}

int numberIn(const WorkspaceJson& value) {
    constexpr std::int64_t kMost = 1'000'000;
    return static_cast<int>(std::clamp<std::int64_t>(wholeOf(value, "number").value_or(0), 0, kMost));
}

// Numbered ones by number; the others by where they are.
bool isSame(const WorkspaceJson& stored, const Callout& annotation) {
    if (kindOf(stored) != annotation.kind || numberIn(stored) != annotation.number)
        return false;
    return annotation.isNumbered() ||
           (textOf(stored, "lane") == annotation.laneKey && wholeOf(stored, "time_ns") == annotation.time.v);
}

WorkspaceJson annotationJson(const Callout& a, WorkspaceJson stored) {
    stored["kind"] = annotationKindName(a.kind);
    stored["lane"] = a.laneKey;
    stored["time_ns"] = a.time.v;
    stored.erase("end_ns");
    if (a.end)
        stored["end_ns"] = a.end->v;
    stored["strip"] = a.strip;
    stored["title"] = a.title;
    stored["text"] = a.text;
    if (a.isNumbered())
        stored["number"] = a.number;
    if (a.kind == AnnotationKind::Callout) {
        stored["box_dx"] = a.boxDx;
        stored["box_dy"] = a.boxDy;
    }
    if (a.kind == AnnotationKind::Arrow) {
        stored["to_lane"] = a.toLaneKey;
        stored["to_ns"] = a.toTime.v;
        stored["to_strip"] = a.toStrip;
    }
    for (const auto& [key, isSet] : {std::pair("hidden", !a.isShown), std::pair("live", a.isLive)}) {
        stored.erase(key);
        if (isSet)
            stored[key] = true;
    }
    if (a.colour != colourIn(stored)) {
        stored.erase("colour");
        if (a.colour != NoteColour::Annotation)
            stored["colour"] = noteColourName(a.colour);
    }
    put(stored, "author", a.author);
    put(stored, "written", a.written);
    return stored;
}

} // namespace

bool isAnnotation(const WorkspaceJson& value) {
    const auto kind = kindOf(value);
    if (!kind || textOf(value, "lane").empty() || !wholeOf(value, "time_ns"))
        return false;
    return *kind != AnnotationKind::Arrow || (!textOf(value, "to_lane").empty() && wholeOf(value, "to_ns"));
}

Callout annotationOf(const WorkspaceJson& value) {
    Callout a;
    a.kind = *kindOf(value);
    a.laneKey = textOf(value, "lane");
    a.time = {*wholeOf(value, "time_ns")};
    if (const auto end = wholeOf(value, "end_ns"); end && *end > a.time.v)
        a.end = TimeNs{*end};
    a.strip = stripOf(value, "strip");
    a.number = a.isNumbered() ? numberIn(value) : 0;
    a.title = textOf(value, "title");
    a.text = textOf(value, "text");
    a.boxDx = pixelsOf(value, "box_dx", a.boxDx);
    a.boxDy = pixelsOf(value, "box_dy", a.boxDy);
    if (a.kind == AnnotationKind::Arrow) {
        a.toLaneKey = textOf(value, "to_lane");
        a.toTime = {*wholeOf(value, "to_ns")};
        a.toStrip = stripOf(value, "to_strip");
    }
    a.isShown = !isTrueIn(value, "hidden");
    a.isLive = isTrueIn(value, "live");
    a.colour = colourIn(value);
    a.author = textOf(value, "author");
    a.written = textOf(value, "written");
    return a;
}

WorkspaceJson annotationsJson(const std::vector<Callout>& annotations, const WorkspaceJson* stored) {
    WorkspaceJson list = WorkspaceJson::array(), others = WorkspaceJson::array();
    std::vector<const WorkspaceJson*> known;
    if (stored != nullptr && stored->is_array())
        for (const WorkspaceJson& value : *stored) {
            if (isAnnotation(value))
                known.push_back(&value);
            else
                others.push_back(value);
        }
    for (const Callout& annotation : annotations) {
        const auto old = std::find_if(known.begin(), known.end(), [&annotation](const WorkspaceJson* value) {
            return isSame(*value, annotation);
        });
        list.push_back(annotationJson(annotation, old == known.end() ? WorkspaceJson::object() : **old));
    }
    for (WorkspaceJson& other : others)
        list.push_back(std::move(other));
    return list;
}

} // namespace lacuna
