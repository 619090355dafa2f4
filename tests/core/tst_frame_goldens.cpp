// Frames of real traces as text: rows, bars, gap marks and arrows (tests/golden/frames). A difference is a
// difference in the picture; LACUNA_UPDATE_GOLDEN=1 rewrites the files, git shows what changed.

#include "core/base/text_format.h"
#include "core/import/load_trace.h"
#include "core/view/build_frame.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <fstream>

namespace tst_frame_goldens {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Picture {
    const char* name;
    const char* file;
    const char* range; // empty: the whole trace
    int widthPx;
    unsigned maxStrips;
    int gapRank; // selected gap; 0: none
};

constexpr Picture kPictures[] = {
    {"micro_M1", "micro/M1.json", "", 60, 6, 1},
    {"micro_M5", "micro/M5.json", "", 60, 6, 0},
    {"micro_M9", "micro/M9.json", "", 60, 6, 0},
    {"item_sync_whole", "captured/torch/item_sync.pt.trace.json.gz", "", 48, 2, 0},
    {"item_sync_gap", "captured/torch/item_sync.pt.trace.json.gz", "3.75ms..10.35ms", 48, 3, 2},
    {"item_sync_kernels", "captured/torch/item_sync.pt.trace.json.gz", "8.3ms..8.6ms", 40, 2, 0},
    {"multi_stream", "captured/torch/multi_stream.pt.trace.json.gz", "", 32, 2, 0},
    {"stall_whole", "captured/nsys/stall.sqlite", "", 24, 2, 0},
    {"two_processes", "captured/nsys/two_processes.sqlite", "", 24, 1, 0},
};

std::string layoutText(const RowLayout& layout) {
    std::string text;
    for (const TimelineRow& row : layout.rows()) {
        text += std::string(static_cast<std::size_t>(row.indent) * 2, ' ') + row.title;
        for (const std::string& part : {row.subtitle, row.secondLine, row.detail})
            text += part.empty() ? "" : " | " + part;
        text += "\n";
    }
    return text;
}

std::string draw(const Picture& picture, QString& problem) {
    JobControl job;
    const auto loaded = loadTrace(fixture(picture.file), builtinImporters(), job);
    if (!loaded) {
        problem = QString::fromStdString(loaded.error().detail);
        return {};
    }
    const Trace& trace = *loaded->trace;
    const auto gaps = GapAnalysis::run(loaded->trace, {}, job);
    LayoutOptions layoutOptions;
    layoutOptions.maxStrips = picture.maxStrips;
    const RowLayout layout = RowLayout::build(trace, layoutOptions);
    const TimeRange range = parseRange(picture.range).value_or(trace.window());
    FrameOptions options;
    options.heightPx = layout.height();
    options.gaps = gaps ? gaps->get() : nullptr;
    if (picture.gapRank > 0) {
        const auto rank = static_cast<std::size_t>(picture.gapRank);
        if (options.gaps == nullptr || options.gaps->byRank().size() < rank) {
            problem = QStringLiteral("no gap of that rank");
            return {};
        }
        options.selection = options.gaps->byRank()[rank - 1];
    }
    const Viewport view = Viewport::fitting(range, picture.widthPx);
    return layoutText(layout) + "\n" + dumpFrame(trace, layout, buildFrame(trace, layout, view, options));
}

} // namespace

class TstFrameGoldens : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void frame_data();
    void frame();
};

void TstFrameGoldens::frame_data() {
    QTest::addColumn<int>("index");
    for (int k = 0; k < static_cast<int>(std::size(kPictures)); ++k)
        QTest::newRow(kPictures[k].name) << k;
}

void TstFrameGoldens::frame() {
    QFETCH(int, index);
    const Picture& picture = kPictures[index];
    QString problem;
    const std::string text = draw(picture, problem);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    const auto file = golden("frames/" + std::string(picture.name) + ".txt");
    if (qEnvironmentVariableIsSet("LACUNA_UPDATE_GOLDEN")) {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return;
    }
    const auto lines = [](const std::string& t) {
        return QString::fromStdString(t).split(QLatin1Char('\n'));
    };
    const QStringList actual = lines(text), expected = lines(readFile(file));
    for (qsizetype k = 0; k < std::min(actual.size(), expected.size()); ++k)
        QVERIFY2(actual[k] == expected[k], qPrintable(QStringLiteral("line %1\nactual:   %2\nexpected: %3")
                                                          .arg(k + 1)
                                                          .arg(actual[k], expected[k])));
    QCOMPARE(actual.size(), expected.size());
}

LACUNA_TEST(TstFrameGoldens, "tst_frame_goldens")

} // namespace tst_frame_goldens

#include "tst_frame_goldens.moc"
