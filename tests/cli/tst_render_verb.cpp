// What the verb promises; the picture itself is tested with the widgets.

#include "tests/cli/cli_run.h"
#include "tests/support/event_text.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <array>
#include <cstdint>

namespace tst_render_verb {

using namespace lacuna::test;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Width and height from the head of a PNG; zero when it is none.
std::array<std::uint32_t, 2> pngSize(const QByteArray& png) {
    if (!png.startsWith("\x89PNG\r\n\x1a\n") || png.size() < 24)
        return {0, 0};
    const auto word = [&png](qsizetype at) {
        std::uint32_t value = 0;
        for (qsizetype i = at; i < at + 4; ++i)
            value = value << 8 | static_cast<std::uint8_t>(png[i]);
        return value;
    };
    return {word(16), word(20)};
}

} // namespace

class TstRenderVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void picture_hasTheAskedSize_data();
    void picture_hasTheAskedSize();
    void equalOptions_giveEqualBytes_data();
    void equalOptions_giveEqualBytes();
    void drawings_haveTheAskedSize();
    void unknownEnding_isWrongUsage();
    void views_differ();
    void sheet_hasAPictureOfEachFinding();
    void workspace_givesViewAndCallouts();
    void workspace_tellsHowTheTraceIsRead();
    void workspace_ofAnotherTrace_isRefused_data();
    void workspace_ofAnotherTrace_isRefused();
    void standardOutput_staysEmpty();
    void a03_c43_pictureTellsWhichSteps();
};

void TstRenderVerb::picture_hasTheAskedSize_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<unsigned>("width");
    QTest::addColumn<unsigned>("height");
    QTest::newRow("default") << QString() << 1920U << 1080U;
    QTest::newRow("size") << QStringLiteral("--size 1000x700") << 1000U << 700U;
    QTest::newRow("scale") << QStringLiteral("--size 1000x700 --scale 1.5") << 1500U << 1050U;
    QTest::newRow("dark") << QStringLiteral("--theme dark --size 1000x700") << 1000U << 700U;
    QTest::newRow("range") << QStringLiteral("--range 10us..90us") << 1920U << 1080U;
}

void TstRenderVerb::picture_hasTheAskedSize() {
    QFETCH(QString, options);
    QFETCH(unsigned, width);
    QFETCH(unsigned, height);
    QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("out.png"));
    const QStringList more = options.isEmpty() ? QStringList() : options.split(u' ');
    const Ran ran = runLacuna(
        QStringList{QStringLiteral("render"), fixturePath("micro/M2.json"), QStringLiteral("-o"), out} +
        more);
    QVERIFY2(ran.code == 0, ran.err.constData());
    const auto size = pngSize(contents(out));
    QCOMPARE(size[0], width);
    QCOMPARE(size[1], height);
}

void TstRenderVerb::equalOptions_giveEqualBytes_data() {
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("png") << QStringLiteral("png") << QByteArray("\x89PNG");
    QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("<?xml ");
    QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("%PDF-");
}

// Two processes have two hash seeds, two times of day and two sets of font numbers.
void TstRenderVerb::equalOptions_giveEqualBytes() {
    QFETCH(QString, ending);
    QFETCH(QByteArray, start);
    QTemporaryDir folder;
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const auto render = [&](const char* name) {
        const QString out = folder.filePath(QLatin1String(name) + u'.' + ending);
        runLacuna({QStringLiteral("render"), file, QStringLiteral("-o"), out, QStringLiteral("--gap"),
                   QStringLiteral("1")});
        return contents(out);
    };
    const QByteArray first = render("a"), second = render("b");
    QVERIFY(first.startsWith(start));
    QVERIFY(first == second);
}

void TstRenderVerb::drawings_haveTheAskedSize() {
    QTemporaryDir folder;
    const auto render = [&](const char* name) {
        const QString out = folder.filePath(QLatin1String(name));
        const Ran ran =
            runLacuna({QStringLiteral("render"), fixturePath("micro/M2.json"), QStringLiteral("-o"), out,
                       QStringLiteral("--size"), QStringLiteral("1000x700"), QStringLiteral("--scale"),
                       QStringLiteral("1.5"), QStringLiteral("--theme"), QStringLiteral("print")});
        return ran.code == 0 && ran.err.isEmpty() && ran.out.isEmpty() ? contents(out) : QByteArray();
    };
    QVERIFY(render("a.svg").contains(R"( width="1000" height="700" viewBox="0 0 1500 1050")"));
    QVERIFY(render("a.PDF").contains("/MediaBox [0 0.0000 750.0000 525.0000]"));
}

