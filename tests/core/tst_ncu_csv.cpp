// Nsight Compute's CSV pages: the captures against their own text, and pages that are not as they should be.

#include "core/ncu/ncu_numbers.h"
#include "core/ncu/ncu_units.h"
#include "core/ncu/read_ncu.h"
#include "tests/support/ncu_table.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <string>

namespace tst_ncu_csv {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string capture(const char* name) {
    return readFile(fixture(std::string("captured/ncu/") + name));
}

std::shared_ptr<const NcuFile> read(const std::string& text, std::size_t chunk = 0) {
    JobControl job;
    const auto file = readNcuFromMemory(text, "page.csv", job, chunk);
    return file ? *file : nullptr;
}

constexpr const char* kHeader =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
    "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\"";
constexpr const char* kRowHead =
    ",\"480\",\"k\",\"h\",\"k(int)\",\"1\",\"7\",\"(32, 2, 1)\",\"(3,1,1)\",\"0\",\"9.0\"";

std::string rawPage(const std::string& columns, const std::string& units, const std::string& values) {
    return std::string(kHeader) + columns + "\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"" +
           units + "\n\"0\"" + kRowHead + values + "\n";
}

std::uint64_t noteCount(const NcuFile& file, std::string_view code) {
    const Issue* const issue = file.report.find(code);
    return issue == nullptr ? 0 : issue->count;
}

} // namespace

