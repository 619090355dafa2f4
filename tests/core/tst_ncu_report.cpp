// The .ncu-rep reader: the captured report against the vendor's own CSV of the same run, and damaged reports.

#include "core/import/byte_source.h"
#include "core/ncu/read_ncu.h"
#include "tests/support/ncu_table.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <string>

namespace tst_ncu_report {

using namespace lacuna;
using namespace lacuna::test;

namespace {

Result<std::shared_ptr<const NcuFile>> read(const std::string& bytes, std::size_t chunk = 0) {
    JobControl job;
    return readNcuFromMemory(bytes, "r.ncu-rep", job, chunk);
}

// The little of protocol buffers that a small report needs.
std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 128; value >>= 7)
        out += static_cast<char>(value | 128);
    return out + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) {
    return varint(field << 3) + varint(value);
}
std::string bytes(unsigned field, const std::string& value) {
    return varint(field << 3 | 2) + varint(value.size()) + value;
}
std::string real(unsigned field, double value) {
    const auto bits = std::bit_cast<std::array<char, 8>>(value);
    return varint(field << 3 | 1) + std::string(bits.data(), bits.size());
}
std::string u32(std::size_t value) {
    std::string out;
    for (unsigned i = 0; i < 4; ++i)
        out += static_cast<char>(value >> (8 * i) & 255);
    return out;
}
std::string block(const std::string& header, const std::string& payload) {
    const std::string all = header + number(5, payload.size());
    return u32(all.size()) + all + payload;
}
std::string item(const std::string& message) {
    return u32(message.size()) + message;
}
std::string metric(unsigned name, const std::string& value) {
    return bytes(13, number(1, name) + bytes(2, value));
}
std::string head() {
    const std::string header = number(1, 7);
    return std::string("NVR\0", 4) + u32(header.size()) + header;
}

std::string smallReport() {
    const std::string result = number(1, 77) + bytes(6, "k") + bytes(7, "k(int)") +
                               bytes(10, number(1, 3) + number(2, 2) + number(3, 1)) +
                               bytes(11, number(1, 64) + number(2, 1) + number(3, 1)) +
                               metric(0, real(3, 1500.5)) + metric(1, number(5, 42)) +
                               metric(2, bytes(1, "word")) + metric(9, number(4, 1)) + number(22, 1) +
                               number(23, 7);
    const std::string second = bytes(7, "later()") + metric(0, real(3, 7));
    const std::string names = bytes(1, "gpu__time_duration.sum") + bytes(1, "launch__thread_count") +
                              bytes(1, "launch__func_cache_config");
    return head() + block(number(1, 1), item(std::string(5000, 's'))) +
           block(number(2, 1) + bytes(4, names), item(result)) +
           block(number(2, 1) + bytes(4, ""), item(second));
}

} // namespace

class TstNcuReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameAsTheVendorsCsv() {
        JobControl job;
        const auto file = readNcu(fixture("captured/ncu/kern.ncu-rep.gz"), job);
        QVERIFY(file);
        const NcuFile& report = **file;
        QCOMPARE(report.format, NcuFormat::Report);
        QVERIFY(!report.report.isPartial());
        const NcuTable table = readNcuTable(readFile(fixture("captured/ncu/ncu_raw.csv")));
        QCOMPARE(report.kernels.size(), table.rows.size());
        std::size_t numbers = 0, words = 0;
        for (std::size_t k = 0; k < table.rows.size(); ++k) {
            const NcuKernel& kernel = report.kernels[k];
            QCOMPARE(std::string(report.nameOf(kernel)), table.at(k, "Kernel Name"));
            QCOMPARE(std::to_string(*kernel.process), table.at(k, "Process ID"));
            QCOMPARE(std::to_string(*kernel.context), table.at(k, "Context"));
            QCOMPARE(std::to_string(*kernel.stream), table.at(k, "Stream"));
            std::size_t metrics = 0;
            for (std::size_t c = 11; c < table.header.size(); ++c) {
                const std::string& cell = table.rows[k][c];
                const NcuMetric* const metric = report.find(kernel, table.header[c]);
                if (cell.empty() || cell == "no data") {
                    QVERIFY2(metric == nullptr, table.header[c].c_str());
                    continue;
                }
                QVERIFY2(metric != nullptr, table.header[c].c_str());
                ++metrics;
                const PrintedNumber printed = printedNumber(cell);
                if (cell == "nan") {
                    QVERIFY(std::isnan(metric->value));
                    continue;
                }
                if (std::isnan(printed.value)) {
                    QCOMPARE(std::string(report.text(metric->text)), cell);
                    ++words;
                    continue;
                }
                // Equal in every printed digit.
                const double scale = captureScale(table.units[c]);
                QVERIFY2(std::abs(metric->value - printed.value * scale) <=
                             (0.5 * printed.lastPlace * scale) * (1 + 1e-6) + std::abs(metric->value) * 1e-12,
                         (table.header[c] + " " + cell + " " + std::to_string(metric->value)).c_str());
                ++numbers;
            }
            QCOMPARE(kernel.metrics.size(), metrics); // none that the CSV has not
        }
        QCOMPARE(numbers, 13'242u);
        QCOMPARE(words, 30u);
        QCOMPARE(report.kernels[5].config.grid, (Dim3{132, 1, 1}));
        QCOMPARE(report.kernels[5].config.block, (Dim3{64, 1, 1}));
        QCOMPARE(report.kernels[4].config.staticSharedBytes, std::optional<std::uint64_t>(4224));
    }

