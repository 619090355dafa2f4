// lacuna gaps: every idle gap with its cause and the host call that blocked it.

#include "app/verbs/builtin.h"
#include "app/verbs/input.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "core/output/gaps_output.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

namespace lacuna::ui {

namespace {

class GapsVerb final : public Verb {
public:
    const char* name() const override { return "gaps"; }
    const char* summary() const override { return "Idle gaps of a device, cause and blocking call"; }

    void declare(CLI::App& options) override {
        declareInput(options, m_input);
        declareCache(options);
        options.add_option("--device", m_query.device, "Only this device")->type_name("N");
        options.add_option("--stream", m_query.stream, "Gaps of this stream, not of the device")
            ->type_name("N");
        declareRange(options, m_query.range);
        declareDuration(options, "--min", m_query.minNs, "List gaps of at least this length (1us)");
        options.add_option("--top", m_query.top, "List the N best ranks of each device")->type_name("N");
        declareFormat(options, m_format, {"table", "csv", "json"});
    }

    int run(JobControl& job) override {
        const auto loaded = loadInput(m_input, job);
        if (!loaded)
            return reportInputError(m_input, loaded.error());
        const auto analysis = GapAnalysis::run(loaded->trace, {}, job);
        if (!analysis)
            return reportInputError(m_input, analysis.error());
        std::string sha256;
        if (m_format == "json") {
            auto hash = hashInput(m_input, job);
            if (!hash)
                return reportInputError(m_input, hash.error());
            sha256 = *std::move(hash);
        }
        auto report = reportGaps(*analysis, sha256, m_query, job);
        if (!report && report.error().code == Errc::Unsupported) {
            std::fprintf(stderr, "lacuna gaps: %s: %s\n", report.error().place.c_str(),
                         report.error().detail.c_str());
            return kExitUsage;
        }
        if (!report)
            return reportInputError(m_input, report.error());
        if (m_format == "json") // the other formats have no place for it
            if (const auto added = addReplaySavings(*report, job); !added)
                return reportInputError(m_input, added.error());
        return print(*report, *loaded->trace, job);
    }

private:
    int print(const GapsReport& report, const Trace& trace, JobControl& job) const {
        FileSink out(stdout);
        if (m_format == "json")
            writeGapsJson(report, out, job);
        else if (m_format == "csv")
            writeGapsCsv(report, out, job);
        else
            writeGapsTable(report, out, terminalWidth(), job);
        const int code = finishOutput(out, trace);
        return job.cancelled() ? static_cast<int>(kExitInterrupted) : code;
    }

    Input m_input;
    std::string m_format;
    GapQuery m_query;
};

} // namespace

std::unique_ptr<Verb> makeGapsVerb() {
    return std::make_unique<GapsVerb>();
}

} // namespace lacuna::ui
