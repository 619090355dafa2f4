#pragma once
// Asks which trace of a folder to open: a tree of workers, each with its cycles. The files are not read.

#include "core/import/trace_folder.h"

#include <QDialog>

class QTreeWidget;
class QTreeWidgetItem;

namespace lacuna::ui {

class FolderDialog : public QDialog {
    Q_OBJECT
public:
    // The first trace is selected; Enter or a double click opens the selected one.
    FolderDialog(const QString& folder, const TraceFolder& found, QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(const QString& file);

private:
    void addWorker(const FolderWorker& worker);
    void choose();

    QTreeWidget* m_tree;
};

} // namespace lacuna::ui
