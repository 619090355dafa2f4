// lacuna stats: one report of core/report as a table, CSV or JSON.

#include "app/verbs/builtin.h"
#include "app/verbs/choices.h"
#include "app/verbs/input.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "app/verbs/settings_input.h"
#include "core/output/findings_text.h"
#include "core/output/report_output.h"
#include "core/report/builtin.h"
#include "core/settings/analysis_settings.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace lacuna::ui {

namespace {

class StatsVerb final : public Verb {
public:
    const char* name() const override { return "stats"; }
    const char* summary() const override { return "Reports: times, counts and sums of a trace"; }

    void declare(CLI::App& options) override {
        declareInput(options, m_input);
        declareCache(options);
        auto* report = options.add_option("--report", m_query.name, "Which report; the list is below");
        suggest(*report->type_name("NAME")->required(), reportNames()); // run() tells what there is
        options.add_option("--device", m_query.options.device, "Only this device")->type_name("N");
        declareRange(options, m_query.options.range);
        options.add_option("--sort", m_query.sort, "Numbers of this column from the largest, texts from A")
            ->type_name("COLUMN");
        options.add_option("--limit", m_query.limit, "Only the first N rows")->type_name("N");
        auto* definition = options.add_option("--definition", m_definition, "lacuna, hta (default lacuna)");
        acceptOnly(*definition->type_name("NAME"), {"lacuna", "hta"});
        options.add_flag("--corrected", m_query.options.corrected, "Vendor rules with Lacuna's corrections");
        options
            .add_option("--site", m_query.options.sites, "whatif: only call sites and ranges that hold TEXT")
            ->type_name("TEXT")
            ->allow_extra_args(false);
        options.add_flag("--together", m_query.options.together, "whatif: also all of them at once");
        options
            .add_option("--pinned-bandwidth", m_pinnedGBps,
                        "whatif: of pinned copies (default the best seen)")
            ->type_name("GB/s")
            ->check(CLI::PositiveNumber);
        auto* group =
            options.add_option("--group-by", m_group, "key_averages: name, shape, stack, ... (default name)");
        acceptOnly(*group->type_name("WHAT"), {"name", "shape", "stack", "range", "stream", "thread"});
        options
            .add_option("--operator", m_query.options.operatorName,
                        "kernel sequences: only of operators with TEXT")
            ->type_name("TEXT");
        declareSettings(options, m_settings);
        declareFormat(options, m_format, {"table", "csv", "json"});
        options.footer(reportList());
    }

    int run(JobControl& job) override {
        if (const ReportSpec* report = findReport(m_query.name); report == nullptr)
            return misused("there is no report '" + m_query.name + "'", reportList());
        m_query.options.definition = m_definition == "hta" ? ReportDefinition::Hta : ReportDefinition::Lacuna;
        m_query.options.pinnedBytesPerSecond = m_pinnedGBps * 1e9;
        m_query.options.groupBy = groupOf(m_group);
        auto settings = readSettingsInput(m_settings);
        if (!settings)
            return misused(settings.error().detail, {});
        m_query.options.settings = std::make_shared<AnalysisSettings>(*std::move(settings));
        const auto loaded = loadInput(m_input, job);
        if (!loaded)
            return reportInputError(m_input, loaded.error());
        const auto table = runReport(*loaded->trace, loaded->details.get(), m_query, job);
        if (!table && table.error().code == Errc::Unsupported)
            return misused(table.error().detail, {});
        if (!table)
            return reportInputError(m_input, table.error());
        return print(*table, *loaded->trace, job);
    }

private:
    static AverageGroup groupOf(std::string_view name) {
        return name == "shape"    ? AverageGroup::Shape
               : name == "stack"  ? AverageGroup::Stack
               : name == "range"  ? AverageGroup::Range
               : name == "stream" ? AverageGroup::Stream
               : name == "thread" ? AverageGroup::Thread
                                  : AverageGroup::Name;
    }

    static std::vector<std::string> reportNames() {
        std::vector<std::string> names;
        names.reserve(builtinReports().size());
        for (const ReportSpec& report : builtinReports())
            names.emplace_back(report.name);
        return names;
    }

    // Two columns, words wrapped within 80; a long name has a line of its own.
    static std::string reportList() {
        constexpr std::size_t kSummaryAt = 29, kWidth = 80;
        std::string text = "Reports:";
        for (const ReportSpec& report : builtinReports()) {
            std::string line = "  " + std::string(report.name);
            if (line.size() + 2 > kSummaryAt) {
                text.append("\n").append(line);
                line.clear();
            }
            line.resize(kSummaryAt - 1, ' ');
            std::string_view rest = report.summary;
            while (!rest.empty()) {
                const std::string_view word = rest.substr(0, rest.find(' '));
                rest.remove_prefix(std::min(rest.size(), word.size() + 1));
                if (line.size() + 1 + word.size() > kWidth) {
                    text.append("\n").append(line);
                    line.assign(kSummaryAt - 1, ' ');
                }
                line.append(" ").append(word);
            }
            text.append("\n").append(line);
        }
        return text;
    }

    static int misused(const std::string& what, const std::string& more) {
        std::fprintf(stderr, "lacuna stats: %s\n", what.c_str());
        if (!more.empty())
            std::fprintf(stderr, "%s\n", more.c_str());
        return kExitUsage;
    }

    int print(const ReportTable& table, const Trace& trace, JobControl& job) const {
        FileSink out(stdout);
        if (m_format == "json")
            writeReportJson(m_query.name, table, out, job);
        else if (m_format == "csv")
            writeReportCsv(table, out, job);
        else if (const ReportSpec* report = findReport(m_query.name); report != nullptr && report->isProse)
            writeFindingsText(table, out, terminalWidth());
        else
            writeReportTable(table, out, terminalWidth(), job);
        const int code = finishOutput(out, trace);
        for (const std::string& note : table.notes())
            std::fprintf(stderr, "lacuna stats: %s\n", note.c_str());
        return job.cancelled() ? static_cast<int>(kExitInterrupted) : code;
    }

    Input m_input;
    SettingsInput m_settings;
    std::string m_format, m_definition = "lacuna", m_group = "name";
    double m_pinnedGBps = 0;
    ReportQuery m_query;
};

} // namespace

std::unique_ptr<Verb> makeStatsVerb() {
    return std::make_unique<StatsVerb>();
}

} // namespace lacuna::ui
