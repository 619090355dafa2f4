#pragma once
// What the program remembers of lanes from one trace of a project to the next: order, pins, heights, hidden
// ones, names, and what colours mean. A project is the folder that a trace lies in; lanes are told by pattern
// (core/view/lane_patterns.h). One small JSON file, the latest project first; it is written as a whole and
// replaced by a rename, so that of two windows the later one wins and neither leaves half a file.

#include "core/base/result.h"
#include "core/view/event_look.h"
#include "core/view/lane_plan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lacuna {

struct ProjectLanes {
    std::string folder; // absolute
    LanePlan lanes;     // by pattern
    ColourBy colourBy = ColourBy::Kind;
    bool fullNames = false;
    bool saysNothing() const { return lanes.isEmpty() && colourBy == ColourBy::Kind && !fullNames; }
};

class LaneMemory {
public:
    static constexpr std::size_t kMaxProjects = 100;

    // A file that is not there, or not of this kind, remembers nothing.
    static LaneMemory read(const std::filesystem::path& file);
    // Null when nothing is remembered.
    const ProjectLanes* find(const std::string& folder) const;
    // In front; the oldest beyond kMaxProjects are forgotten, and one that says nothing is taken out.
    void set(ProjectLanes project);
    const std::vector<ProjectLanes>& projects() const { return m_projects; }
    // Makes the folder; errors as OutputFile.
    Status write(const std::filesystem::path& file) const;

private:
    std::vector<ProjectLanes> m_projects;
};

} // namespace lacuna
