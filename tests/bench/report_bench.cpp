// Every report beside the SQL that answers the same question, CPU seconds of one process in turn:
//   report_bench trace.sqlite [runs [reports]]
// The file must be an Nsight Systems export. What is measured is the report on the loaded trace, and the
// query on a file that was read before. A report without a query is measured alone.
//   report_bench trace --cancel [moments [reports]]
// Of any file: how long each report goes on after it was told to stop, at moments spread over its run; the
// longest of them, in ms of wall time and in CPU ms of all threads, which a busy machine does not stretch.
//   report_bench trace --stretches [ms [reports]]
// Of any file: the longest time that each report went on without looking at its job, in CPU ms of all threads
// (run it on one processor, else one thread looks for the other), to some 4 ms. Where it was is printed for
// those longer than `ms` (20), to be read with addr2line.
//   valgrind --tool=callgrind --instr-atstart=no report_bench trace --instructions [reports]
// Of any file: the instructions of each report, which neither caches nor other work change. callgrind writes
// a file for each, with the report's name and the sum ("totals:") in it.
//
// Reports: names with commas between them; all unless given.

#include "core/import/load_trace.h"
#include "core/report/builtin.h"

#include <sqlite3.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <execinfo.h>
#include <optional>
#include <signal.h>
#include <string>
#include <string_view>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lacuna;

