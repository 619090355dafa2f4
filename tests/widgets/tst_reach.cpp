// Everywhere in the window: each control can be reached by the keyboard, and has a name for assistive
// technology.

#include "tests/support/test_main.h"
#include "tests/support/window_tour.h"
#include "widgets/text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRadioButton>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTextEdit>

#include <set>

namespace tst_reach {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

// What a person acts on, and not a part of another control.
bool isControl(const QWidget& widget) {
    if (qobject_cast<const QHeaderView*>(&widget) != nullptr ||
        qobject_cast<const QScrollBar*>(&widget) != nullptr)
        return false;
    for (const QWidget* parent = widget.parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
            qobject_cast<const QComboBox*>(parent) != nullptr ||
            qobject_cast<const QKeySequenceEdit*>(parent) != nullptr ||
            qobject_cast<const QTabBar*>(parent) != nullptr ||
            qobject_cast<const QAbstractItemView*>(parent) != nullptr)
            return false;
    if (widget.inherits("lacuna::ui::InspectorRow") && widget.focusPolicy() == Qt::NoFocus)
        return false; // it tells something and acts on nothing
    if (widget.parentWidget() != nullptr && widget.parentWidget()->objectName() == u"paletteList"_s)
        return false; // walked by the arrow keys from the field above it
    return widget.isEnabled() && (qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
                                  qobject_cast<const QLineEdit*>(&widget) != nullptr ||
                                  qobject_cast<const QComboBox*>(&widget) != nullptr ||
                                  qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
                                  qobject_cast<const QAbstractSlider*>(&widget) != nullptr ||
                                  qobject_cast<const QTabBar*>(&widget) != nullptr ||
                                  qobject_cast<const QTextEdit*>(&widget) != nullptr ||
                                  qobject_cast<const QAbstractItemView*>(&widget) != nullptr ||
                                  qobject_cast<const QKeySequenceEdit*>(&widget) != nullptr ||
                                  (widget.focusPolicy() & Qt::TabFocus) != 0);
}

QString nameOf(const QWidget& widget) {
    QString name = QString::fromLatin1(widget.metaObject()->className());
    if (!widget.objectName().isEmpty())
        name += u' ' + widget.objectName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        name += u" \""_s + button->text() + u'"';
    return name;
}

// Every widget that Tab comes to, from where the focus is and around.
std::set<const QWidget*> tabbedThrough(QWidget& window) {
    std::set<const QWidget*> seen;
    QWidget* now = window.focusWidget() != nullptr ? window.focusWidget() : &window;
    if ((now->focusPolicy() & Qt::TabFocus) != 0)
        seen.insert(now);
    for (int i = 0; i < 400; ++i) { // no window has that many
        QWidget* next = now->nextInFocusChain();
        while (next != now && (next->window() != window.window() || !next->isVisible() ||
                               !next->isEnabled() || (next->focusPolicy() & Qt::TabFocus) == 0))
            next = next->nextInFocusChain();
        if (next == now || !seen.insert(next).second)
            break;
        now = next;
    }
    return seen;
}

// One of a group of radio buttons is reached by Tab, the others from it by arrows.
bool isReachedByArrows(const QWidget& widget, const std::set<const QWidget*>& tabbed) {
    if (qobject_cast<const QRadioButton*>(&widget) == nullptr)
        return false;
    for (const auto* sibling : widget.parentWidget()->findChildren<QRadioButton*>())
        if (tabbed.count(sibling) != 0)
            return true;
    return false;
}

} // namespace

class TstReach : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("LACUNA_CACHE", "off"); }

    void everyControl_isReachedByTheKeyboard() {
        QStringList lost;
        std::size_t controls = 0;
        const QString missed = tourWindow([&](const TourStop& stop) {
            if (qobject_cast<QMenu*>(&stop.window) != nullptr)
                return; // menus are walked by arrows
            const std::set<const QWidget*> tabbed = tabbedThrough(stop.window);
            for (const QWidget* widget : visibleWidgets(stop.window)) {
                if (!isControl(*widget) || qobject_cast<const QMenu*>(widget) != nullptr)
                    continue;
                ++controls;
                const QWidget* focus = widget->focusProxy() != nullptr ? widget->focusProxy() : widget;
                const QString line = stop.what + u": "_s + nameOf(*widget);
                if (tabbed.count(focus) == 0 && !isReachedByArrows(*widget, tabbed) && !lost.contains(line))
                    lost << line;
            }
        });
        QVERIFY2(missed.isEmpty(), qPrintable(u"not reached: "_s + missed));
        QVERIFY(controls > 300);
        QVERIFY2(lost.isEmpty(), qPrintable(u'\n' + lost.join(u'\n')));
    }

    // What is pressed. Rows of lists are as high as the mock-ups say, in the inspector as in tables; links
    // stand in lines of text.
    void everyControl_is24PixelsHighAndWide() {
        constexpr int kTarget = 24;
        QStringList small;
        const QString missed = tourWindow([&](const TourStop& stop) {
            for (const QWidget* widget : visibleWidgets(stop.window)) {
                if (!isControl(*widget) || qobject_cast<const QMenu*>(widget) != nullptr ||
                    qobject_cast<const QLabel*>(widget) != nullptr ||
                    widget->inherits("lacuna::ui::InspectorRow"))
                    continue;
                const QString line =
                    nameOf(*widget) + u" %1 x %2"_s.arg(widget->width()).arg(widget->height());
                if ((widget->width() < kTarget || widget->height() < kTarget) && !small.contains(line))
                    small << line;
            }
        });
        QVERIFY2(missed.isEmpty(), qPrintable(u"not reached: "_s + missed));
        QVERIFY2(small.isEmpty(), qPrintable(u'\n' + small.join(u'\n')));
    }

    void everyControl_hasAName() {
        QStringList nameless;
        const QString missed = tourWindow([&](const TourStop& stop) {
            for (QWidget* widget : visibleWidgets(stop.window)) {
                if (!isControl(*widget))
                    continue;
                const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
                const QString line = stop.what + u": "_s + nameOf(*widget);
                if ((interface == nullptr || interface->text(QAccessible::Name).trimmed().isEmpty()) &&
                    !nameless.contains(line))
                    nameless << line;
            }
        });
        QVERIFY2(missed.isEmpty(), qPrintable(u"not reached: "_s + missed));
        QVERIFY2(nameless.isEmpty(), qPrintable(u'\n' + nameless.join(u'\n')));
    }
};

LACUNA_TEST(TstReach, "tst_reach")

} // namespace tst_reach

#include "tst_reach.moc"
