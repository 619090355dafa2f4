// A picture opens again: the view inside the three formats, and what is no picture of ours.

#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/figure/figure_workspace.h"

#include <QFile>
#include <QTemporaryDir>

#include <random>

namespace tst_figure_workspace {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

class TstFigureWorkspace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void picture_holdsItsView_data();
    void picture_holdsItsView();
    void picture_holdsNothing_whenToldSo_data() { picture_holdsItsView_data(); }
    void picture_holdsNothing_whenToldSo();
    void view_isPutInPlace();
    void others_areRefused_data();
    void others_areRefused();
    void damagedPictures_doNoHarm_data() { picture_holdsItsView_data(); }
    void damagedPictures_doNoHarm();

private:
    QString write(const QByteArray& bytes, const QString& name) const {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName()
                                                                                    : QString();
    }
    FigureInput input() const;

    QTemporaryDir m_folder;
    LoadedView m_loaded;
    AnnotationSet m_notes;
};

void TstFigureWorkspace::initTestCase() {
    m_loaded = loadView("captured/torch/item_sync.pt.trace.json.gz");
    QVERIFY(m_loaded);
    Callout note;
    note.laneKey = "lane/gpu_stream/0/7";
    note.time = {7'000'000};
    note.title = "Here <it> is & \"more\"";
    note.text = "0.97 ms \xe2\x86\x92 \xe6\x97\xa5\n]]> (and \\ back)";
    m_notes.apply(AnnotationEdit::add(note));
}

FigureInput TstFigureWorkspace::input() const {
    FigureInput in;
    in.trace = m_loaded.trace.get();
    in.gaps = m_loaded.gaps.get();
    in.gap = m_loaded.gaps->byRank()[0];
    in.range = {{4'000'001}, {9'000'002}};
    in.layout.folded = {"gpu/0"};
    in.layout.unfolded = {"lane/python/483/483"};
    in.annotations = &m_notes;
    in.sha256 = QString(64, u'a');
    in.size = {640, 480};
    return in;
}

void TstFigureWorkspace::picture_holdsItsView_data() {
    QTest::addColumn<FigureFormat>("format");
    QTest::newRow("png") << FigureFormat::Png;
    QTest::newRow("svg") << FigureFormat::Svg;
    QTest::newRow("pdf") << FigureFormat::Pdf;
}

void TstFigureWorkspace::picture_holdsItsView() {
    QFETCH(FigureFormat, format);
    const auto bytes = figureBytes(input(), FigureFonts::load(), format);
    QVERIFY(bytes);
    const auto held = workspaceInPicture(write(*bytes, QStringLiteral("no ending")));
    QVERIFY2(held, held ? "" : held.error().detail.c_str());
    QCOMPARE(*held, workspaceOf(input()).text());
    const auto workspace = Workspace::parse(*held);
    QVERIFY(workspace);
    QCOMPARE(workspace->trace.name, std::string("item_sync.pt.trace.json.gz"));
    QCOMPARE(workspace->trace.sha256, std::string(64, 'a'));
    QVERIFY(workspace->trace.path.empty());
    QVERIFY(workspace->annotations() == m_notes);
    // The trace's data is not in it.
    QVERIFY(held->find("cudaLaunchKernel") == std::string::npos);
    QVERIFY(held->size() < 1'000);
}

void TstFigureWorkspace::picture_holdsNothing_whenToldSo() {
    QFETCH(FigureFormat, format);
    FigureInput in = input();
    in.embedView = false;
    in.altText = false;
    const auto bytes = figureBytes(in, FigureFonts::load(), format);
    QVERIFY(bytes);
    QVERIFY(!bytes->contains("lacuna-workspace"));
    for (const char* place : {"<desc", "<dc:description", "/Subject", "iTXtDescription"})
        QVERIFY2(!bytes->contains(place), place);
    const auto held = workspaceInPicture(write(*bytes, QStringLiteral("plain")));
    QVERIFY(!held);
    QCOMPARE(static_cast<int>(held.error().code), static_cast<int>(Errc::Unsupported));
}

void TstFigureWorkspace::view_isPutInPlace() {
    const FigureInput before = input();
    FigureInput after;
    after.trace = before.trace;
    after.gaps = before.gaps;
    applyWorkspace(workspaceOf(before), after);
    QCOMPARE(after.range.begin.v, before.range.begin.v);
    QCOMPARE(after.range.end.v, before.range.end.v);
    QVERIFY(after.gap == before.gap);
    QVERIFY(after.layout.folded == before.layout.folded);
    QVERIFY(after.layout.unfolded == before.layout.unfolded);
    // A gap that is not there (another threshold, another trace) is none.
    Workspace moved = workspaceOf(before);
    moved.view.gap->range.begin.v += 1;
    after.gap = {};
    applyWorkspace(moved, after);
    QVERIFY(!after.gap);
}

void TstFigureWorkspace::others_areRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("lacuna-workspace");
    QTest::newRow("head of a PNG") << QByteArray("\x89PNG\r\n\x1a\n lacuna-workspace");
    QTest::newRow("chunk without end") << QByteArray(
        "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR0123456789abcCRC.\xff\xff\xff\xffiTXtlacuna-workspace\0\0\0\0\0{",
        63);
    QTest::newRow("head of a PDF") << QByteArray("%PDF-1.4\nxref\n0 3\ntrailer\nstartxref\n9\n%%EOF");
    QTest::newRow("table without end") << QByteArray(
        "%PDF-1.4\nxref\n0 3\n0000000000 65535 f \n9999999999 00000 n \ntrailer /Info 1 /Root 1\n"
        "startxref\n9\n%%EOF");
    QTest::newRow("SVG of others") << QByteArray(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata/></svg>");
    QTest::newRow("broken SVG") << QByteArray(
        "<svg><metadata><a:workspace xmlns:a=\"urn:lacuna:workspace\">{");
}

void TstFigureWorkspace::others_areRefused() {
    QFETCH(QByteArray, bytes);
    const auto held = workspaceInPicture(write(bytes, QStringLiteral("other")));
    QVERIFY(!held || !Workspace::parse(*held));
}

void TstFigureWorkspace::damagedPictures_doNoHarm() {
    QFETCH(FigureFormat, format);
    const auto bytes = figureBytes(input(), FigureFonts::load(), format);
    QVERIFY(bytes);
    std::minstd_rand engine(7);
    const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    int whole = 0;
    for (int round = 0; round < 120; ++round) {
        QByteArray damaged = *bytes;
        if (round % 4 == 0)
            damaged.truncate(static_cast<qsizetype>(random() % static_cast<std::uint32_t>(damaged.size())));
        // The heads of PNG chunks and the table of a PDF are at its ends.
        for (int i = 0; i < 8 && !damaged.isEmpty(); ++i) {
            const auto size = static_cast<std::uint32_t>(damaged.size());
            const std::uint32_t near = random() % std::min<std::uint32_t>(size, 2'000);
            damaged[static_cast<qsizetype>(i % 2 == 0 ? near : size - 1 - near)] =
                static_cast<char>(random());
        }
        const auto held = workspaceInPicture(write(damaged, QStringLiteral("damaged")));
        whole += held && Workspace::parse(*held) ? 1 : 0;
    }
    QVERIFY(whole < 120);
}

LACUNA_TEST(TstFigureWorkspace, "tst_figure_workspace")

} // namespace tst_figure_workspace

#include "tst_figure_workspace.moc"
