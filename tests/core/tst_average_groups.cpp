// key_averages by shape, stack, range, stream and thread, its memory columns and its keys for sorting:
// features.md B08, C21, C22. PyTorch's own output is known by name only: groups are checked against hand-made
// rows, and on the captures against the table by name, of which they are a partition.

#include "core/import/load_trace.h"
#include "tests/support/event_text.h"
#include "tests/support/paths.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace tst_average_groups {

using namespace lacuna;
using namespace lacuna::test;

namespace {

Result<ReportTable> averagesOf(const LoadedTrace& loaded, AverageGroup group, std::string sort = {},
                               std::optional<std::size_t> limit = {}) {
    JobControl job;
    ReportQuery query;
    query.name = "key_averages";
    query.options.groupBy = group;
    query.sort = std::move(sort);
    query.limit = limit;
    return runReport(*loaded.trace, loaded.details.get(), query, job);
}

Result<LoadedTrace> captured(std::string_view name) {
    const auto file = shared("traces/captured/torch/" + std::string(name) + ".pt.trace.json.gz");
    JobControl job;
    return file ? loadTrace(*file, builtinImporters(), job) : Error{Errc::Io, {}, {}, {}};
}

LoadedTrace loadedOf(const std::vector<std::string>& rows) {
    std::string text;
    for (const std::string& row : rows)
        text.append(text.empty() ? "" : ",").append(row);
    return *loadText(q(objectForm(text)));
}

// Calls and the four times, by name.
using Sums = std::map<std::string, std::array<std::int64_t, 5>>;
Sums sumsByName(const ReportTable& table) {
    Sums sums;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        auto& into = sums[cellOf(table, row, "Name")];
        std::size_t k = 0;
        for (const char* column :
             {"# of Calls", "Self CPU (ns)", "CPU total (ns)", "Self CUDA (ns)", "CUDA total (ns)"})
            into[k++] += numberOf(table, row, column);
    }
    return sums;
}

std::optional<std::size_t> rowOfGroup(const ReportTable& table, std::string_view name,
                                      std::string_view column, std::string_view label) {
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (cellOf(table, row, "Name") == name && cellOf(table, row, column) == label)
            return row;
    return std::nullopt;
}

std::string mark(double ts, std::int64_t bytes, int deviceType) {
    return "{'ph':'i','s':'t','cat':'cpu_instant_event','name':'[memory]','pid':1,'tid':1,'ts':" +
           std::to_string(ts) + ",'args':{'Bytes':" + std::to_string(bytes) +
           ",'Device Type':" + std::to_string(deviceType) + ",'Device Id':0,'Addr':1}}";
}

} // namespace

class TstAverageGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c22_shapes();
    void c22_absentGroupsSayWhy();
    void c22_rangesThreadsStreams();
    void c22_stacks();
    void groupsArePartitions_data();
    void groupsArePartitions();
    void capturedShapes_areThoseOfTheFile();
    void b08_memory();
    void capturedMemory_isThatOfTheMarks();
    void c21_sortAndLimit();
    void everyKeyOfPyTorch_sorts();
};

void TstAverageGroups::c22_shapes() {
    const auto mm = [](double ts, std::string_view shapes) {
        return rowText("cpu_op", "aten::mm", ts, 10, "{'Input Dims':" + std::string(shapes) + "}");
    };
    const LoadedTrace loaded =
        loadedOf({mm(0, "[[2, 3], [3, 4]]"), mm(20, "[[8, 3], [3, 4]]"), mm(40, "[[2, 3], [3, 4]]")});
    const ReportTable table = *averagesOf(loaded, AverageGroup::Shape);
    QCOMPARE(table.rows(), std::size_t{2});
    QCOMPARE(cellOf(table, 0, "Input Shapes"), std::string("[[2, 3], [3, 4]]"));
    QCOMPARE(numberOf(table, 0, "# of Calls"), 2);
    QCOMPARE(numberOf(table, 1, "# of Calls"), 1);
    QCOMPARE(averagesOf(loaded, AverageGroup::Name)->rows(), std::size_t{1});
}

