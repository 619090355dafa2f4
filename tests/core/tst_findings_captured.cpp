// Findings on real captures whose faults are known (truth.json says them), and against plain loops over the
// rows.

#include "core/findings/time_shares.h"
#include "core/findings/window_kernels.h"
#include "core/import/load_trace.h"
#include "tests/support/finding_access.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <numeric>

namespace tst_findings_captured {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::shared_ptr<const Trace> capture(const std::string& name) {
    const auto file = shared("traces/captured/" + name);
    if (!file)
        return nullptr;
    JobControl job;
    auto loaded = loadTrace(*file, builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

std::int64_t timeOf(const FindingContext& context) {
    JobControl job;
    const findings::TimeShares shares = findings::timeShares(context, job);
    return std::accumulate(shares.ns.begin(), shares.ns.end(), std::int64_t{0}) - shares.whole;
}

} // namespace

class TstFindingsCaptured : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void b24_labels_data();
    void b24_labels();
    void d12_drainedTime_data();
    void d12_drainedTime();
    void d13_readsInEveryToken();
    void d14_streamsOfOneProgram();
    void figures_equalPlainLoops_data();
    void figures_equalPlainLoops();
    void evidence_opensWhatItSays();
    void timeShares_sumToTheWindow();
};

void TstFindingsCaptured::b24_labels_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("label");
    const char* const rows[][2] = {{"torch/decode_launch_bound", "launch-bound"},
                                   {"torch/healthy_train", "compute-bound"},
                                   {"torch/prefetch_overlap", "compute-bound"},
                                   {"torch/dataloader_stall", "input-bound"},
                                   {"torch/item_sync", "mixed"},
                                   {"torch/pageable_copy", "mixed"},
                                   {"torch/pinned_copy", "compute-bound"},
                                   {"torch/decode_cuda_graph", "compute-bound"}};
    for (const auto& row : rows)
        QTest::newRow(row[0]) << QString::fromLatin1(row[0]) << QString::fromLatin1(row[1]);
}

void TstFindingsCaptured::b24_labels() {
    QFETCH(QString, file);
    QFETCH(QString, label);
    const auto trace = capture(file.toStdString() + ".pt.trace.json.gz");
    if (trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    const FoundAll all = findAllIn(*trace);
    QVERIFY2(all["limiter"].suggests.starts_with(label.toStdString()), all["limiter"].suggests.c_str());
    QCOMPARE(timeOf(*all.context), std::int64_t{0});
}

void TstFindingsCaptured::d12_drainedTime_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("item_sync") << QStringLiteral("captured/torch/item_sync.pt.trace.json.gz");
    QTest::newRow("log_item") << QStringLiteral("captured/pairs/log_item.pt.trace.json.gz");
}