void TstRenderVerb::unknownEnding_isWrongUsage() {
    QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("a.jpg"));
    const Ran ran =
        runLacuna({QStringLiteral("render"), fixturePath("micro/M2.json"), QStringLiteral("-o"), out});
    QCOMPARE(ran.code, 2);
    QVERIFY(ran.err.contains(".png, .svg or .pdf"));
    QVERIFY(!QFile::exists(out));
}

void TstRenderVerb::views_differ() {
    QTemporaryDir folder;
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const auto render = [&](const QString& option, const QString& value) {
        const QString out = folder.filePath(QStringLiteral("view.png"));
        QFile::remove(out);
        const Ran ran = runLacuna({QStringLiteral("render"), file, QStringLiteral("-o"), out, option, value});
        return ran.code == 0 ? contents(out) : QByteArray();
    };
    const QByteArray gap = render(QStringLiteral("--gap"), QStringLiteral("1"));
    const QByteArray step = render(QStringLiteral("--step"), QStringLiteral("2"));
    const QByteArray dark = render(QStringLiteral("--theme"), QStringLiteral("dark"));
    QVERIFY(!gap.isEmpty() && !step.isEmpty() && !dark.isEmpty());
    QVERIFY(gap != step && gap != dark && step != dark);
}

void TstRenderVerb::workspace_givesViewAndCallouts() {
    QTemporaryDir folder;
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const auto render = [&](const char* name, const QStringList& options) {
        const QString out = folder.filePath(QLatin1String(name));
        const Ran ran =
            runLacuna(QStringList{QStringLiteral("render"), file, QStringLiteral("-o"), out} + options);
        return ran.code == 0 && ran.err.isEmpty() ? contents(out) : ran.err;
    };
    // A picture tells its own view, in any format.
    const QByteArray first = render("a.png", {QStringLiteral("--gap"), QStringLiteral("2")});
    QVERIFY(first.startsWith("\x89PNG"));
    QVERIFY(!render("a.pdf", {QStringLiteral("--gap"), QStringLiteral("2")}).isEmpty());
    for (const char* made : {"a.png", "a.pdf"})
        QVERIFY(render("b.png", {QStringLiteral("--workspace"), folder.filePath(QLatin1String(made))}) ==
                first);
    QFile workspace(folder.filePath(QStringLiteral("notes.lacuna")));
    QVERIFY(workspace.open(QIODevice::WriteOnly));
    workspace.write(
        R"({"format":"lacuna-workspace","version":1,"views":[{"begin_ns":5000000,"end_ns":9000000}],)"
        R"("annotations":[{"kind":"callout","lane":"lane/gpu_stream/0/7","time_ns":7000000,)"
        R"("number":4,"title":"Here","text":"it waits"}]})");
    workspace.close();
    const QStringList notes{QStringLiteral("--workspace"), workspace.fileName()};
    const QByteArray svg = render("notes.svg", notes);
    QVERIFY(svg.contains("Note 4: Here: it waits"));
    QVERIFY(svg.contains(">it waits</text>"));
    QVERIFY(svg.contains("5.000 \xe2\x80\x93 9.000 ms of"));
    // What the command line says goes before the view; the callouts stay.
    const QByteArray moved =
        render("moved.svg", notes + QStringList{QStringLiteral("--range"), QStringLiteral("6ms..8ms")});
    QVERIFY(moved.contains("6.000 \xe2\x80\x93 8.000 ms of") && moved.contains(">it waits</text>"));
}

