// Figures: the same bytes everywhere, nothing clipped, what the picture is about is in it.
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/figure/figure_legend.h"
#include "widgets/figure/figure_rows.h"
#include "widgets/figure/figure_text.h"
#include "widgets/figure/figure_workspace.h"
#include "widgets/figure/render_verb.h"

#include <QCryptographicHash>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>

namespace tst_figure {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

class TstFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void digest();
    void bytes_areEqual_underOtherScreensAndFonts_data();
    void bytes_areEqual_underOtherScreensAndFonts();
    void bytes_areEqual_whenPaintedAgain();
    void png_holdsPixelsAndTextOnly();
    void size_isExact_data();
    void size_isExact();
    void margins_areEmpty();
    void lowPicture_keepsTheStreamOfTheGap();
    void legend_namesWhatIsInViewOnly();
    void checkFigure_refusesWhatCannotBePainted();
    void renderVerb_exitCodes_data();
    void renderVerb_exitCodes();
    void renderVerb_writesWhatPaintFigurePaints();
    void a03_c43_provenanceTellsWhichSteps();

private:
    FigureInput input() const;
    QString m_file;
    LoadedView m_loaded;
};

namespace {

constexpr const char* kFixture = "captured/torch/item_sync.pt.trace.json.gz";

QByteArray pngOf(const FigureInput& input) {
    const auto bytes = figureBytes(input, FigureFonts::load(), FigureFormat::Png);
    return bytes ? *bytes : QByteArray();
}

GapId rankOne(const GapAnalysis& gaps) {
    return gaps.byRank()[0];
}

} // namespace

void TstFigure::initTestCase() {
    m_file = QString::fromStdString(fixture(kFixture).string());
    m_loaded = loadView(kFixture);
    QVERIFY(m_loaded);
    QVERIFY(FigureFonts::load().isComplete());
}

FigureInput TstFigure::input() const {
    FigureInput in;
    in.trace = m_loaded.trace.get();
    in.gaps = m_loaded.gaps.get();
    in.gap = rankOne(*m_loaded.gaps);
    in.range = {{11'000'000}, {16'000'000}};
    in.size = {1200, 700};
    in.sha256 = QStringLiteral("0123456789abcdef");
    return in;
}

// Prints the digest of a figure; bytes_areEqual_... runs this function in processes of other settings.
void TstFigure::digest() {
    FigureInput in = input();
    in.theme = Theme::Dark;
    in.scale = 1.5;
    const QByteArray png = pngOf(in);
    QVERIFY(!png.isEmpty());
    std::printf("digest %s\n", QCryptographicHash::hash(png, QCryptographicHash::Sha256).toHex().constData());
    std::fflush(stdout);
}

void TstFigure::bytes_areEqual_underOtherScreensAndFonts_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::newRow("screen scale 2") << QStringList{QStringLiteral("QT_SCALE_FACTOR=2")};
    QTest::newRow("screen scale 1.5, 144 DPI")
        << QStringList{QStringLiteral("QT_SCALE_FACTOR=1.5"), QStringLiteral("QT_FONT_DPI=144")};
    QTest::newRow("German locale") << QStringList{QStringLiteral("LC_ALL=de_DE.UTF-8"),
                                                  QStringLiteral("LANG=de_DE.UTF-8")};
    QTest::newRow("other font settings") << QStringList{QStringLiteral("FONTCONFIG_FILE=@fonts.conf")};
    QTest::newRow("no fonts at all") << QStringList{QStringLiteral("FONTCONFIG_FILE=@none.conf")};
}

void TstFigure::bytes_areEqual_underOtherScreensAndFonts() {
    QFETCH(QStringList, settings);
    QTemporaryDir folder;
    const auto write = [&folder](const QString& name, const QByteArray& text) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    const QByteArray head = "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>";
    write(QStringLiteral("fonts.conf"),
          head + "<dir>/usr/share/fonts</dir><match target=\"font\">"
                 "<edit name=\"hintstyle\" mode=\"assign\"><const>hintfull</const></edit>"
                 "<edit name=\"autohint\" mode=\"assign\"><bool>true</bool></edit>"
                 "<edit name=\"rgba\" mode=\"assign\"><const>rgb</const></edit></match></fontconfig>");
    write(QStringLiteral("none.conf"), head + "</fontconfig>");

    const auto digestWith = [&](const QStringList& extra) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (QString setting : extra) {
            setting.replace(QLatin1Char('@'), folder.path() + QLatin1Char('/'));
            environment.insert(setting.section(QLatin1Char('='), 0, 0), setting.section(QLatin1Char('='), 1));
        }
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("tst_figure"), QStringLiteral("digest")});
        process.waitForFinished(120'000);
        const QString output = QString::fromUtf8(process.readAllStandardOutput());
        return output.section(QStringLiteral("digest "), 1).section(QLatin1Char('\n'), 0, 0);
    };
    const QString plain = digestWith({});
    QCOMPARE(plain.size(), 64);
    QCOMPARE(digestWith(settings), plain);
}

