#include "app/lane_memory_control.h"

#include "core/view/lane_patterns.h"
#include "widgets/text.h"

#include <QFileInfo>

#include <utility>

namespace lacuna::ui {

namespace {

// Empty for standard input and for what stands nowhere.
std::string projectOf(const Document* document) {
    if (document == nullptr || document->path == u"-"_s)
        return {};
    return QFileInfo(document->path).absolutePath().toStdString();
}

} // namespace

LaneMemoryControl::LaneMemoryControl(TimelineViewModel& model, const QString& file, LaneControl* parent)
    : QObject(parent), m_model(model), m_file(file) {
    // After the model, which starts a document with its usual lanes; before a workspace puts its own in
    // place.
    connect(&model.session(), &AnalysisSession::documentChanged, this, &LaneMemoryControl::recall);
    connect(parent, &LaneControl::edited, this, &LaneMemoryControl::remember);
}

void LaneMemoryControl::recall() {
    const Document* document = m_model.session().document();
    const std::string folder = projectOf(document);
    if (folder.empty() || !m_model.lanePlan().isEmpty() || !(m_model.look() == EventLook{}))
        return; // nothing, or something was arranged while the file was being read
    const LaneMemory memory = LaneMemory::read(m_file.toStdString());
    const ProjectLanes* project = memory.find(folder);
    if (project == nullptr)
        return;
    m_model.setLanePlan(LanePatterns::of(document->trace(), &document->facts).toKeys(project->lanes));
    m_model.setLook({project->colourBy, project->fullNames, {}});
}

void LaneMemoryControl::remember() {
    const Document* document = m_model.session().document();
    if (m_model.session().undoStack().count() == 0)
        return; // the document is being replaced
    ProjectLanes project;
    project.folder = projectOf(document);
    if (project.folder.empty())
        return;
    project.lanes = LanePatterns::of(document->trace(), &document->facts).toPatterns(m_model.lanePlan());
    project.colourBy = m_model.look().colourBy;
    project.fullNames = m_model.look().fullNames;
    LaneMemory memory = LaneMemory::read(m_file.toStdString());
    const ProjectLanes* known = memory.find(project.folder);
    const bool same = known == nullptr
                          ? project.saysNothing()
                          : known->lanes == project.lanes && known->colourBy == project.colourBy &&
                                known->fullNames == project.fullNames;
    if (same)
        return;
    memory.set(std::move(project));
    (void)memory.write(m_file.toStdString()); // comfort only: a folder that cannot be written is no news
}

} // namespace lacuna::ui