namespace {

struct Question {
    std::string_view report, sql;
};

// Median of numbers is not in SQLite: the queries have the other statistics, as
// tests/bench/nsys_questions.sql.
constexpr std::array kQuestions = {
    Question{"cuda_api_sum",
             "SELECT s.value, count(*), sum(r.end - r.start), avg(r.end - r.start), min(r.end - r.start), "
             "max(r.end - r.start) FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId "
             "GROUP BY s.value ORDER BY 3 DESC"},
    Question{"cuda_gpu_kern_sum",
             "SELECT s.value, count(*), sum(k.end - k.start), avg(k.end - k.start), min(k.end - k.start), "
             "max(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = "
             "k.demangledName GROUP BY s.value ORDER BY 3 DESC"},
    Question{"cuda_gpu_kern_gb_sum",
             "SELECT demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ, count(*), sum(end - start), "
             "avg(end - start), min(end - start), max(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL "
             "GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 9 DESC"},
    Question{"cuda_gpu_mem_time_sum",
             "SELECT copyKind, count(*), sum(end - start), avg(end - start), min(end - start), max(end - "
             "start) FROM CUPTI_ACTIVITY_KIND_MEMCPY GROUP BY 1 ORDER BY 3 DESC"},
    // The columns of the reports, names included.
    Question{
        "cuda_api_trace",
        "SELECT r.start, r.end - r.start, s.value, r.returnValue, r.correlationId, (r.globalTid >> 24) & "
        "16777215, r.globalTid & 16777215, t.priority, n.value FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN "
        "StringIds s ON s.id = r.nameId LEFT JOIN (SELECT globalTid, max(priority) AS priority, "
        "max(nameId) AS nameId FROM ThreadNames GROUP BY 1) t ON t.globalTid = r.globalTid LEFT JOIN "
        "StringIds n ON n.id = t.nameId ORDER BY r.start"},
    Question{"cuda_gpu_trace",
             "SELECT start, end - start, correlationId, gridX, gridY, gridZ, blockX, blockY, blockZ, "
             "registersPerThread, staticSharedMemory / 1e6, dynamicSharedMemory / 1e6, NULL, NULL, NULL, "
             "NULL, g.name, contextId, greenContextId, streamId, s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k "
             "JOIN StringIds s ON s.id = k.demangledName LEFT JOIN TARGET_INFO_GPU g ON g.id = k.deviceId "
             "UNION ALL SELECT start, end - start, correlationId, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
             "NULL, NULL, bytes / 1e6, bytes * 1e3 / (end - start), x.label, y.label, g.name, contextId, "
             "greenContextId, streamId, o.label FROM CUPTI_ACTIVITY_KIND_MEMCPY c LEFT JOIN "
             "ENUM_CUDA_MEM_KIND x ON x.id = c.srcKind LEFT JOIN ENUM_CUDA_MEM_KIND y ON y.id = c.dstKind "
             "LEFT JOIN ENUM_CUDA_MEMCPY_OPER o ON o.id = c.copyKind LEFT JOIN TARGET_INFO_GPU g ON g.id = "
             "c.deviceId UNION ALL SELECT start, end - start, correlationId, NULL, NULL, NULL, NULL, NULL, "
             "NULL, NULL, NULL, NULL, bytes / 1e6, bytes * 1e3 / (end - start), x.label, NULL, g.name, "
             "contextId, greenContextId, streamId, 'memset' FROM CUPTI_ACTIVITY_KIND_MEMSET m LEFT JOIN "
             "ENUM_CUDA_MEM_KIND x ON x.id = m.memKind LEFT JOIN TARGET_INFO_GPU g ON g.id = m.deviceId "
             "ORDER BY 1"},
    Question{
        "cuda_kern_exec_trace",
        "SELECT r.start, r.end - r.start, iif(k.start >= r.end, r.end, NULL), iif(k.start >= r.end, "
        "k.start - r.end, NULL), k.start, k.end - k.start, max(r.end, k.end) - r.start, (r.globalTid >> "
        "24) & 16777215, r.globalTid & 16777215, k.deviceId, a.value, printf('%4d %4d %4d', k.gridX, "
        "k.gridY, k.gridZ), printf('%4d %4d %4d', k.blockX, k.blockY, k.blockZ), s.value FROM "
        "CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = "
        "k.correlationId AND k.globalPid = (r.globalTid & ~16777215) JOIN StringIds a ON a.id = r.nameId "
        "JOIN StringIds s ON s.id = k.demangledName ORDER BY r.start"},
    Question{"cuda_kern_exec_sum",
             "SELECT r.globalTid, k.deviceId, r.nameId, k.demangledName, count(*), avg(max(r.end, k.end) - "
             "r.start), avg(r.end - r.start), avg(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
             "CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId AND k.globalPid = "
             "(r.globalTid & ~16777215) GROUP BY 1, 2, 3, 4 ORDER BY 6 DESC"},
    Question{"nvtx_sum",
             "SELECT coalesce(text, textId), count(*), sum(end - start), avg(end - start), min(end - start), "
             "max(end - start) FROM NVTX_EVENTS WHERE eventType IN (59, 60) GROUP BY 1 ORDER BY 3 DESC"},
    Question{"osrt_sum",
             "SELECT s.value, count(*), sum(o.end - o.start), avg(o.end - o.start) FROM OSRT_API o JOIN "
             "StringIds s ON s.id = o.nameId GROUP BY s.value ORDER BY 3 DESC"},
    Question{
        "gpu_gaps",
        "WITH work AS (SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL UNION ALL SELECT start, end FROM "
        "CUPTI_ACTIVITY_KIND_MEMCPY UNION ALL SELECT start, end FROM CUPTI_ACTIVITY_KIND_MEMSET), "
        "ordered AS (SELECT start, max(end) OVER (ORDER BY start, end ROWS BETWEEN UNBOUNDED PRECEDING "
        "AND 1 PRECEDING) AS before FROM work) SELECT count(*), sum(start - before) FROM ordered WHERE "
        "start > before"},
};

double cpuSeconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Steps through all rows and reads every column. Negative: the file has no such table.
double askSqlite(sqlite3* db, std::string_view sql) {
    const double start = cpuSeconds();
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
        return -1;
    const int columns = sqlite3_column_count(statement);
    std::int64_t sum = 0;
    while (sqlite3_step(statement) == SQLITE_ROW)
        for (int c = 0; c < columns; ++c)
            sum += sqlite3_column_type(statement, c) == SQLITE_TEXT ? sqlite3_column_bytes(statement, c)
                                                                    : sqlite3_column_int64(statement, c) & 1;
    sqlite3_finalize(statement);
    const double spent = cpuSeconds() - start;
    return sum == -1 ? -1 : spent;
}

bool isIn(std::string_view list, std::string_view name) {
    if (list.empty())
        return true;
    const std::string all = "," + std::string(list) + ",";
    return all.find("," + std::string(name) + ",") != std::string::npos;
}

// work(query) for the reports of a list, until it answers false; whether it never did.
template <class Work> bool forEachReport(std::string_view only, const Work& work) {
    for (const ReportSpec& report : builtinReports()) {
        if (!isIn(only, report.name))
            continue;
        ReportQuery query;
        query.name = report.name;
        if (!work(query))
            return false;
    }
    return true;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int measure(const LoadedTrace& loaded, sqlite3* db, int runs, std::string_view only) {
    std::printf("| report | rows | ours, CPU s | SQL, CPU s | ours / SQL |\n|---|---|---|---|---|\n");
    const bool isDone = forEachReport(only, [&](const ReportQuery& query) {
        const auto* question = std::find_if(kQuestions.begin(), kQuestions.end(),
                                            [&](const Question& q) { return q.report == query.name; });
        std::vector<double> ours, theirs, ratios;
        std::size_t rows = 0;
        for (int run = 0; run < runs; ++run) {
            JobControl job;
            const double start = cpuSeconds();
            const auto table = runReport(*loaded.trace, loaded.details.get(), query, job);
            ours.push_back(cpuSeconds() - start);
            if (!table)
                return std::fprintf(stderr, "%s: %s\n", query.name.c_str(), table.error().detail.c_str()),
                       false;
            rows = table->rows();
            theirs.push_back(question == kQuestions.end() ? -1 : askSqlite(db, question->sql));
            ratios.push_back(ours.back() / theirs.back());
        }
        if (theirs.front() < 0)
            std::printf("| %s | %zu | %.3f | | |\n", query.name.c_str(), rows, median(ours));
        else
            std::printf("| %s | %zu | %.3f | %.3f | %.2f |\n", query.name.c_str(), rows, median(ours),
                        median(theirs), median(ratios));
        std::fflush(stdout);
        return true;
    });
    return isDone ? 0 : 1;
}

double wallMs() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct Stop {
    double wallMs = 0, cpuMs = 0; // from the request to the return
};

// None when the report had ended before.
std::optional<Stop> stopAfter(const LoadedTrace& loaded, const ReportQuery& query, double afterMs) {
    JobControl job;
    double askedWall = 0, askedCpu = 0;
    std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(afterMs));
        askedWall = wallMs();
        askedCpu = cpuSeconds();
        job.requestCancel();
    });
    const auto table = runReport(*loaded.trace, loaded.details.get(), query, job);
    const double returnedWall = wallMs(), returnedCpu = cpuSeconds();
    other.join();
    if (table)
        return std::nullopt;
    return Stop{returnedWall - askedWall, (returnedCpu - askedCpu) * 1e3};
}