void TstFigure::bytes_areEqual_whenPaintedAgain() {
    QCOMPARE(pngOf(input()), pngOf(input()));
}

void TstFigure::png_holdsPixelsAndTextOnly() {
    const QByteArray png = pngOf(input());
    QSet<QByteArray> chunks;
    for (qsizetype at = 8; at + 8 <= png.size();) {
        bool ok = false;
        const qint64 length = png.mid(at, 4).toHex().toLongLong(&ok, 16);
        QVERIFY(ok);
        chunks.insert(png.mid(at + 4, 4));
        at += static_cast<qsizetype>(length) + 12;
    }
    QCOMPARE(chunks, (QSet<QByteArray>{"IHDR", "pHYs", "iTXt", "IDAT", "IEND"})); // no tIME
}

void TstFigure::size_isExact_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::addColumn<QSize>("pixels");
    QTest::newRow("1x") << QSize(1200, 700) << 1.0 << QSize(1200, 700);
    QTest::newRow("2x") << QSize(1200, 700) << 2.0 << QSize(2400, 1400);
    QTest::newRow("1.25x") << QSize(801, 501) << 1.25 << QSize(1001, 626);
    QTest::newRow("0.5x") << QSize(1200, 700) << 0.5 << QSize(600, 350);
    QTest::newRow("smallest") << QSize(480, 360) << 1.0 << QSize(480, 360);
}

void TstFigure::size_isExact() {
    QFETCH(QSize, size);
    QFETCH(double, scale);
    QFETCH(QSize, pixels);
    FigureInput in = input();
    in.size = size;
    in.scale = scale;
    QVERIFY(checkFigure(in));
    const QImage image = paintFigure(in, FigureFonts::load());
    QCOMPARE(image.size(), pixels);
    QCOMPARE(image.devicePixelRatio(), scale);
}

