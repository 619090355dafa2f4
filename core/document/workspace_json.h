#pragma once
// Reading members of JSON that anybody may have written, for the files of this folder: a member of another
// type than it should have counts as absent. Included by .cpp files only.

#include "core/document/annotations.h"
#include "core/view/lane_plan.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lacuna {

using WorkspaceJson = nlohmann::json; // sorted keys

const WorkspaceJson* memberOf(const WorkspaceJson& object, const char* key);
std::string textOf(const WorkspaceJson& object, const char* key);
// At most 4e18 either way, so that differences fit.
std::optional<std::int64_t> wholeOf(const WorkspaceJson& object, const char* key);
double pixelsOf(const WorkspaceJson& object, const char* key, double absent);
bool isTrueIn(const WorkspaceJson& object, const char* key);
std::vector<std::string> keysOf(const WorkspaceJson& object, const char* key); // in their order
std::map<std::string, std::string, std::less<>> namesOf(const WorkspaceJson& object, const char* key);
// Sets a member, or takes it away where there is nothing to say.
void put(WorkspaceJson& object, const char* key, const std::string& text);
WorkspaceJson objectIn(const WorkspaceJson& root, const char* key);
// Sorted keys, one object a line.
std::string workspaceLines(const WorkspaceJson& root);

// Whether it is an annotation of a kind that this version draws.
bool isAnnotation(const WorkspaceJson& value);
Callout annotationOf(const WorkspaceJson& value);
// Annotations in their order, each with what `stored` says of it beyond, then what is not known as it was.
WorkspaceJson annotationsJson(const std::vector<Callout>& annotations, const WorkspaceJson* stored);

LanePlan lanePlanOf(const WorkspaceJson& value);
// Over `stored`, so that unknown members stay. An empty object when there is nothing to say.
WorkspaceJson lanePlanJson(const LanePlan& plan, WorkspaceJson stored);

} // namespace lacuna
