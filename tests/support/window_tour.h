#pragma once
// Leads through everything that the window can show: pages, panels, dialogs, menus, with a visit to each. For
// checks that hold everywhere: names for assistive technology, keys, translations.

#include "tests/support/window_fixture.h"

#include <QString>
#include <QWidget>

#include <functional>

namespace lacuna::test {

// `what` names the place in messages; `window` is the window or dialog that is shown there.
struct TourStop {
    QString what;
    QWidget& window;
    WindowFixture& fixture;
};
using Visit = std::function<void(const TourStop&)>;

// Empty when every place was reached, else the one that was not.
QString tourWindow(const Visit& visit);

// Visible widgets of a window, itself among them; not those of its dialogs.
QList<QWidget*> visibleWidgets(QWidget& window);

} // namespace lacuna::test
