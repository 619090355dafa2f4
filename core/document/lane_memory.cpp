#include "core/document/lane_memory.h"

#include "core/document/workspace_json.h"
#include "core/output/output_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace lacuna {

namespace {
constexpr const char* kLaneMemoryFormat = "lacuna-lanes";
constexpr std::uintmax_t kMostMemoryBytes = std::uintmax_t{16} << 20;
} // namespace

LaneMemory LaneMemory::read(const std::filesystem::path& file) {
    LaneMemory memory;
    std::error_code failed;
    if (const auto size = std::filesystem::file_size(file, failed); failed || size > kMostMemoryBytes)
        return memory;
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const WorkspaceJson root = WorkspaceJson::parse(text, nullptr, false);
    if (root.is_discarded() || textOf(root, "format") != kLaneMemoryFormat || wholeOf(root, "version") != 1)
        return memory;
    const WorkspaceJson* projects = memberOf(root, "projects");
    if (projects == nullptr || !projects->is_array())
        return memory;
    for (const WorkspaceJson& value : *projects) {
        ProjectLanes project;
        project.folder = textOf(value, "folder");
        if (const WorkspaceJson* lanes = memberOf(value, "lanes"); lanes != nullptr)
            project.lanes = lanePlanOf(*lanes);
        project.colourBy = colourByOf(textOf(value, "colour_by")).value_or(ColourBy::Kind);
        project.fullNames = isTrueIn(value, "full_names");
        if (!project.folder.empty() && memory.m_projects.size() < kMaxProjects)
            memory.m_projects.push_back(std::move(project));
    }
    return memory;
}

const ProjectLanes* LaneMemory::find(const std::string& folder) const {
    const auto at = std::ranges::find(m_projects, folder, &ProjectLanes::folder);
    return at == m_projects.end() ? nullptr : &*at;
}

void LaneMemory::set(ProjectLanes project) {
    std::erase_if(m_projects, [&](const ProjectLanes& old) { return old.folder == project.folder; });
    if (!project.saysNothing())
        m_projects.insert(m_projects.begin(), std::move(project));
    if (m_projects.size() > kMaxProjects)
        m_projects.resize(kMaxProjects);
}

Status LaneMemory::write(const std::filesystem::path& file) const {
    WorkspaceJson root{{"format", kLaneMemoryFormat}, {"version", 1}, {"projects", WorkspaceJson::array()}};
    for (const ProjectLanes& project : m_projects) {
        WorkspaceJson value{{"folder", project.folder},
                            {"lanes", lanePlanJson(project.lanes, WorkspaceJson::object())},
                            {"colour_by", colourByName(project.colourBy)},
                            {"full_names", project.fullNames}};
        root["projects"].push_back(std::move(value));
    }
    std::error_code failed; // told by the file that cannot be made
    std::filesystem::create_directories(file.parent_path(), failed);
    OutputFile::Options options;
    options.replace = true;
    auto output = OutputFile::create(file, options);
    if (!output)
        return output.error();
    (*output)->write(workspaceLines(root));
    return (*output)->commit();
}

} // namespace lacuna