void TstAverageGroups::c22_absentGroupsSayWhy() {
    const LoadedTrace loaded = loadedOf({rowText("cpu_op", "a", 0, 10)});
    const std::map<AverageGroup, std::string> reasons{{AverageGroup::Shape, "record_shapes=True"},
                                                      {AverageGroup::Stack, "with_stack=True"},
                                                      {AverageGroup::Range, "record_function"},
                                                      {AverageGroup::Stream, "no device work"}};
    for (const auto& [group, reason] : reasons) {
        const auto table = averagesOf(loaded, group);
        QVERIFY(!table);
        QCOMPARE(table.error().code, Errc::Unsupported);
        QVERIFY2(table.error().detail.find(reason) != std::string::npos, table.error().detail.c_str());
    }
    JobControl job;
    ReportQuery query;
    query.name = "ops";
    query.options.groupBy = AverageGroup::Thread;
    QVERIFY(!runReport(*loaded.trace, nullptr, query, job));
}

// The innermost range; device work belongs to the range of its call. Two threads, two streams.
void TstAverageGroups::c22_rangesThreadsStreams() {
    const auto kernel = [](double ts, int correlation, int stream) {
        return rowText("kernel", "k", ts, 4,
                       "{'device':0,'stream':" + std::to_string(stream) +
                           ",'correlation':" + std::to_string(correlation) + "}",
                       stream);
    };
    const LoadedTrace loaded =
        loadedOf({rowText("user_annotation", "step", 0, 100), rowText("user_annotation", "forward", 10, 40),
                  rowText("cpu_op", "op", 12, 10),
                  rowText("cuda_runtime", "cudaLaunchKernel", 14, 2, "{'correlation':1}"),
                  rowText("cpu_op", "op", 60, 10),
                  rowText("cuda_runtime", "cudaLaunchKernel", 64, 2, "{'correlation':2}"),
                  rowText("cpu_op", "op", 60, 7, "{}", 2), kernel(30, 1, 7), kernel(70, 2, 20)});
    const ReportTable ranges = *averagesOf(loaded, AverageGroup::Range);
    QCOMPARE(numberOf(ranges, *rowOfGroup(ranges, "op", "Range", "forward"), "Self CUDA (ns)"), 4'000);
    QCOMPARE(numberOf(ranges, *rowOfGroup(ranges, "op", "Range", "step"), "CPU total (ns)"), 10'000);
    QCOMPARE(numberOf(ranges, *rowOfGroup(ranges, "op", "Range", ""), "CPU total (ns)"), 7'000);
    QCOMPARE(numberOf(ranges, *rowOfGroup(ranges, "k", "Range", "forward"), "# of Calls"), 1);
    QCOMPARE(numberOf(ranges, *rowOfGroup(ranges, "forward", "Range", "step"), "# of Calls"), 1);
    const ReportTable threads = *averagesOf(loaded, AverageGroup::Thread);
    std::vector<std::int64_t> calls;
    for (std::size_t row = 0; row < threads.rows(); ++row)
        if (cellOf(threads, row, "Name") == "op")
            calls.push_back(numberOf(threads, row, "# of Calls"));
    QCOMPARE(calls, (std::vector<std::int64_t>{2, 1}));
    const ReportTable streams = *averagesOf(loaded, AverageGroup::Stream);
    QVERIFY(rowOfGroup(streams, "k", "Stream", "device 0, stream 7"));
    QVERIFY(rowOfGroup(streams, "k", "Stream", "device 0, stream 20"));
    QCOMPARE(numberOf(streams, *rowOfGroup(streams, "op", "Stream", ""), "# of Calls"), 3);
}

// The innermost frames first.
void TstAverageGroups::c22_stacks() {
    const LoadedTrace loaded = loadedOf({rowText("python_function", "train.py(5): main", 0, 100),
                                         rowText("python_function", "model.py(7): forward", 5, 30),
                                         rowText("cpu_op", "op", 10, 10), rowText("cpu_op", "op", 50, 10)});
    const ReportTable table = *averagesOf(loaded, AverageGroup::Stack);
    QVERIFY(rowOfGroup(table, "op", "Source Location", "model.py(7): forward < train.py(5): main"));
    QVERIFY(rowOfGroup(table, "op", "Source Location", "train.py(5): main"));
}

void TstAverageGroups::groupsArePartitions_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("group");
    const std::vector<std::pair<const char*, AverageGroup>> cases{
        {"decode_launch_bound", AverageGroup::Shape},
        {"item_sync", AverageGroup::Stack},
        {"healthy_train", AverageGroup::Range},
        {"multi_stream", AverageGroup::Stream},
        {"train_memory", AverageGroup::Thread}};
    for (const auto& [name, group] : cases)
        QTest::newRow(name) << QString::fromLatin1(name) << static_cast<int>(group);
}

void TstAverageGroups::groupsArePartitions() {
    QFETCH(QString, name);
    QFETCH(int, group);
    const auto loaded = captured(name.toStdString());
    if (!loaded)
        LACUNA_SKIP("the captured traces are not here");
    const auto groups = averagesOf(*loaded, static_cast<AverageGroup>(group));
    QVERIFY(groups);
    const auto names = averagesOf(*loaded, AverageGroup::Name);
    QVERIFY(groups->rows() > names->rows());
    QVERIFY(sumsByName(*groups) == sumsByName(*names));
}

// Distinct (name, shapes) of the file's operators, where no operator is the only child of one of its name.
void TstAverageGroups::capturedShapes_areThoseOfTheFile() {
    const auto loaded = captured("decode_launch_bound");
    if (!loaded)
        LACUNA_SKIP("the captured traces are not here");
    const ReportTable table = *averagesOf(*loaded, AverageGroup::Shape);
    const auto linear = rowOfGroup(table, "aten::linear", "Input Shapes", "[[1, 64], [64, 64], [64]]");
    QVERIFY(linear);
    std::int64_t calls = 0;
    std::size_t rows = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (cellOf(table, row, "Name") == "aten::linear") {
            calls += numberOf(table, row, "# of Calls");
            ++rows;
        }
    const ReportTable names = *averagesOf(*loaded, AverageGroup::Name);
    QCOMPARE(calls, numberOf(names, *rowOf(names, "Name", "aten::linear"), "# of Calls"));
    QVERIFY(rows >= 1);
}

// Bytes of the marks inside a row, ends included; self without those of the children.
void TstAverageGroups::b08_memory() {
    const LoadedTrace loaded =
        loadedOf({rowText("cpu_op", "outer", 0, 100), rowText("cpu_op", "inner", 20, 30), mark(10, 512, 1),
                  mark(20, 1'024, 1), mark(40, 64, 0), mark(90, -512, 1), mark(200, 7, 1)});
    const ReportTable table = *averagesOf(loaded, AverageGroup::Name);
    const auto outer = *rowOf(table, "Name", "outer"), inner = *rowOf(table, "Name", "inner");
    QCOMPARE(numberOf(table, outer, "CUDA Mem (bytes)"), 1'024);
    QCOMPARE(numberOf(table, outer, "Self CUDA Mem (bytes)"), 0);
    QCOMPARE(numberOf(table, inner, "CUDA Mem (bytes)"), 1'024);
    QCOMPARE(numberOf(table, inner, "Self CUDA Mem (bytes)"), 1'024);
    QCOMPARE(numberOf(table, outer, "CPU Mem (bytes)"), 64);
    QCOMPARE(numberOf(table, outer, "Self CPU Mem (bytes)"), 0);
    QVERIFY(!averagesOf(loadedOf({rowText("cpu_op", "a", 0, 10)}), AverageGroup::Name)
                 ->findColumn("cpu_memory_usage"));
}

// Of the forward ranges of a capture: the marks between their ends, of any thread, read from the file.
void TstAverageGroups::capturedMemory_isThatOfTheMarks() {
    const auto loaded = captured("train_memory");
    if (!loaded)
        LACUNA_SKIP("the captured traces are not here");
    const EventTable& events = loaded->trace->events();
    std::vector<TimeRange> ranges;
    for (std::uint32_t e = 0; e < events.size(); ++e)
        if (events.kind[e] == EventKind::Range && loaded->trace->nameOf({e}) == "forward")
            ranges.push_back(events.range({e}));
    std::int64_t bytes = 0, marks = 0;
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        if (events.kind[e] != EventKind::Instant || loaded->trace->nameOf({e}) != "[memory]")
            continue;
        ++marks;
        const auto details = loaded->details->read({events.source[e]});
        std::int64_t change = 0;
        for (const auto& [name, text] : details->fields)
            change = name == "args.Bytes"                        ? std::stoll(text)
                     : name == "args.Device Type" && text == "0" ? 0
                                                                 : change;
        for (const TimeRange& range : ranges)
            bytes += range.begin.v <= events.beginNs[e] && events.beginNs[e] <= range.end.v ? change : 0;
    }
    QCOMPARE(marks, 438);
    QVERIFY(!ranges.empty());
    const ReportTable table = *averagesOf(*loaded, AverageGroup::Name);
    QCOMPARE(numberOf(table, *rowOf(table, "Name", "forward"), "CUDA Mem (bytes)"), bytes);
    QVERIFY(bytes != 0);
}

// sort_by="self_cuda_time_total", row_limit=30: the order of PyTorch's own figures.
void TstAverageGroups::c21_sortAndLimit() {
    const auto loaded = captured("healthy_train");
    const auto file = shared("traces/captured/torch/healthy_train.key_averages.json");
    if (!loaded || !file)
        LACUNA_SKIP("the captured traces are not here");
    std::vector<std::pair<double, std::string>> printed;
    for (const auto& row : nlohmann::json::parse(readFile(*file)))
        printed.emplace_back(row.at("self_device_time_total"), row.at("key"));
    std::stable_sort(printed.begin(), printed.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    const ReportTable table = *averagesOf(*loaded, AverageGroup::Name, "self_cuda_time_total", 30);
    QCOMPARE(table.rows(), std::min(printed.size(), std::size_t{30}));
    for (std::size_t row = 0; row < table.rows(); ++row)
        QCOMPARE(cellOf(table, row, "Name"), printed[row].second);
}

void TstAverageGroups::everyKeyOfPyTorch_sorts() {
    const LoadedTrace loaded =
        loadedOf({rowText("cpu_op", "a", 0, 10), mark(5, 10, 1), rowText("cpu_op", "b", 20, 30)});
    for (const char* key :
         {"cpu_time", "cuda_time", "device_time", "cpu_time_total", "cuda_time_total", "device_time_total",
          "self_cpu_time_total", "self_cuda_time_total", "self_device_time_total", "cpu_memory_usage",
          "cuda_memory_usage", "device_memory_usage", "self_cpu_memory_usage", "self_cuda_memory_usage",
          "self_device_memory_usage", "count"})
        QVERIFY2(averagesOf(loaded, AverageGroup::Name, key), key);
    QCOMPARE(cellOf(*averagesOf(loaded, AverageGroup::Name, "cpu_time"), 0, "Name"), std::string("b"));
    QCOMPARE(cellOf(*averagesOf(loaded, AverageGroup::Name, "cuda_memory_usage"), 0, "Name"),
             std::string("a"));
}

LACUNA_TEST(TstAverageGroups, "tst_average_groups")

} // namespace tst_average_groups

#include "tst_average_groups.moc"
