#pragma once
// Asks which traces of an archive to open. Nothing is read while it is shown.

#include "core/import/archive_members.h"

#include <QDialog>
#include <QStringList>

#include <vector>

class QTreeWidget;

namespace lacuna::ui {

class MemberDialog : public QDialog {
    Q_OBJECT
public:
    enum class Choice { One, Several };
    // The first member is selected; Enter or a double click opens what is selected.
    MemberDialog(const QString& archive, const std::vector<ArchiveMember>& members,
                 Choice choice = Choice::One, QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(const QStringList& members); // at least one, in the order of the list

private:
    void choose();

    QTreeWidget* m_list;
};

} // namespace lacuna::ui
