#include "core/view/short_name.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

namespace tst_short_name {

using namespace lacuna;
using namespace lacuna::test;

namespace {
QString joined(std::string_view name, EventKind kind) {
    QStringList forms;
    for (const std::string& form : shortNames(name, kind))
        forms << QString::fromStdString(form);
    return forms.join(QStringLiteral(" | "));
}
} // namespace

class TstShortName : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void forms_data();
    void forms();
    void anyText_givesShorterAndShorterForms();
};

void TstShortName::forms_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* tag, EventKind kind, const char* name, const char* expected) {
        QTest::newRow(tag) << QString::fromUtf8(name) << static_cast<int>(kind)
                           << QString::fromUtf8(expected);
    };
    const auto kernel = [&](const char* tag, const char* name, const char* expected) {
        row(tag, EventKind::Kernel, name, expected);
    };
    kernel("templates",
           "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
           "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)",
           "vectorized_elementwise_kernel | vectorized_elementwise");
    kernel("anonymous namespace",
           "void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long>(int (*)[4], long)",
           "indexSelectLargeIndex");
    kernel("cutlass", "cutlass_80_simt_sgemm_256x128_8x4_nt_align1",
           "cutlass_80_simt_sgemm 256×128 nt | sgemm 256×128 | sgemm");
    kernel("cutlass in Kernel2",
           "void "
           "cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nt_align1>(cutlass_80_simt_sgemm_256x128_8x4_"
           "nt_align1::Params)",
           "cutlass_80_simt_sgemm 256×128 nt | sgemm 256×128 | sgemm");
    kernel("ampere", "ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nt",
           "ampere_bf16_s16816gemm 256×128 nt | s16816gemm 256×128 | s16816gemm");
    kernel("xmma",
           "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_"
           "alignc4_execute_kernel__5x_cublas",
           "sm80_xmma_gemm 128×128×8 tn | gemm 128×128×8 | gemm");
    kernel("nvjet", "nvjet_tst_128x64_64x8_1x2_h_bz_TNT", "nvjet 128×64 | nvjet");
    kernel("split K",
           "void cublasLt::splitKreduce_kernel<32, 16, int, float>(cublasLt::cublasSplitKParams<float>)",
           "splitKreduce_kernel | splitKreduce");
    kernel("collective", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
           "ncclDevKernel_AllReduce_Sum_bf16_RING_LL | AllReduce Sum bf16 | AllReduce");
    kernel("triton", "triton_poi_fused_add_mul_0", "triton_poi_fused_add_mul_0");
    kernel("mangled", "_ZN2at6native15softmax_forwardIfEEvPf", "softmax_forward");
    kernel("plain C", "spin_kernel", "spin_kernel | spin");
    kernel("operator()",
           "void foo::(anonymous namespace)::run<int>(int)::{lambda(int)#1}::operator()(int) const", "run");
    kernel("no name left", "<<<", "<<<");
    row("copy", EventKind::Memcpy, "Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH | DtoH");
    row("vendor copy", EventKind::Memcpy, "[CUDA memcpy Host-to-Device]",
        "memcpy Host-to-Device | Host-to-Device");
    row("vendor set", EventKind::Memset, "[CUDA memset]", "memset");
    row("set", EventKind::Memset, "Memset (Device)", "Memset");
    row("operator", EventKind::CpuOp, "aten::linear", "aten::linear | linear");
    row("backward", EventKind::CpuOp, "autograd::engine::evaluate_function: AddmmBackward0",
        "autograd::engine::evaluate_function: AddmmBackward0 | AddmmBackward0");
    row("accumulate", EventKind::CpuOp, "torch::autograd::AccumulateGrad",
        "torch::autograd::AccumulateGrad | AccumulateGrad");
    row("optimizer", EventKind::Range, "Optimizer.step#SGD.step", "Optimizer.step#SGD.step | SGD.step");
    row("step", EventKind::Range, "ProfilerStep#3", "ProfilerStep#3");
    row("python", EventKind::Python, "torch/nn/modules/module.py(1783): _call_impl",
        "_call_impl  module.py:1783 | _call_impl");
    row("python, no folder", EventKind::Python, "capture_torch.py(67): step",
        "step  capture_torch.py:67 | step");
    row("python, windows", EventKind::Python, "C:\\x\\a.py(1): <module>", "<module>  a.py:1 | <module>");
    row("builtin function", EventKind::Python, "<built-in function sleep>", "sleep");
    row("builtin method", EventKind::Python, "<built-in method item of Tensor object at 0x7f2>", "item");
    row("module", EventKind::Python, "nn.Module: Sequential_0", "Sequential_0");
    row("runtime", EventKind::RuntimeApi, "cudaLaunchKernel_v7000", "cudaLaunchKernel");
    row("driver", EventKind::DriverApi, "cuLaunchKernel", "cuLaunchKernel");
    row("other", EventKind::OsRuntime, "pthread_cond_wait", "pthread_cond_wait");
    row("empty", EventKind::Kernel, "", "");
}

void TstShortName::forms() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    QFETCH(QString, expected);
    QCOMPARE(joined(name.toStdString(), static_cast<EventKind>(kind)), expected);
}

// Names come from files: any text must do.
void TstShortName::anyText_givesShorterAndShorterForms() {
    constexpr std::string_view kAlphabet = "abx8<>():,_ #[]{}*&~.\\/";
    RandomSource random(1);
    for (int k = 0; k < 20'000; ++k) {
        std::string name;
        for (std::int64_t n = random.between(1, 24); n > 0; --n)
            name += kAlphabet[static_cast<std::size_t>(
                random.between(0, static_cast<std::int64_t>(kAlphabet.size()) - 1))];
        const auto kind = static_cast<EventKind>(random.between(0, 16));
        const auto forms = shortNames(name, kind);
        QVERIFY2(!forms.empty(), name.c_str());
        QVERIFY2(forms[0].size() <= name.size() + 2, name.c_str());
        for (std::size_t i = 0; i < forms.size(); ++i) {
            QVERIFY2(!forms[i].empty(), name.c_str());
            QVERIFY2(i == 0 || forms[i].size() < forms[i - 1].size(), name.c_str());
        }
    }
}

LACUNA_TEST(TstShortName, "tst_short_name")

} // namespace tst_short_name

#include "tst_short_name.moc"
