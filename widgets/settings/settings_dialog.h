#pragma once
// Every threshold and setting of steps, reports and findings in one place, as `lacuna stats --report
// settings` lists them: grouped, searched, changed in the list, put back to the default. A change is written
// to the user's file at once and everything that is open is computed again; a value that is none is refused
// with its reason.

#include "widgets/session/session_settings.h"
#include "widgets/theme/theme_palette.h"

#include <QDialog>

#include <string_view>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lacuna::ui {

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(SessionSettings& settings, const ThemePalette& palette, QWidget* parent = nullptr);

    enum Column { kMeaning, kValue, kStandard, kUnit, kKey, kOfTrace };
    QTreeWidgetItem* itemOf(std::string_view key) const; // null when unknown

private:
    void fill();
    void refresh();
    void filter(const QString& words);
    void edited(QTreeWidgetItem* item, int column);
    void change(const QString& key, const QString& value);
    void resetAll();
    void showCurrent();
    void say(const QString& message, bool isProblem);
    QString currentKey() const;

    SessionSettings& m_settings;
    ThemePalette m_palette;
    std::vector<SettingEntry> m_entries;
    bool m_isFilling = false;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QLabel *m_about, *m_message, *m_file;
    QPushButton *m_reset, *m_resetAll;
};

} // namespace lacuna::ui
