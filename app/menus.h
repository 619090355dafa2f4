#pragma once
// The menus: a table of command ids. What is not registered is not there.

#include <QMenuBar>

#include <functional>

namespace lacuna::ui {

class CommandRegistry;

// fillRecent is called whenever the list of recent files is about to show.
void buildMenus(QMenuBar& bar, const CommandRegistry& commands, std::function<void(QMenu&)> fillRecent);

} // namespace lacuna::ui