// One line; false when the report fails.
bool measureStop(const LoadedTrace& loaded, const ReportQuery& query, int moments) {
    JobControl job;
    const double start = wallMs(), startCpu = cpuSeconds();
    if (!runReport(*loaded.trace, loaded.details.get(), query, job))
        return false;
    const double whole = wallMs() - start, wholeCpu = (cpuSeconds() - startCpu) * 1e3;
    Stop longest;
    double at = 0;
    for (int k = 0; k < moments; ++k) {
        const double after = whole * (k + 0.5) / moments;
        const auto stop = stopAfter(loaded, query, after);
        if (!stop)
            continue;
        longest.wallMs = std::max(longest.wallMs, stop->wallMs);
        if (stop->cpuMs > longest.cpuMs) {
            longest.cpuMs = stop->cpuMs;
            at = after / whole;
        }
    }
    std::printf("| %s | %.1f | %.1f | %.1f | %.1f | %.0f %% |\n", query.name.c_str(), whole, wholeCpu,
                longest.wallMs, longest.cpuMs, at * 100);
    std::fflush(stdout);
    return true;
}

int measureStops(const LoadedTrace& loaded, int moments, std::string_view only) {
    std::printf("| report | whole run, ms | CPU ms | longest stop, ms | CPU ms | asked at |\n"
                "|---|---|---|---|---|---|\n");
    const auto measure = [&](const ReportQuery& query) { return measureStop(loaded, query, moments); };
    return forEachReport(only, measure) ? 0 : 1;
}

struct Stretch { // without a look at the job
    double ms = 0;
    int depth = 0;
    std::array<void*, 32> frames{};
};

