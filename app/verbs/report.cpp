// lacuna report: what a trace says about idle time, as one file for people who were not there.

#include "app/verbs/builtin.h"
#include "app/verbs/input.h"
#include "app/verbs/interrupt_watch.h"
#include "app/verbs/offscreen_application.h"
#include "app/verbs/options.h"
#include "core/document/workspace.h"
#include "core/output/output_file.h"
#include "core/settings/settings_file.h"
#include "widgets/report/report_file.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <utility>

namespace lacuna::ui {

namespace {

class ReportVerb final : public Verb {
public:
    const char* name() const override { return "report"; }
    const char* summary() const override { return "Report for people: summary, gaps, figures, tables"; }

    void declare(CLI::App& options) override {
        declareInput(options, m_input);
        declareCache(options);
        options.add_option("-o", m_output, "File to write, .html, .pdf or .md")
            ->type_name("OUT")
            ->required()
            ->check(CLI::Validator(
                [](const std::string& name) {
                    return reportFormatOf(QString::fromStdString(name))
                               ? std::string()
                               : std::string("the name must end in .html, .pdf or .md");
                },
                ""));
        options.add_option("--workspace", m_workspace, "Takes set-up and steps as stated in a .lacuna file")
            ->type_name("FILE");
    }

    int run(JobControl& job) override {
        StatedSetup setup;
        AnalysisSettings settings;
        if (!m_workspace.empty()) {
            const auto workspace = Workspace::read(m_workspace);
            if (!workspace)
                return reportInputError(Input(m_workspace), workspace.error());
            setup = workspace->statedSetup();
            m_input.readAs = workspace->trace.readAs;
            settings = withSettingTexts(std::move(settings), workspace->settings);
        }
        const auto loaded = loadInput(m_input, job);
        if (!loaded)
            return reportInputError(m_input, loaded.error());
        const auto gaps = GapAnalysis::run(loaded->trace, {}, job);
        if (!gaps)
            return reportInputError(m_input, gaps.error());
        auto sha256 = hashInput(m_input, job);
        if (!sha256)
            return reportInputError(m_input, sha256.error());
        const OffscreenApplication application;
        const auto bytes = reportBytes({*loaded, *gaps, *sha256, std::move(setup), "Lacuna " LACUNA_VERSION,
                                        std::make_shared<const AnalysisSettings>(std::move(settings))},
                                       *reportFormatOf(QString::fromStdString(m_output)), job);
        if (!bytes)
            return reportInputError(m_input, bytes.error());
        if (const Status written = write(*bytes); !written) {
            printError(m_output, written.error());
            return kExitNotWritten;
        }
        return exitCodeOf(*loaded->trace);
    }

private:
    Status write(const QByteArray& bytes) const {
        auto file = OutputFile::create(m_output, {m_input.file, true, false});
        if (!file)
            return file.error();
        const UnfinishedOutput unfinished(m_output);
        (*file)->write({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        return (*file)->commit();
    }

    Input m_input;
    std::string m_output, m_workspace;
};

} // namespace

std::unique_ptr<Verb> makeReportVerb() {
    return std::make_unique<ReportVerb>();
}

} // namespace lacuna::ui
