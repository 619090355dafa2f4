// lacuna convert: a trace as Chrome JSON, which other viewers open.

#include "app/verbs/builtin.h"
#include "app/verbs/write_trace.h"

#include <CLI/CLI.hpp>

namespace lacuna::ui {

namespace {

class ConvertVerb final : public Verb {
public:
    const char* name() const override { return "convert"; }
    const char* summary() const override { return "Chrome JSON for Perfetto and others"; }
    void declare(CLI::App& options) override { declareTraceOutput(options, m_output); }
    int run(JobControl& job) override { return writeTrace(m_output, std::nullopt, job); }

private:
    TraceOutput m_output;
};

} // namespace

std::unique_ptr<Verb> makeConvertVerb() {
    return std::make_unique<ConvertVerb>();
}

} // namespace lacuna::ui
