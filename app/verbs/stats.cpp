// lacuna stats: one report of core/report as a table, CSV or JSON.

#include "app/verbs/builtin.h"
#include "app/verbs/choices.h"
#include "app/verbs/input.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "app/verbs/settings_input.h"
#include "core/output/findings_text.h"
#include "core/output/report_output.h"
#include "core/report/report_options.h"
#include "core/settings/analysis_settings.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
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
        declareRange(options, m_query.options.range);
        for (const ReportOptionInfo& info : reportOptions())
            declareOption(options, info);
        declareSettings(options, m_settings);
        declareFormat(options, m_format, {"table", "csv", "json"});
        options.footer(reportList());
    }

    int run(JobControl& job) override {
        if (const ReportSpec* report = findReport(m_query.name); report == nullptr)
            return misused("there is no report '" + m_query.name + "'", reportList());
        for (const ReportOptionInfo& info : reportOptions())
            if (const Status set = setOption(m_query, info.id, m_values[static_cast<std::size_t>(info.id)]);
                !set)
                return misused(set.error().detail, {});
        m_query.options.sites = m_sites;
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
    void declareOption(CLI::App& options, const ReportOptionInfo& info) {
        const std::string name = "--" + std::string(info.name), help(info.help), type(info.type);
        std::string& value = m_values[static_cast<std::size_t>(info.id)];
        if (info.form == ReportOptionInfo::Form::Switch) {
            options.add_flag_callback(
                name, [&value] { value = "on"; }, help);
        } else if (info.id == ReportOption::Sites) { // any number of them
            options.add_option(name, m_sites, help)->type_name(type)->allow_extra_args(false);
        } else {
            auto* option = options.add_option(name, value, help)->type_name(type);
            if (info.form == ReportOptionInfo::Form::Choice)
                acceptOnly(*option, {info.choices.begin(), info.choices.end()});
        }
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
    std::string m_format;
    std::map<std::size_t, std::string> m_values; // by ReportOption
    std::vector<std::string> m_sites;
    ReportQuery m_query;
};

} // namespace

std::unique_ptr<Verb> makeStatsVerb() {
    return std::make_unique<StatsVerb>();
}

} // namespace lacuna::ui
