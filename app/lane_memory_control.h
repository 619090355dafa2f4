#pragma once
// Carries lanes and colours from one trace of a project to the next: what the user changes is remembered by
// pattern, and put onto the lanes of the next document that lies in the same folder. Belongs to its parent.

#include "core/document/lane_memory.h"
#include "widgets/timeline/lane_control.h"

#include <QObject>
#include <QString>

namespace lacuna::ui {

class LaneMemoryControl : public QObject {
    Q_OBJECT
public:
    LaneMemoryControl(TimelineViewModel& model, const QString& file, LaneControl* parent);

private:
    void recall();
    void remember();

    TimelineViewModel& m_model;
    QString m_file;
};

} // namespace lacuna::ui
