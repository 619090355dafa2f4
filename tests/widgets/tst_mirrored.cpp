// A right-to-left interface: panes, menus and dialogs are mirrored, time and figures are not, and nothing
// lies over anything else.

#include "tests/support/test_main.h"
#include "tests/support/window_tour.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/panels/panel.h"
#include "widgets/text.h"
#include "widgets/timeline/timeline_view.h"

#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QRegularExpression>
#include <QStackedLayout>

namespace tst_mirrored {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

QString nameOf(const QWidget& widget) {
    return QString::fromLatin1(widget.metaObject()->className()) + u' ' + widget.objectName();
}

// Widgets that a layout has placed, beside each other.
QList<QWidget*> placedBy(const QLayout& layout) {
    QList<QWidget*> placed;
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* item = layout.itemAt(i);
        if (item->layout() != nullptr)
            placed << placedBy(*item->layout());
        else if (item->widget() != nullptr && item->widget()->isVisible())
            placed << item->widget();
    }
    return placed;
}

} // namespace

class TstMirrored : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        qputenv("LACUNA_CACHE", "off");
        QApplication::setLayoutDirection(Qt::RightToLeft);
    }
    void cleanupTestCase() { QApplication::setLayoutDirection(Qt::LeftToRight); }

    void nothingOverlaps_andFiguresStayWhole() {
        static const QRegularExpression kGrouped(u"\\d[\\x{2009}\\x{202f}]\\d"_s);
        QStringList wrong;
        const auto say = [&wrong](const QString& line) {
            if (!wrong.contains(line))
                wrong << line;
        };
        int layouts = 0, mirrored = 0;
        const QString missed = tourWindow([&](const TourStop& stop) {
            if (qobject_cast<QMenu*>(&stop.window) != nullptr)
                return;
            for (QWidget* widget : visibleWidgets(stop.window)) {
                mirrored += widget->layoutDirection() == Qt::RightToLeft ? 1 : 0;
                const auto* label = qobject_cast<QLabel*>(widget);
                if (label != nullptr && label->layoutDirection() == Qt::RightToLeft &&
                    label->text().contains(kGrouped))
                    say(stop.what + u": figure in \""_s + label->text() + u'"');
                if (widget->layout() == nullptr || widget->inherits("QMainWindow") ||
                    qobject_cast<QDockWidget*>(widget) != nullptr ||
                    qobject_cast<QStackedLayout*>(widget->layout()) != nullptr)
                    continue;
                ++layouts;
                const QList<QWidget*> placed = placedBy(*widget->layout());
                for (qsizetype i = 0; i < placed.size(); ++i)
                    for (qsizetype k = i + 1; k < placed.size(); ++k)
                        if (placed[i]->geometry().intersects(placed[k]->geometry()))
                            say(stop.what + u": "_s + nameOf(*placed[i]) + u" over "_s + nameOf(*placed[k]));
            }
        });
        QVERIFY2(missed.isEmpty(), qPrintable(u"not reached: "_s + missed));
        QVERIFY(layouts > 100 && mirrored > 100);
        QVERIFY2(wrong.isEmpty(), qPrintable(u'\n' + wrong.join(u'\n')));
    }

    void panesAreMirrored_timeIsNot() {
        WindowFixture fixture;
        QVERIFY(fixture.open(itemSync()));
        MainWindow& window = fixture.window();
        const auto leftOf = [&](const QWidget* widget) { return widget->mapTo(&window, QPoint(0, 0)).x(); };
        const auto* inspector = window.panel(u"inspector"_s);
        QVERIFY(inspector->isVisible());
        QVERIFY(leftOf(inspector) < leftOf(&window.timeline()));
        const Viewport& view = fixture.view().viewport();
        QVERIFY(view.xOf(view.timeAt(100)) < view.xOf(view.timeAt(500)));
        for (const char* name :
             {"timeline", "overview", "stepStrip", "statusLine", "summary", "searchField"}) {
            const auto* widget = window.findChild<QWidget*>(QString::fromLatin1(name));
            QVERIFY2(widget != nullptr && widget->layoutDirection() == Qt::LeftToRight, name);
        }
        for (const char* id : {"inspector", "gaps", "kernels", "reports", "search", "flame"})
            QCOMPARE(window.panel(QString::fromLatin1(id))->layoutDirection(), Qt::LeftToRight);
        // Painted text, too: digits grouped by thin spaces would change places.
        const auto picture = [] {
            InspectorRow row(
                {Ink::Kernel, u"sum"_s, false, false, false, false, {u"2\u2009075.501 µs"_s}, {}},
                ThemePalette::of(Theme::Light));
            row.setLayoutDirection(Qt::LeftToRight); // as that of its panel
            row.resize(352, 17);
            return row.grab().toImage();
        };
        const QImage mirrored = picture();
        QApplication::setLayoutDirection(Qt::LeftToRight);
        const QImage plain = picture();
        QApplication::setLayoutDirection(Qt::RightToLeft);
        QVERIFY(mirrored == plain);
    }
};

LACUNA_TEST(TstMirrored, "tst_mirrored")

} // namespace tst_mirrored

#include "tst_mirrored.moc"
