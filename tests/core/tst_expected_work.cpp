// What operators lead one to expect beside what they launched, the four questions, compiled code, and the six
// figures of a fusion. Worked cases by hand, and captures; features.md C61 to C66.

#include "core/analysis/compiled_code.h"
#include "core/analysis/expected_operators.h"
#include "core/analysis/expected_work.h"
#include "core/analysis/fusion_facts.h"
#include "core/import/load_trace.h"
#include "core/report/builtin.h"
#include "core/search/query.h"
#include "core/search/search.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>

namespace tst_expected_work {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string span(const char* category, const std::string& name, int ts, int dur, const std::string& args) {
    return q("{'ph':'X','pid':5,'tid':5,'cat':'") + category + q("','name':'") + name + q("','ts':") +
           std::to_string(ts) + q(",'dur':") + std::to_string(dur) +
           (args.empty() ? std::string() : q(",'args':{") + q(args) + "}") + "}";
}
std::string op(const std::string& name, int ts, int dur, const std::string& dims = {}) {
    return span("cpu_op", name, ts, dur,
                dims.empty() ? dims : "'Input Dims':" + dims + ",'Input type':['float','float','float']");
}
std::string call(const std::string& name, int ts, int id = 0) {
    return span("cuda_runtime", name, ts, 1, id == 0 ? std::string() : "'correlation':" + std::to_string(id));
}
std::string device(const char* category, const std::string& name, int ts, int dur, int id) {
    return q("{'ph':'X','pid':0,'tid':7,'cat':'") + category + q("','name':'") + name + q("','ts':") +
           std::to_string(ts) + q(",'dur':") + std::to_string(dur) +
           q(",'args':{'device':0,'stream':7,'correlation':") + std::to_string(id) + "}}";
}
std::string kernel(const std::string& name, int ts, int dur, int id) {
    return device("kernel", name, ts, dur, id);
}
// An operator at `ts` that launches one kernel.
std::string launched(const std::string& name, int ts, int id, const std::string& kernelName, int dur = 10,
                     const std::string& dims = {}) {
    return op(name, ts, 8, dims) + ",\n" + call("cudaLaunchKernel", ts + 2, id) + ",\n" +
           kernel(kernelName, 1000 + 20 * id, dur, id);
}
std::string joined(const std::vector<std::string>& events) {
    std::string text;
    for (const std::string& event : events)
        text.append(text.empty() ? "" : ",\n").append(event);
    return objectForm(text);
}

struct Looked {
    LoadedTrace loaded;
    HostTree tree;
    ExpectedWork work;

    const ExpectedItem* item(const std::string& title) const {
        const auto at = std::find_if(work.items.begin(), work.items.end(),
                                     [&](const ExpectedItem& i) { return i.title() == title; });
        return at == work.items.end() ? nullptr : &*at;
    }
    std::string answer(std::size_t question) const {
        return std::string(workAnswerName(work.questions[question].answer));
    }
    std::string evidence(std::size_t question) const {
        const auto& events = work.questions[question].evidence;
        return events.empty() ? std::string() : std::string(loaded.trace->nameOf(events.front()));
    }
};

Looked look(LoadedTrace loaded, std::optional<TimeRange> range = {}) {
    JobControl job;
    Looked looked{std::move(loaded), {}, {}};
    looked.tree = *HostTree::build(*looked.loaded.trace, {false, false}, job);
    looked.work = *expectedWork(*looked.loaded.trace, looked.tree, looked.loaded.details.get(), range, job);
    return looked;
}
Looked lookAt(const std::vector<std::string>& events, std::optional<TimeRange> range = {}) {
    return look(*loadText(joined(events)), range);
}
LoadedTrace fromFile(const std::filesystem::path& file) {
    JobControl job;
    return *loadTrace(file, builtinImporters(), job);
}

FusionFacts factsOf(const std::vector<std::string>& events) {
    JobControl job;
    const auto loaded = loadText(joined(events));
    const auto tree = HostTree::build(*loaded->trace, {false, false}, job);
    return *fusionFacts(*loaded->trace, *tree, {}, job);
}

ReportTable report(const LoadedTrace& loaded, const char* name) {
    JobControl job;
    ReportQuery query;
    query.name = name;
    auto made = runReport(*loaded.trace, loaded.details.get(), query, job);
    return made ? *std::move(made) : ReportTable({textColumn("failed")});
}
QString cell(const ReportTable& t, std::size_t row, const char* column) {
    return QString::fromStdString(t.cellText(row, *t.findColumn(column)));
}

const char* const kUp = "[[8,16],[16,64]]";
const char* const kDown = "[[8,64],[64,16]]";

// gate, up, GeLU, mul, down, one kernel each.
std::vector<std::string> gatedMlp() {
    return {launched("aten::mm", 0, 1, "sgemm_128x64", 30, kUp),
            launched("aten::mm", 10, 2, "sgemm_128x64", 30, kUp),
            launched("aten::gelu", 20, 3, "vectorized_elementwise_kernel<gelu>"),
            launched("aten::mul", 30, 4, "vectorized_elementwise_kernel<mul>"),
            launched("aten::mm", 40, 5, "sgemm_32x32", 25, kDown)};
}
// GeLU and mul in one kernel of Inductor.
std::vector<std::string> fusedMlp() {
    return {op("Torch-Compiled Region: 0/0", 0, 60),
            op("## Call CompiledFxGraph abc ##", 1, 58),
            launched("aten::mm", 2, 1, "sgemm_128x64", 30, kUp),
            launched("aten::mm", 12, 2, "sgemm_128x64", 30, kUp),
            launched("triton_poi_fused_gelu_mul_0", 22, 3, "triton_poi_fused_gelu_mul_0", 12),
            launched("aten::mm", 32, 5, "sgemm_32x32", 25, kDown)};
}

} // namespace

class TstExpectedWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesOfOperators() {
        QCOMPARE(bareOperator("aten::mul_"), "mul");
        QCOMPARE(bareOperator("aten::__and__"), "__and__");
        QCOMPARE(bareOperator("mylib::mul_"), "mylib::mul_");
        QCOMPARE(expectedWorkOf("aten::addmm"), "GEMM");
        QCOMPARE(expectedWorkOf("aten::linear"), ""); // what is inside it is expected
        QVERIFY(isViewOperator("aten::reshape") && !isViewOperator("aten::clone"));
        QVERIFY(isFusedOperator("aten::_scaled_dot_product_flash_attention"));
        QVERIFY(!isFusedOperator("aten::_scaled_dot_product_attention_math"));
        const auto fused = [](const char* name) { return fusedOperators(name); };
        QCOMPARE(fused("triton_poi_fused_gelu_mul_0"), (std::vector<std::string>{"gelu", "mul"}));
        QCOMPARE(fused("triton_per_fused__to_copy_add_native_layer_norm_12"),
                 (std::vector<std::string>{"_to_copy", "add", "native_layer_norm"}));
        QCOMPARE(fused("triton_red_fused__unsafe_view_add_mean_mul_pow_rsqrt_1"),
                 (std::vector<std::string>{"_unsafe_view", "add", "mean", "mul", "pow", "rsqrt"}));
        QCOMPARE(fused("triton_poi_fused_brandnew_add_0"), (std::vector<std::string>{"brandnew", "add"}));
        QVERIFY(fused("sgemm_128x64").empty());
    }

    // C61: three GEMMs, a GeLU, a mul; every one as expected.
    void c61_gatedMlpPredictsItsWork() {
        const Looked eager = lookAt(gatedMlp());
        std::uint64_t gemms = 0, kernels = 0;
        for (const ExpectedItem& item : eager.work.items) {
            gemms += item.work == "GEMM" ? *item.expected : 0;
            kernels += item.seen;
            QCOMPARE(item.verdict(), "as expected");
        }
        QCOMPARE(gemms, std::uint64_t{3});
        QCOMPARE(kernels, std::uint64_t{5});
        QCOMPARE(*eager.item("GeLU")->expected, std::uint64_t{1});
        QCOMPARE(*eager.item("mul")->expected, std::uint64_t{1});
        QCOMPARE(eager.work.items.size(), std::size_t{4}); // GEMMs in two shapes
    }

    void c61_fusedTraceHasOneKernelInsteadOfTwo() {
        const Looked fused = lookAt(fusedMlp());
        const ExpectedItem* item = fused.item("GeLU and mul");
        QVERIFY(item != nullptr);
        QCOMPARE(item->verdict(), "GeLU and mul: 1 kernel instead of 2");
        QCOMPARE(*item->expected, std::uint64_t{2});
        QCOMPARE(item->seen, std::uint64_t{1});
        QCOMPARE(fused.loaded.trace->nameOf(item->kernel), "triton_poi_fused_gelu_mul_0");
        QCOMPARE(fused.answer(2), "yes");
        QCOMPARE(fused.evidence(2), "triton_poi_fused_gelu_mul_0");
    }

    // A real run: a split reduction is two kernels of the same three operators.
    void c61_ofACompiledCapture() {
        const Looked captured = look(fromFile(fixture("captured/torch/compile_first_call.pt.trace.json.gz")));
        QCOMPARE(captured.work.items.size(), std::size_t{1});
        const ExpectedItem& item = captured.work.items.front();
        QCOMPARE(item.calls, std::uint64_t{4});
        QCOMPARE(item.seen, std::uint64_t{8});
        QCOMPARE(item.verdict(), "GeLU, mul and sum: 2 kernels instead of 3");
    }

    void everyLaunchOfACaptureIsInOneItem() {
        const Looked captured = look(fromFile(fixture("captured/torch/healthy_train.pt.trace.json.gz")));
        std::uint64_t seen = 0;
        for (const ExpectedItem& item : captured.work.items) {
            seen += item.seen;
            std::uint64_t named = 0;
            for (const auto& [name, count] : item.kernels)
                named += count;
            QCOMPARE(named, item.seen);
        }
        QVERIFY(seen > 0);
        QCOMPARE(seen + captured.work.withoutOperator, captured.work.operations);
    }

    void c62_didAViewMaterialise() {
        const Looked copied = lookAt({op("aten::reshape", 0, 30), op("aten::clone", 2, 20),
                                      launched("aten::copy_", 4, 1, "direct_copy_kernel")});
        QCOMPARE(copied.answer(0), "yes");
        QCOMPARE(copied.evidence(0), "direct_copy_kernel");
        const Looked free = lookAt({op("aten::view", 0, 3), launched("aten::add", 10, 1, "add_kernel")});
        QCOMPARE(free.answer(0), "no");
        QCOMPARE(lookAt(fusedMlp()).answer(0), "unknown"); // compiled code does not tell
        QCOMPARE(lookAt({call("cudaLaunchKernel", 0, 1), kernel("k", 10, 5, 1)}).answer(0), "unknown");
    }

    void c62_didAnAllocationOrACopyAppear() {
        auto events = gatedMlp();
        QCOMPARE(lookAt(events).answer(1), "no");
        events.push_back(call("cudaMalloc", 60));
        const Looked allocated = lookAt(events);
        QCOMPARE(allocated.answer(1), "yes");
        QCOMPARE(allocated.evidence(1), "cudaMalloc");
        const Looked copied = lookAt({op("aten::copy_", 0, 8), call("cudaMemcpyAsync", 2, 1),
                                      device("gpu_memcpy", "Memcpy HtoD", 20, 5, 1)});
        QCOMPARE(copied.answer(1), "yes");
        QCOMPARE(copied.work.questions[1].why, "1 copy");
        QCOMPARE(lookAt({op("aten::add", 0, 5)}).answer(1), "unknown"); // no calls are recorded
    }

    void c62_didOperatorsFuse() {
        QCOMPARE(lookAt(gatedMlp()).answer(2), "no");
        QCOMPARE(lookAt({launched("aten::_scaled_dot_product_flash_attention", 0, 1, "flash_fwd_kernel")})
                     .answer(2),
                 "yes");
        QCOMPARE(lookAt({op("aten::gelu", 0, 5)}).answer(2), "unknown");
    }

    void c62_didAShapeChangeTheGemm() {
        const Looked changed = lookAt(gatedMlp());
        QCOMPARE(changed.answer(3), "yes");
        QCOMPARE(changed.work.questions[3].why, "mm: 2 shapes, 2 kernels");
        QCOMPARE(changed.work.questions[3].evidence.size(), std::size_t{2});
        QCOMPARE(lookAt({launched("aten::mm", 0, 1, "sgemm", 9, kUp),
                         launched("aten::mm", 10, 2, "sgemm", 9, kDown)})
                     .answer(3),
                 "no");
        QCOMPARE(
            lookAt({launched("aten::mm", 0, 1, "sgemm"), launched("aten::mm", 10, 2, "other")}).answer(3),
            "unknown"); // shapes are not recorded
    }

    // C63: the same work in two shapes, two kernels, times side by side.
    void c63_equalWorkInTwoShapes() {
        const auto loaded = loadText(joined(gatedMlp()));
        const ReportTable t = report(*loaded, "expected_work");
        QCOMPARE(cell(t, 0, "Shape"), QStringLiteral("M 8, N 64, K 16"));
        QCOMPARE(cell(t, 0, "Kernels"), QStringLiteral("sgemm 128×64"));
        QCOMPARE(cell(t, 0, "Each (ns)"), QStringLiteral("30000.0"));
        QCOMPARE(cell(t, 1, "Shape"), QStringLiteral("M 8, N 16, K 64"));
        QCOMPARE(cell(t, 1, "Kernels"), QStringLiteral("sgemm 32×32"));
        QCOMPARE(cell(t, 1, "Each (ns)"), QStringLiteral("25000.0"));
        QCOMPARE(cell(t, 0, "Each (MFLOP)"), QStringLiteral("0.016")); // 2 x 8 x 64 x 16
        QCOMPARE(cell(t, 1, "Each (MFLOP)"), QStringLiteral("0.016"));
    }

    // C64: what is expected stays apart from what was seen, also before anything was.
    void c64_expectedBeforeDispatchIsSeen() {
        const auto loaded = loadText(joined({op("aten::gelu", 0, 5), launched("aten::mm", 10, 1, "sgemm")}));
        const ReportTable t = report(*loaded, "expected_work");
        QCOMPARE(cell(t, 0, "Expected"), QStringLiteral("mm"));
        QCOMPARE(cell(t, 0, "Kernels"), QStringLiteral("sgemm"));
        QCOMPARE(cell(t, 1, "Expected"), QStringLiteral("GeLU"));
        QCOMPARE(cell(t, 1, "Expected Operations"), QStringLiteral("1"));
        QCOMPARE(cell(t, 1, "Launched"), QStringLiteral("0"));
        QCOMPARE(cell(t, 1, "Kernels"), QString());
        QVERIFY(cell(t, 1, "Verdict").startsWith(QStringLiteral("none seen")));
        const ReportTable questions = report(*loaded, "work_questions");
        QCOMPARE(questions.rows(), std::size_t{4});
    }

    void moreKernelsThanExpected() {
        const Looked split =
            lookAt({op("aten::mm", 0, 20), call("cudaLaunchKernel", 2, 1), call("cudaLaunchKernel", 5, 2),
                    kernel("sgemm", 30, 9, 1), kernel("splitKreduce_kernel", 40, 3, 2)});
        QCOMPARE(split.work.items.front().verdict(), "mm: 2 kernels instead of 1");
        const Looked set =
            lookAt({op("aten::sum", 0, 20), call("cudaMemsetAsync", 2, 1), call("cudaLaunchKernel", 5, 2),
                    device("gpu_memset", "Memset (Device)", 30, 2, 1), kernel("reduce_kernel", 40, 3, 2)});
        QCOMPARE(set.work.items.front().verdict(), "sum: 2 operations instead of 1");
        const Looked other = lookAt({launched("mylib::special", 0, 1, "special_kernel")});
        QCOMPARE(other.work.items.front().verdict(), "no rule for this operator");
    }

    // Operators begun in the range, with their kernels wherever those ran; else those of the device work.
    void ofARange() {
        const Looked some = lookAt(gatedMlp(), TimeRange{{0}, {15'000}});
        QCOMPARE(some.work.items.size(), std::size_t{1});
        QCOMPARE(some.work.items.front().seen, std::uint64_t{2});
        QVERIFY(!some.work.isByDevice);
        const Looked later = lookAt(gatedMlp(), TimeRange{{1'080'000}, {1'090'000}}); // mul's kernel
        QVERIFY(later.work.isByDevice);
        QCOMPARE(later.work.items.size(), std::size_t{1});
        QCOMPARE(later.work.items.front().title(), "mul");
    }

    void cancelled() {
        std::string text;
        for (int i = 0; i < 5'000; ++i)
            text += std::string(i == 0 ? "" : ",\n") + op("aten::add", 10 * i, 5);
        const auto loaded = loadText(objectForm(text));
        JobControl job;
        const auto tree = HostTree::build(*loaded->trace, {false, false}, job);
        job.cancelAtPoll(1);
        const auto work = expectedWork(*loaded->trace, *tree, nullptr, {}, job);
        QVERIFY(!work && work.error().code == Errc::Cancelled);
        JobControl other;
        other.cancelAtPoll(1);
        QVERIFY(!fusionFacts(*loaded->trace, *tree, {}, other));
    }

    // C65: six rows, each with one of four answers.
    void c65_sixFiguresOfAFusion() {
        const FusionFacts before = factsOf(gatedMlp()), after = factsOf(fusedMlp());
        const auto rows = compareFusion(before, after);
        QCOMPARE(rows[0].question, "completion");
        QCOMPARE(rows[0].verdict, FusionVerdict::Same); // the last kernel ends at 1125 us in both
        QCOMPARE(rows[1].question, "operators");
        QCOMPARE(rows[1].before, "5");
        QCOMPARE(rows[1].after, "6"); // regions of the compiler are operators too
        QCOMPARE(rows[1].verdict, FusionVerdict::Worse);
        QCOMPARE(rows[2].question, "launches");
        QCOMPARE(rows[2].before, "5");
        QCOMPARE(rows[2].after, "4");
        QCOMPARE(rows[2].verdict, FusionVerdict::Improved);
        QCOMPARE(rows[3].before, "4, 2 gone");
        QCOMPARE(rows[3].after, "3, 1 new");
        QCOMPARE(rows[3].verdict, FusionVerdict::Improved); // 12 us instead of 20
        QCOMPARE(rows[4].verdict, FusionVerdict::Same);
        QCOMPARE(rows[5].question, "bytes");
        QCOMPARE(rows[5].verdict, FusionVerdict::NotRecorded); // without counters
        QVERIFY(rows[5].before.empty());
        for (const FusionRow& row : compareFusion(before, before))
            QVERIFY(row.verdict == FusionVerdict::Same || row.verdict == FusionVerdict::NotRecorded);
        // Turned round, improved and worse change places.
        const auto back = compareFusion(after, before);
        QCOMPARE(back[2].verdict, FusionVerdict::Worse);
        QCOMPARE(back[3].verdict, FusionVerdict::Worse);
    }

    // Fewer launches are no success (C05): completion stands first and says so.
    void c65_completionOfSteps() {
        const auto steps = [](int length) {
            std::vector<std::string> events = gatedMlp();
            for (int i = 0; i < 4; ++i) // the first warms up
                events.push_back(span("user_annotation", "ProfilerStep#" + std::to_string(i + 1),
                                      2000 + 500 * i, i == 0 ? 400 : length, {}));
            return factsOf(events);
        };
        const FusionFacts slow = steps(103), fast = steps(100);
        QVERIFY(slow.isOfSteps);
        QCOMPARE(slow.completionNs, std::int64_t{103'000});
        QCOMPARE(compareFusion(fast, slow)[0].verdict, FusionVerdict::Worse);
        QCOMPARE(compareFusion(slow, fast)[0].verdict, FusionVerdict::Improved);
        QCOMPARE(compareFusion(fast, fast)[0].verdict, FusionVerdict::Same);
        QCOMPARE(compareFusion(fast, factsOf(gatedMlp()))[0].verdict, FusionVerdict::NotRecorded);
    }

    // E13: an all-reduce of 4 ms of which compute hides 1 ms; then 3 ms of it. B23: what was measured without
    // a profiler stands apart and first.
    void e13_b23_exposedCommunicationAndTheOutside() {
        const auto onStream = [](const std::string& name, int ts, int dur, int stream) {
            return q("{'ph':'X','pid':0,'cat':'kernel','name':'") + name + q("','tid':") +
                   std::to_string(stream) + q(",'ts':") + std::to_string(ts) + q(",'dur':") +
                   std::to_string(dur) + q(",'args':{'device':0,'stream':") + std::to_string(stream) + "}}";
        };
        const auto run = [&](int computeFrom) {
            return factsOf({onStream("ncclDevKernel_AllReduce_Sum_f32", 1'000, 4'000, 7),
                            onStream("gemm", computeFrom, 3'000, 8)});
        };
        const FusionFacts before = run(4'000), after = run(2'000);
        QCOMPARE(before.exposedCommunicationNs, std::optional(3'000'000.0));
        QCOMPARE(after.exposedCommunicationNs, std::optional(1'000'000.0));
        const auto row = exposedCommunicationRow(before, after);
        QVERIFY(row);
        QCOMPARE(row->before, "3.000 ms");
        QCOMPARE(row->after, "1.000 ms");
        QCOMPARE(row->verdict, FusionVerdict::Improved);
        QCOMPARE(exposedCommunicationRow(after, before)->verdict, FusionVerdict::Worse);
        QVERIFY(!exposedCommunicationRow(factsOf(gatedMlp()), factsOf(gatedMlp()))); // nothing communicates
        QCOMPARE(exposedCommunicationRow(before, factsOf(gatedMlp()))->after, "0 ns");

        FusionRow outside = outsideRow(before, after);
        QVERIFY(outside.before.empty() && outside.after.empty());
        QCOMPARE(outside.verdict, FusionVerdict::NotRecorded);
        FusionFacts slow = before, fast = after;
        slow.outsideNs = 20e6;
        fast.outsideNs = 18e6;
        outside = outsideRow(slow, fast);
        QCOMPARE(outside.before, "20.00 ms");
        QCOMPARE(outside.after, "18.00 ms");
        QCOMPARE(outside.verdict, FusionVerdict::Improved);
    }

    // C66: names of a compiled trace.
    void c66_classesOfCompiledCode_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("code");
        const auto add = [](const char* name, const char* code) { QTest::newRow(name) << name << code; };
        add("TorchDynamo Cache Lookup", "guards");
        add("Torch-Compiled Region: 0/0", "Dynamo");
        add("Pregraph bytecode", "Dynamo");
        add("AOTDispatcher Runtime Wrapper Prologue", "AOTAutograd");
        add("CompiledFunctionBackward", "AOTAutograd");
        add("## Call CompiledFxGraph fal4xpiah2v6blbfmwwonu52dvevbsmlh743q5tkclrt4gcqpzea ##", "Inductor");
        add("triton_red_fused_gelu_mul_sum_0", "Triton");
        add("extern_kernels.mm", "external");
        add("aten::mm", "none");
        add("ProfilerStep#3", "none");
    }
    void c66_classesOfCompiledCode() {
        QFETCH(QString, name);
        QFETCH(QString, code);
        QCOMPARE(QString::fromStdString(std::string(compiledCodeName(compiledCodeOf(name.toStdString())))),
                 code);
    }

    void c66_externalIsBelowInductor() {
        const ReportTable t = report(*loadText(joined(fusedMlp())), "compiled_code");
        QStringList classes;
        for (std::size_t r = 0; r < t.rows(); ++r) {
            classes << cell(t, r, "Class");
            if (cell(t, r, "Class") == QStringLiteral("external")) {
                QCOMPARE(cell(t, r, "Name"), QStringLiteral("aten::mm"));
                QCOMPARE(cell(t, r, "Calls"), QStringLiteral("3"));
                QCOMPARE(cell(t, r, "Kernels"), QStringLiteral("3"));
                QCOMPARE(cell(t, r, "Device (ns)"), QStringLiteral("85000"));
            }
        }
        for (const char* expected : {"Dynamo", "Inductor", "Triton", "external"})
            QCOMPARE(classes.count(QString::fromLatin1(expected)), 1);
        QCOMPARE(report(*loadText(joined(gatedMlp())), "compiled_code").rows(), std::size_t{0});
    }

    void c66_filterCompiledCode() {
        JobControl job;
        const LoadedTrace loaded = fromFile(fixture("captured/torch/compile_first_call.pt.trace.json.gz"));
        const auto query = parseQuery("cat:compiled", {});
        QVERIFY(query && query->onlyCompiled && !query->isEmpty());
        const auto hits = searchNames(loaded.trace, *query, job);
        QVERIFY(hits && !hits->isEmpty());
        for (const EventId row : hits->rows())
            QVERIFY(compiledCodeOf(loaded.trace->nameOf(row)) != CompiledCode::None);
        const auto triton = searchNames(loaded.trace, *parseQuery("cat:compiled triton", {}), job);
        QCOMPARE(triton->rows().size(), std::size_t{16}); // 8 launches, and 8 rows of the host for them
    }
};

LACUNA_TEST(TstExpectedWork, "tst_expected_work")

} // namespace tst_expected_work

#include "tst_expected_work.moc"
