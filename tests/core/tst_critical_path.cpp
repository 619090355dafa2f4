// The critical path: chains worked by hand, and on captured traces what must hold of any such chain: its
// pieces tile it, and whatever is not on it could take no time at all without the end coming earlier.

#include "core/analysis/kernel_exposure.h"
#include "core/analysis/replay.h"
#include "core/import/load_trace.h"
#include "core/report/builtin.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <numeric>
#include <set>

namespace tst_critical_path {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Walked {
    std::shared_ptr<const ReplayModel> model;
    CriticalPath path;

    explicit Walked(std::shared_ptr<const Trace> trace, std::optional<TimeRange> window = {}) {
        JobControl job;
        model = *ReplayModel::build(std::move(trace), job);
        path = *criticalPath(*model, job, window);
    }
    const Trace& trace() const { return model->trace(); }
    // "kind name begin..end" in us, joined by "; ".
    std::string text() const {
        std::string all;
        for (const PathPiece& piece : path.pieces) {
            all += all.empty() ? "" : "; ";
            all += pathKindName(piece.kind);
            if (piece.event)
                all.append(" ").append(trace().nameOf(piece.event));
            all += " " + std::to_string(piece.range.begin.v / 1000) + ".." +
                   std::to_string(piece.range.end.v / 1000);
        }
        return all;
    }
};

std::shared_ptr<const Trace> traceOfFile(const std::string& file) {
    JobControl job;
    const auto loaded = loadTrace(fixture(file), builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

std::string pathOf(const std::string& text) {
    return Walked(traceOf(text)).text();
}

// A [0, 100), then K after host work.
constexpr const char* kLate = "main call cudaLaunchKernel -10..-5 #1\n"
                              "s7 kernel A 0..100 #1\n"
                              "main op work 110..160\n"
                              "main call cudaLaunchKernel 170..175 #2\n"
                              "s7 kernel K 180..200 #2\n";

} // namespace

class TstCriticalPath : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void throughTheHost();
    void throughAWait();
    void m5_throughTheQueue();
    void m6_throughADependency();
    void m7_throughAGraph();
    void m13_throughAnotherThread();
    void insideAWindow();
    void whatIsNotOnIt_isFree_data();
    void whatIsNotOnIt_isFree();
    void c02_hiddenKernel();
    void c02_partsOfTheTotal();
    void reports_sumToThePath();
    void nothingOnTheDevice();
};

void TstCriticalPath::throughTheHost() {
    QCOMPARE(pathOf(kLate),
             std::string("launch_call cudaLaunchKernel -10..-5; between_rows -5..110; host work 110..160; "
                         "between_rows 160..170; launch_call cudaLaunchKernel 170..175; "
                         "launch_latency K 175..180; kernel K 180..200"));
}

void TstCriticalPath::throughAWait() {
    QCOMPARE(
        pathOf(std::string(kLate) + "main call cudaStreamSynchronize 20..105\n"),
        std::string("launch_call cudaLaunchKernel -10..-5; launch_latency A -5..0; kernel A 0..100; "
                    "wait_return cudaStreamSynchronize 100..105; between_rows 105..110; host work 110..160; "
                    "between_rows 160..170; launch_call cudaLaunchKernel 170..175; "
                    "launch_latency K 175..180; kernel K 180..200"));
}

void TstCriticalPath::m5_throughTheQueue() {
    QCOMPARE(Walked(traceOfFile("micro/M5.json")).path.ns[static_cast<std::size_t>(PathKind::Queue)], us(3));
    QCOMPARE(pathOf("main call cudaLaunchKernel -9..-7 #1\ns7 kernel A 0..10 #1\n"
                    "main call cudaLaunchKernel -6..-4 #2\ns7 kernel B 13..20 #2\n"),
             std::string("launch_call cudaLaunchKernel -9..-7; launch_latency A -7..0; kernel A 0..10; "
                         "queue B 10..13; kernel B 13..20"));
}

void TstCriticalPath::m6_throughADependency() {
    const Walked m(traceOfFile("micro/M6.json"));
    const PathPiece& last = m.path.pieces.back();
    const PathPiece& before = m.path.pieces[m.path.pieces.size() - 2];
    const PathPiece& source = m.path.pieces[m.path.pieces.size() - 3];
    QCOMPARE(last.range.length().v, us(6));
    QCOMPARE(before.kind, PathKind::Dependency);
    QCOMPARE(before.range.length().v, us(4));
    QCOMPARE(source.kind, PathKind::Kernel);
    QCOMPARE(source.range.length().v, us(100)); // of the other stream
}

void TstCriticalPath::m7_throughAGraph() {
    QCOMPARE(pathOf("main call cudaGraphLaunch 0..20 #1\ns7 kernel A 25..30 #1\ns7 kernel B 33..40 #1\n"),
             std::string("launch_call cudaGraphLaunch 0..20; launch_latency A 20..25; kernel A 25..30; "
                         "queue B 30..33; kernel B 33..40"));
}

// The autograd thread began at 20; what it waited for was the main thread's.
void TstCriticalPath::m13_throughAnotherThread() {
    QCOMPARE(pathOf("main call cudaLaunchKernel -9..-7 #1\ns7 kernel A 0..10 #1\nmain op aten::loss -5..18\n"
                    "autograd op backward 20..40\nautograd call cudaLaunchKernel 30..33 #2\n"
                    "s7 kernel B 36..50 #2\n"),
             std::string("launch_call cudaLaunchKernel -9..-7; between_rows -7..-5; host aten::loss -5..18; "
                         "between_rows 18..20; host backward 20..30; launch_call cudaLaunchKernel 30..33; "
                         "launch_latency B 33..36; kernel B 36..50"));
}

void TstCriticalPath::insideAWindow() {
    const Walked m(traceOf(kLate), TimeRange{{us(-7)}, {us(150)}});
    QCOMPARE(m.text(),
             std::string("launch_call cudaLaunchKernel -7..-5; launch_latency A -5..0; kernel A 0..100"));
    QVERIFY(Walked(traceOf(kLate), TimeRange{{us(110)}, {us(150)}}).path.pieces.empty());
}

void TstCriticalPath::whatIsNotOnIt_isFree_data() {
    QTest::addColumn<QString>("file");
    for (const char* folder : {"micro", "captured/torch", "captured/pairs", "captured/nsys"})
        for (const auto& entry : std::filesystem::directory_iterator(fixture(folder)))
            if (const std::string name = entry.path().filename().string();
                name.find(".out.") == std::string::npos)
                QTest::newRow(name.c_str()) << QString::fromStdString(std::string(folder) + "/" + name);
}

void TstCriticalPath::whatIsNotOnIt_isFree() {
    QFETCH(QString, file);
    const auto trace = traceOfFile(file.toStdString());
    if (!trace)
        return; // figures beside the traces
    const Walked m(trace);
    std::set<std::uint32_t> onPath;
    for (std::size_t i = 0; i < m.path.pieces.size(); ++i) {
        const PathPiece& piece = m.path.pieces[i];
        QVERIFY(!piece.range.isEmpty());
        QVERIFY(i == 0 || m.path.pieces[i - 1].range.end == piece.range.begin);
        if (isDeviceWork(piece.kind)) {
            onPath.insert(m.model->numberOf(piece.event));
            const TimeRange row = trace->events().range(piece.event);
            QCOMPARE(intersection(row, piece.range), piece.range);
        }
    }
    QCOMPARE(std::accumulate(m.path.ns.begin(), m.path.ns.end(), std::int64_t{0}), m.path.range().length().v);
    // Operations that are not on the path take no time: the last one on it ends as before.
    ReplayChange change;
    for (std::uint32_t i = 0; i < m.model->ops().size(); ++i)
        if (!onPath.contains(i))
            change.ops[i].durationNs = 0;
    JobControl job;
    const auto result = replay(*m.model, change, job);
    QVERIFY(result);
    QCOMPARE(result->replayedEndNs, onPath.empty() ? result->replayedEndNs : m.path.range().end.v);
}

// 10 ms under another stream's 20 ms.
void TstCriticalPath::c02_hiddenKernel() {
    const Walked m(traceOf("main call cudaLaunchKernel -10..-8 #1\ns7 kernel big 0..20000 #1\n"
                           "main call cudaLaunchKernel -7..-5 #2\ns20 kernel hidden 5000..15000 #2\n"));
    JobControl job;
    const auto names = kernelExposure(*m.model, m.path, job);
    QVERIFY(names);
    QCOMPARE(names->size(), std::size_t{2});
    QCOMPARE(m.trace().strings().view((*names)[0].name), std::string_view("big"));
    QCOMPARE((*names)[0].exposedNs, us(10'000));
    QCOMPARE((*names)[0].pathNs, us(20'000));
    QCOMPARE((*names)[1].totalNs, us(10'000));
    QCOMPARE((*names)[1].exposedNs, std::int64_t{0});
    QCOMPARE((*names)[1].overlappedNs(), us(10'000));
    QCOMPARE((*names)[1].pathNs, std::int64_t{0});
}

void TstCriticalPath::c02_partsOfTheTotal() {
    const Walked m(traceOf("main call cudaLaunchKernel -10..-8 #1\ns7 kernel A 0..10 #1\n"
                           "main call cudaLaunchKernel -7..-5 #2\ns20 kernel B 5..15 #2\n"
                           "main call cudaLaunchKernel -4..-3 #3\ns7 kernel A 20..30 #3\n"));
    JobControl job;
    const auto names = *kernelExposure(*m.model, m.path, job);
    for (const NameExposure& name : names) {
        const bool isA = m.trace().strings().view(name.name) == "A";
        QCOMPARE(name.count, std::uint64_t{isA ? 2u : 1u});
        QCOMPARE(name.totalNs, isA ? us(20) : us(10));
        QCOMPARE(name.exposedNs, isA ? us(15) : us(5));
    }
    const auto cut = *kernelExposure(*m.model, m.path, job, TimeRange{{us(8)}, {us(25)}});
    for (const NameExposure& name : cut) {
        const bool isA = m.trace().strings().view(name.name) == "A";
        QCOMPARE(name.totalNs, us(7));
        QCOMPARE(name.exposedNs, us(5));
        QVERIFY(isA || name.count == 1);
    }
}

void TstCriticalPath::reports_sumToThePath() {
    const auto trace = traceOfFile("captured/pairs/log_item.pt.trace.json.gz");
    JobControl job;
    const ReportTable kinds = *runReport(*trace, nullptr, {"critical_path", {}, {}, {}}, job);
    const ReportTable pieces = *runReport(*trace, nullptr, {"critical_path_trace", {}, {}, {}}, job);
    std::int64_t sum = 0, count = 0, all = 0;
    for (std::size_t row = 0; row < kinds.rows(); ++row) {
        sum += kinds.number(row, *kinds.findColumn("Time"));
        count += kinds.number(row, *kinds.findColumn("Pieces"));
    }
    for (std::size_t row = 0; row < pieces.rows(); ++row)
        all += pieces.number(row, *pieces.findColumn("Duration"));
    QCOMPARE(count, static_cast<std::int64_t>(pieces.rows()));
    QCOMPARE(sum, all);
    QCOMPARE(sum, Walked(trace).path.range().length().v);
    // The read of every step and the host work behind it are on it.
    QVERIFY(Walked(trace).path.ns[static_cast<std::size_t>(PathKind::WaitReturn)] > 0);
    const ReportTable names = *runReport(*trace, nullptr, {"kernel_exposure", {}, {}, {}}, job);
    for (std::size_t row = 0; row < names.rows(); ++row)
        QCOMPARE(names.number(row, 3), names.number(row, 5) + names.number(row, 6));
}

void TstCriticalPath::nothingOnTheDevice() {
    JobControl job;
    const auto trace = traceOf("main op work 0..10\n");
    const ReportTable table = *runReport(*trace, nullptr, {"critical_path", {}, {}, {}}, job);
    QCOMPARE(table.rows(), std::size_t{0});
    QCOMPARE(table.notes().size(), std::size_t{1});
}

LACUNA_TEST(TstCriticalPath, "tst_critical_path")

} // namespace tst_critical_path

#include "tst_critical_path.moc"
