#include "app/folder_control.h"

#include "widgets/states/folder_dialog.h"
#include "widgets/text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace lacuna::ui {

FolderControl::FolderControl(QWidget& window) : QObject(&window), m_window(window) {}

bool FolderControl::isFolder(const QString& path) {
    return QFileInfo(path).isDir();
}

void FolderControl::open(const QString& folder) {
    m_listing.start<TraceFolder>(
        [path = folder.toStdString()](JobControl& job) { return listTraceFolder(path, job); },
        [this, folder](const Result<TraceFolder>& found) {
            if (found)
                ask(folder, *found);
            else
                Q_EMIT failed(text(found.error().detail), text(found.error().remedy));
        });
}

void FolderControl::choose(const QString& start) {
    const QString folder = QFileDialog::getExistingDirectory(&m_window, tr("Open a folder of traces"), start);
    if (!folder.isEmpty())
        open(folder);
}

void FolderControl::ask(const QString& folder, const TraceFolder& found) {
    const QString name = QDir(folder).dirName();
    if (found.traces() == 0) {
        Q_EMIT failed(tr("The folder %1 and the folders in it hold no trace.").arg(name),
                      tr("Traces are files that end in .json, .json.gz or .sqlite."));
        return;
    }
    if (found.traces() == 1) {
        Q_EMIT chosen(QString::fromStdString(found.workers.front().traces.front().path.string()));
        return;
    }
    auto* dialog = new FolderDialog(name, found, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowModality(Qt::WindowModal);
    connect(dialog, &FolderDialog::chosen, this, &FolderControl::chosen);
    dialog->show();
}

} // namespace lacuna::ui
