// lacuna summary: what the file holds, what was not understood, busy and idle per device.

#include "app/verbs/builtin.h"
#include "app/verbs/input.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "core/output/summary_output.h"

#include <CLI/CLI.hpp>

#include <string>

namespace lacuna::ui {

namespace {

class SummaryVerb final : public Verb {
public:
    const char* name() const override { return "summary"; }
    const char* summary() const override { return "What a trace holds, busy and idle per device"; }

    void declare(CLI::App& options) override {
        declareInput(options, m_input);
        declareCache(options);
        declareFormat(options, m_format, {"text", "json"});
    }

    int run(JobControl& job) override {
        const auto loaded = loadInput(m_input, job);
        if (!loaded)
            return reportInputError(m_input, loaded.error());
        auto sha256 = hashInput(m_input, job);
        if (!sha256)
            return reportInputError(m_input, sha256.error());
        const auto summary = summarise(*loaded, *std::move(sha256), job);
        if (!summary)
            return reportInputError(m_input, summary.error());
        FileSink out(stdout);
        if (m_format == "json")
            writeSummaryJson(*summary, out);
        else
            writeSummaryText(*summary, out);
        return finishOutput(out, *loaded->trace);
    }

private:
    Input m_input;
    std::string m_format;
};

} // namespace

std::unique_ptr<Verb> makeSummaryVerb() {
    return std::make_unique<SummaryVerb>();
}

} // namespace lacuna::ui
