// The exported figure is the one that `lacuna render` writes, byte for byte, and the preview is what is
// written.

#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/export/carried_figure.h"
#include "widgets/export/export_dialog.h"
#include "widgets/figure/contact_sheet.h"
#include "widgets/figure/figure_alt_text.h"
#include "widgets/figure/figure_composition.h"
#include "widgets/figure/figure_view.h"
#include "widgets/figure/figure_workspace.h"
#include "widgets/figure/render_verb.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/timeline/timeline_view.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QUrl>

#include <cmath>

namespace tst_export_dialog {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TstExportDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A picture of each finding in one: the first is that of the worst gap, to the pixel, and the verb writes
    // the same bytes.
    void contactSheet() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        ExportDialog dialog(fixture.view(), Theme::Light);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 60'000);
        QVERIFY(dialog.sheet().empty());
        auto* range = dialog.findChild<QComboBox*>(QStringLiteral("exportRange"));
        range->setCurrentIndex(range->findText(QStringLiteral("the worst gaps, a picture each")));
        dialog.findChild<QSpinBox*>(QStringLiteral("exportWidth"))->setValue(800);
        dialog.findChild<QDoubleSpinBox*>()->setValue(1);
        const std::vector<GapId> gaps = dialog.sheet();
        QCOMPARE(gaps.size(), std::min(kMostOnSheet, fixture.session().document()->gaps->groups().size()));
        QCOMPARE(gaps.front(), fixture.session().document()->gaps->byRank().front());
        const QImage sheet = dialog.picture();
        const int columns = gaps.size() > 4 ? 3 : 2,
                  rows = (static_cast<int>(gaps.size()) + columns - 1) / columns;
        QCOMPARE(sheet.size(), QSize(800 * columns, 450 * rows));
        FigureInput worst = dialog.input();
        worst.size = {800, 450};
        worst.gap = gaps.front();
        worst.range = viewOfGap(*worst.trace, worst.gaps->gap(worst.gap));
        worst.title.clear();
        worst.subtitle.clear();
        QVERIFY(paintFigure(worst, FigureFonts::load()) == sheet.copy(0, 0, 800, 450));
        QVERIFY(!dialog.findChildren<QRadioButton*>()[1]->isEnabled()); // no drawing of several views
        const QString file = fixture.folder() + QStringLiteral("/sheet.png"),
                      verb = fixture.folder() + QStringLiteral("/verb.png");
        QVERIFY(dialog.writeTo(file));
        QVERIFY(!dialog.writeTo(fixture.folder() + QStringLiteral("/sheet.pdf")));
        RenderOptions options;
        options.file = test::itemSync().string();
        options.output = verb.toStdString();
        options.sheet = true;
        options.size = "800x450";
        std::string messages;
        QCOMPARE(renderVerb(options, messages), 0);
        QVERIFY(bytesOf(file) == bytesOf(verb));
        const auto mime = dialog.clipboardData();
        QVERIFY(mime != nullptr && !mime->hasFormat(QStringLiteral("image/svg+xml")));
        QCOMPARE(mime->text().count(QStringLiteral("\n\n")), static_cast<qsizetype>(gaps.size()) - 1);
    }

    void equalsTheRenderVerb_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("theme");
        QTest::newRow("full hd") << 1920 << 1080 << 1.0 << QStringLiteral("light");
        QTest::newRow("dark, twice") << 1000 << 700 << 2.0 << QStringLiteral("dark");
        QTest::newRow("print, half") << 1600 << 900 << 0.5 << QStringLiteral("print");
        // Every theme and scale that the goldens of figures are kept for.
        for (const char* theme : {"light", "dark", "print"})
            for (const double scale : {1.0, 1.5, 2.0})
                QTest::addRow("%s at %g", theme, scale) << 900 << 620 << scale << QString::fromLatin1(theme);
    }
    void equalsTheRenderVerb() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(double, scale);
        QFETCH(QString, theme);
        const auto file = test::itemSync();
        WindowFixture fixture;
        QVERIFY(fixture.open(file));
        fixture.view().fit({{5'000'000}, {9'000'000}}, 0.0);
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        const auto checks = dialog.findChildren<QCheckBox*>();
        for (QCheckBox* check : checks)
            if (check->text().startsWith(QStringLiteral("as high")))
                check->setChecked(false);
        dialog.findChild<QSpinBox*>(QStringLiteral("exportWidth"))->setValue(width);
        dialog.findChild<QSpinBox*>(QStringLiteral("exportHeight"))->setValue(height);
        dialog.findChild<QDoubleSpinBox*>()->setValue(scale);
        for (QComboBox* combo : dialog.findChildren<QComboBox*>())
            combo->setCurrentIndex(std::max(0, combo->findText(theme, Qt::MatchFixedString)));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        QVERIFY(!dialog.input().sha256.isEmpty());
        const QString mine = fixture.folder() + QStringLiteral("/window.png");
        const QString verb = fixture.folder() + QStringLiteral("/verb.png");
        QVERIFY(static_cast<bool>(dialog.writeTo(mine)));

        RenderOptions options;
        options.file = file.string();
        options.output = verb.toStdString();
        const TimeRange range = dialog.input().range;
        options.range = std::to_string(range.begin.v) + ".." + std::to_string(range.end.v);
        options.size = std::to_string(width) + "x" + std::to_string(height);
        options.scale = scale;
        options.theme = theme.toStdString();
        std::string messages;
        QCOMPARE(renderVerb(options, messages), 0);
        QVERIFY2(messages.empty(), messages.c_str());
        QVERIFY(!bytesOf(mine).isEmpty());
        QVERIFY(bytesOf(mine) == bytesOf(verb));
        const QImage written(mine);
        QCOMPARE(written.size(), QSize(int(width * scale), int(height * scale)));
        QVERIFY(written.convertToFormat(QImage::Format_ARGB32) ==
                dialog.picture().convertToFormat(QImage::Format_ARGB32));
        for (const char* ending : {"svg", "pdf"}) { // by the name's ending, whatever is chosen
            const QString drawn = fixture.folder() + QStringLiteral("/window.") + QLatin1String(ending);
            QVERIFY(static_cast<bool>(dialog.writeTo(drawn)));
            options.output =
                (fixture.folder() + QStringLiteral("/verb.") + QLatin1String(ending)).toStdString();
            QCOMPARE(renderVerb(options, messages), 0);
            QVERIFY(!bytesOf(drawn).isEmpty());
            QVERIFY(bytesOf(drawn) == bytesOf(QString::fromStdString(options.output)));
        }
    }

    void formatIsChosen() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        const auto buttons = dialog.findChildren<QRadioButton*>();
        QCOMPARE(buttons.size(), 3);
        QCOMPARE(dialog.format(), FigureFormat::Png);
        const QString path = fixture.folder() + QStringLiteral("/figure");
        const QList<QByteArray> starts{"\x89PNG", "<?xml", "%PDF-"};
        for (qsizetype i = 0; i < 3; ++i) {
            buttons[i]->setChecked(true);
            QVERIFY(static_cast<bool>(dialog.writeTo(path)));
            QVERIFY(bytesOf(path).startsWith(starts[i]));
        }
    }

    void clipboardHoldsPictureDrawingAndText() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        ExportDialog dialog(fixture.view(), Theme::Dark, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        const auto data = dialog.clipboardData();
        QVERIFY(data);
        QVERIFY(QImage::fromData(data->data(QStringLiteral("image/png")), "png") == dialog.picture());
        QVERIFY(data->data(QStringLiteral("image/svg+xml")).startsWith("<?xml"));
        QCOMPARE(data->text(), figureAltText(dialog.input()));
        dialog.findChild<QPushButton*>(QStringLiteral("exportCopy"))->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), figureAltText(dialog.input()));
    }

    void preview_isDraggedOutAsPictureAndFile() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        const auto data = dialog.dragData();
        QVERIFY(data);
        QCOMPARE(data->urls().size(), 1);
        const QString file = data->urls().front().toLocalFile();
        QCOMPARE(QFileInfo(file).fileName(), QStringLiteral("item_sync.png"));
        QVERIFY(QImage(file).convertToFormat(dialog.picture().format()) == dialog.picture());
        QVERIFY(data->hasImage());
        QCOMPARE(data->text(), figureAltText(dialog.input()));
        dialog.findChildren<QRadioButton*>()[1]->setChecked(true); // SVG
        const auto drawing = dialog.dragData();
        QVERIFY(drawing->urls().front().toLocalFile().endsWith(QStringLiteral("/item_sync.svg")));
    }

    // What leaves the window is the figure that the dialog offers of the marked range, to the pixel.
    void markedRange_isDraggedOutAsItsFigure() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        TimelineView& timeline = fixture.window().timeline();
        const TimeRange shown = fixture.view().viewport().range();
        const TimeRange marked{shown.begin + DurationNs{shown.length().v / 4},
                               shown.begin + DurationNs{shown.length().v / 2}};
        fixture.session().selection().set(marked, Origin::Command);
        QSignalSpy carriedOut(&timeline, &TimelineView::rangeCarriedOut);
        QWidget* canvas = timeline.viewport();
        const QRect lanes = timeline.lanesRect();
        const QPoint inside(lanes.left() + lanes.width() * 3 / 8, lanes.top() + 40);
        QTest::mousePress(canvas, Qt::LeftButton, {}, inside);
        QTest::mouseMove(canvas, inside + QPoint(30, 20));
        QVERIFY(*fixture.session().selection().range() != marked); // not outside yet: another range
        QTest::mouseMove(canvas, QPoint(inside.x() + 30, fixture.window().height() + 50));
        QCOMPARE(carriedOut.count(), 1);
        QVERIFY(*fixture.session().selection().range() == marked);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(inside.x(), fixture.window().height() + 50));

        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        auto* range = dialog.findChild<QComboBox*>(QStringLiteral("exportRange"));
        range->setCurrentIndex(range->findText(QStringLiteral("the selection, with a margin")));
        CarriedFigure figure(fixture.view());
        figure.carry(Theme::Light, &timeline); // no button is held: it reads what the figure tells, no more
        QImage picture;
        std::unique_ptr<QMimeData> data;
        QTRY_VERIFY((data = figure.data(Theme::Light, picture)) && picture == dialog.picture());
        QCOMPARE(data->urls().size(), 1);
        const QString file = data->urls().front().toLocalFile();
        QCOMPARE(QFileInfo(file).fileName(), QStringLiteral("item_sync.png"));
        QCOMPARE(bytesOf(file), data->data(QStringLiteral("image/png")));
        QCOMPARE(data->data(QStringLiteral("image/png")),
                 dialog.clipboardData()->data(QStringLiteral("image/png")));
        QCOMPARE(data->text(), figureAltText(dialog.input()));

        fixture.session().selection().set(Selection{}, Origin::Command);
        fixture.session().selection().clearRange(Origin::Command);
        QVERIFY(!figure.data(Theme::Light, picture)); // nothing is marked
    }

    void optionsChangeThePicture() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        fixture.view().goTo(fixture.session().document()->gaps->byRank().front(), Origin::Command);
        fixture.window().commands().run(QStringLiteral("annotate.addVerdict"));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        dialog.findChild<QDoubleSpinBox*>()->setValue(1.0);
        for (QCheckBox* check : dialog.findChildren<QCheckBox*>()) {
            if (check->objectName() == QStringLiteral("exportAltText") ||
                check->objectName() == QStringLiteral("exportEmbed"))
                continue; // of the file, not of the picture
            const QImage before = dialog.picture();
            check->toggle();
            QVERIFY2(dialog.picture() != before, qPrintable(check->text()));
            check->toggle();
            QVERIFY2(dialog.picture() == before, qPrintable(check->text()));
        }
        auto* step = dialog.findChild<QSpinBox*>(QStringLiteral("exportStep"));
        QCOMPARE(step->maximum(), 4);
        for (QComboBox* combo : dialog.findChildren<QComboBox*>())
            for (int i = 1; i < combo->count(); ++i) {
                if (combo->objectName() == QStringLiteral("exportLanes"))
                    continue; // all lanes are chosen at first
                const QImage before = dialog.picture();
                combo->setCurrentIndex(i);
                QVERIFY2(dialog.picture() != before, qPrintable(combo->itemText(i)));
            }
    }

    // As `lacuna render --step 2` shows it.
    void aStepIsExported() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        auto* range = dialog.findChild<QComboBox*>(QStringLiteral("exportRange"));
        auto* step = dialog.findChild<QSpinBox*>(QStringLiteral("exportStep"));
        QVERIFY(!step->isVisibleTo(&dialog));
        range->setCurrentIndex(range->findText(QStringLiteral("a step")));
        QVERIFY(step->isVisibleTo(&dialog));
        // The view that the window opens with is that of the second of four steps.
        QCOMPARE(step->value(), 2);
        const Document& document = *fixture.session().document();
        for (int number = 1; number <= 4; ++number) {
            step->setValue(number);
            QCOMPARE(dialog.input().range, document.trace().events().range(
                                               document.steps.events[static_cast<std::size_t>(number - 1)]));
        }
        step->setValue(2);
        dialog.findChild<QDoubleSpinBox*>()->setValue(1.0);
        for (QCheckBox* check : dialog.findChildren<QCheckBox*>())
            if (check->text().startsWith(QStringLiteral("as high")))
                check->setChecked(false);
        const QString mine = fixture.folder() + QStringLiteral("/window.png");
        QVERIFY(static_cast<bool>(dialog.writeTo(mine)));
        RenderOptions options;
        options.file = test::itemSync().string();
        options.output = (fixture.folder() + QStringLiteral("/verb.png")).toStdString();
        options.step = 2;
        options.size = "1600x900";
        std::string messages;
        QCOMPARE(renderVerb(options, messages), 0);
        QVERIFY(!bytesOf(mine).isEmpty());
        QVERIFY(bytesOf(mine) == bytesOf(QString::fromStdString(options.output)));
    }

    // The lane of the steps alone is lower than the boxes of callouts need, so their texts stand under the
    // picture.
    void chosenLanesAreExported_andNotesWithoutRoomAreListed() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        Callout note;
        note.laneKey = "lane/steps";
        for (const TimelineRow& row : fixture.view().layout().rows())
            if (row.title == "Steps")
                note.laneKey = row.key;
        note.time = fixture.view().viewport().timeAt(500);
        note.title = "The second step";
        note.text = "One line.";
        fixture.session().undoStack().push(
            new EditAnnotations(fixture.session(), AnnotationEdit::add(note), QString()));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        auto* lanes = dialog.findChild<QComboBox*>(QStringLiteral("exportLanes"));
        auto* list = dialog.findChild<QListWidget*>(QStringLiteral("exportLaneList"));
        std::string told;
        const auto shown = [&] { // number of lanes, height of the list of notes
            const FigureInput input = dialog.input();
            const FigureFonts fonts = FigureFonts::load();
            const FigureComposition figure(input, fonts);
            int found = 0;
            for (const TimelineRow& row : figure.plan().layout.rows()) {
                found += row.kind == RowKind::Lane ? 1 : 0;
                if (row.key == "note/hidden") // whoever sees the figure hid nothing
                    told = row.title;
            }
            return std::pair(found, figure.plan().notes.height());
        };
        const auto [before, noNotes] = shown();
        QCOMPARE(noNotes, 0.0);
        QVERIFY(before > 5);
        lanes->setCurrentIndex(1);
        QVERIFY(list->isVisibleTo(&dialog));
        QCOMPARE(shown().first, before);
        int streams = 0;
        for (int i = 0; i < list->count(); ++i) {
            streams += list->item(i)->text() == QStringLiteral("GPU 0 \u203a stream 7") ? 1 : 0;
            if (list->item(i)->data(Qt::UserRole).toString().toStdString() != note.laneKey)
                list->item(i)->setCheckState(Qt::Unchecked);
        }
        QCOMPARE(streams, 1);
        QCOMPARE(shown(), std::pair(1, 38.0)); // number and title in 20 px, a line of text in 18
        QVERIFY2(told.ends_with(" lanes left out"), told.c_str());
        const QImage with = dialog.picture();
        // The picture remembers what it shows.
        const QString file = fixture.folder() + QStringLiteral("/lanes.png");
        QVERIFY(static_cast<bool>(dialog.writeTo(file)));
        const auto held = workspaceInPicture(file);
        QVERIFY(static_cast<bool>(held));
        const auto workspace = Workspace::parse(*held);
        QVERIFY(static_cast<bool>(workspace));
        QCOMPARE(static_cast<int>(workspace->lanes.hidden.size()), list->count() - 1);
        lanes->setCurrentIndex(0);
        QCOMPARE(shown().first, before);
        QVERIFY(dialog.picture() != with);
    }

    void userNamesAreHidden() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        fixture.view().goTo(fixture.session().document()->gaps->byRank().front(), Origin::Command);
        fixture.window().commands().run(QStringLiteral("annotate.addVerdict"));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 10'000);
        auto* hide = dialog.findChild<QCheckBox*>(QStringLiteral("exportHideNames"));
        // Of the program that was traced; and the CUDA call, which is not.
        const QList<QByteArray> theirs{"log_loss", "capture_torch", "sleep", "item_sync"};
        const auto svg = [&] {
            const FigureFonts fonts = FigureFonts::load();
            const auto bytes = figureBytes(dialog.input(), fonts, FigureFormat::Svg);
            return bytes ? *bytes : QByteArray();
        };
        const QByteArray open = svg();
        for (const QByteArray& name : theirs)
            QVERIFY2(open.contains(name), name.constData());
        QVERIFY(open.contains("lacuna-workspace"));
        hide->setChecked(true);
        QVERIFY(!dialog.findChild<QCheckBox*>(QStringLiteral("exportEmbed"))->isEnabled());
        const QByteArray hidden = svg();
        for (const QByteArray& name : theirs)
            QVERIFY2(!hidden.contains(name), name.constData());
        QVERIFY(!hidden.contains("lacuna-workspace"));
        QVERIFY(hidden.contains("cudaStreamSynchronize"));
        QVERIFY(hidden.contains("ProfilerStep#4"));
        QVERIFY(hidden.contains("aten::item"));
        const QString said = figureAltText(dialog.input());
        for (const QByteArray& name : theirs)
            QVERIFY2(!said.contains(QString::fromUtf8(name)), name.constData());
        QVERIFY2(said.contains(QStringLiteral("In this time GPU 0 is busy")), qPrintable(said));
        hide->setChecked(false);
        QVERIFY(svg() == open);
    }

    void unwritableTargetIsSaid() {
        WindowFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        ExportDialog dialog(fixture.view(), Theme::Light, &fixture.window());
        const Status status = dialog.writeTo(QStringLiteral("/nowhere/at/all.png"));
        QVERIFY(!status);
        QVERIFY(!status.error().detail.empty());
    }
};

LACUNA_TEST(TstExportDialog, "tst_export_dialog")

} // namespace tst_export_dialog

#include "tst_export_dialog.moc"
