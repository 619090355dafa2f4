// lacuna trim: the part of a trace that touches a range of time, on the same time axis.

#include "app/verbs/builtin.h"
#include "app/verbs/options.h"
#include "app/verbs/write_trace.h"

#include <CLI/CLI.hpp>

namespace lacuna::ui {

namespace {

class TrimVerb final : public Verb {
public:
    const char* name() const override { return "trim"; }
    const char* summary() const override { return "Part of a trace as Chrome JSON"; }

    void declare(CLI::App& options) override {
        declareTraceOutput(options, m_output);
        declareRange(options, m_cut);
        options.get_option("--range")->required();
    }
    int run(JobControl& job) override { return writeTrace(m_output, m_cut, job); }

private:
    TraceOutput m_output;
    std::optional<TimeRange> m_cut;
};

} // namespace

std::unique_ptr<Verb> makeTrimVerb() {
    return std::make_unique<TrimVerb>();
}

} // namespace lacuna::ui
