// First-run hints and the help pages.

#include "app/help_dialog.h"
#include "app/hint_bar.h"
#include "app/report_control.h"
#include "app/sum_sandbox.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/timeline/timeline_view.h"

#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>

namespace tst_help {

using namespace lacuna;
using namespace lacuna::ui;
using test::itemSync;
using test::WindowFixture;

namespace {

QString hint(WindowFixture& fixture) {
    const auto* bar = fixture.window().findChild<HintBar*>();
    return bar != nullptr && bar->isVisible() ? bar->findChild<QLabel*>(QStringLiteral("hintText"))->text()
                                              : QString();
}

QString pageText(const char* file) {
    QFile page(QStringLiteral(":/lacuna/help/%1.md").arg(QLatin1String(file)));
    return page.open(QIODevice::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
}

} // namespace

class TstHelp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The worked pictures: exclusive 4 and not 10, 8/6 and 8/8 with idle 4.
    void c19_c20_c24_picturesInHelp() {
        const QString page = pageText("concepts");
        for (const char* part : {"self 10 - 4 - 2 = 4", "total 4    self 4 - 2 = 2",
                                 "sum 8   union 6   idle 6", "sum 8   union 8   idle 4"})
            QVERIFY2(page.contains(QString::fromUtf8(part)), part);
    }
    // The bars that can be moved: sum and busy side by side.
    void c24_sandboxOfSumAndBusy() {
        HelpDialog dialog;
        dialog.show();
        auto* bars = dialog.findChild<SumSandbox*>();
        QVERIFY(bars != nullptr && !bars->isVisible());
        dialog.showPage(QStringLiteral("sums"));
        QVERIFY(bars->isVisible());
        const auto is = [&](int sum, int busy, int idle) { // ms
            const SumSandbox::Figures now = bars->figures();
            return now.sum == 2 * sum && now.busy == 2 * busy && now.idle == 2 * idle;
        };
        QVERIFY(is(8, 6, 6)); // [0, 4] and [2, 6]
        QCOMPARE(bars->figuresText(), QStringLiteral("Sum 8 ms   Busy (union) 6 ms   Idle 6 ms of 12 ms"));
        // Dragged to [4, 8].
        const QPoint grip = bars->barRect(1).center();
        const int step = bars->barRect(1).width() / SumSandbox::kLength; // of half a millisecond
        QTest::mousePress(bars, Qt::LeftButton, {}, grip);
        QTest::mouseMove(bars, grip + QPoint(4 * step, 0));
        QTest::mouseRelease(bars, Qt::LeftButton, {}, grip + QPoint(4 * step, 0));
        QCOMPARE(bars->beginOf(1), 8);
        QVERIFY(is(8, 8, 4));
        QCOMPARE(bars->accessibleDescription(),
                 QStringLiteral("Sum 8 ms   Busy (union) 8 ms   Idle 4 ms of 12 ms"));
        bars->setFocus();
        for (int i = 0; i < 40; ++i) // to the end and no further
            QTest::keyClick(bars, Qt::Key_Right);
        QCOMPARE(bars->beginOf(1), SumSandbox::kWindow - SumSandbox::kLength);
        QVERIFY(is(8, 8, 4));
        QTest::keyClick(bars, Qt::Key_Up);
        for (int i = 0; i < 40; ++i) // the other one under it
            QTest::keyClick(bars, Qt::Key_Right);
        QVERIFY(is(8, 4, 8));
        dialog.showPage(QStringLiteral("numbers"));
        QVERIFY(!bars->isVisible());
        WindowFixture fixture; // and from the menu
        QVERIFY(fixture.window().commands().run(QStringLiteral("help.sums")));
        QVERIFY(fixture.window().findChild<SumSandbox*>()->isVisible());
    }
    void fiveMovesAndTheyLeave() {
        WindowFixture fixture(true);
        QVERIFY(hint(fixture).isEmpty()); // nothing to move on yet
        QVERIFY(fixture.open(itemSync()));
        auto* bar = fixture.window().findChild<HintBar*>();
        auto* timeline = &fixture.window().timeline();
        QVERIFY2(hint(fixture).contains(u"Press G"), qPrintable(hint(fixture)));
        QTest::keyClick(timeline, Qt::Key_W); // not its turn
        QCOMPARE(bar->move(), 0);
        QTest::keyClick(timeline, Qt::Key_G);
        QCOMPARE(bar->move(), 1);
        QTest::keyClick(timeline, Qt::Key_W);
        QCOMPARE(bar->move(), 2);
        fixture.session().selection().set(TimeRange{{1'000'000}, {2'000'000}}, Origin::Timeline);
        QCOMPARE(bar->move(), 3);
        QTest::keyClick(timeline, Qt::Key_G);
        QTest::keyClick(timeline, Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(bar->move(), 4);
        QVERIFY(hint(fixture).contains(u"Ctrl+E"));
        fixture.window().commands().run(QStringLiteral("file.export"));
        QCOMPARE(bar->move(), int(HintBar::kMoves));
        QVERIFY(hint(fixture).isEmpty());
        QVERIFY(fixture.state().hintsDone());
        MainWindow again(fixture.state(), fixture.theme());
        QVERIFY(again.findChild<HintBar*>() == nullptr);
    }

    void pagesShowTheWindow_inTheThemeInUse() {
        const auto picturesOf = [](ThemeChoice theme) {
            WindowFixture fixture;
            fixture.theme().choose(theme);
            HelpDialog dialog(&fixture.window());
            QStringList names;
            const auto* list = dialog.findChild<QListWidget*>(QStringLiteral("helpPages"));
            auto* text = dialog.findChild<QTextBrowser*>(QStringLiteral("helpText"));
            for (int i = 0; i < list->count(); ++i) {
                dialog.findChild<QListWidget*>(QStringLiteral("helpPages"))->setCurrentRow(i);
                for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
                    for (auto at = block.begin(); !at.atEnd(); ++at)
                        if (const QTextImageFormat image = at.fragment().charFormat().toImageFormat();
                            image.isValid()) {
                            names << image.name();
                            const QVariant found =
                                text->loadResource(QTextDocument::ImageResource, QUrl(image.name()));
                            if (QImage::fromData(found.toByteArray()).isNull())
                                names << QStringLiteral("missing");
                        }
            }
            return names;
        };
        QCOMPARE(picturesOf(ThemeChoice::Light),
                 QStringList({QStringLiteral("export_light.png"), QStringLiteral("verdict_light.png"),
                              QStringLiteral("findings_light.png")}));
        QCOMPARE(picturesOf(ThemeChoice::Dark),
                 QStringList({QStringLiteral("export_dark.png"), QStringLiteral("verdict_dark.png"),
                              QStringLiteral("findings_dark.png")}));
    }

    void skippedForGood() {
        WindowFixture fixture(true);
        QVERIFY(fixture.open(itemSync()));
        fixture.window().findChild<QPushButton*>(QStringLiteral("hintSkip"))->click();
        QVERIFY(hint(fixture).isEmpty());
        QVERIFY(fixture.state().hintsDone());
    }

    void hintsNameTheKeysThatAPersonChose() {
        WindowFixture fixture(true);
        QVERIFY(fixture.open(itemSync()));
        fixture.window().commands().setKeys(QStringLiteral("gaps.next"), {Qt::Key_J});
        QVERIFY2(hint(fixture).contains(u"Press J"), qPrintable(hint(fixture)));
    }

    void everyPageIsThere() {
        HelpDialog dialog;
        auto* list = dialog.findChild<QListWidget*>(QStringLiteral("helpPages"));
        auto* text = dialog.findChild<QTextBrowser*>(QStringLiteral("helpText"));
        QCOMPARE(list->count(), int(HelpDialog::pages().size()));
        for (int i = 0; i < list->count(); ++i) {
            list->setCurrentRow(i);
            QVERIFY(text->toPlainText().size() > 500);
            QVERIFY2(!text->toPlainText().contains(u"| "), "a table that was not understood");
        }
    }

    // The three scopes of a measurement, and a place for whatever is looked at.
    void c82_whatDoesThisNumberCover() {
        const QString page = pageText("numbers");
        for (const char* scope : {"host end-to-end", "CUDA events", "distributed path"})
            QVERIFY2(page.contains(QLatin1String(scope)), scope);
        WindowFixture fixture(true);
        QVERIFY(fixture.open(itemSync()));
        const auto headingShown = [&] {
            fixture.window().commands().run(QStringLiteral("help.covers"));
            auto* dialog = fixture.window().findChild<HelpDialog*>();
            const QString heading =
                dialog->findChild<QTextBrowser*>(QStringLiteral("helpText"))->textCursor().block().text();
            delete dialog;
            fixture.window().timeline().setFocus();
            return heading;
        };
        fixture.window().timeline().setFocus();
        QCOMPARE(headingShown(), QStringLiteral("Summary"));
        fixture.session().selection().set(TimeRange{{1'000'000}, {2'000'000}}, Origin::Command);
        QCOMPARE(headingShown(), QStringLiteral("Range"));
        fixture.window().commands().run(QStringLiteral("gaps.next"));
        QCOMPARE(headingShown(), QStringLiteral("Gap"));
    }

    // Keys of the page are those of the program.
    void keysOfThePageAreTrue() {
        WindowFixture fixture(true);
        const QString page = pageText("keys");
        const auto known = [&](const QString& key) {
            static const QStringList kFixed{QStringLiteral("←"), QStringLiteral("→"), QStringLiteral("Home"),
                                            QStringLiteral("Ctrl"), QStringLiteral("Shift")};
            return kFixed.contains(key) || !fixture.window().commands().holderOf(QKeySequence(key)).isEmpty();
        };
        const QString table = page.section(QStringLiteral("## With"), 0, 0);
        static const QRegularExpression code(QStringLiteral("`([^`]+)`"));
        int keys = 0;
        for (auto all = code.globalMatch(table); all.hasNext(); ++keys) {
            const QString key = all.next().captured(1);
            QVERIFY2(known(key), qPrintable(key));
        }
        QVERIFY(keys > 25);
    }

    void theReportOfTheWindow() {
        WindowFixture fixture(true);
        QVERIFY(fixture.open(itemSync()));
        auto* report = fixture.window().findChild<ReportControl*>();
        QSignalSpy written(report, &ReportControl::written), failed(report, &ReportControl::failed);
        const QString file = fixture.folder() + QStringLiteral("/r.html");
        report->write(file);
        QVERIFY(written.wait(120'000));
        QFile page(file);
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY(page.readAll().startsWith("<!DOCTYPE html>"));
        report->write(fixture.folder() + QStringLiteral("/r.doc"));
        QCOMPARE(failed.size(), 1);
    }
};

LACUNA_TEST(TstHelp, "tst_help")

} // namespace tst_help

#include "tst_help.moc"
