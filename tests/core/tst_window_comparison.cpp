// Windows beside one another: features.md C58.

#include "core/report/builtin.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

namespace tst_window_comparison {

using namespace lacuna;
using namespace lacuna::test;

namespace {

ReportTable windowsOf(const Trace& trace, const ReportOptions& options = {}) {
    JobControl job;
    return *runReport(trace, nullptr, {"windows", options, {}, {}}, job);
}

std::string line(const ReportTable& table, std::string_view figure) {
    std::string text;
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t c = 2; c < table.columns().size() && table.text(row, 0) == figure; ++c)
            text += (c == 2 ? "" : " ") + table.cellText(row, c);
    return text;
}

// Steps of 100 us, each with one kernel from 20 on, of the given length in us.
std::string stepsWithKernels(const std::vector<int>& lengths) {
    std::string text;
    int at = 0;
    for (std::size_t k = 0; k < lengths.size(); ++k, at += 100) {
        const auto range = [&](int begin, int end) {
            return " " + std::to_string(at + begin) + ".." + std::to_string(at + end);
        };
        const std::string id = " #" + std::to_string(k + 1) + "\n";
        text += "main step ProfilerStep#" + std::to_string(k) + range(0, 100) + "\n";
        text +=
            "main call cudaLaunchKernel" + range(5, 8) + id + "s7 kernel K" + range(20, 20 + lengths[k]) + id;
    }
    return text;
}

} // namespace

class TstWindowComparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c58_sameFiguresAndTheirSpread();
    void c58_atMostEight();
    void withoutSteps_equalParts();
    void withoutWork_nothing();
    void cancelled_atAnyPoll();
};

void TstWindowComparison::c58_sameFiguresAndTheirSpread() {
    const ReportTable table = windowsOf(*traceOf(stepsWithKernels({40, 40, 60})));
    QCOMPARE(line(table, "Duration"), std::string("100000 100000 100000 100000 0 0.0"));
    QCOMPARE(line(table, "GPU busy"), std::string("40000 40000 60000 40000 20000 50.0"));
    QCOMPARE(line(table, "GPU idle"), std::string("60000 60000 40000 60000 20000 33.3"));
    QCOMPARE(line(table, "Kernels"), std::string("1 1 1 1 0 0.0"));
    QCOMPARE(line(table, "Launching calls"), std::string("1 1 1 1 0 0.0"));
    QCOMPARE(line(table, "Bytes copied and set"), std::string("0 0 0 0 0 "));
    QVERIFY(table.notes().front().find("; 3: ProfilerStep#2, 200000 to 300000 ns") != std::string::npos);
}

// Twenty steps in eight windows of two or three.
void TstWindowComparison::c58_atMostEight() {
    const ReportTable table = windowsOf(*traceOf(stepsWithKernels(std::vector<int>(20, 50))));
    QCOMPARE(table.columns().size(), std::size_t{2 + 8 + 3});
    QCOMPARE(line(table, "Kernels"), std::string("2 3 2 3 2 3 2 3 2 1 50.0"));
    std::int64_t kernels = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t c = 2; c < 10 && table.text(row, 0) == "Kernels"; ++c)
            kernels += table.number(row, c);
    QCOMPARE(kernels, std::int64_t{20});
}

// The device works from 0 to 400: parts of 100.
void TstWindowComparison::withoutSteps_equalParts() {
    const auto trace = traceOf("main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..150 #1\n"
                               "main call cudaLaunchKernel 210..215 #2\ns7 kernel B 350..400 #2\n");
    const ReportTable table = windowsOf(*trace);
    QCOMPARE(line(table, "GPU busy"), std::string("100000 50000 0 50000 50000 100000 200.0"));
    QCOMPARE(line(table, "Launching calls"), std::string("0 0 1 0 0 1 "));
    QVERIFY(table.notes().back().starts_with("No steps: four equal parts"));
    ReportOptions half;
    half.range = TimeRange{{0}, {us(200)}};
    QCOMPARE(line(windowsOf(*trace, half), "Duration"), std::string("50000 50000 50000 50000 50000 0 0.0"));
}

void TstWindowComparison::withoutWork_nothing() {
    const ReportTable table = windowsOf(*traceOf("main op aten::add 0..10\n"));
    QCOMPARE(table.rows(), std::size_t{0});
    QCOMPARE(table.notes().front(), std::string("The trace has no device work to compare."));
}

void TstWindowComparison::cancelled_atAnyPoll() {
    const auto trace = traceOf(stepsWithKernels({40, 40, 60}));
    JobControl counting;
    QVERIFY(runReport(*trace, nullptr, {"windows", {}, {}, {}}, counting));
    for (std::uint64_t poll = 1; poll <= counting.polls(); ++poll) {
        JobControl job;
        job.cancelAtPoll(poll);
        QVERIFY(!runReport(*trace, nullptr, {"windows", {}, {}, {}}, job));
    }
}

LACUNA_TEST(TstWindowComparison, "tst_window_comparison")

} // namespace tst_window_comparison

#include "tst_window_comparison.moc"
