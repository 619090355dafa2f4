#pragma once
// Opening a folder: lists it in the background, then asks which of its traces is meant. A folder with one
// trace opens that.

#include "core/import/trace_folder.h"
#include "widgets/session/job_slot.h"

#include <QObject>

class QWidget;

namespace lacuna::ui {

class FolderControl : public QObject {
    Q_OBJECT
public:
    explicit FolderControl(QWidget& window); // owned by the window

    static bool isFolder(const QString& path);
    void open(const QString& folder);
    // Asks for the folder first; begins at `start`.
    void choose(const QString& start);

Q_SIGNALS:
    void chosen(const QString& file);
    void failed(const QString& what, const QString& remedy);

private:
    void ask(const QString& folder, const TraceFolder& found);

    QWidget& m_window;
    JobSlot m_listing; // last: its destructor waits
};

} // namespace lacuna::ui
