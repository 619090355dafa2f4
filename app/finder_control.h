#pragma once
// The field in the menu bar and the list under it: a search, commands (>), times and steps (:), lanes (@).

#include "widgets/command/palette_list.h"
#include "widgets/search/search_field.h"
#include "widgets/search/search_session.h"

#include <QObject>
#include <QStringList>

#include <functional>

class QMainWindow;

namespace lacuna::ui {

class CommandRegistry;

class FinderControl : public QObject {
    Q_OBJECT
public:
    // Registers its commands; the field goes into the menu bar of the window. showResults brings the panel of
    // the search to the front.
    FinderControl(QMainWindow& window, SearchSession& search, TimelineViewModel& view,
                  CommandRegistry& commands, const ThemePalette& palette, std::function<void()> showResults);

    void setThemePalette(const ThemePalette& palette);
    SearchField& field() { return *m_field; }
    PaletteList& list() { return *m_list; }
    // Puts a text into the field and the keyboard there.
    void begin(const QString& typed);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void registerCommands();
    void typed(const QString& text);
    void enter(bool backwards);
    void leave();
    void showNote();
    void showCommands(const QString& typed);
    void showLanes(const QString& typed);
    void showPlaces(const QString& typed);
    void showEntries(std::vector<PaletteEntry> entries, const QString& ifNone);
    void run();
    void placeField();

    QMainWindow& m_window;
    SearchSession& m_search;
    TimelineViewModel& m_view;
    CommandRegistry& m_commands;
    std::function<void()> m_showResults;
    QWidget* m_corner;
    SearchField* m_field;
    PaletteList* m_list;
    QStringList m_recent; // ids of commands, the last one first
};

} // namespace lacuna::ui