// Text or marks that run out of the picture would show here.
void TstFigure::margins_areEmpty() {
    for (const double scale : {1.0, 2.0}) {
        FigureInput in = input();
        in.scale = scale;
        in.title = QString(400, QLatin1Char('W'));
        in.subtitle = QString(800, QLatin1Char('m'));
        const QImage image = paintFigure(in, FigureFonts::load());
        const int margin = static_cast<int>(24 * scale);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (x < margin || y < margin || x >= image.width() - margin || y >= image.height() - margin)
                    QVERIFY2(image.pixel(x, y) == 0xffffffff,
                             qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
    }
}

void TstFigure::lowPicture_keepsTheStreamOfTheGap() {
    const FigureInput in = input();
    for (const double room : {120.0, 200.0, 300.0, 600.0, 2'000.0}) {
        const FittedRows rows = fitRows(in, room);
        QVERIFY(rows.height <= room);
        const auto stream = rows.layout.rowOf(laneOfKey(*in.trace, "lane/gpu_stream/0/7"));
        QVERIFY(stream);
        const TimelineRow& row = rows.layout.rows()[*stream];
        QVERIFY2(row.y + row.height <= rows.height, qPrintable(QString::number(room)));
    }
    QCOMPARE(fitRows(in, 2'000.0).leftOut, 0);
    QVERIFY(fitRows(in, 200.0).leftOut > 0);
}

void TstFigure::legend_namesWhatIsInViewOnly() {
    const auto kindsIn = [this](TimeRange range) {
        PaintedView view(m_loaded, range, 1000, 1200);
        return legendOf(view.scene);
    };
    // Asleep between wait and next launch: no copy, no memset; the gap's class and the Python frame are
    // there.
    const Legend quiet = kindsIn({{6'000'000}, {7'500'000}});
    QCOMPARE(quiet.kinds, (std::vector<Ink>{Ink::Range, Ink::Operator}));
    QCOMPARE(quiet.classes, std::vector<GapClass>{GapClass::Host});
    const Legend busy = kindsIn({{4'000'000}, {9'000'000}});
    QVERIFY(std::find(busy.kinds.begin(), busy.kinds.end(), Ink::Wait) != busy.kinds.end());
    QVERIFY(std::find(busy.kinds.begin(), busy.kinds.end(), Ink::Kernel) != busy.kinds.end());
    QVERIFY(busy.notes.empty());
    // A dot for each colour of notes that is used.
    AnnotationSet notes;
    for (const NoteColour colour : {NoteColour::Gap, NoteColour::Annotation, NoteColour::Gap}) {
        Callout note;
        note.laneKey = "lane/gpu_stream/0/7";
        note.colour = colour;
        notes.apply(AnnotationEdit::add(note));
    }
    PaintedView noted(m_loaded, {{4'000'000}, {9'000'000}}, 1000, 1200);
    noted.scene.annotations = &notes;
    QCOMPARE(legendOf(noted.scene).notes, (std::vector<Ink>{Ink::Gap, Ink::Annotation}));
}

void TstFigure::checkFigure_refusesWhatCannotBePainted() {
    FigureInput in = input();
    QVERIFY(checkFigure(in));
    in.scale = 0.4;
    QVERIFY(!checkFigure(in));
    in.scale = 8.1;
    QVERIFY(!checkFigure(in));
    in.scale = 8;
    in.size = {4096, 400};
    QVERIFY(!checkFigure(in));
    in.size = {2048, 400};
    QVERIFY(checkFigure(in));
    in.size = {479, 400};
    QVERIFY(!checkFigure(in));
    in.size = {600, 359};
    QVERIFY(!checkFigure(in));
    in = input();
    in.range = {{5}, {5}};
    QVERIFY(!checkFigure(in));
}

void TstFigure::renderVerb_exitCodes_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("code");
    QTest::newRow("done") << QString() << 0;
    QTest::newRow("size") << QStringLiteral("size") << 2;
    QTest::newRow("range") << QStringLiteral("range") << 2;
    QTest::newRow("gap") << QStringLiteral("gap") << 2;
    QTest::newRow("step") << QStringLiteral("step") << 2;
    QTest::newRow("format") << QStringLiteral("format") << 2;
    QTest::newRow("missing") << QStringLiteral("missing") << 3;
    QTest::newRow("folder") << QStringLiteral("folder") << 5;
}

void TstFigure::renderVerb_exitCodes() {
    QFETCH(QString, what);
    QFETCH(int, code);
    QTemporaryDir folder;
    RenderOptions options;
    options.file = what == QStringLiteral("missing") ? "no such file" : m_file.toStdString();
    options.output = folder.filePath(QStringLiteral("out.png")).toStdString();
    options.size = what == QStringLiteral("size") ? "10by10" : "640x400";
    options.step = what == QStringLiteral("step") ? 5 : 0;
    options.gap = what == QStringLiteral("gap") ? 1'000'000 : 0;
    if (what == QStringLiteral("range"))
        options.range = "5ms..4ms";
    if (what == QStringLiteral("format"))
        options.output += ".bmp";
    if (what == QStringLiteral("folder"))
        options.output = folder.filePath(QStringLiteral("missing/out.png")).toStdString();
    std::string messages;
    QCOMPARE(renderVerb(options, messages), code);
    QCOMPARE(messages.empty(), code == 0);
    QCOMPARE(QFile::exists(QString::fromStdString(options.output)), code == 0);
}

void TstFigure::renderVerb_writesWhatPaintFigurePaints() {
    QTemporaryDir folder;
    RenderOptions options;
    options.file = m_file.toStdString();
    options.output = folder.filePath(QStringLiteral("out.png")).toStdString();
    options.range = "11ms..16ms";
    options.size = "1200x700";
    options.scale = 2;
    options.theme = "print";
    std::string messages;
    QCOMPARE(renderVerb(options, messages), 0);
    FigureInput in = input();
    in.gap = {};
    in.scale = 2;
    in.theme = Theme::Print;
    JobControl job;
    in.steps = *stepCaption(*in.trace, {}, job);
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::ReadOnly));
    in.sha256 =
        QString::fromLatin1(QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex());
    QFile written(QString::fromStdString(options.output));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), pngOf(in));
}

// Warm-up that is left out, and repeats that nobody has confirmed, are told in the figure.
void TstFigure::a03_c43_provenanceTellsWhichSteps() {
    FigureInput in = input();
    in.gap = {};
    QVERIFY(!provenanceLines(in)[1].contains(QStringLiteral("step")));
    in.steps = {"12 steps by ProfilerStep, 2 warm-up excluded", 18'000'000};
    QVERIFY(provenanceLines(in)[1].contains(QStringLiteral("12 steps by ProfilerStep, 2 warm-up excluded")));
    QVERIFY(defaultFigureSubtitle(in).contains(QStringLiteral("tep median 18.00 ms")));
    in.steps = {"8 candidate steps (unconfirmed)", 0};
    QVERIFY(provenanceLines(in)[1].contains(QStringLiteral("8 candidate steps (unconfirmed)")));
    // What was said goes with the view that the picture holds.
    in.stepSettings = {{"steps.pattern", "token:1"}};
    QCOMPARE(workspaceOf(in).settings, in.stepSettings);
}

LACUNA_TEST(TstFigure, "tst_figure")

} // namespace tst_figure

#include "tst_figure.moc"
