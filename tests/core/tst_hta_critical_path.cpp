// Rows hta.critical_path of the oracles: graph and longest path as Holistic Trace Analysis printed them.

#include "core/analysis/hta_critical_path.h"
#include "core/import/load_trace.h"
#include "core/report/builtin.h"
#include "tests/support/oracles.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <nlohmann/json.hpp>

namespace tst_hta_critical_path {

using namespace lacuna;
using namespace lacuna::test;
using nlohmann::json;

namespace {

// The annotation's n-th instance by start; all of the trace for an empty name.
std::optional<TimeRange> windowOf(const Trace& trace, const json& parameters) {
    const auto annotation = parameters.at("annotation").get<std::string>();
    if (annotation.empty())
        return std::nullopt;
    const auto instance = parameters.at("instance_id").get<std::size_t>();
    std::vector<TimeRange> found;
    for (EventId e{0}; e.v < trace.events().size(); ++e.v)
        if (trace.events().kind[e.v] == EventKind::Range &&
            trace.nameOf(e).find(annotation) != std::string_view::npos)
            found.push_back(trace.events().range(e));
    std::sort(found.begin(), found.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    if (found.size() <= instance)
        qFatal("no such annotation");
    return found[instance];
}

} // namespace

class TstHtaCriticalPath : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oracles_data();
    void oracles();
    void waitTakesTheWayOverTheDevice();
    void report_sumsToThePath();
};

void TstHtaCriticalPath::oracles_data() {
    QTest::addColumn<QString>("id");
    if (!shared("reference/oracles.json"))
        LACUNA_SKIP("the oracles are not here");
    const json all = json::parse(readFile(*shared("reference/oracles.json")));
    for (const json& row : all.at("rows"))
        if (row.at("analysis") == "hta.critical_path")
            QTest::newRow(row.at("id").get<std::string>().c_str()) << QString::fromStdString(row.dump());
}

void TstHtaCriticalPath::oracles() {
    QFETCH(QString, id);
    const json row = json::parse(id.toStdString());
    const auto& files = oracleFiles();
    const auto file = files.find(row.at("sha256").get<std::string>());
    if (file == files.end())
        LACUNA_SKIP("the trace is not here");
    JobControl job;
    const auto loaded = loadTrace(file->second, builtinImporters(), job);
    QVERIFY(loaded);
    const Trace& trace = *loaded->trace;
    const auto path = htaCriticalPath(trace, HtaOptions::hta(), windowOf(trace, row.at("parameters")), job);
    QVERIFY(path);
    const json& expected = row.at("expected");
    // Two Context Sync rows without a stream (4294967295) are nodes there, without edges (analysis.md 2.1).
    const std::size_t stray = row.at("id") == "6de6dcd3/hta.critical_path" ? 4u : 0u;
    QCOMPARE(path->nodes + stray, expected.at("graph_nodes").get<std::size_t>());
    QCOMPARE(path->edges, expected.at("graph_edges").get<std::size_t>());
    QCOMPARE(path->pathNodes, expected.at("path_nodes").get<std::size_t>());
    QCOMPARE(path->pathEvents, expected.at("path_events").get<std::size_t>());
    std::int64_t whole = 0;
    for (std::size_t type = 0; type < kHtaEdges; ++type) {
        const std::string name(htaEdgeName(static_cast<HtaEdge>(type)));
        QCOMPARE(path->edgesByType[type], expected.at("edge_types").value(name, std::size_t{0}));
        QCOMPARE(static_cast<double>(path->pathNs[type]) / 1e3,
                 expected.at("path_weight_by_type_us").value(name, 0.0));
        whole += path->pathNs[type];
    }
    QCOMPARE(static_cast<double>(whole) / 1e3, expected.at("path_weight_us").get<double>());
    for (std::size_t bound = 0; bound < kHtaBounds; ++bound)
        QCOMPARE(
            static_cast<double>(path->boundNs[bound]) / 1e3,
            expected.at("bound_by_us").value(std::string(htaBoundName(static_cast<HtaBound>(bound))), 0.0));
}

namespace {

// K [20, 120) launched at 0; the thread waits for it; the file has sync rows.
constexpr const char* kWaited = "! sync\nmain op outer 0..140\nmain call cudaLaunchKernel 0..5 #1\n"
                                "s7 kernel K 20..120 #1\nmain call cudaDeviceSynchronize 30..130 #2\n";

} // namespace

// The wait weighs nothing, and no marker tells of it here: the way over the host is 5 + 25 + 10 us and the
// one over the kernel 20 + 100.
void TstHtaCriticalPath::waitTakesTheWayOverTheDevice() {
    JobControl job;
    const auto path = *htaCriticalPath(*traceOf(kWaited), HtaOptions::exact(), {}, job);
    QCOMPARE(path.nodes, std::size_t{8});
    QCOMPARE(path.edgesByType[static_cast<std::size_t>(HtaEdge::LaunchDelay)], std::size_t{1});
    QCOMPARE(path.boundNs[static_cast<std::size_t>(HtaBound::GpuCompute)], us(100));
    QCOMPARE(path.boundNs[static_cast<std::size_t>(HtaBound::LaunchDelay)], us(20));
    QCOMPARE(path.boundNs[static_cast<std::size_t>(HtaBound::Cpu)], us(0));
}

void TstHtaCriticalPath::report_sumsToThePath() {
    JobControl job;
    ReportOptions options;
    options.definition = ReportDefinition::Hta;
    const ReportTable table = *runReport(*traceOf(kWaited), nullptr, {"critical_path", options, {}, {}}, job);
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        sum += table.number(row, *table.findColumn("Time"));
    QCOMPARE(sum, us(120));
    QVERIFY(table.notes().front().starts_with("HTA's graph has 8 nodes"));
}

LACUNA_TEST(TstHtaCriticalPath, "tst_hta_critical_path")

} // namespace tst_hta_critical_path

#include "tst_hta_critical_path.moc"