// Times that are ns: the axis of the picture, and the view that it holds.
void TstRenderVerb::workspace_tellsHowTheTraceIsRead() {
    const QTemporaryDir folder;
    const auto write = [&](const char* name, const char* text) {
        QFile file(folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("ns.json", R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":2000000,)"
                     R"("args":{"device":0,"stream":7}}])");
    write("w.lacuna", R"({"format":"lacuna-workspace","version":1,"trace":{"name":"ns.json",)"
                      R"("read_as":{"times_ns":true}}})");
    const QString out = folder.filePath(QStringLiteral("out.svg"));
    const auto drawn = [&](const QStringList& more) {
        const Ran ran =
            runLacuna(QStringList{QStringLiteral("render"), folder.filePath(QStringLiteral("ns.json")),
                                  QStringLiteral("-o"), out} +
                      more);
        return ran.code == 0 ? contents(out) : QByteArray();
    };
    const QByteArray usual = drawn({}),
                     asNs =
                         drawn({QStringLiteral("--workspace"), folder.filePath(QStringLiteral("w.lacuna"))});
    QVERIFY(usual.contains("2.000 s of") && !usual.contains("read_as"));
    QVERIFY(asNs.contains("2.000 ms of") && !asNs.contains("2.000 s of"));
    QVERIFY(asNs.contains("&quot;read_as&quot;:{&quot;times_ns&quot;:true}"));
    QVERIFY(drawn({QStringLiteral("--workspace"), out}) == asNs); // from the picture itself
}

void TstRenderVerb::workspace_ofAnotherTrace_isRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("another trace")
        << QByteArray(R"({"format":"lacuna-workspace","version":1,"trace":{"name":"b.json","sha256":"00"}})")
        << QByteArray("was made on another trace, b.json.");
    QTest::newRow("newer") << QByteArray(R"({"format":"lacuna-workspace","version":9})")
                           << QByteArray("written by a newer Lacuna");
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray("no complete JSON");
    QTest::newRow("a picture without a view") << QByteArray("<svg></svg>") << QByteArray("holds no view");
}

void TstRenderVerb::workspace_ofAnotherTrace_isRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    QTemporaryDir folder;
    QFile workspace(folder.filePath(QStringLiteral("w")));
    QVERIFY(workspace.open(QIODevice::WriteOnly));
    workspace.write(text);
    workspace.close();
    const QString out = folder.filePath(QStringLiteral("out.png"));
    const Ran ran = runLacuna({QStringLiteral("render"), fixturePath("micro/M2.json"), QStringLiteral("-o"),
                               out, QStringLiteral("--workspace"), workspace.fileName()});
    QCOMPARE(ran.code, 3);
    QVERIFY2(ran.err.contains(message), ran.err.constData());
    QVERIFY(!QFile::exists(out));
}

// One picture of --size for each group of gaps, at most six: three in a row.
void TstRenderVerb::sheet_hasAPictureOfEachFinding() {
    QTemporaryDir folder;
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const auto render = [&](const char* name) {
        return runLacuna({QStringLiteral("render"), file, QStringLiteral("--sheet"), QStringLiteral("--size"),
                          QStringLiteral("800x500"), QStringLiteral("-o"),
                          folder.filePath(QLatin1String(name))});
    };
    QCOMPARE(render("sheet.png").code, 0);
    QCOMPARE(pngSize(contents(folder.filePath(QStringLiteral("sheet.png")))),
             (std::array<std::uint32_t, 2>{2400, 1000}));
    QCOMPARE(render("sheet.pdf").code, 2);
}

void TstRenderVerb::standardOutput_staysEmpty() {
    QTemporaryDir folder;
    const Ran ran = runLacuna({QStringLiteral("render"), fixturePath("captured/nsys/stall.sqlite"),
                               QStringLiteral("-o"), folder.filePath(QStringLiteral("out.png"))});
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.out, QByteArray());
    QCOMPARE(ran.err, QByteArray());
}

// In the words of an SVG: candidates, then what a person says they are, then that word in the view it holds.
void TstRenderVerb::a03_c43_pictureTellsWhichSteps() {
    QTemporaryDir folder;
    std::string rows;
    for (int k = 0; k < 8; ++k)
        for (const auto& [name, at] : {std::pair("embed", 0), std::pair("mlp", 200), std::pair("head", 400)})
            rows += (rows.empty() ? "" : ",") +
                    rowText("kernel", name, 2'000 * k + at, 100, "{'device':0,'stream':7}", 7);
    QFile trace(folder.filePath(QStringLiteral("repeats.json")));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    trace.write(QByteArray::fromStdString(q(objectForm(rows))));
    trace.close();
    const QString out = folder.filePath(QStringLiteral("out.svg"));
    const auto drawn = [&](const QString& file, const QStringList& more) {
        const Ran ran = runLacuna(
            QStringList{QStringLiteral("render"), trace.fileName(), QStringLiteral("-o"), file} + more);
        return ran.code == 0 ? contents(file) : ran.err;
    };
    QVERIFY(drawn(out, {}).contains("8 candidate steps (unconfirmed)"));
    QVERIFY(drawn(out, {QStringLiteral("--set"), QStringLiteral("steps.pattern=token:1")})
                .contains("8 tokens, repeats of a pattern as the user said"));
    QVERIFY(drawn(out, {QStringLiteral("--set"), QStringLiteral("no.such=1")}).contains("no.such"));
}

LACUNA_TEST(TstRenderVerb, "tst_render_verb")

} // namespace tst_render_verb

#include "tst_render_verb.moc"
