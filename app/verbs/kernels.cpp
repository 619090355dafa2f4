// lacuna kernels: kernels of a trace, of an Nsight Compute file, or both joined.

#include "app/verbs/builtin.h"
#include "app/verbs/input.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "app/verbs/progress_line.h"
#include "core/base/job_control.h"
#include "core/import/byte_source.h"
#include "core/ncu/read_ncu.h"
#include "core/output/kernels_output.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

namespace lacuna::ui {

namespace {

class KernelsVerb final : public Verb {
public:
    const char* name() const override { return "kernels"; }
    const char* summary() const override { return "Kernels by time, with counters of Nsight Compute"; }

    void declare(CLI::App& options) override {
        options.add_option("FILE", m_input.file, "Trace: JSON or .sqlite, packed or not; - reads stdin")
            ->type_name("");
        declareMember(options, m_input.member);
        declareCache(options);
        options.add_option("--ncu", m_ncu, "Nsight Compute file: .ncu-rep, or a page of ncu --csv")
            ->type_name("FILE");
        declareFormat(options, m_format, {"table", "csv", "json"});
        options.callback([this] {
            if (m_input.file.empty() && m_ncu.empty())
                throw CLI::ValidationError("FILE, --ncu", "give a trace, an Nsight Compute file or both");
            if (m_input.file == "-" && m_ncu == "-")
                throw CLI::ValidationError("FILE, --ncu", "only one of them can be standard input");
        });
    }

    int run(JobControl& job) override {
        std::shared_ptr<const NcuFile> ncu;
        if (!m_ncu.empty()) {
            auto read = readNcuInput(job);
            if (!read)
                return reportInputError(Input(m_ncu), read.error());
            ncu = *std::move(read);
        }
        std::optional<KernelGroups> timeline;
        std::string sha256;
        if (!m_input.file.empty()) {
            auto groups = readTimeline(job);
            if (!groups)
                return reportInputError(m_input, groups.error());
            timeline = *std::move(groups);
            if (m_format == "json") {
                auto hash = hashInput(m_input, job);
                if (!hash)
                    return reportInputError(m_input, hash.error());
                sha256 = *std::move(hash);
            }
        }
        KernelsReport report = reportKernels(std::move(timeline), ncu);
        report.traceSha256 = std::move(sha256);
        return print(report, job);
    }

private:
    Result<std::shared_ptr<const NcuFile>> readNcuInput(JobControl& job) const {
        const ProgressLine progress(shownName(m_ncu), job);
        return readNcu(m_ncu, job);
    }

    Result<KernelGroups> readTimeline(JobControl& job) const {
        const auto loaded = loadInput(m_input, job);
        if (!loaded)
            return loaded.error();
        auto configs = readLaunchConfigs(*loaded->trace, loaded->details.get(), job);
        if (!configs)
            return configs.error();
        return groupKernels(loaded->trace, *std::move(configs), job);
    }

    int print(const KernelsReport& report, JobControl& job) const {
        FileSink out(stdout);
        if (m_format == "json")
            writeKernelsJson(report, out);
        else if (m_format == "csv")
            writeKernelsCsv(report, out);
        else
            writeKernelsTable(report, out, terminalWidth());
        int code = report.timeline ? finishOutput(out, *report.timeline->trace) : finishOutput(out);
        if (code == kExitDone && report.ncu != nullptr && report.ncu->report.isPartial()) {
            std::fprintf(stderr,
                         "lacuna: %s: only a part of the file could be read; results are of that part\n",
                         report.ncu->fileName.c_str());
            code = kExitPartly;
        }
        return job.cancelled() ? static_cast<int>(kExitInterrupted) : code;
    }

    Input m_input;
    std::string m_ncu, m_format;
};

} // namespace

std::unique_ptr<Verb> makeKernelsVerb() {
    return std::make_unique<KernelsVerb>();
}

} // namespace lacuna::ui
