#include "core/ncu/ncu_csv.h"

#include "core/ncu/csv_page.h"
#include "core/ncu/csv_records.h"
#include "core/ncu/metric_texts.h"
#include "core/ncu/ncu_labels.h"
#include "core/ncu/ncu_units.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lacuna {

namespace {

using ncu::CsvPage;
using ncu::CsvRecords;
using ncu::kNoColumn;
using ncu::wholeNumber;

constexpr std::string_view kMetricsByName = "Command line profiler metrics"; // a section

class CsvPages {
public:
    CsvPages(ByteSource& source, NcuFile& file, JobControl& job)
        : m_records(source, job), m_file(file), m_metrics(file) {}
    Status read();
    void finish();

private:
    bool startPage();
    std::string_view field(std::size_t column) const {
        return column < m_fields.size() ? std::string_view(m_fields[column]) : std::string_view{};
    }
    void noteProgramLine() {
        note("program_output", "Lines that are no rows are the program's own output; they are passed over.");
    }
    void noteRagged() {
        note("ragged_row", "A row has more or fewer fields than the header; those it has are used.",
             Severity::Warning);
    }
    void takeRow();
    void takeRawRow();
    void takeLongRow();
    std::size_t kernelOfRow();
    std::size_t addKernel();
    void addMetric(std::size_t kernel, StringId name, std::string_view unit, std::string_view text);
    void note(std::string_view code, std::string_view message, Severity severity = Severity::Info) {
        m_file.report.note(code, message, {m_records.offset(), {}, 0}, severity);
    }

    CsvRecords m_records;
    NcuFile& m_file;
    std::vector<std::string> m_fields;
    ncu::MetricTexts m_metrics;

