#pragma once
// Asks which trace of an archive to open. Nothing is read while it is shown.

#include "core/import/archive_members.h"

#include <QDialog>

#include <vector>

class QTreeWidget;

namespace lacuna::ui {

class MemberDialog : public QDialog {
    Q_OBJECT
public:
    // The first member is selected; Enter or a double click opens the selected one.
    MemberDialog(const QString& archive, const std::vector<ArchiveMember>& members,
                 QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(const QString& member);

private:
    void choose();

    QTreeWidget* m_list;
};

} // namespace lacuna::ui
