// Names of kernels, their families, their groups in a trace, and how they are joined to profiled launches.

#include "core/analysis/kernel_groups.h"
#include "core/import/load_trace.h"
#include "core/ncu/kernel_join.h"
#include "core/ncu/ncu_command.h"
#include "core/trace/kernel_name.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace tst_kernel_groups {

using namespace lacuna;
using namespace lacuna::test;

#ifndef Q_MOC_RUN // it does not know raw strings
namespace {

struct TestKernel {
    std::string name, grid, block;
    int ts = 0, dur = 1, stream = 7;
};

std::string traceOf(const std::vector<TestKernel>& kernels) {
    std::string text =
        R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":0,"dur":1})";
    for (const TestKernel& k : kernels)
        text += ",\n"
                R"({"ph":"X","cat":"kernel","name":")" +
                k.name + R"(","pid":0,"tid":)" + std::to_string(k.stream) + R"(,"ts":)" +
                std::to_string(k.ts) + R"(,"dur":)" + std::to_string(k.dur) +
                R"(,"args":{"device":0,"stream":)" + std::to_string(k.stream) +
                R"(,"registers per thread":32,"shared memory":1024,"grid":)" + k.grid + R"(,"block":)" +
                k.block + "}}";
    return text + "]}";
}

KernelGroups groupsOf(const std::string& text) {
    JobControl job;
    auto loaded = loadTraceFromMemory(text, "t.json", builtinImporters(), job);
    auto configs = readLaunchConfigs(*loaded->trace, loaded->details.get(), job);
    auto groups = groupKernels(loaded->trace, *std::move(configs), job);
    return *std::move(groups);
}

NcuFile profiled(const std::vector<std::tuple<std::string, Dim3, Dim3>>& launches) {
    NcuFile file;
    for (const auto& [name, grid, block] : launches) {
        NcuKernel& kernel = file.kernels.emplace_back();
        kernel.name = file.strings.intern(name);
        kernel.config.grid = grid;
        kernel.config.block = block;
    }
    return file;
}

} // namespace
#endif

class TstKernelGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void names_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("argument");
        const auto row = [](const char* name, const char* function, const char* argument = "") {
            QTest::newRow(name) << name << function << argument;
        };
        row("saxpy", "saxpy");
        row("saxpy(int, float)", "saxpy");
        row("void saxpy<float>(int)", "saxpy", "float");
        row("void at::native::(anonymous namespace)::reduce_kernel<512, 1, F<int> >(F<int>)", "reduce_kernel",
            "512");
        row("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x128>(cutlass_80_simt_sgemm_128x128::Params)",
            "Kernel2", "cutlass_80_simt_sgemm_128x128");
        row("void cutlass::device_kernel<ns::Flash<int, 3> >(T)", "device_kernel", "Flash");
        row("a::b<int>::c(int)", "c");
        row("_Z5saxpyif", "saxpy");
        row("_Z", "_Z");
        row("triton_poi_fused_add_0", "triton_poi_fused_add_0");
        row("", "");
        row("((((", "((((");
    }
    void names() {
        QFETCH(QString, name);
        QFETCH(QString, function);
        QFETCH(QString, argument);
        QCOMPARE(QString::fromStdString(kernelFunction(name.toStdString())), function);
        QCOMPARE(QString::fromStdString(firstTemplateArgument(name.toStdString())), argument);
    }

    void comparableNames() {
        QCOMPARE(comparableKernelName("void f<4, g<int> >(int, float *)"),
                 comparableKernelName("f<(int)4,g<int>>(int,float*)"));
        QVERIFY(comparableKernelName("f<4>(int)") != comparableKernelName("f<8>(int)"));
    }

    // features.md A23, C33, C66, C73: 44 names as programs and libraries have them.
    void families_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("origin");
        const auto row = [](const char* name, const char* family, const char* origin) {
            QTest::newRow(name) << family << origin;
        };
        row("nvjet_tst_128x64_64x9_2x1_v_bz_TNT", "gemm", "library");
        row("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4",
            "gemm", "library");
        row("ampere_sgemm_128x64_tn", "gemm", "library");
        row("volta_sgemm_32x32_sliced1x4_nn", "gemm", "library");
        row("void gemv2T_kernel_val<int, int, float, float>(cublasGemvParams)", "gemm", "library");
        row("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x4_nn_align8>(P)",
            "gemm", "cutlass");
        row("cutlass_80_simt_sgemm_256x128_8x4_nt_align1", "gemm", "cutlass");
        row("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<S> >(P)", "gemm", "cutlass");
        row("void cutlass::device_kernel<my::Thing>(P)", "cutlass", "cutlass");
        row("kernel_cutlass_dense_persistent_0", "cutlass", "cutlass");
        row("Cijk_Ailk_Bljk_SB_MT64x64x8_SN", "gemm", "other");
        row("void cublasLt::splitKreduce_kernel<32, 16, int, float>(P)", "reduce", "library");
        row("void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, cutlass::half_t> "
            ">(P)",
            "attention", "library");
        row("void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<T>(P)", "attention", "library");
        row("fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel::Params)",
            "attention", "cutlass");
        row("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_3_64x128x128", "attention",
            "library");
        row("void vllm::paged_attention_v2_kernel<half>(P)", "attention", "framework");
        row("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int)", "norm",
            "framework");
        row("void vllm::rms_norm_kernel<c10::BFloat16>(P)", "norm", "framework");
        row("void cudnn::bn_fw_tr_1C11_singleread<float, 512>(P)", "norm", "library");
        row("void at::native::batch_norm_collect_statistics_kernel<F>(P)", "norm", "framework");
        row("void cudnn::cnn::conv2d_grouped_direct_kernel<F>(P)", "convolution", "library");
        row("sm86_xmma_fprop_implicit_gemm_indexed_f32f32_tilesize128x32x16", "convolution", "library");
        row("cutlass_tensorop_s1688dgrad_optimized_tf32_64x64", "convolution", "cutlass");
        row("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, A>(int)",
            "elementwise", "framework");
        row("void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(T)::F>(int)",
            "copy", "framework");
        row("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<T>(P)", "elementwise",
            "framework");
        row("void at::native::fused_dropout_kernel_vec<float>(P)", "elementwise", "framework");
        row("void at::native::vectorized_elementwise_kernel<4, layer_norm_grad_functor>(int)", "elementwise",
            "framework");
        row("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(R)", "reduce", "framework");
        row("void (anonymous namespace)::softmax_warp_forward<float, float, 10, true, false>(P)", "reduce",
            "other");
        row("void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 2>(P)", "copy", "framework");
        row("void transpose_readWrite_alignment_kernel<float>(P)", "copy", "other");
        row("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "communication",
            "library");
        row("void vllm::cross_device_reduce_1stage<half, 2>(P)", "communication", "framework");
        row("nvshmem_barrier_kernel", "communication", "other");
        row("triton_poi_fused_native_layer_norm_add_3", "elementwise", "triton");
        row("triton_red_fused_native_layer_norm_0", "norm", "triton");
        row("triton_per_fused__softmax_1", "reduce", "triton");
        row("triton_tem_fused_mm_4", "gemm", "triton");
        row("triton_something_of_mine", "triton", "triton");
        row("add_kernel_0d1d2d3de", "triton", "triton");
        row("void cub::DeviceRadixSortOnesweepKernel<P>(T)", "library", "library");
        row("void thrust::cuda_cub::core::_kernel_agent<A>(T)", "library", "library");
        row("my_kernel(float *, int)", "other", "other");
        row("fma_bound(float *, int)", "other", "other");
    }
    void families() {
        QFETCH(QString, family);
        QFETCH(QString, origin);
        const KernelClass kind = classifyKernel(QTest::currentDataTag());
        QCOMPARE(QString::fromLatin1(familyName(kind.family).data()), family);
        QCOMPARE(QString::fromLatin1(originName(kind.origin).data()), origin);
    }

    void attentionBackends() {
        const auto backend = [](const char* name) {
            return std::string(attentionBackendName(classifyKernel(name).attention));
        };
        QCOMPARE(backend("void pytorch_flash::flash_fwd_kernel<T>(P)"), std::string("flash"));
        QCOMPARE(
            backend("fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel::P)"),
            std::string("memory-efficient"));
        QCOMPARE(backend("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_f16"), std::string("cudnn"));
        QCOMPARE(backend("ampere_sgemm_128x64_tn"), std::string("none"));
    }

    // Counts and times against a plain reading of the capture.
    void capturedTrace() {
        const std::string text = readFile(fixture("captured/torch/item_sync.pt.trace.json.gz"));
        const KernelGroups all = groupsOf(text);
        JobControl job;
        const auto loaded =
            loadTrace(fixture("captured/torch/item_sync.pt.trace.json.gz"), builtinImporters(), job);
        // From the compressed file as from memory.
        auto streamed = readLaunchConfigs(*loaded->trace, loaded->details.get(), job);
        QVERIFY(streamed && streamed->remark.empty());
        const auto again = groupKernels(loaded->trace, *std::move(streamed), job);
        QCOMPARE(again->groups.size(), all.groups.size());
        std::int64_t total = 0;
        std::size_t count = 0;
        double share = 0;
        for (std::size_t g = 0; g < all.groups.size(); ++g) {
            const KernelGroup& group = all.groups[g];
            QCOMPARE(again->groups[g].totalNs, group.totalNs);
            QVERIFY(again->configOf(again->groups[g]) == all.configOf(group));
            QVERIFY(all.configOf(group).grid.isKnown() && all.configOf(group).block.isKnown());
            QCOMPARE(all.instancesOf(group).size(), group.count);
            std::int64_t sum = 0;
            for (const EventId e : all.instancesOf(group)) {
                QCOMPARE(all.trace->events().name[e.v], group.name);
                sum += all.trace->events().duration(e).v;
            }
            QCOMPARE(sum, group.totalNs);
            QVERIFY(group.minNs <= group.medianNs && group.medianNs <= group.p95Ns &&
                    group.p95Ns <= group.maxNs);
            total += group.totalNs;
            count += group.count;
            share += group.share;
        }
        QCOMPARE(count, std::size_t(all.trace->report().kept(EventKind::Kernel)));
        QVERIFY(std::abs(share - 1) < 1e-9);
        // mock/kernel_panel.png: 32 calls, 5.617 ms, median 174.913, p95 179.938, 174.1 to 180.2 us, 31.9 %.
        const auto gemm = std::find_if(all.groups.begin(), all.groups.end(), [&](const KernelGroup& g) {
            return g.count == 32 && all.configOf(g).grid == Dim3{32, 8, 1} &&
                   all.configOf(g).block == Dim3{128, 1, 1};
        });
        QVERIFY(gemm != all.groups.end());
        QCOMPARE((gemm->totalNs + 500) / 1000, 5617);
        QCOMPARE((gemm->p95Ns + 500) / 1000 * 1000 / 1000, 180);
        QCOMPARE(*all.configOf(*gemm).registersPerThread, 255u);
        QCOMPARE(*all.configOf(*gemm).sharedBytes, 33u * 1024);
        QCOMPARE(std::round(gemm->share * 1000), 319.0);
        Q_UNUSED(total)
    }

    void nsightExport() {
        JobControl job;
        const auto file = fixture("captured/nsys/stall.sqlite");
        const auto loaded = loadTrace(file, builtinImporters(), job);
        QVERIFY(loaded);
        auto configs = readLaunchConfigs(*loaded->trace, loaded->details.get(), job);
        QVERIFY(configs && configs->remark.empty());
        const auto all = groupKernels(loaded->trace, *std::move(configs), job);
        std::size_t known = 0;
        for (const KernelGroup& group : all->groups) {
            const LaunchConfig& config = all->configOf(group);
            known += config.grid.isKnown() && config.registersPerThread && config.allSharedBytes() ? 1U : 0U;
        }
        QCOMPARE(known, all->groups.size());
        QCOMPARE(known, 3u); // spin, tiny, saxpy
    }

    void byShape() {
        const KernelGroups all = groupsOf(traceOf({{"k", "[1, 1, 1]", "[32, 1, 1]", 10, 5},
                                                   {"k", "[2, 1, 1]", "[32, 1, 1]", 20, 50},
                                                   {"k", "[1, 1, 1]", "[32, 1, 1]", 80, 7},
                                                   {"j", "[1, 1, 1]", "[32, 1, 1]", 90, 1, 8}}));
        QCOMPARE(all.groups.size(), 3u);
        QCOMPARE(all.configOf(all.groups[0]).grid, (Dim3{2, 1, 1}));
        QCOMPARE(all.groups[0].launchesBefore, 1u);
        QCOMPARE(all.groups[1].count, 2u);
        QCOMPARE(all.groups[1].totalNs, 12'000);
        QCOMPARE(all.groups[1].medianNs, 5'000); // the lower of two
        QCOMPARE(all.groups[1].p95Ns, 7'000);
        QCOMPARE(all.groups[1].launchesBefore, 0u);
        QCOMPARE(all.groups[1].share, 12.0 / 63);
    }

    // features.md A26.
    void firstLaunchApart() {
        std::vector<TestKernel> launches{{"k", "[1, 1, 1]", "[32, 1, 1]", 0, 2000}};
        for (int i = 1; i <= 9; ++i)
            launches.push_back({"k", "[1, 1, 1]", "[32, 1, 1]", 3000 + 20 * i, 10 + (i == 9 ? 5 : 0)});
        const KernelGroups all = groupsOf(traceOf(launches));
        QVERIFY(all.groups[0].isFirstApart);
        QCOMPARE(all.groups[0].firstNs, 2'000'000);
        QCOMPARE(all.groups[0].medianNs, 10'000);
        QCOMPARE(all.groups[0].p95Ns, 15'000);
        QCOMPARE(all.groups[0].maxNs, 2'000'000); // extremes and totals are of all
        QCOMPARE(all.groups[0].count, 10u);
        launches[0].dur = 90;
        QVERIFY(!groupsOf(traceOf(launches)).groups[0].isFirstApart);
    }

    void unreadableFile() {
        JobControl job;
        const auto loaded = loadTraceFromMemory(traceOf({{"k", "[1, 1, 1]", "[32, 1, 1]"}}), "t.json",
                                                builtinImporters(), job);
        const auto configs = readLaunchConfigs(*loaded->trace, nullptr, job);
        QVERIFY(configs);
        QVERIFY(!configs->remark.empty());
        QCOMPARE(configs->configs().size(), 1u);
    }

    void join() {
        const KernelGroups all = groupsOf(traceOf({{"void f<4>(int)", "[8, 1, 1]", "[32, 1, 1]", 0, 9},
                                                   {"void f<8>(int)", "[8, 1, 1]", "[32, 1, 1]", 10, 5},
                                                   {"void f<8>(int)", "[8, 1, 1]", "[32, 1, 1]", 20, 5},
                                                   {"g(int)", "[1, 1, 1]", "[64, 1, 1]", 30, 3},
                                                   {"h(int)", "[1, 1, 1]", "[64, 1, 1]", 40, 2}}));
        const Dim3 eight{8, 1, 1}, warp{32, 1, 1}, one{1, 1, 1}, two{64, 1, 1};
        const NcuFile ncu = profiled({{"void f<(int)8>(int)", eight, warp}, // full name
                                      {"g", one, two},                      // bare name, one group
                                      {"f", eight, warp},                   // bare name, two groups: by order
                                      {"f", eight, warp},
                                      {"h(int)", {9, 1, 1}, two}, // another shape
                                      {"h", {}, {}},              // none told
                                      {"nowhere", one, two}});
        const auto joins = joinKernels(ncu, all);
        const auto groupName = [&](std::size_t k) {
            return joins[k].group ? std::string(all.nameOf(all.groups[*joins[k].group])) : std::string();
        };
        QCOMPARE(joins[0].certainty, JoinCertainty::Certain);
        QCOMPARE(groupName(0), std::string("void f<8>(int)"));
        QCOMPARE(all.trace->events().beginNs[joins[0].instance.v], 10'000);
        QCOMPARE(joins[1].certainty, JoinCertainty::Likely);
        QCOMPARE(groupName(1), std::string("g(int)"));
        QCOMPARE(joins[2].certainty, JoinCertainty::Possible);
        QCOMPARE(groupName(2), std::string("void f<4>(int)")); // the first launch of the two
        QCOMPARE(groupName(3), std::string("void f<8>(int)"));
        QCOMPARE(joins[4].certainty, JoinCertainty::Possible);
        QCOMPARE(std::string(joins[4].by), std::string("name; the configurations differ"));
        QCOMPARE(std::string(joins[5].by), std::string("name only"));
        QCOMPARE(joins[6].certainty, JoinCertainty::None);
        QVERIFY(!joins[6].group);
    }

    // features.md D01, D18.
    void commands() {
        QCOMPARE(ncuCommand("void ns::flash_fwd<64>(P)", NcuCollection::Full),
                 std::string("ncu --set full -k regex:\"^flash_fwd$\" -c 5 -o kernel PROGRAM"));
        QCOMPARE(ncuCommand("k", NcuCollection::Roofline, 12),
                 std::string("ncu --set roofline -k regex:\"^k$\" -s 12 -c 5 -o kernel PROGRAM"));
        QCOMPARE(ncuCommand("void cutlass::Kernel2<cutlass_80_sgemm>(P)", NcuCollection::Full),
                 std::string("ncu --set full --kernel-name-base demangled -k regex:\"cutlass_80_sgemm\" -c 5 "
                             "-o kernel PROGRAM"));
        const std::string five = ncuCommand("a\"; rm -rf $HOME", NcuCollection::FiveNumbers);
        QVERIFY(five.find("sm__throughput.avg.pct_of_peak_sustained_elapsed") != std::string::npos);
        QVERIFY(five.find("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed") != std::string::npos);
        QVERIFY(five.find("sm__warps_active.avg.pct_of_peak_sustained_active") != std::string::npos);
        QVERIFY(five.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") != std::string::npos);
        QVERIFY(five.find("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") != std::string::npos);
        QCOMPARE(std::count(five.begin(), five.end(), '"'), 2); // a name cannot leave its quotes
        QVERIFY(five.find('$') == five.rfind('$') && five.find(';') == std::string::npos);
    }
};

LACUNA_TEST(TstKernelGroups, "tst_kernel_groups")

} // namespace tst_kernel_groups

#include "tst_kernel_groups.moc"