    // Of the page.
    bool m_hasPage = false;
    CsvPage m_page;
    std::uint32_t m_run = 0;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> m_byId;  // launch -> kernel
    std::map<std::pair<std::string, std::int64_t>, std::size_t> m_byName; // summary page
    std::pair<std::int64_t, std::int64_t> m_lastId{-1, -1};
    std::size_t m_lastKernel = kNoColumn;
    bool m_lastRowCut = false;
};

// True when the record is the header of a page.
bool CsvPages::startPage() {
    const char separator = ncu::headerSeparator(m_records.firstLine());
    if (separator == '\0')
        return false;
    ncu::splitCsvRecord(m_records.firstLine(), separator, m_fields);
    auto page = CsvPage::of(m_fields, m_file.strings);
    if (!page)
        return false;
    m_records.setSeparator(separator);
    if (m_hasPage && m_page.hasRows)
        ++m_run;
    m_hasPage = true;
    m_page = *std::move(page);
    m_byId.clear();
    m_byName.clear();
    m_lastKernel = kNoColumn;
    if (m_run == 0)
        m_file.format = m_page.format();
    return true;
}

std::size_t CsvPages::addKernel() {
    NcuKernel kernel;
    kernel.id = wholeNumber(field(m_page.id)).value_or(static_cast<std::int64_t>(m_file.kernels.size()));
    kernel.run = m_run;
    kernel.name = m_file.strings.intern(field(m_page.kernelName));
    kernel.processName = m_file.strings.intern(field(m_page.column("Process Name")));
    kernel.computeCapability = m_file.strings.intern(field(m_page.column("CC")));
    kernel.process = wholeNumber(field(m_page.process));
    kernel.context = wholeNumber(field(m_page.column("Context")));
    kernel.stream = wholeNumber(field(m_page.column("Stream")));
    kernel.device = wholeNumber(field(m_page.column("Device")));
    kernel.config.grid = ncu::dimsOf(field(m_page.column("Grid Size")));
    kernel.config.block = ncu::dimsOf(field(m_page.column("Block Size")));
    if (const auto times = wholeNumber(field(m_page.invocations)); times && *times > 1)
        kernel.invocations = static_cast<std::uint64_t>(*times);
    m_file.kernels.push_back(std::move(kernel));
    m_metrics.addKernel();
    return m_file.kernels.size() - 1;
}

// The launch that a row of a details page is about, made on its first row.
std::size_t CsvPages::kernelOfRow() {
    const std::int64_t process = wholeNumber(field(m_page.process)).value_or(-1);
    if (m_page.id == kNoColumn) {
        const auto [at, isNew] = m_byName.try_emplace({std::string(field(m_page.kernelName)), process}, 0);
        if (isNew)
            at->second = addKernel();
        return at->second;
    }
    const std::pair key{wholeNumber(field(m_page.id)).value_or(-1), process};
    if (m_lastKernel == kNoColumn || key != m_lastId) {
        const auto [at, isNew] = m_byId.try_emplace(key, 0);
        if (isNew)
            at->second = addKernel();
        m_lastId = key;
        m_lastKernel = at->second;
    }
    return m_lastKernel;
}

void CsvPages::addMetric(std::size_t kernel, StringId name, std::string_view unit, std::string_view text) {
    if (m_metrics.add(kernel, name, unit, text))
        return;
    note("too_many_metrics", "The file holds more than 8 million metrics; the others are not read.",
         Severity::Error);
    m_file.report.setPartial();
}

void CsvPages::takeRawRow() {
    if (!m_page.hasUnits && !m_page.hasRows)
        note("no_units", "The page has no row of units: values are taken as base units.", Severity::Warning);
    const std::size_t kernel = addKernel();
    if (m_fields.size() != m_page.header.size())
        noteRagged();
    const std::size_t used = std::min(m_fields.size(), m_page.header.size());
    m_metrics.reserve(kernel, used);
    for (std::size_t i = 0; i < used; ++i)
        if (m_page.names[i] && !ncu::isNoValue(m_fields[i]))
            addMetric(kernel, m_page.names[i],
                      i < m_page.units.size() ? std::string_view(m_page.units[i]) : std::string_view(),
                      m_fields[i]);
}

void CsvPages::takeLongRow() {
    const std::size_t kernel = kernelOfRow();
    const std::string_view label = field(m_page.label);
    if (label.empty() && !field(m_page.rule).empty()) {
        note("advice", "The profiler's own advice is in the file; Lacuna gives its own.");
        return;
    }
    if (label.empty() || m_page.value >= m_fields.size()) {
        noteRagged();
        return;
    }
    if (ncu::isNoValue(field(m_page.value)))
        return;
    const std::string_view section = field(m_page.section), unit = field(m_page.unit);
    std::string_view metric = ncuMetricOfLabel(section, label, ncuBaseUnit(unit).base);
    std::string composed;
    if (metric.empty()) {
        const bool isName = section == kMetricsByName || label.find("__") != std::string_view::npos;
        composed = isName ? std::string(label) : std::string(section) + ": " + std::string(label);
        metric = composed;
    }
    addMetric(kernel, m_file.strings.intern(metric), unit, field(m_page.value));
}

void CsvPages::takeRow() {
    const bool hasId = wholeNumber(field(m_page.id == kNoColumn ? m_page.process : m_page.id)).has_value();
    const bool isUnits = m_page.isRaw() && !m_page.hasRows && !m_page.hasUnits && field(m_page.id).empty() &&
                         m_fields.size() > 2;
    if (isUnits) {
        m_page.units = m_fields;
        m_page.hasUnits = true;
        return;
    }
    // A line of the program that happens to be a number has no kernel beside it.
    if (!hasId || field(m_page.kernelName).empty()) {
        m_lastRowCut = hasId && m_fields.size() <= m_page.header.size() / 2 && !m_records.isComplete();
        noteProgramLine();
        return;
    }
    m_lastRowCut = !m_records.isComplete() || m_fields.size() < m_page.fieldsNeeded();
    if (!m_records.isComplete()) {
        note("broken_row", "A row ends inside a quoted text; what stands before is used.", Severity::Warning);
        if (!m_fields.empty()) // its last field is cut
            m_fields.pop_back();
    }
    if (m_page.isRaw())
        takeRawRow();
    else
        takeLongRow();
    m_page.hasRows = true;
}

Status CsvPages::read() {
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
        if (m_file.strings.bytes() + m_metrics.bytes() > kMaxNcuNameBytes) {
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

void CsvPages::finish() {
    m_metrics.parse();
    ImportReport& report = m_file.report;
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
