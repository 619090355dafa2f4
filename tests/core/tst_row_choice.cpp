// A load that takes a part of the rows: those that touch a stretch of time, each as in the whole trace, all
// others counted; and the survey that tells what there is to choose from.

#include "core/analysis/gap_analysis.h"
#include "core/analysis/steps.h"
#include "core/document/trace_survey.h"
#include "core/import/load_trace.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tst_row_choice {

using namespace lacuna;
using namespace lacuna::test;

namespace {

LoadedTrace loaded(const std::filesystem::path& file, RowChoice* choice = nullptr) {
    JobControl job;
    LoadOptions options;
    options.choice = choice;
    auto trace = loadTrace(file, builtinImporters(), job, options);
    if (!trace)
        qFatal("%s", trace.error().detail.c_str());
    return *std::move(trace);
}

// In the time of the file.
using Row = std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::string, int>;

std::vector<Row> rowsTouching(const Trace& trace, FileStretch stretch) {
    const EventTable& events = trace.events();
    std::vector<Row> rows;
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        const std::int64_t begin = events.beginNs[e] + trace.fileZeroNs(),
                           end = events.endNs[e] + trace.fileZeroNs();
        const bool touches = begin == end ? begin >= stretch.beginNs && begin < stretch.endNs
                                          : begin < stretch.endNs && end > stretch.beginNs;
        if (touches)
            rows.emplace_back(events.source[e], begin, end, std::string(trace.nameOf(EventId{e})),
                              static_cast<int>(events.kind[e]));
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

// Idle stretches of every device between the bounds of a stretch of the file.
std::set<std::pair<std::int64_t, std::int64_t>> gapsIn(const LoadedTrace& loaded, FileStretch stretch) {
    JobControl job;
    const auto analysis = GapAnalysis::run(loaded.trace, {}, job);
    std::set<std::pair<std::int64_t, std::int64_t>> gaps;
    for (const Gap& gap : (*analysis)->gaps()) {
        const std::int64_t zero = loaded.trace->fileZeroNs();
        if (gap.range.begin.v + zero > stretch.beginNs && gap.range.end.v + zero < stretch.endNs)
            gaps.emplace(gap.range.begin.v + zero, gap.range.end.v + zero);
    }
    return gaps;
}

} // namespace

class TstRowChoice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsOfAStretch_areThoseOfTheWhole_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("Kineto") << QStringLiteral("captured/torch/item_sync.pt.trace.json.gz");
        QTest::newRow("Nsight Systems") << QStringLiteral("captured/nsys/stall.sqlite");
    }
    void rowsOfAStretch_areThoseOfTheWhole() {
        QFETCH(QString, file);
        const LoadedTrace whole = loaded(fixture(file.toStdString()));
        const std::int64_t zero = whole.trace->fileZeroNs(), begin = whole.trace->window().begin.v + zero,
                           length = whole.trace->window().length().v;
        for (const auto& [from, to] : {std::pair(0.0, 0.3), std::pair(0.4, 0.41), std::pair(0.7, 1.1)}) {
            const FileStretch stretch{begin + static_cast<std::int64_t>(from * static_cast<double>(length)),
                                      begin + static_cast<std::int64_t>(to * static_cast<double>(length))};
            RowChoice choice = RowChoice::touching(stretch);
            const LoadedTrace part = loaded(fixture(file.toStdString()), &choice);
            const std::vector<Row> expected = rowsTouching(*whole.trace, stretch);
            QVERIFY(!expected.empty());
            QVERIFY(rowsTouching(*part.trace, {}) == expected);
            // Nothing is lost: what is not taken is counted.
            QCOMPARE(part.trace->report().rowsRead(), whole.trace->report().rowsRead());
            QVERIFY(part.trace->report().find(kRowsNotChosen)->count > 0);
            const auto gaps = gapsIn(part, {}), all = gapsIn(whole, {}), inside = gapsIn(whole, stretch);
            QVERIFY(std::includes(all.begin(), all.end(), gaps.begin(), gaps.end())); // none is invented
            QVERIFY(std::includes(gaps.begin(), gaps.end(), inside.begin(), inside.end()));
        }
    }

    void pairsMarksAndArrows() {
        const std::string text =
            q("{'traceEvents':["
              "{'ph':'B','name':'outer','pid':1,'tid':1,'ts':0},"
              "{'ph':'B','name':'early','pid':1,'tid':1,'ts':1},{'ph':'E','pid':1,'tid':1,'ts':2},"
              "{'ph':'E','pid':1,'tid':1,'ts':100},"
              "{'ph':'i','name':'before','s':'t','pid':1,'tid':1,'ts':9.999},"
              "{'ph':'i','name':'first','s':'t','pid':1,'tid':1,'ts':10},"
              "{'ph':'i','name':'behind','s':'t','pid':1,'tid':1,'ts':20},"
              "{'ph':'X','name':'touches','pid':1,'tid':2,'ts':5,'dur':5.001},"
              "{'ph':'X','name':'ends at','pid':1,'tid':2,'ts':2,'dur':8},"
              "{'ph':'C','name':'n','pid':1,'ts':3,'args':{'v':1}},"
              "{'ph':'s','id':1,'name':'a','cat':'x','pid':1,'tid':2,'ts':3},"
              "{'ph':'f','id':1,'name':'a','cat':'x','pid':1,'tid':2,'ts':6}]}");
        RowChoice choice = RowChoice::touching({10'000, 20'000});
        JobControl job;
        LoadOptions options;
        options.choice = &choice;
        const auto part = loadTraceFromMemory(text, "trace.json", builtinImporters(), job, 0, options);
        QVERIFY(bool(part));
        std::set<std::string> names;
        for (std::uint32_t e = 0; e < part->trace->events().size(); ++e)
            names.emplace(part->trace->nameOf(EventId{e}));
        QVERIFY(names == (std::set<std::string>{"outer", "first", "touches"}));
        const ImportReport& report = part->trace->report();
        QCOMPARE(report.rowsRead(), std::uint64_t{12});
        QCOMPARE(report.rowsKept(), std::uint64_t{4}); // both marks of the outer slice
        QCOMPARE(report.find(kRowsNotChosen)->count, std::uint64_t{8});
    }

    void aSurveyTellsTheSteps_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("ProfilerStep") << QStringLiteral("captured/torch/item_sync.pt.trace.json.gz");
        QTest::newRow("NVTX") << QStringLiteral("captured/nsys/train.sqlite");
        QTest::newRow("none") << QStringLiteral("micro/M1.json");
    }
    void aSurveyTellsTheSteps() {
        QFETCH(QString, file);
        const LoadedTrace whole = loaded(fixture(file.toStdString()));
        JobControl job;
        const auto survey = surveyTrace(fixture(file.toStdString()), job, {});
        QVERIFY(bool(survey));
        const Steps steps = findSteps(*whole.trace);
        QCOMPARE(survey->steps.size(), steps.events.size());
        const std::int64_t zero = whole.trace->fileZeroNs();
        for (std::size_t i = 0; i < steps.events.size(); ++i) {
            const TimeRange range = whole.trace->events().range(steps.events[i]);
            QVERIFY(survey->steps[i].name == whole.trace->nameOf(steps.events[i]));
            QVERIFY(survey->steps[i].stretch == (FileStretch{range.begin.v + zero, range.end.v + zero}));
        }
        QCOMPARE(survey->whole.beginNs, whole.trace->window().begin.v + zero);
        QCOMPARE(survey->whole.endNs, whole.trace->window().end.v + zero);
    }

    void aSurveyCanBeCancelled() {
        JobControl job;
        job.requestCancel();
        const auto survey = surveyTrace(fixture("captured/torch/item_sync.pt.trace.json.gz"), job, {});
        QVERIFY(!survey);
        QVERIFY(survey.error().code == Errc::Cancelled);
    }
};

LACUNA_TEST(TstRowChoice, "tst_row_choice")

} // namespace tst_row_choice

#include "tst_row_choice.moc"
