// kernel_shapes: one kernel in two shapes is two rows (features.md C63), in both formats.

#include "core/import/load_trace.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

namespace tst_kernel_shapes {

using namespace lacuna;
using namespace lacuna::test;

namespace {

LoadedTrace loadedRows(const std::vector<std::string>& rows) {
    std::string text;
    for (const std::string& row : rows)
        text.append(text.empty() ? "" : ",").append(row);
    return *loadText(q(objectForm(text)));
}

ReportTable tableOf(const LoadedTrace& loaded, std::string_view name) {
    JobControl job;
    ReportQuery query;
    query.name = name;
    auto table = runReport(*loaded.trace, loaded.details.get(), query, job);
    if (!table)
        throw std::runtime_error(table.error().detail);
    return *std::move(table);
}

} // namespace

class TstKernelShapes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c63_oneKernelInTwoShapes();
    void launchConfigs_ofBothFormats();
};

// Two shapes of one kernel side by side.
void TstKernelShapes::c63_oneKernelInTwoShapes() {
    const auto gemm = [](double ts, double dur, std::string_view grid) {
        return rowText("kernel", "gemm", ts, dur,
                       "{'device':0,'stream':7,'grid':" + std::string(grid) +
                           ",'block':[128,1,1],'registers per thread':64,'shared memory':1024}",
                       7);
    };
    const LoadedTrace loaded =
        loadedRows({gemm(0, 10, "[32,8,1]"), gemm(20, 30, "[64,8,1]"), gemm(60, 20, "[32,8,1]")});
    const ReportTable table = tableOf(loaded, "kernel_shapes");
    QCOMPARE(table.rows(), std::size_t{2});
    QCOMPARE(numberOf(table, 0, "Total Time (ns)"), 30'000); // equal totals: the first shape first
    QCOMPARE(cellOf(table, 0, "GridXYZ"), std::string("  32    8    1"));
    QCOMPARE(numberOf(table, 0, "Instances"), 2);
    QCOMPARE(cellOf(table, 1, "GridXYZ"), std::string("  64    8    1"));
    QCOMPARE(cellOf(table, 1, "BlockXYZ"), std::string(" 128    1    1"));
    QCOMPARE(numberOf(table, 1, "Registers Per Thread"), 64);
    QCOMPARE(numberOf(table, 1, "Shared Memory Per Block (bytes)"), 1'024);
    QVERIFY(table.isEmpty(1, columnOf(table, "Local Memory Per Thread (bytes)")));
    QCOMPARE(cellOf(table, 0, "Time (%)"), std::string("50.0"));
    // Without the source names stay apart, shapes do not.
    JobControl job;
    ReportQuery query;
    query.name = "kernel_shapes";
    const auto without = runReport(*loaded.trace, nullptr, query, job);
    QCOMPARE(without->rows(), std::size_t{1});
    QCOMPARE(without->notes().size(), std::size_t{1});
}

// The report and `lacuna kernels` read the same columns, in both formats.
void TstKernelShapes::launchConfigs_ofBothFormats() {
    JobControl job;
    const auto file = fixture("captured/nsys/stall.sqlite");
    const auto loaded = loadTrace(file, builtinImporters(), job);
    QVERIFY(loaded);
    const ReportTable shapes = tableOf(*loaded, "kernel_shapes"),
                      vendor = tableOf(*loaded, "cuda_gpu_kern_gb_sum");
    QCOMPARE(shapes.rows(), vendor.rows());
    for (std::size_t row = 0; row < shapes.rows(); ++row)
        for (const char* column : {"Total Time (ns)", "Instances", "GridXYZ", "BlockXYZ", "Name"})
            QCOMPARE(cellOf(shapes, row, column), cellOf(vendor, row, column));
}

LACUNA_TEST(TstKernelShapes, "tst_kernel_shapes")

} // namespace tst_kernel_shapes

#include "tst_kernel_shapes.moc"
