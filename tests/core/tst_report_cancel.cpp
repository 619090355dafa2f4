// Every report can be stopped: at each of its polls it ends with Cancelled, never with a part of a table, and
// it polls at least once per 4,096 rows that it reads, each time that it goes over them. No clock: an
// asked-for stop takes as long as the rows between two polls.

#include "core/base/parallel.h"
#include "core/import/load_trace.h"
#include "core/report/builtin.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>

namespace tst_report_cancel {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr int kLaunches = 3'000, kSteps = 30;

// Steps with phases; launches, copies, waits and collectives; two streams. About four rows a launch.
std::shared_ptr<const Trace> busyTrace(int launches) {
    std::string text;
    const auto range = [](double begin, double end) {
        return " " + std::to_string(begin) + ".." + std::to_string(end);
    };
    const double perStep = 20.0 * launches / kSteps;
    for (int s = 0; s < kSteps; ++s) {
        text += "main step ProfilerStep#" + std::to_string(s) + range(s * perStep, (s + 1) * perStep) + "\n";
        text += "main range forward" + range(s * perStep + 0.1, s * perStep + perStep / 2) + "\n";
    }
    for (int k = 0; k < launches; ++k) {
        const double at = 20.0 * k + 0.2;
        const std::string id = " #" + std::to_string(k + 1) + "\n";
        text += "main op aten::mm_" + std::to_string(k % 7) + range(at, at + 9) + "\n";
        text += "main range layer " + std::to_string(k % 5) + range(at + 0.5, at + 8) + "\n";
        text += "main call cudaLaunchKernel" + range(at + 1, at + 3) + id;
        const std::string stream = k % 2 == 0 ? "s7" : "s20";
        if (k % 50 == 0)
            text += stream + " copy HtoD pageable" + range(at + 5, at + 12) + " #" + std::to_string(k + 1) +
                    " bytes=4096\n";
        else
            text += stream + " kernel " +
                    (k % 11 == 0 ? "ncclKernel_AllReduce" : "gemm_" + std::to_string(k % 13)) +
                    range(at + 5, at + 5 + 3 + k % 9) + id;
        if (k % 20 == 0)
            text += "main call cudaStreamSynchronize" + range(at + 10, at + 17) + "\n";
    }
    return traceOf(text);
}

} // namespace

class TstReportCancel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void atEveryPoll_data();
    void atEveryPoll();
    void everyPass_data();
    void everyPass();
};

void TstReportCancel::atEveryPoll_data() {
    QTest::addColumn<QString>("report");
    for (const ReportSpec& spec : builtinReports())
        QTest::newRow(std::string(spec.name).c_str()) << QString::fromUtf8(spec.name.data());
}

void TstReportCancel::atEveryPoll() {
    QFETCH(QString, report);
    static const std::shared_ptr<const Trace> trace = busyTrace(kLaunches);
    ReportQuery query;
    query.name = report.toStdString();
    JobControl counting;
    const auto whole = runReport(*trace, nullptr, query, counting);
    QVERIFY(whole);
    // Those look at marks and counters alone, of which there are few or none.
    static const QStringList kMarksAlone{QStringLiteral("settings"),       QStringLiteral("schedule"),
                                         QStringLiteral("profiler_steps"), QStringLiteral("cupti_counters"),
                                         QStringLiteral("memory"),         QStringLiteral("memory_peak")};
    if (!kMarksAlone.contains(report))
        QVERIFY2(counting.polls() >= trace->events().size() / 4'096,
                 qPrintable(QString::number(counting.polls())));
    // All of them where there are few, else the first and every n-th.
    const std::uint64_t step = std::max<std::uint64_t>(1, counting.polls() / 40);
    for (std::uint64_t poll = 1; poll <= counting.polls(); poll += step) {
        JobControl job;
        job.cancelAtPoll(poll);
        const auto table = runReport(*trace, nullptr, query, job);
        QVERIFY2(!table && table.error().code == Errc::Cancelled,
                 qPrintable(QStringLiteral("%1 of %2").arg(poll).arg(counting.polls())));
    }
}

// How often a report looks at its job while it goes over 10,000 launches again and again (sorts, unions,
// sums, replays): a pass that no longer does misses two or three, and at ten million rows a stop waits for
// it. Trace so small that one thread works. A report that gets by with fewer passes has its number lowered
// here.
void TstReportCancel::everyPass_data() {
    QTest::addColumn<QString>("report");
    QTest::addColumn<int>("least");
    struct Passes {
        const char* report;
        int least;
    };
    for (const Passes& passes : {Passes{"whatif", 340},
                                 {"critical_path", 181},
                                 {"critical_path_trace", 181},
                                 {"kernel_exposure", 191},
                                 {"idle", 90},
                                 {"comm_comp_overlap", 13},
                                 {"compiled_code", 37},
                                 {"cuda_api_trace", 15},
                                 {"cuda_gpu_trace", 16},
                                 {"cuda_kern_exec_sum", 49},
                                 {"cuda_kernel_launch_stats", 12},
                                 {"gpu_gaps", 24},
                                 {"gpu_kernel_breakdown", 22},
                                 {"gpu_kernel_breakdown_names", 12},
                                 {"idle_time_breakdown", 16},
                                 {"nvtx_gpu_proj_sum", 52},
                                 {"nvtx_kern_sum", 121},
                                 {"ops", 47},
                                 {"queue_length_summary", 25},
                                 {"queue_length_time_series", 27},
                                 {"steps", 17},
                                 {"temporal_breakdown", 14},
                                 {"user_annotation_breakdown", 21}})
        QTest::newRow(passes.report) << QString::fromLatin1(passes.report) << passes.least;
}

void TstReportCancel::everyPass() {
    QFETCH(QString, report);
    QFETCH(int, least);
    static const std::shared_ptr<const Trace> trace = busyTrace(10'000);
    QVERIFY(trace->events().size() < kRowsForThreads);
    ReportQuery query;
    query.name = report.toStdString();
    JobControl job;
    QVERIFY(runReport(*trace, nullptr, query, job));
    QVERIFY2(job.polls() >= static_cast<std::uint64_t>(least), qPrintable(QString::number(job.polls())));
}

LACUNA_TEST(TstReportCancel, "tst_report_cancel")

} // namespace tst_report_cancel

#include "tst_report_cancel.moc"
