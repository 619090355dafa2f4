#pragma once
// The names of all reports with a field that searches names and summaries.

#include "widgets/theme/theme_palette.h"

#include <QWidget>

class QLineEdit;
class QTreeWidget;

namespace lacuna::ui {

class ReportList : public QWidget {
    Q_OBJECT
public:
    explicit ReportList(QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);
    QLineEdit* field() const { return m_field; }
    // As if clicked; nothing when there is no such report.
    void choose(const QString& name);
    // None is chosen any more, so that the same one can be chosen again.
    void forget();

Q_SIGNALS:
    void chosen(const QString& name);

private:
    void search(const QString& words);

    QLineEdit* m_field;
    QTreeWidget* m_names;
};

} // namespace lacuna::ui