// A timer of CPU time looks at the number of polls; what it says of a stretch is written by its handler,
// which interrupts the thread that works, and read once the timer is off.
class StretchTimer {
public:
    StretchTimer(const JobControl& job, double leastMs) {
        s_job = &job;
        s_leastMs = leastMs;
        s_polls = job.polls();
        s_sinceMs = cpuSeconds() * 1e3;
        s_current = {};
        s_count = 0;
        struct sigaction action {};
        action.sa_handler = &StretchTimer::look;
        action.sa_flags = SA_RESTART;
        ::sigaction(SIGPROF, &action, nullptr);
        set(4'000);
    }
    ~StretchTimer() { set(0); }
    StretchTimer(const StretchTimer&) = delete;
    StretchTimer& operator=(const StretchTimer&) = delete;

    std::vector<Stretch> finish() {
        set(0);
        keep();
        return {s_kept.begin(), s_kept.begin() + s_count};
    }

private:
    static void set(int us) {
        const itimerval every{{0, us}, {0, us}};
        ::setitimer(ITIMER_PROF, &every, nullptr);
    }
    static void keep() {
        if (s_current.ms >= s_leastMs && s_count < static_cast<int>(s_kept.size()))
            s_kept[static_cast<std::size_t>(s_count++)] = s_current;
    }
    static void look(int) {
        const double now = cpuSeconds() * 1e3;
        if (const std::uint64_t polls = s_job->polls(); polls != s_polls) {
            keep();
            s_polls = polls;
            s_sinceMs = now;
            s_current = {};
            return;
        }
        s_current.ms = now - s_sinceMs;
        s_current.depth = ::backtrace(s_current.frames.data(), static_cast<int>(s_current.frames.size()));
    }

    static inline const JobControl* s_job = nullptr;
    static inline double s_leastMs = 0, s_sinceMs = 0;
    static inline std::uint64_t s_polls = 0;
    static inline Stretch s_current;
    static inline std::array<Stretch, 256> s_kept;
    static inline int s_count = 0;
};

int measureStretches(const LoadedTrace& loaded, double leastMs, std::string_view only) {
    std::array<void*, 1> first{};
    ::backtrace(first.data(), 1); // loads what it needs, which a handler must not
    std::printf("| report | CPU ms | longest without a look, ms |\n|---|---|---|\n");
    const bool isDone = forEachReport(only, [&](const ReportQuery& query) {
        JobControl job;
        const double start = cpuSeconds();
        StretchTimer timer(job, std::min(leastMs, 4.0));
        if (!runReport(*loaded.trace, loaded.details.get(), query, job))
            return false;
        const std::vector<Stretch> stretches = timer.finish();
        double longest = 0;
        for (const Stretch& stretch : stretches)
            longest = std::max(longest, stretch.ms);
        std::printf("| %s | %.1f | %.0f |\n", query.name.c_str(), (cpuSeconds() - start) * 1e3, longest);
        std::fflush(stdout);
        for (const Stretch& stretch : stretches)
            if (stretch.ms >= leastMs) {
                std::fprintf(stderr, "%s: %.0f ms\n", query.name.c_str(), stretch.ms);
                ::backtrace_symbols_fd(stretch.frames.data(), stretch.depth, STDERR_FILENO);
            }
        return true;
    });
    return isDone ? 0 : 1;
}

int countInstructions([[maybe_unused]] const LoadedTrace& loaded, [[maybe_unused]] std::string_view only) {
#ifdef CALLGRIND_START_INSTRUMENTATION
    const bool isDone = forEachReport(only, [&](const ReportQuery& query) {
        JobControl job;
        CALLGRIND_START_INSTRUMENTATION;
        const bool isTable(runReport(*loaded.trace, loaded.details.get(), query, job));
        CALLGRIND_STOP_INSTRUMENTATION;
        CALLGRIND_DUMP_STATS_AT(query.name.c_str());
        return isTable;
    });
    return isDone ? 0 : 1;
#else
    return std::fprintf(stderr, "built without the headers of valgrind\n"), 1;
#endif
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2)
        return std::fprintf(stderr, "usage: report_bench trace.sqlite [runs]\n"), 2;
    JobControl job;
    const auto loaded = loadTrace(argv[1], builtinImporters(), job);
    if (!loaded)
        return std::fprintf(stderr, "%s\n", loaded.error().detail.c_str()), 3;
    if (argc > 2 && std::string_view(argv[2]) == "--cancel")
        return measureStops(*loaded, argc > 3 ? std::max(1, std::atoi(argv[3])) : 20,
                            argc > 4 ? argv[4] : "");
    if (argc > 2 && std::string_view(argv[2]) == "--stretches")
        return measureStretches(*loaded, argc > 3 ? std::atof(argv[3]) : 20, argc > 4 ? argv[4] : "");
    if (argc > 2 && std::string_view(argv[2]) == "--instructions")
        return countInstructions(*loaded, argc > 3 ? argv[3] : "");
    sqlite3* db = nullptr;
    if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
        return 3;
    const int result =
        measure(*loaded, db, argc > 2 ? std::max(1, std::atoi(argv[2])) : 3, argc > 3 ? argv[3] : "");
    sqlite3_close(db);
    return result;
}