    // Units are guessed from names: never wrong where they say something of time, bytes or shares.
    void unitsOfNames() {
        JobControl job;
        const auto report = readNcu(fixture("captured/ncu/kern.ncu-rep.gz"), job);
        const auto csv = readNcu(fixture("captured/ncu/ncu_raw.csv"), job);
        QVERIFY(report && csv);
        for (const char* name :
             {"gpu__time_duration.sum", "dram__bytes.sum.per_second", "dram__bytes_read.sum",
              "sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm__maximum_warps_per_active_cycle_pct",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "gpc__cycles_elapsed.avg.per_second",
              "launch__shared_mem_per_block_static", "launch__registers_per_thread",
              "dram__bytes.sum.peak_sustained"}) {
            const NcuMetric* const guessed = (*report)->find((*report)->kernels[0], name);
            const NcuMetric* const told = (*csv)->find((*csv)->kernels[0], name);
            QVERIFY2(guessed != nullptr && told != nullptr, name);
            QCOMPARE(std::string((*report)->text(guessed->unit)), std::string((*csv)->text(told->unit)));
        }
    }

    void smallOne() {
        const auto file = read(smallReport());
        QVERIFY(file);
        const NcuFile& report = **file;
        QVERIFY(!report.report.isPartial());
        QCOMPARE(report.kernels.size(), 2u);
        const NcuKernel& kernel = report.kernels[0];
        QCOMPARE(report.nameOf(kernel), std::string_view("k(int)"));
        QCOMPARE(kernel.config.grid, (Dim3{3, 2, 1}));
        QCOMPARE(kernel.process, std::optional<std::int64_t>(77));
        QCOMPARE(*report.value(kernel, "gpu__time_duration.sum"), 1500.5);
        QCOMPARE(*report.value(kernel, "launch__thread_count"), 42.0);
        QVERIFY(!report.value(kernel, "launch__func_cache_config"));
        QCOMPARE(report.text(report.find(kernel, "launch__func_cache_config")->text),
                 std::string_view("word"));
        QCOMPARE(report.report.find("unnamed_metrics")->count, 1u);
        // An empty string table does not forget the names.
        QCOMPARE(*report.value(report.kernels[1], "gpu__time_duration.sum"), 7.0);
    }

    void piecesDoNotMatter() {
        for (const std::size_t chunk : {1u, 3u, 1000u}) {
            const auto file = read(smallReport(), chunk);
            QVERIFY(file);
            QCOMPARE((*file)->kernels.size(), 2u);
            QCOMPARE(*(*file)->value((*file)->kernels[0], "gpu__time_duration.sum"), 1500.5);
        }
    }

    // Cut at every byte: the results before the cut, a note, never a crash.
    void cutAnywhere() {
        const std::string whole = smallReport();
        const std::size_t firstEnd = whole.find("later()") - 20;
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto file = read(whole.substr(0, size));
            if (!file) {
                QVERIFY(size < firstEnd);
                QVERIFY(!file.error().detail.empty());
                continue;
            }
            if (size > whole.find("later()"))
                QCOMPARE(*(*file)->value((*file)->kernels[0], "gpu__time_duration.sum"), 1500.5);
        }
        const auto cut = read(whole.substr(0, whole.size() - 3));
        QVERIFY(cut);
        QVERIFY((*cut)->report.isPartial());
        QVERIFY((*cut)->report.find("truncated") != nullptr);
    }

    // Every byte changed in turn to a few values: bounded time and memory, no crash.
    void anyByteWrong() {
        const std::string whole = smallReport();
        for (std::size_t at = 0; at < whole.size(); ++at) {
            if (at > 40 && at < 4990) // the middle of the source that is passed over
                continue;
            for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
                std::string changed = whole;
                changed[at] = static_cast<char>(value);
                const auto file = read(changed);
                if (!file)
                    QVERIFY(!file.error().detail.empty());
            }
        }
    }

    void lengthsAreBounded() {
        // A result that says it is 4 GiB long, a block of as many results, a message longer than its parent.
        const std::string good = smallReport();
        for (const std::string& tail :
             {block(number(2, 1), u32(0xfffffff0u) + "xx"), block(number(2, 0xffffffffffffull), ""),
              block(number(2, 1), item(varint(13 << 3 | 2) + varint(1u << 30))), u32(0x7fffffffu) + "ab",
              block(number(2, 1) + number(5, 1u << 30), "")}) {
            const auto file = read(good + tail);
            QVERIFY(file);
            QVERIFY((*file)->kernels.size() >= 2);
            QVERIFY((*file)->report.isPartial());
        }
    }

    void notAReport() {
        const auto file = read(std::string("NVR\0", 4));
        QVERIFY(!file);
        QVERIFY(!file.error().detail.empty());
    }
};

LACUNA_TEST(TstNcuReport, "tst_ncu_report")

} // namespace tst_ncu_report

#include "tst_ncu_report.moc"
