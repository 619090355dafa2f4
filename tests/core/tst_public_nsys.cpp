// Real exports, read in place: the expected numbers of nsys.md section 11.1, and for every file rows per lane
// kind against counts by SQL.

#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <algorithm>

namespace tst_public_nsys {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct DeviceNumbers {
    const char* process;
    std::int64_t ordinal, busyNs, spanNs, holes, longestNs, longestAt;
};

struct FileNumbers {
    const char* file; // end of the name
    std::uint64_t kernels, copies, memsets, api, syncs, nvtx;
    std::uint64_t kernelsJoined, kernelsById, copiesJoined, copiesById;
    std::vector<DeviceNumbers> devices;
};

// nsys.md section 11.1, as it stands there.
const std::vector<FileNumbers>& expectedNumbers() {
    static const std::vector<FileNumbers> numbers = {
        {"mfu_2gpu_before.sqlite",
         4010,
         1020,
         269,
         7466,
         366,
         19118,
         3986,
         4280,
         1015,
         1080,
         {{"144", 0, 273'817'787, 299'848'812, 2634, 4'492'845, 60'401'707'567},
          {"145", 1, 267'275'916, 298'661'551, 2662, 1'099'069, 60'362'302'826}}},
        {"mfu_2gpu_after.sqlite",
         3587,
         904,
         242,
         6682,
         334,
         17113,
         3577,
         3864,
         900,
         937,
         {{"148", 0, 240'108'749, 299'251'215, 2365, 6'587'753, 73'069'106'933},
          {"149", 1, 254'000'754, 299'269'422, 2366, 1'658'778, 73'033'105'960}}},
        {"h100_2gpu_1s.sqlite",
         3442,
         904,
         22,
         5796,
         244,
         16782,
         1632,
         1643,
         438,
         443,
         {{"111", 0, 962'890'247, 969'447'605, 2183, 761'862, 156'064'988'229},
          {"112", 1, 962'810'705, 969'258'578, 2183, 731'904, 156'064'984'725}}},
        {"mock.sqlite",
         2,
         1,
         0,
         9,
         1,
         0,
         2,
         2,
         1,
         1,
         {{"91186", 0, 5'761, 22'453'059, 2, 18'250'538, 1'517'728'492}}},
        {"nsight-2025.5.2.sqlite",
         3,
         1,
         0,
         33,
         2,
         0,
         3,
         3,
         1,
         1,
         {{"945961", 0, 7'808, 186'815, 5, 84'703, 339'232'037}}},
        {"baseline.sqlite",
         3689,
         89,
         0,
         7417,
         90,
         787,
         3689,
         3689,
         89,
         89,
         {{"9946", 0, 1'132'064'724, 1'790'613'909, 3777, 26'819'873, 795'580'809}}},
        {"Rodinia_3.1_Gaussian__report2.sqlite",
         8190,
         6,
         0,
         16393,
         8190,
         0,
         8190,
         8190,
         6,
         6,
         {{"11357", 0, 2'867'968'876, 2'936'090'462, 8195, 2'134'360, 463'350'480}}},
    };
    return numbers;
}

Result<LoadedTrace> loadFile(const std::filesystem::path& file) {
    JobControl job;
    return loadTrace(file, builtinImporters(), job);
}

std::uint64_t joined(const Trace& trace, EventKind kind) {
    std::uint64_t count = 0;
    for (std::uint32_t row = 0; row < trace.events().size(); ++row)
        if (trace.events().kind[row] == kind && trace.correlations().launchOf(trace.events(), {row}))
            ++count;
    return count;
}

// Pairs of a join by correlation id alone, which mixes up processes.
std::uint64_t joinedById(const Trace& trace, EventKind kind) {
    std::vector<std::uint32_t> calls;
    for (std::uint32_t row = 0; row < trace.events().size(); ++row)
        if (isHostCall(trace.events().kind[row]) && trace.events().correlation[row] != 0)
            calls.push_back(trace.correlations().correlationId(trace.events().correlation[row]));
    std::sort(calls.begin(), calls.end());
    std::uint64_t pairs = 0;
    for (std::uint32_t row = 0; row < trace.events().size(); ++row)
        if (trace.events().kind[row] == kind && trace.events().correlation[row] != 0) {
            const auto range =
                std::equal_range(calls.begin(), calls.end(),
                                 trace.correlations().correlationId(trace.events().correlation[row]));
            pairs += static_cast<std::uint64_t>(range.second - range.first);
        }
    return pairs;
}

// Union of the device's work, by sorting: independent of the analyses under test elsewhere.
std::vector<TimeRange> busyOf(const Trace& trace, DeviceId device) {
    std::vector<TimeRange> ranges;
    for (std::uint32_t row = 0; row < trace.events().size(); ++row)
        if (isDeviceOp(trace.events().kind[row]) && trace.lane(trace.laneOf({row})).device == device)
            ranges.push_back(trace.events().range({row}));
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    std::vector<TimeRange> merged;
    for (const TimeRange range : ranges) {
        if (merged.empty() || range.begin > merged.back().end)
            merged.push_back(range);
        else
            merged.back().end = std::max(merged.back().end, range.end);
    }
    return merged;
}

// Rows that a table should give, counted by SQL with the rules of nsys.md 2.2.
struct Counts {
    std::filesystem::path file;
    bool has(const std::string& table) const {
        return SqliteFixture::numberIn(
                   file,
                   "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + table + "'") == 1;
    }
    std::uint64_t of(const std::string& table, const std::string& condition = "1") const {
        return has(table) ? static_cast<std::uint64_t>(SqliteFixture::numberIn(
                                file, "SELECT count(*) FROM " + table + " WHERE " + condition))
                          : 0;
    }
};

// Switches out whose thread was not switched in before: the capture began while it ran.
std::uint64_t switchesWithoutIn(const Counts& counts) {
    if (!counts.has("SCHED_EVENTS"))
        return 0;
    return static_cast<std::uint64_t>(SqliteFixture::numberIn(
        counts.file,
        "SELECT count(*) FROM (SELECT isSchedIn AS now, lag(isSchedIn) OVER (PARTITION BY globalTid ORDER BY "
        "start, rowid) AS before FROM SCHED_EVENTS) WHERE now = 0 AND (before IS NULL OR before = 0)"));
}

void compareLanes(const Trace& trace, const Counts& counts) {
    const std::string prefix = "CUPTI_ACTIVITY_KIND_";
    const std::string filled = "start <> 0 AND end >= start";
    QCOMPARE(rowsInLanes(trace, LaneKind::CudaApi), counts.of(prefix + "RUNTIME"));
    QCOMPARE(trace.report().kept(EventKind::Kernel), counts.of(prefix + "KERNEL", filled));
    QCOMPARE(trace.report().kept(EventKind::Memcpy), counts.of(prefix + "MEMCPY", filled));
    QCOMPARE(trace.report().kept(EventKind::Memset), counts.of(prefix + "MEMSET", filled));
    QCOMPARE(trace.report().kept(EventKind::GraphLaunch), counts.of(prefix + "GRAPH_TRACE", filled));
    QCOMPARE(rowsInLanes(trace, LaneKind::GpuStream),
             counts.of(prefix + "KERNEL", filled) + counts.of(prefix + "MEMCPY", filled) +
                 counts.of(prefix + "MEMSET", filled) + counts.of(prefix + "GRAPH_TRACE", filled));
    QCOMPARE(rowsInLanes(trace, LaneKind::GpuSync),
             counts.of(prefix + "SYNCHRONIZATION") + counts.of(prefix + "CUDA_EVENT"));
    QCOMPARE(rowsInLanes(trace, LaneKind::Range), counts.of("NVTX_EVENTS", "eventType IN (59, 60, 70, 71)"));
    QCOMPARE(rowsInLanes(trace, LaneKind::OsRuntime), counts.of("OSRT_API", "eventClass = 27"));
    QCOMPARE(rowsInLanes(trace, LaneKind::Overhead),
             counts.of(prefix + "OVERHEAD") + counts.of("PROFILER_OVERHEAD"));
    // Switches of threads pair up; the ends of pairs are no rows of their own.
    const std::uint64_t switches = counts.of("SCHED_EVENTS");
    const std::uint64_t slices = counts.of("SCHED_EVENTS", "isSchedIn <> 0") + switchesWithoutIn(counts);
    const std::string file = "OSRT_FILE_ACCESS_EVENTS";
    QCOMPARE(rowsInLanes(trace, LaneKind::Marks),
             counts.of("NVTX_EVENTS", "eventType IN (34, 65)") +
                 counts.of("OSRT_API", "eventClass IN (31, 32)") + counts.of("CUDA_GRAPH_NODE_EVENTS") +
                 counts.of("CUDA_GRAPH_EVENTS") + slices + counts.of("COMPOSITE_EVENTS") + counts.of(file));
    QCOMPARE(trace.report().kept(EventKind::Metadata),
             counts.of("NVTX_EVENTS", "eventType NOT IN (59, 60, 70, 71, 34, 65)") + switches - slices);
    std::uint64_t samples = 0;
    for (const CounterTrack& track : trace.counters())
        samples += track.timeNs.size();
    QCOMPARE(samples, counts.of("CUDA_GPU_MEMORY_USAGE_EVENTS") +
                          counts.of("GPU_METRICS", "timestamp >= 0 AND value >= 0"));
    // Every row of every table of events is kept or dropped.
    std::uint64_t rows = 0;
    for (const std::string& table :
         {prefix + "RUNTIME", prefix + "KERNEL", prefix + "MEMCPY", prefix + "MEMSET", prefix + "GRAPH_TRACE",
          prefix + "SYNCHRONIZATION", prefix + "CUDA_EVENT", prefix + "OVERHEAD",
          std::string("PROFILER_OVERHEAD"), std::string("NVTX_EVENTS"), std::string("OSRT_API"),
          std::string("CUDA_GRAPH_NODE_EVENTS"), std::string("CUDA_GRAPH_EVENTS"),
          std::string("CUDA_GPU_MEMORY_USAGE_EVENTS"), std::string("GPU_METRICS"),
          std::string("SCHED_EVENTS"), std::string("COMPOSITE_EVENTS"), file})
        rows += counts.of(table);
    QCOMPARE(trace.report().rowsRead(), rows);
    // Nothing is read that is not counted above.
    const std::uint64_t dropped = counts.of(prefix + "KERNEL", "NOT (" + filled + ")") +
                                  counts.of("GPU_METRICS", "timestamp < 0 OR value < 0");
    QCOMPARE(trace.report().rowsDropped(), dropped);
    QCOMPARE(trace.report().rowsRead(),
             trace.events().size() + samples + trace.report().kept(EventKind::Metadata) + dropped);
}

void compareFile(const std::filesystem::path& file) {
    const auto loaded = loadFile(file);
    if (!loaded) { // the one file without event tables
        QVERIFY2(file.filename().string().find("DynamicViT") != std::string::npos, file.c_str());
        QCOMPARE(loaded.error().code, Errc::Unsupported);
        return;
    }
    compareLanes(*loaded->trace, {file});
}

} // namespace

class TstPublicNsys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersOfSection11_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(expectedNumbers().size()); ++i)
            QTest::newRow(expectedNumbers()[std::size_t(i)].file) << i;
    }
    void numbersOfSection11() {
        QFETCH(int, index);
        const FileNumbers& expected = expectedNumbers()[static_cast<std::size_t>(index)];
        const std::vector<std::filesystem::path> files = sharedFiles("traces/public/nsys");
        if (files.empty())
            LACUNA_SKIP("no folder traces/public/nsys");
        const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) {
            return f.filename().string().ends_with(expected.file);
        });
        QVERIFY(file != files.end());
        const auto loaded = loadFile(*file);
        QVERIFY(bool(loaded));
        const Trace& trace = *loaded->trace;
        const ImportReport& report = trace.report();
        QCOMPARE(report.kept(EventKind::Kernel), expected.kernels);
        QCOMPARE(report.kept(EventKind::Memcpy), expected.copies);
        QCOMPARE(report.kept(EventKind::Memset), expected.memsets);
        QCOMPARE(report.kept(EventKind::RuntimeApi) + report.kept(EventKind::DriverApi), expected.api);
        // Ends of thread switches count as metadata as well; nobody counts them as NVTX.
        const Counts counts{*file};
        const std::uint64_t switchEnds =
            counts.of("SCHED_EVENTS", "isSchedIn = 0") - switchesWithoutIn(counts);
        QCOMPARE(report.kept(EventKind::Range) + report.kept(EventKind::Metadata) - switchEnds,
                 expected.nvtx);
        QCOMPARE(joined(trace, EventKind::Kernel), expected.kernelsJoined);
        QCOMPARE(joinedById(trace, EventKind::Kernel), expected.kernelsById);
        QCOMPARE(joined(trace, EventKind::Memcpy), expected.copiesJoined);
        QCOMPARE(joinedById(trace, EventKind::Memcpy), expected.copiesById);
        QCOMPARE(trace.devices().size(), expected.devices.size());
        for (const DeviceNumbers& numbers : expected.devices)
            compareDevice(trace, numbers);
    }

    void rowsPerLaneKind_equalCountsBySql_data() {
        QTest::addColumn<QByteArray>("file");
        for (const char* folder : {"traces/public/nsys", "traces/captured/nsys"})
            for (const auto& file : sharedFiles(folder))
                if (file.extension() == ".sqlite")
                    QTest::newRow(file.filename().c_str()) << QByteArray(file.c_str());
        if (sharedFiles("traces/public/nsys").empty())
            QTest::newRow("none") << QByteArray();
    }
    void rowsPerLaneKind_equalCountsBySql() {
        QFETCH(QByteArray, file);
        if (file.isEmpty())
            LACUNA_SKIP("no folder traces/public/nsys");
        compareFile(file.toStdString());
    }

    void nothingAppearsBesideTheTraces() {
        if (!shared("traces/public/nsys"))
            LACUNA_SKIP("no folder traces/public/nsys");
        for (const auto& file : sharedFiles("traces/public/nsys"))
            QVERIFY2(file.extension() == ".sqlite" || file.extension() == ".tsv", file.c_str());
    }

    void foreignTraces_areNamed() {
        const auto file = shared("traces/public/json/rocmProfileData__raptor~tests~mytrace.rpd.gz");
        if (!file)
            LACUNA_SKIP("no rpd file");
        const auto loaded = loadFile(*file);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Unsupported);
        QVERIFY(loaded.error().detail.find("rocmProfileData") != std::string::npos);
    }

    // 175,223 kernels, 210,865 API rows, from gzip.
    void fourHundredRepeats_areReadWhole() {
        const auto file = shared("traces/captured/nsys/stall_400_repeats.sqlite.gz");
        if (!file)
            LACUNA_SKIP("no stall_400_repeats");
        JobControl job;
        const auto loaded = loadTrace(*file, builtinImporters(), job);
        QVERIFY(bool(loaded));
        const ImportReport& report = loaded->trace->report();
        QCOMPARE(report.kept(EventKind::Kernel), std::uint64_t{175'223});
        QCOMPARE(report.kept(EventKind::RuntimeApi) + report.kept(EventKind::DriverApi),
                 std::uint64_t{210'865});
        QVERIFY(job.maxEventsBetweenPolls() <= 4096);
        QVERIFY(job.maxBytesBetweenPolls() <= (std::uint64_t{1} << 20));
        QCOMPARE(job.bytesDone(), job.bytesTotal());
    }

private:
    static void compareDevice(const Trace& trace, const DeviceNumbers& numbers) {
        const auto devices = trace.devices();
        const auto at = std::find_if(devices.begin(), devices.end(), [&](const Device& device) {
            return device.ordinal == numbers.ordinal &&
                   trace.processes()[device.process.v].idText == numbers.process;
        });
        QVERIFY(at != devices.end());
        const std::vector<TimeRange> busy =
            busyOf(trace, DeviceId{static_cast<std::uint32_t>(at - devices.begin())});
        std::int64_t sum = 0, longest = 0, longestAt = 0;
        for (std::size_t i = 0; i < busy.size(); ++i) {
            sum += busy[i].length().v;
            const std::int64_t hole = i == 0 ? 0 : (busy[i].begin - busy[i - 1].end).v;
            if (hole > longest) {
                longest = hole;
                longestAt = busy[i - 1].end.v;
            }
        }
        QCOMPARE(sum, numbers.busyNs);
        QCOMPARE((busy.back().end - busy.front().begin).v, numbers.spanNs);
        QCOMPARE(static_cast<std::int64_t>(busy.size()) - 1, numbers.holes);
        QCOMPARE(longest, numbers.longestNs);
        QCOMPARE(longestAt, numbers.longestAt);
    }
};

LACUNA_TEST(TstPublicNsys, "tst_public_nsys")

} // namespace tst_public_nsys

#include "tst_public_nsys.moc"
