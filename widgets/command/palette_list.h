#pragma once
// The list under the search field: commands, lanes, places in time. What stands in it comes from outside;
// this is only rows, the chosen one, and how they look. A child of the window, so it never takes the focus.

#include "widgets/theme/theme_palette.h"

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QListView;
class QStandardItemModel;

namespace lacuna::ui {

struct PaletteEntry {
    QString title;
    QString group;  // secondary, before the detail: "Gaps"
    QString detail; // right-aligned: the shortcut
    bool isEnabled = true;
    std::function<void()> run;
};

class PaletteList : public QFrame {
    Q_OBJECT
public:
    static constexpr std::size_t kMostRows = 200; // the best; a person types on instead of scrolling
    PaletteList(const ThemePalette& palette, QWidget* window);

    void setThemePalette(const ThemePalette& palette);
    // Shows the entries below a rectangle of the window, the first that is enabled chosen; none: hides.
    void showEntries(std::vector<PaletteEntry> entries, const QRect& below, const QString& ifNone);
    const std::vector<PaletteEntry>& entries() const { return m_entries; }
    int current() const; // -1: none
    void move(int rows);
    bool runCurrent(); // hides first; false when nothing that can be run is chosen

Q_SIGNALS:
    void chosen(); // by mouse: to be run

private:
    void choose(int row);
    QListView* m_view;
    QStandardItemModel* m_model;
    std::vector<PaletteEntry> m_entries;
    ThemePalette m_palette;
};

} // namespace lacuna::ui
