#include "core/ncu/ncu_csv.h"

#include "core/ncu/csv_records.h"
#include "core/ncu/ncu_labels.h"
#include "core/ncu/ncu_numbers.h"
#include "core/ncu/ncu_units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

namespace lacuna {

namespace {

using ncu::CsvRecords;

constexpr std::size_t kNoColumn = SIZE_MAX;
constexpr std::string_view kMetricsByName = "Command line profiler metrics"; // a section

// A metric whose number is still text: which mark is the decimal one shows only at the end of the file.
struct RawMetric {
    StringId name, unit, text; // of the file's pool; text: of a pool of its own
};

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// "(256, 1, 1)", "(256,1,1)", "256x1x1".
Dim3 dimsOf(std::string_view text) {
    std::array<std::uint32_t, 3> sides{};
    std::size_t used = 0;
    for (const char* at = text.data(); at != text.data() + text.size() && used < 3;) {
        const auto [end, error] = std::from_chars(at, text.data() + text.size(), sides[used]);
        if (error == std::errc{}) {
            at = end;
            ++used;
        } else {
            ++at;
        }
    }
    return used == 3 ? Dim3{sides[0], sides[1], sides[2]} : Dim3{};
}

bool isNoValue(std::string_view text) {
    constexpr std::array<std::string_view, 7> kWords{"n/a",     "N/A",  "nan", "no data",
                                                     "(!) n/a", "-nan", "inf"};
    return text.empty() || std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

// Columns that describe the launch; every other one of a raw page is a metric.
bool isBaseColumn(std::string_view name) {
    constexpr std::array<std::string_view, 14> kBase{
        "ID",     "Process ID", "Process Name", "Host Name",   "Kernel Name", "Kernel Time", "Context",
        "Stream", "Block Size", "Grid Size",    "Invocations", "Device",      "CC",          "Range Name"};
    return std::find(kBase.begin(), kBase.end(), name) != kBase.end() ||
           name.find("Push/Pop_Range") != std::string_view::npos ||
           name.find("Start/End_Range") != std::string_view::npos;
}

// What stands after the first column's name where the line may be the header of a page, else 0.
char headerSeparator(std::string_view line) {
    for (const std::string_view head : {std::string_view("\"ID\""), std::string_view("ID"),
                                        std::string_view("\"Process ID\""), std::string_view("Process ID")})
        if (line.starts_with(head) && head.size() < line.size() &&
            std::string_view(",;\t").find(line[head.size()]) != std::string_view::npos)
            return line[head.size()];
    return '\0';
}

class CsvPages {
public:
    CsvPages(ByteSource& source, NcuFile& file, JobControl& job) : m_records(source, job), m_file(file) {}
    Status read();
    void finish();

private:
    bool startPage();
    std::size_t column(std::string_view name) const;
    std::string_view field(std::size_t column) const {
        return column < m_fields.size() ? std::string_view(m_fields[column]) : std::string_view{};
    }
    void noteProgramLine() {
        note("program_output", "Lines that are no rows are the program's own output; they are passed over.");
    }
    void takeRow();
    void takeUnits();
    void takeRawRow();
    void takeLongRow();
    std::size_t kernelOfRow();
    std::size_t addKernel();
    void addMetric(std::size_t kernel, StringId name, const std::string& unit, std::string_view text);
    void note(std::string_view code, std::string_view message, Severity severity = Severity::Info) {
        m_file.report.note(code, message, {m_records.offset(), {}, 0}, severity);
    }
    void parseMetrics(DecimalMark mark);

    CsvRecords m_records;
    NcuFile& m_file;
    std::vector<std::string> m_fields;
    std::vector<std::vector<RawMetric>> m_metrics; // beside m_file.kernels
    StringPool m_texts;
    NumberStyle m_style;
    std::size_t m_metricCount = 0;

    // Of the page.
    bool m_hasPage = false, m_unitsRead = false, m_rowsRead = false;
    std::uint32_t m_run = 0;
    std::vector<std::string> m_header, m_units;
    std::vector<StringId> m_names; // of the columns of a raw page
    std::size_t m_id = kNoColumn, m_process = kNoColumn, m_kernelName = kNoColumn, m_section = kNoColumn,
                m_label = kNoColumn, m_unit = kNoColumn, m_value = kNoColumn, m_rule = kNoColumn,
                m_invocations = kNoColumn;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> m_byId;  // launch -> kernel
    std::map<std::pair<std::string, std::int64_t>, std::size_t> m_byName; // summary page
    std::pair<std::int64_t, std::int64_t> m_lastId{-1, -1};
    std::size_t m_lastKernel = kNoColumn;
    bool m_lastRowCut = false;
};

std::size_t CsvPages::column(std::string_view name) const {
    const auto at = std::find(m_header.begin(), m_header.end(), name);
    return at == m_header.end() ? kNoColumn : static_cast<std::size_t>(at - m_header.begin());
}

// True when the record is the header of a page.
bool CsvPages::startPage() {
    const char separator = headerSeparator(m_records.firstLine());
    if (separator == '\0')
        return false;
    ncu::splitCsvRecord(m_records.firstLine(), separator, m_fields);
    if (std::find(m_fields.begin(), m_fields.end(), "Kernel Name") == m_fields.end())
        return false;
    m_records.setSeparator(separator);
    if (m_hasPage && m_rowsRead)
        ++m_run;
    m_hasPage = true;
    m_unitsRead = m_rowsRead = false;
    m_header = m_fields;
    m_units.clear();
    m_names.clear();
    m_byId.clear();
    m_byName.clear();
    m_lastKernel = kNoColumn;
    m_id = column("ID");
    m_process = column("Process ID");
    m_kernelName = column("Kernel Name");
    m_section = column("Section Name");
    m_label = column("Metric Name");
    m_unit = column("Metric Unit");
    m_rule = column("Rule Name");
    m_invocations = column("Invocations");
    m_value = column("Metric Value");
    if (m_value == kNoColumn)
        m_value = column("Average");
    if (m_run == 0)
        m_file.format = m_label == kNoColumn ? NcuFormat::RawCsv
                        : m_id == kNoColumn  ? NcuFormat::SummaryCsv
                                             : NcuFormat::DetailsCsv;
    if (m_label == kNoColumn)
        for (const std::string& name : m_header)
            m_names.push_back(isBaseColumn(name) ? StringId{} : m_file.strings.intern(name));
    return true;
}

std::size_t CsvPages::addKernel() {
    NcuKernel kernel;
    kernel.id = wholeNumber(field(m_id)).value_or(static_cast<std::int64_t>(m_file.kernels.size()));
    kernel.run = m_run;
    kernel.name = m_file.strings.intern(field(m_kernelName));
    kernel.processName = m_file.strings.intern(field(column("Process Name")));
    kernel.computeCapability = m_file.strings.intern(field(column("CC")));
    kernel.process = wholeNumber(field(m_process));
    kernel.context = wholeNumber(field(column("Context")));
    kernel.stream = wholeNumber(field(column("Stream")));
    kernel.device = wholeNumber(field(column("Device")));
    kernel.config.grid = dimsOf(field(column("Grid Size")));
    kernel.config.block = dimsOf(field(column("Block Size")));
    if (const auto times = wholeNumber(field(m_invocations)); times && *times > 1)
        kernel.invocations = static_cast<std::uint64_t>(*times);
    m_file.kernels.push_back(std::move(kernel));
    m_metrics.emplace_back();
    return m_file.kernels.size() - 1;
}

// The launch that a row of a details page is about, made on its first row.
std::size_t CsvPages::kernelOfRow() {
    const std::int64_t process = wholeNumber(field(m_process)).value_or(-1);
    if (m_id == kNoColumn) {
        const auto [at, isNew] = m_byName.try_emplace({std::string(field(m_kernelName)), process}, 0);
        if (isNew)
            at->second = addKernel();
        return at->second;
    }
    const std::pair key{wholeNumber(field(m_id)).value_or(-1), process};
    if (m_lastKernel == kNoColumn || key != m_lastId) {
        const auto [at, isNew] = m_byId.try_emplace(key, 0);
        if (isNew)
            at->second = addKernel();
        m_lastId = key;
        m_lastKernel = at->second;
    }
    return m_lastKernel;
}

void CsvPages::addMetric(std::size_t kernel, StringId name, const std::string& unit, std::string_view text) {
    if (m_metricCount == kMaxNcuMetrics) {
        note("too_many_metrics", "The file holds more than 8 million metrics; the others are not read.",
             Severity::Error);
        m_file.report.setPartial();
        return;
    }
    ++m_metricCount;
    m_style.observe(text);
    m_metrics[kernel].push_back(
        {name, unit.empty() ? StringId{} : m_file.strings.intern(unit), m_texts.intern(text)});
}

void CsvPages::takeUnits() {
    m_units = m_fields;
    m_unitsRead = true;
}

void CsvPages::takeRawRow() {
    if (!m_unitsRead && !m_rowsRead)
        note("no_units", "The page has no row of units: values are taken as base units.", Severity::Warning);
    const std::size_t kernel = addKernel();
    if (m_fields.size() != m_header.size())
        note("ragged_row", "A row has more or fewer fields than the header; those it has are used.",
             Severity::Warning);
    const std::size_t used = std::min(m_fields.size(), m_header.size());
    m_metrics[kernel].reserve(used);
    for (std::size_t i = 0; i < used; ++i)
        if (m_names[i] && !isNoValue(m_fields[i]))
            addMetric(kernel, m_names[i], i < m_units.size() ? m_units[i] : std::string(), m_fields[i]);
}

void CsvPages::takeLongRow() {
    const std::size_t kernel = kernelOfRow();
    const std::string_view label = field(m_label);
    if (label.empty()) {
        if (!field(m_rule).empty())
            note("advice", "The profiler's own advice is in the file; Lacuna gives its own.");
        else
            note("ragged_row", "A row has more or fewer fields than the header; those it has are used.",
                 Severity::Warning);
        return;
    }
    if (m_value >= m_fields.size()) {
        note("ragged_row", "A row has more or fewer fields than the header; those it has are used.",
             Severity::Warning);
        return;
    }
    if (isNoValue(field(m_value)))
        return;
    const std::string_view section = field(m_section);
    const std::string unit(field(m_unit));
    std::string_view metric = ncuMetricOfLabel(section, label, ncuBaseUnit(unit).base);
    std::string composed;
    if (metric.empty()) {
        const bool isName = section == kMetricsByName || label.find("__") != std::string_view::npos;
        composed = isName ? std::string(label) : std::string(section) + ": " + std::string(label);
        metric = composed;
    }
    addMetric(kernel, m_file.strings.intern(metric), unit, field(m_value));
}

void CsvPages::takeRow() {
    const bool hasId =
        m_id == kNoColumn ? wholeNumber(field(m_process)).has_value() : wholeNumber(field(m_id)).has_value();
    const bool isUnits =
        m_label == kNoColumn && !m_rowsRead && !m_unitsRead && field(m_id).empty() && m_fields.size() > 2;
    if (isUnits) {
        takeUnits();
        return;
    }
    // A line of the program that happens to be a number has no kernel beside it.
    if (!hasId || field(m_kernelName).empty()) {
        m_lastRowCut = hasId && m_fields.size() <= m_header.size() / 2 && !m_records.isComplete();
        noteProgramLine();
        return;
    }
    const std::size_t needed = m_label == kNoColumn ? m_header.size() : std::min(m_value, m_header.size());
    m_lastRowCut = !m_records.isComplete() || m_fields.size() < needed;
    if (!m_records.isComplete()) {
        note("broken_row", "A row ends inside a quoted text; what stands before is used.", Severity::Warning);
        if (!m_fields.empty()) // its last field is cut
            m_fields.pop_back();
    }
    if (m_label == kNoColumn)
        takeRawRow();
    else
        takeLongRow();
    m_rowsRead = true;
}

Status CsvPages::read() {
    constexpr std::size_t kMaxNames = kMaxNcuNameBytes;
    while (true) {
        const auto more = m_records.next(m_fields);
        if (!more)
            return more.error();
        if (!*more)
            break;
        if (startPage())
            continue;
        if (m_hasPage)
            takeRow();
        else
            noteProgramLine();
        if (m_file.strings.bytes() + m_texts.bytes() > kMaxNames) {
            note("too_many_names",
                 "The file holds more than 64 MiB of names and texts; the rest is not read.",
                 Severity::Error);
            m_file.report.setPartial();
            break;
        }
    }
    if (!m_hasPage)
        return Error{
            Errc::NotRecognised,
            "No header of an Nsight Compute CSV page is in the file.",
            {},
            "Write one with `ncu --csv --page raw --import FILE.ncu-rep`, or give the .ncu-rep file."};
    return ok();
}

void CsvPages::parseMetrics(DecimalMark mark) {
    std::map<StringId, std::pair<double, StringId>> units; // as printed -> factor, base
    for (std::size_t k = 0; k < m_file.kernels.size(); ++k) {
        auto& metrics = m_file.kernels[k].metrics;
        metrics.reserve(m_metrics[k].size());
        for (const RawMetric& raw : m_metrics[k]) {
            const auto [unit, isNew] = units.try_emplace(raw.unit, 1.0, StringId{});
            if (isNew && raw.unit) {
                const NcuUnit base = ncuBaseUnit(m_file.text(raw.unit));
                unit->second = {base.factor, m_file.strings.intern(base.base)};
            }
            const std::string_view text = m_texts.view(raw.text);
            const auto number = parseNcuNumber(text, mark);
            metrics.push_back({raw.name, unit->second.second,
                               number ? StringId{} : m_file.strings.intern(text),
                               number ? *number * unit->second.first : 0.0});
        }
        m_metrics[k] = {};
    }
}

void CsvPages::finish() {
    ImportReport& report = m_file.report;
    const DecimalMark mark = m_style.mark();
    parseMetrics(mark);
    if (mark == DecimalMark::Comma)
        report.note("decimal_comma", "Numbers are written with a decimal comma and read so.", {});
    if (m_style.isMixed())
        report.note("mixed_numbers",
                    "Some numbers have a decimal point and some a decimal comma; the more frequent is taken.",
                    {}, Severity::Warning);
    if (m_style.ambiguous() > 0)
        report.note("ambiguous_numbers",
                    "Numbers such as 1,234 may be read either way and the file does not tell; the comma is "
                    "taken to set thousands apart.",
                    {}, Severity::Warning, m_style.ambiguous());
    if (m_run > 0)
        report.note("several_runs", "The file holds more than one run; the kernels of each are kept apart.",
                    {}, Severity::Info, m_run);
    if (m_file.format == NcuFormat::SummaryCsv)
        report.note("summary_page", "The page is a summary: values are averages over the launches.", {});
    if (m_records.skippedLong() > 0)
        report.note("long_line", "Lines of more than 8 MiB are passed over.", {}, Severity::Warning,
                    m_records.skippedLong());
    if (m_lastRowCut && m_records.isLastWithoutEnd()) {
        report.note("truncated", "The file ends in the middle of a row.", {m_records.offset(), {}, 0},
                    Severity::Error);
        report.setPartial();
    }
}

} // namespace

Status readNcuCsv(ByteSource& source, NcuFile& into, JobControl& job) {
    CsvPages pages(source, into, job);
    if (const Status read = pages.read(); !read)
        return read.error();
    pages.finish();
    return ok();
}

} // namespace lacuna