// The waits of loss.item() and the idle time that belongs to them, as truth.json has it.
void TstFindingsCaptured::d12_drainedTime() {
    QFETCH(QString, file);
    const auto truthFile = shared("traces/captured/truth.json");
    const auto trace = capture(file.mid(9).toStdString());
    if (!truthFile || trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    const nlohmann::json truth = nlohmann::json::parse(readFile(*truthFile));
    bool any = false;
    for (const auto& entry : truth["truth"]) {
        if (entry["file"] != file.toStdString())
            continue;
        any = true;
        const FoundAll all = findAllIn(*trace);
        const double expected = entry["sync_part_ns"], tolerance = entry["sync_part_tolerance"];
        QVERIFY(std::fabs(static_cast<double>(all["long_waits"].costNs) - expected) <= tolerance * expected);
        QVERIFY(textOf(all["long_waits"].supports)
                    .find("cudaStreamSynchronize < aten::_local_scalar_dense < ‹log_loss›") !=
                std::string::npos);
        QCOMPARE(all.state("waits_in_loop"), std::string("found"));
    }
    QVERIFY(any);
}

// 80 tokens with one .item() each, in 4 steps.
void TstFindingsCaptured::d13_readsInEveryToken() {
    const auto trace = capture("torch/decode_launch_bound.pt.trace.json.gz");
    if (trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    const FoundAll all = findAllIn(*trace);
    QCOMPARE(all.state("copies_in_loop"), std::string("found"));
    QVERIFY(textOf(all["copies_in_loop"].supports).find("80 copies device to host (20 per step)") !=
            std::string::npos);
    QCOMPARE(all.state("tiny_kernels"), std::string("found"));
    QCOMPARE(all.state("launch_bound"), std::string("found"));
}

void TstFindingsCaptured::d14_streamsOfOneProgram() {
    const auto trace = capture("torch/multi_stream.pt.trace.json.gz");
    if (trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    const FoundAll all = findAllIn(*trace);
    // A plain count of overlap in the steps: at every boundary, streams at work.
    const EventTable& events = trace->events();
    std::vector<std::pair<std::int64_t, int>> edges;
    for (std::uint32_t e = 0; e < events.size(); ++e)
        if (isDeviceOp(events.kind[e]))
            if (const TimeRange part = intersection(events.range({e}), all.context->window);
                !part.isEmpty()) {
                edges.emplace_back(part.begin.v, 1);
                edges.emplace_back(part.end.v, -1);
            }
    std::sort(edges.begin(), edges.end());
    std::int64_t overlap = 0;
    int running = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (running > 1)
            overlap += (running - 1) * (edges[i].first - edges[i - 1].first);
        running += edges[i].second;
    }
    const std::string text = textOf(all["serialised_streams"].supports);
    QVERIFY2(text.find(durationText(overlap) + " of ") != std::string::npos, text.c_str());
}

void TstFindingsCaptured::figures_equalPlainLoops_data() {
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"torch/item_sync.pt.trace.json.gz", "torch/decode_launch_bound.pt.trace.json.gz",
          "torch/transformer_train_12_steps.pt.trace.json.gz", "nsys/stall.sqlite", "nsys/train.sqlite"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TstFindingsCaptured::figures_equalPlainLoops() {
    QFETCH(QString, file);
    const auto trace = capture(file.toStdString());
    if (trace == nullptr)
        LACUNA_SKIP("the captured traces are not here");
    const FoundAll all = findAllIn(*trace);
    const FindingContext& context = *all.context;
    const EventTable& events = trace->events();
    std::size_t kernels = 0, tiny = 0, waits = 0;
    std::int64_t sum = 0;
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        const std::int64_t begin = events.beginNs[e], ns = events.endNs[e] - begin;
        if (begin < context.window.begin.v || begin >= context.window.end.v)
            continue;
        if (events.kind[e] == EventKind::Kernel || events.kind[e] == EventKind::GraphLaunch) {
            ++kernels;
            sum += ns;
            tiny += ns < 10'000 && events.kind[e] == EventKind::Kernel ? 1U : 0U;
        }
        const std::string_view name = trace->nameOf({e});
        if (events.kind[e] == EventKind::RuntimeApi && name.find("Synchronize") != std::string_view::npos &&
            !context.isClosingWait({e}))
            ++waits;
    }
    JobControl job;
    const findings::WindowKernels found = findings::kernelsOfWindow(context, 10'000, job);
    QCOMPARE(found.count, kernels);
    QCOMPARE(found.tiny, tiny);
    QCOMPARE(found.ns, sum);
    if (waits != 0)
        QVERIFY2(textOf(all["waits_in_loop"].supports).find(countOf(waits, "call") + " in ") !=
                     std::string::npos,
                 textOf(all["waits_in_loop"].supports).c_str());
    else
        QCOMPARE(all.state("waits_in_loop"), std::string("clear"));
    // Idle time of the window: what no device operation covers, gaps that are left out apart.
    std::int64_t idle = 0, leftOut = 0;
    for (const DeviceBusy& device : context.busy)
        idle += context.windowOf(device).length().v - device.busy.measureIn(context.windowOf(device)).v;
    leftOut = gapsOfWindow(context).leftOutNs;
    QCOMPARE(all["gaps"].costNs, idle - leftOut);
}

// Every event or gap of the evidence has the range that it opens, inside the trace.
void TstFindingsCaptured::evidence_opensWhatItSays() {
    std::size_t opened = 0;
    for (const char* file : {"torch/item_sync.pt.trace.json.gz", "torch/pageable_copy.pt.trace.json.gz",
                             "torch/decode_cuda_graph.pt.trace.json.gz", "nsys/stall.sqlite"}) {
        const auto trace = capture(file);
        if (trace == nullptr)
            LACUNA_SKIP("the captured traces are not here");
        const FoundAll all = findAllIn(*trace);
        for (const Finding& finding : all.findings)
            for (const Evidence& one : finding.supports) {
                if (one.event)
                    QCOMPARE(one.range, trace->events().range(one.event));
                if (one.gap)
                    QCOMPARE(one.range, all.context->gapAnalysis->gap(one.gap).range);
                if (!one.opens())
                    continue;
                ++opened;
                QVERIFY(one.range.begin >= trace->window().begin && one.range.end <= trace->window().end);
            }
    }
    QVERIFY(opened > 60);
}

void TstFindingsCaptured::timeShares_sumToTheWindow() {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        RandomTraceOptions options;
        options.unitNs = 1'000;
        options.devices = seed % 3 == 0 ? 2 : 1;
        const RandomTrace random = makeRandomTrace(seed, options);
        const FoundAll all = findAllIn(*random.trace);
        QVERIFY2(timeOf(*all.context) == 0, qPrintable(random.note()));
    }
}

LACUNA_TEST(TstFindingsCaptured, "tst_findings_captured")

} // namespace tst_findings_captured

#include "tst_findings_captured.moc"
