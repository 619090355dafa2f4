// lacuna check: is anything missing or wrong in a trace, and what was recorded. The exit code is the answer:
// 0 complete, 1 not complete. That a part of the file could not be reached (4) or that it is no trace (3)
// says more and goes first.

#include "app/verbs/builtin.h"
#include "app/verbs/input.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "core/document/completeness.h"
#include "core/output/check_output.h"
#include "core/output/text_sink.h"

#include <CLI/CLI.hpp>

#include <string>

namespace lacuna::ui {

namespace {

class CheckVerb final : public Verb {
public:
    const char* name() const override { return "check"; }
    const char* summary() const override { return "Whether anything is missing or wrong in a trace"; }

    void declare(CLI::App& options) override {
        declareInput(options, m_input);
        declareCache(options);
        declareFormat(options, m_format, {"text", "json"});
        options.footer("Exit codes: 0 complete, 1 something is missing or wrong (a note of severity\n"
                       "warning or error), 4 only a part of the file could be read (before 1), 3 the\n"
                       "file is no trace.\n\n"
                       "JSON members: capture (holds, software, tables_not_shown), complete, file,\n"
                       "notes (code, count, first, message, remedy, severity), rows.");
    }

    int run(JobControl& job) override {
        const auto loaded = loadInput(m_input, job);
        if (!loaded)
            return reportInputError(m_input, loaded.error());
        const auto completeness = checkCompleteness(*loaded->trace, loaded->details.get(), job);
        if (!completeness)
            return reportInputError(m_input, completeness.error());
        FileSink out(stdout);
        if (m_format == "json") {
            const auto sha256 = hashInput(m_input, job);
            if (!sha256)
                return reportInputError(m_input, sha256.error());
            writeCheckJson(*loaded->trace, *completeness, *sha256, out);
        } else {
            writeCheckText(*loaded->trace, *completeness, out);
        }
        if (const int code = finishOutput(out, *loaded->trace); code != kExitDone)
            return code;
        return isComplete(loaded->trace->report(), *completeness) ? kExitDone : kExitFound;
    }

private:
    Input m_input;
    std::string m_format;
};

} // namespace

std::unique_ptr<Verb> makeCheckVerb() {
    return std::make_unique<CheckVerb>();
}

} // namespace lacuna::ui
