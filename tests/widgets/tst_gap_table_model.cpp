// The table of gaps: sums to the ns, order, units, and the rules of Qt's models.

#include "core/trace/trace_builder.h"
#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/tables/gap_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace tst_gap_table_model {

using namespace lacuna;
using namespace lacuna::ui;

namespace {
std::filesystem::path itemSync() {
    return test::fixture("captured/torch/item_sync.pt.trace.json.gz");
}
} // namespace

class TstGapTableModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(test::openAndWait(m_session, itemSync())); }

    void followsTheRulesOfModels() {
        GapTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setAnalysis(gaps());
        model.sort(GapTableModel::Total, Qt::AscendingOrder);
        model.sort(GapTableModel::Bound, Qt::DescendingOrder);
        model.setThreshold(100'000);
        model.setFilter(QStringLiteral("sync"));
        model.setFilter(QStringLiteral("no such call"));
        model.setAnalysis(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void listedMicroAndFilteredSumToIdle_data() {
        QTest::addColumn<qint64>("threshold");
        QTest::addColumn<QString>("filter");
        QTest::newRow("default") << qint64(1'000) << QString();
        QTest::newRow("everything") << qint64(0) << QString();
        QTest::newRow("only long ones") << qint64(1'000'000) << QString();
        QTest::newRow("filtered") << qint64(1'000) << QStringLiteral("sync");
        QTest::newRow("nothing left") << qint64(1'000) << QStringLiteral("zzz");
    }
    void listedMicroAndFilteredSumToIdle() {
        QFETCH(qint64, threshold);
        QFETCH(QString, filter);
        GapTableModel model;
        model.setAnalysis(gaps());
        model.setThreshold(threshold);
        model.setFilter(filter);
        const GapTotals totals = gaps()->totals(DeviceId{0});
        QCOMPARE(model.idleNs(), totals.idleNs);
        QCOMPARE(model.listedNs() + model.microNs() + model.filteredNs(), totals.idleNs);
        std::int64_t shown = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            for (const GapId gap : model.gapsOf(model.index(row, 0)))
                shown += gaps()->gap(gap).length().v;
        QCOMPARE(shown, totals.idleNs);
    }

    // A range: gaps are cut to it, and listed, micro and filtered sum to the idle time of the range.
    void rangeCutsToTheNs_data() {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        const Gap& worst = gaps()->gap(gaps()->byRank().front());
        const TimeRange window = gaps()->deviceWindow(DeviceId{0});
        const qint64 from = worst.range.begin.v, to = worst.range.end.v;
        QTest::newRow("inside a gap") << qint64(from + 1000) << qint64(to - 2000);
        QTest::newRow("from a gap's middle on") << qint64((from + to) / 2) << qint64(window.end.v);
        QTest::newRow("one ns of it") << to - 1 << to;
        QTest::newRow("no device work at all") << qint64(window.begin.v - 10) << qint64(window.begin.v);
        QTest::newRow("everything") << qint64(window.begin.v) << qint64(window.end.v);
    }
    void rangeCutsToTheNs() {
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        const TimeRange range{{begin}, {end}};
        GapTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAnalysis(gaps());
        model.setRange(range);
        const std::int64_t idle = gaps()->totals(DeviceId{0}, range).idleNs;
        QCOMPARE(model.idleNs(), idle);
        QCOMPARE(model.listedNs() + model.microNs() + model.filteredNs(), idle);
        std::int64_t sum = 0;
        for (const Gap& gap : gaps()->gaps())
            sum += intersection(gap.range, range).length().v;
        QCOMPARE(sum, idle);
        model.setFilter(QStringLiteral("sync"));
        QCOMPARE(model.listedNs() + model.microNs() + model.filteredNs(), idle);
        model.setRange({});
        QCOMPARE(model.idleNs(), gaps()->totals(DeviceId{0}).idleNs);
    }

    void statisticsAreOfTheParts() {
        GapTableModel model;
        model.setAnalysis(gaps());
        const Gap& worst = gaps()->gap(gaps()->byRank().front());
        const TimeRange range{worst.range.begin + DurationNs{5}, worst.range.begin + DurationNs{3'005}};
        model.setRange(range);
        QCOMPARE(model.index(0, GapTableModel::Count).data().toString(), QStringLiteral("1"));
        QCOMPARE(model.index(0, GapTableModel::Each).data().toString(), QStringLiteral("3.000"));
        const QString tip = model.index(0, GapTableModel::Each).data(Qt::ToolTipRole).toString();
        for (const char* line :
             {"count 1", "sum 3 000 ns", "union 3 000 ns", "mean 3 000 ns", "median 3 000 ns",
              "95th percentile 3 000 ns", "standard deviation 0 ns", "shortest 3 000 ns", "longest 3 000 ns"})
            QVERIFY2(tip.contains(QString::fromUtf8(line).replace(QStringLiteral(" 000"),
                                                                  QStringLiteral("\u2009000"))),
                     qPrintable(tip));
        JobControl job;
        const auto made = GapRows::of(
            *gaps(), 0, [](const GapGroup&) { return true; }, {}, job);
        QVERIFY(made);
        const GapRows& rows = **made;
        const GapRows::Statistics all = rows.statisticsOf(*gaps(), rows.idle.gaps);
        QCOMPARE(all.sumNs, gaps()->totals(DeviceId{0}).idleNs);
        QCOMPARE(all.unionNs, all.sumNs); // of one device
        QVERIFY(all.minNs <= all.medianNs && all.medianNs <= all.p95Ns && all.p95Ns <= all.maxNs);
        std::int64_t longest = 0; // the gap of the first rank is not always the longest
        for (const Gap& gap : gaps()->gaps())
            longest = std::max(longest, gap.length().v);
        QCOMPARE(all.maxNs, longest);
    }

    void worstGroupIsFirstAndItsWorstMemberIsSelected() {
        GapTableModel model;
        model.setAnalysis(gaps());
        const GapGroup& worst = gaps()->groups().front();
        QCOMPARE(model.gapAt(model.index(0, 0)), worst.members.front());
        QCOMPARE(model.index(0, 0).data(GapTableModel::PinRole).toInt(), 1);
        QCOMPARE(model.index(0, GapTableModel::Where).data().toString(),
                 QStringLiteral("cudaStreamSynchronize ‹ aten::_local_scalar_dense ‹ “log_loss”"));
        QCOMPARE(model.rowCount(model.index(0, 0)), static_cast<int>(worst.count));
        const QModelIndex member = model.indexOf(worst.members.back());
        QCOMPARE(member.parent(), model.index(0, 0));
        QCOMPARE(model.gapAt(member), worst.members.back());
    }

    void numbersOfAColumnShareOneUnit() {
        GapTableModel model;
        model.setAnalysis(gaps());
        QCOMPARE(model.headerData(GapTableModel::Total, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("total, ms"));
        QCOMPARE(model.headerData(GapTableModel::Each, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("each (median), µs"));
        // The figures of the mock-up: 7.885 ms idle, 303 gaps, of them 26 below 1 us.
        const int totals = model.rowCount() - 1;
        QCOMPARE(model.index(totals, GapTableModel::Total).data().toString(), QStringLiteral("7.885"));
        QCOMPARE(model.index(totals, GapTableModel::Count).data().toString(), QStringLiteral("303"));
        QCOMPARE(model.index(totals - 1, GapTableModel::Count).data().toString(), QStringLiteral("26"));
        QCOMPARE(model.index(totals - 1, GapTableModel::Total).data().toString(), QStringLiteral("0.025"));
    }

    void sortingKeepsMembersWithTheirGroup() {
        GapTableModel model;
        model.setAnalysis(gaps());
        const QPersistentModelIndex member(model.indexOf(gaps()->groups().front().members.back()));
        const GapId gap = model.gapAt(member);
        model.sort(GapTableModel::Count, Qt::DescendingOrder);
        QCOMPARE(model.gapAt(member), gap);
        std::int64_t before = std::numeric_limits<std::int64_t>::max();
        for (int row = 0; model.index(row, 0).data(GapTableModel::KindRole).toInt() ==
                          static_cast<int>(GapTableModel::RowKind::Group);
             ++row) {
            const auto count = static_cast<std::int64_t>(model.gapsOf(model.index(row, 0)).size());
            QVERIFY(count <= before);
            before = count;
        }
        model.sort(GapTableModel::Number, Qt::AscendingOrder); // worst first again
        QCOMPARE(model.gapAt(model.index(0, 0)), gaps()->byRank().front());
    }

    // More gaps than a frame has time for: the rows of before stay, with texts of what they are of, until
    // those of the last call are there.
    void manyGaps_areListedWhenTheyAreReady() {
        constexpr std::int64_t kKernels = GapTableModel::kAtOnce + 100, kPeriod = 5'000, kKernel = 1'000;
        const auto many = gapsBetween(kKernels, kPeriod, kKernel);
        QVERIFY(many != nullptr && many->gaps().size() == kKernels - 1);
        const auto sumsToIdle = [](const GapTableModel& model) {
            return model.listedNs() + model.microNs() + model.filteredNs() == model.idleNs();
        };
        const auto totals = [](const GapTableModel& model) {
            return model.index(model.rowCount() - 1, GapTableModel::Where).data().toString();
        };
        GapTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAnalysis(many);
        QCOMPARE(model.rowCount(), 0);
        QTRY_VERIFY(model.rowCount() > 0);
        const std::int64_t whole = (kKernels - 1) * (kPeriod - kKernel);
        QCOMPARE(model.idleNs(), whole);
        QVERIFY(totals(model).startsWith(QStringLiteral("idle of the window")));

        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setRange(TimeRange{{0}, {kPeriod}});
        model.setRange(TimeRange{{kPeriod}, {4 * kPeriod}});
        QCOMPARE(model.idleNs(), whole);
        QVERIFY(totals(model).startsWith(QStringLiteral("idle of the window")));
        QTRY_COMPARE(reset.size(), qsizetype{1});
        QCOMPARE(model.idleNs(), 3 * (kPeriod - kKernel));
        QVERIFY(sumsToIdle(model));
        QVERIFY(totals(model).startsWith(QStringLiteral("idle of the range")));

        model.setThreshold(1'000'000);
        model.setAnalysis(nullptr); // what is being made is of no use any more
        QCOMPARE(model.rowCount(), 0);
        model.setAnalysis(gaps()); // few: at once
        QVERIFY(sumsToIdle(model) && model.rowCount() > 0);
        QTest::qWait(50);
        QCOMPARE(reset.size(), qsizetype{4});
    }

private:
    // Kernels of one stream, one a period.
    static std::shared_ptr<const GapAnalysis> gapsBetween(std::int64_t kernels, std::int64_t period,
                                                          std::int64_t length) {
        TraceBuilder builder;
        const LaneId stream =
            builder.lane({LaneKind::GpuStream, {}, {}, builder.device(builder.process("1"), 0), 7, {}});
        const StringId name = builder.strings().intern("kernel");
        for (std::int64_t i = 0; i < kernels; ++i)
            builder.add({stream, i * period, i * period + length, name, EventKind::Kernel, 0,
                         SourceRef::offset(static_cast<std::uint64_t>(i))});
        JobControl job;
        auto trace = std::move(builder).finish(job);
        if (!trace)
            return nullptr;
        const auto found = GapAnalysis::run(*trace, {}, job);
        return found ? *found : nullptr;
    }
    std::shared_ptr<const GapAnalysis> gaps() { return m_session.document()->gaps; }
    AnalysisSession m_session;
};

LACUNA_TEST(TstGapTableModel, "tst_gap_table_model")

} // namespace tst_gap_table_model

#include "tst_gap_table_model.moc"