class TstNcuCsv : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbers_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("point"); // NaN: no number
        QTest::addColumn<double>("comma");
        const double none = std::nan("");
        QTest::newRow("grouped") << "4,963,609,951.19" << 4963609951.19 << none;
        QTest::newRow("grouped, comma") << "4.963.609.951,19" << none << 4963609951.19;
        QTest::newRow("either") << "1,234" << 1234.0 << 1.234;
        QTest::newRow("blanks") << "4 963 609,5" << none << 4963609.5;
        QTest::newRow("no-break blanks") << QString::fromUtf8("4\u202f963\u202f609,5") << none << 4963609.5;
        QTest::newRow("apostrophes") << "1'234.5" << 1234.5 << none;
        QTest::newRow("exponent") << "4.0e-05" << 4.0e-05 << none;
        QTest::newRow("exponent, comma") << "4,0e-05" << none << 4.0e-05;
        QTest::newRow("negative") << "-1,234.5" << -1234.5 << none;
        QTest::newRow("whole") << "17" << 17.0 << 17.0;
        QTest::newRow("list") << "0,1,2" << none << none;
        QTest::newRow("wrong groups") << "12,34" << none << 12.34;
        QTest::newRow("word") << "CachePreferNone" << none << none;
        QTest::newRow("nan") << "nan" << none << none;
        QTest::newRow("inf") << "inf" << none << none;
        QTest::newRow("hex") << "0x10" << none << none;
        QTest::newRow("empty") << "" << none << none;
        QTest::newRow("sign alone") << "-" << none << none;
        QTest::newRow("two points") << "1.2.3" << none << none;
    }
    void numbers() {
        QFETCH(QString, text);
        QFETCH(double, point);
        QFETCH(double, comma);
        for (const auto& [mark, expected] :
             {std::pair{DecimalMark::Point, point}, {DecimalMark::Comma, comma}}) {
            const auto number = parseNcuNumber(text.toStdString(), mark);
            QCOMPARE(number.has_value(), !std::isnan(expected));
            if (number)
                QCOMPARE(*number, expected);
        }
    }

    void units_data() {
        QTest::addColumn<QString>("printed");
        QTest::addColumn<double>("factor");
        QTest::addColumn<QString>("base");
        QTest::newRow("ms") << "ms" << 1e6 << "ns";
        QTest::newRow("second") << "second" << 1e9 << "ns";
        QTest::newRow("usecond") << "usecond" << 1e3 << "ns";
        QTest::newRow("Gbyte") << "Gbyte" << 1e9 << "byte";
        QTest::newRow("Tbyte/s") << "Tbyte/s" << 1e12 << "byte/s";
        QTest::newRow("byte/second") << "byte/second" << 1.0 << "byte/s";
        QTest::newRow("Ghz") << "Ghz" << 1e9 << "hz";
        QTest::newRow("cycle/nsecond") << "cycle/nsecond" << 1e9 << "cycle/s";
        QTest::newRow("sector/us") << "sector/us" << 1e6 << "sector/s";
        QTest::newRow("Kbyte/block") << "Kbyte/block" << 1e3 << "byte/block";
        QTest::newRow("register/thread") << "register/thread" << 1.0 << "register/thread";
        QTest::newRow("%") << "%" << 1.0 << "%";
        QTest::newRow("none") << "" << 1.0 << "";
    }
    void units() {
        QFETCH(QString, printed);
        QFETCH(double, factor);
        QFETCH(QString, base);
        const NcuUnit unit = ncuBaseUnit(printed.toStdString());
        QVERIFY(std::abs(unit.factor - factor) <= factor * 1e-12);
        QCOMPARE(QString::fromStdString(unit.base), base);
    }

    // Every number of the captures is read as printed; cells without a number give no metric.
    void captures_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("raw") << "ncu_raw.csv";
        QTest::newRow("five metrics after the program's output") << "ncu_five_metrics.csv";
    }
    void captures() {
        QFETCH(QString, name);
        const std::string text = capture(name.toUtf8());
        const NcuTable table = readNcuTable(text);
        const auto file = read(text);
        QVERIFY(file);
        QCOMPARE(file->format, NcuFormat::RawCsv);
        QVERIFY(!file->report.isPartial());
        QCOMPARE(file->kernels.size(), 6u);
        QCOMPARE(table.rows.size(), 6u);
        std::size_t numbers = 0;
        for (std::size_t k = 0; k < 6; ++k) {
            const NcuKernel& kernel = file->kernels[k];
            QCOMPARE(std::string(file->nameOf(kernel)), table.at(k, "Kernel Name"));
            QCOMPARE(kernel.id, std::int64_t(k));
            QCOMPARE(std::to_string(*kernel.process), table.at(k, "Process ID"));
            std::size_t metrics = 0;
            for (std::size_t c = 11; c < table.header.size(); ++c) {
                const std::string& cell = table.rows[k][c];
                const NcuMetric* const metric = file->find(kernel, table.header[c]);
                const bool isEmpty = cell.empty() || cell == "no data" || cell == "nan";
                QVERIFY2((metric == nullptr) == isEmpty, table.header[c].c_str());
                if (isEmpty)
                    continue;
                ++metrics;
                const PrintedNumber printed = printedNumber(cell);
                if (std::isnan(printed.value)) {
                    QCOMPARE(std::string(file->text(metric->text)), cell);
                    continue;
                }
                const double expected = printed.value * captureScale(table.units[c]);
                QVERIFY2(std::abs(metric->value - expected) <= std::abs(expected) * 1e-12,
                         table.header[c].c_str());
                ++numbers;
            }
            QCOMPARE(kernel.metrics.size(), metrics);
        }
        QVERIFY(numbers > (name == QStringLiteral("ncu_raw.csv") ? 12'000u : 500u));
        QCOMPARE(file->kernels[4].config.grid, (Dim3{528, 1, 1}));
        QCOMPARE(file->kernels[4].config.block, (Dim3{256, 1, 1}));
        QCOMPARE(file->kernels[5].config.dynamicSharedBytes, std::optional<std::uint64_t>(204'800));
        QCOMPARE(file->kernels[5].config.registersPerThread, std::optional<std::uint32_t>(27));
    }

    void detailsPage() {
        const auto file = read(capture("ncu_details.csv"));
        QVERIFY(file);
        QCOMPARE(file->format, NcuFormat::DetailsCsv);
        QCOMPARE(file->kernels.size(), 6u);
        const NcuKernel& strided = file->kernels[1];
        // The same label twice: a share in one section, bytes per second in another.
        QCOMPARE(*file->value(strided, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"),
                 63.28);
        QCOMPARE(*file->value(strided, "dram__bytes.sum.per_second"), 2.65e12);
        QCOMPARE(*file->value(strided, "gpu__time_duration.sum"), 3.24e6);
        QCOMPARE(*file->value(file->kernels[5], "sm__maximum_warps_per_active_cycle_pct"), 3.12);
        QCOMPARE(*file->value(file->kernels[1], "launch__grid_size"), 262'144.0);
        QCOMPARE(*file->value(strided, "Memory Workload Analysis: L2 Compression Input Sectors"),
                 *file->value(strided, "Memory Workload Analysis: L2 Compression Input Sectors"));
        QCOMPARE(std::string(file->text(
                     file->find(strided, "Launch Statistics: Function Cache Configuration")->text)),
                 std::string("CachePreferNone"));
        QCOMPARE(noteCount(*file, "advice"), 57u);
        QCOMPARE(noteCount(*file, "ragged_row"), 0u);
    }

    void defaultPage() {
        const auto file = read(capture("ncu_default_page.csv"));
        QVERIFY(file);
        QCOMPARE(file->format, NcuFormat::DetailsCsv);
        QCOMPARE(file->kernels.size(), 6u);
        QCOMPARE(*file->value(file->kernels[0], "dram__throughput.avg.pct_of_peak_sustained_elapsed"), 86.02);
        QCOMPARE(*file->value(file->kernels[2], "sm__throughput.avg.pct_of_peak_sustained_elapsed"), 96.15);
        QCOMPARE(noteCount(*file, "program_output"), 4u);
    }

    void piecesDoNotMatter() {
        const std::string text = capture("ncu_five_metrics.csv");
        const auto whole = read(text);
        for (const std::size_t chunk : {1u, 7u, 4096u}) {
            const auto again = read(text, chunk);
            QVERIFY(again);
            QCOMPARE(again->kernels.size(), whole->kernels.size());
            for (std::size_t k = 0; k < again->kernels.size(); ++k) {
                QCOMPARE(again->kernels[k].metrics.size(), whole->kernels[k].metrics.size());
                for (std::size_t m = 0; m < again->kernels[k].metrics.size(); ++m)
                    QCOMPARE(again->kernels[k].metrics[m].value, whole->kernels[k].metrics[m].value);
            }
        }
    }

    // The same page as a run in a locale with decimal commas would print it.
    void decimalCommas() {
        std::string text = capture("ncu_raw.csv");
        const std::size_t rows = text.find('\n', text.find('\n') + 1) + 1; // after header and units
        bool quoted = false, number = false;
        for (std::size_t i = rows; i < text.size(); ++i) {
            if (text[i] == '"') {
                quoted = !quoted;
                const std::size_t end = text.find('"', i + 1);
                number = quoted && text.find_first_not_of("0123456789.,e+-", i + 1) == end;
                continue;
            }
            if (quoted && number && (text[i] == '.' || text[i] == ','))
                text[i] = text[i] == '.' ? ',' : '.';
        }
        const auto point = read(capture("ncu_raw.csv")), comma = read(text);
        QVERIFY(comma);
        QCOMPARE(noteCount(*comma, "decimal_comma"), 1u);
        std::size_t compared = 0;
        for (std::size_t k = 0; k < 6; ++k)
            for (const NcuMetric& metric : point->kernels[k].metrics) {
                if (metric.text)
                    continue;
                const auto value = comma->value(comma->kernels[k], point->text(metric.name));
                QVERIFY2(value && *value == metric.value, std::string(point->text(metric.name)).c_str());
                ++compared;
            }
        QVERIFY(compared > 12'000);
    }

    void ambiguousNumbers() {
        const auto file = read(rawPage(",\"a__x.sum\"", ",\"\"", ",\"1,234\""));
        QVERIFY(file);
        QCOMPARE(*file->value(file->kernels[0], "a__x.sum"), 1234.0);
        QCOMPARE(noteCount(*file, "ambiguous_numbers"), 1u);
        const auto told = read(rawPage(",\"a__x.sum\",\"a__y.avg\"", ",\"\",\"\"", ",\"1,234\",\"0,5\""));
        QCOMPARE(*told->value(told->kernels[0], "a__x.sum"), 1.234);
        QCOMPARE(noteCount(*told, "ambiguous_numbers"), 0u);
    }

    void semicolonsWithoutQuotes() { // as a spreadsheet saves it
        const auto file = read("ID;Process ID;Kernel Name;Block Size;Grid Size;gpu__time_duration.sum\n"
                               ";;;;;us\n3;7;k;(64, 1, 1);(2, 1, 1);1.234,5\n");
        QVERIFY(file);
        QCOMPARE(file->kernels.size(), 1u);
        QCOMPARE(*file->value(file->kernels[0], "gpu__time_duration.sum"), 1'234'500.0);
        QCOMPARE(file->kernels[0].id, 3);
    }

    void raggedRows() {
        std::string page = rawPage(",\"a__x.sum\",\"a__y.sum\"", ",\"byte\",\"byte\"", ",\"1\",\"2\"");
        page += std::string("\"1\"") + kRowHead + ",\"3\"\n";             // short
        page += std::string("\"2\"") + kRowHead + ",\"5\",\"6\",\"7\"\n"; // long
        const auto file = read(page);
        QVERIFY(file);
        QCOMPARE(file->kernels.size(), 3u);
        QCOMPARE(noteCount(*file, "ragged_row"), 2u);
        QCOMPARE(*file->value(file->kernels[1], "a__x.sum"), 3.0);
        QVERIFY(!file->value(file->kernels[1], "a__y.sum"));
        QCOMPARE(*file->value(file->kernels[2], "a__y.sum"), 6.0);
        QVERIFY(!file->report.isPartial());
    }

    void outputBetweenRows() {
        std::string page = rawPage(",\"a__x.sum\"", ",\"byte\"", ",\"1\"");
        page += "==WARNING== something\nok\n\"he said\n42\n\"quoted\" words\n";
        page += std::string("\"1\"") + kRowHead + ",\"3\"\n";
        const auto file = read(page);
        QVERIFY(file);
        QCOMPARE(file->kernels.size(), 2u);
        QCOMPARE(*file->value(file->kernels[1], "a__x.sum"), 3.0);
        QVERIFY(noteCount(*file, "program_output") >= 3);
    }

    void noUnits() {
        const auto file = read(std::string(kHeader) + ",\"a__x.sum\"\n\"0\"" + kRowHead + ",\"5\"\n");
        QVERIFY(file);
        QCOMPARE(*file->value(file->kernels[0], "a__x.sum"), 5.0);
        QCOMPARE(noteCount(*file, "no_units"), 1u);
    }

    void runsOneAfterAnother() {
        const std::string page = rawPage(",\"a__x.sum\"", ",\"byte\"", ",\"1\"");
        const auto file = read(page + "ok\n" + page);
        QVERIFY(file);
        QCOMPARE(file->kernels.size(), 2u);
        QCOMPARE(file->kernels[0].run, 0u);
        QCOMPARE(file->kernels[1].run, 1u);
        QCOMPARE(noteCount(*file, "several_runs"), 1u);
    }

    void repeatedAndPasses() {
        const auto file = read(rawPage(",\"a__x.sum\",\"a__x.sum\",\"profiler__replayer_passes\"",
                                       ",\"\",\"\",\"\"", ",\"1\",\"2\",\"9\""));
        QVERIFY(file);
        QCOMPARE(*file->value(file->kernels[0], "a__x.sum"), 1.0);
        QCOMPARE(noteCount(*file, "repeated_metric"), 1u);
        QVERIFY(file->report.find("several_passes")->message.find("9 passes") != std::string::npos);
    }

    void summaryPage() {
        const auto file =
            read("\"Process ID\",\"Kernel Name\",\"Invocations\",\"Section Name\",\"Metric Name\","
                 "\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n"
                 "\"9\",\"k\",\"4\",\"GPU Speed Of Light Throughput\",\"Duration\",\"us\",\"1.00\","
                 "\"3.00\",\"2.50\"\n");
        QVERIFY(file);
        QCOMPARE(file->format, NcuFormat::SummaryCsv);
        QCOMPARE(file->kernels[0].invocations, 4u);
        QCOMPARE(*file->value(file->kernels[0], "gpu__time_duration.sum"), 2500.0);
    }

    // Cut anywhere, a page gives the rows before the cut, and says so where a row is cut.
    void cutAnywhere() {
        const std::string page = rawPage(",\"a__x.sum\",\"a__y.sum\"", ",\"byte\",\"byte\"", ",\"1\",\"2\"") +
                                 "\"1\"" + kRowHead + ",\"3\",\"4\"\n";
        const std::size_t second = page.rfind("\"1\",\"480\"");
        for (std::size_t size = 0; size < page.size() - 1; ++size) {
            const auto file = read(page.substr(0, size));
            if (!file)
                continue; // before the header ends
            if (size >= second)
                QCOMPARE(*file->value(file->kernels[0], "a__y.sum"), 2.0);
            const bool isWhole = size + 2 >= page.size() || size == second || size < second;
            if (size > second + 60 && !isWhole && page[size - 1] != ',') // an empty last field is no cut
                QVERIFY2(file->report.isPartial(), std::to_string(size).c_str());
            if (size == second)
                QVERIFY(!file->report.isPartial());
        }
    }

    void notAPage() {
        JobControl job;
        for (const char* text : {"", "hello\n", "\"ID\",\"x\",\"y\"\n\"0\",\"1\",\"2\"\n"}) {
            const auto file = readNcuFromMemory(text, "page.csv", job);
            QVERIFY(!file);
            QCOMPARE(file.error().code, Errc::NotRecognised);
            QVERIFY(!file.error().remedy.empty());
        }
    }

    void cancel() {
        JobControl job;
        job.requestCancel();
        const auto file = readNcuFromMemory(capture("ncu_raw.csv"), "page.csv", job);
        QVERIFY(!file);
        QCOMPARE(file.error().code, Errc::Cancelled);
    }
};

LACUNA_TEST(TstNcuCsv, "tst_ncu_csv")

} // namespace tst_ncu_csv

#include "tst_ncu_csv.moc"
