// lacuna roofline: the roofline of an Nsight Compute file as a picture, and its kernels by headroom as text.

#include "core/ncu/roofline.h"

#include "app/verbs/builtin.h"
#include "app/verbs/choices.h"
#include "app/verbs/input.h"
#include "app/verbs/interrupt_watch.h"
#include "app/verbs/offscreen_application.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "app/verbs/progress_line.h"
#include "core/base/job_control.h"
#include "core/base/si_text.h"
#include "core/import/byte_source.h"
#include "core/ncu/read_ncu.h"
#include "core/output/text_sink.h"
#include "core/output/text_table.h"
#include "core/view/short_name.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/plot/plot_output.h"
#include "widgets/plot/roofline_plot.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

namespace lacuna::ui {

namespace {

class RooflineVerb final : public Verb {
public:
    const char* name() const override { return "roofline"; }
    const char* summary() const override { return "Roofline of an Nsight Compute file, SVG or PNG"; }

    void declare(CLI::App& options) override {
        options.add_option("--ncu", m_ncu, "Nsight Compute file: .ncu-rep, or a page of ncu --csv")
            ->type_name("FILE")
            ->required();
        options.add_option("-o", m_output, "Picture to write, .svg or .png")
            ->type_name("OUT")
            ->required()
            ->check(CLI::Validator(
                [](const std::string& text) {
                    return text.ends_with(".svg") || text.ends_with(".png")
                               ? std::string()
                               : "the name of the picture must end in .svg or .png";
                },
                ""));
        options.add_option("--precision", m_precision, "FP64, FP32, FP16, ... (that of most kernels)")
            ->type_name("NAME");
        auto* theme = options.add_option("--theme", m_theme, "light, dark, print (default light)");
        acceptOnly(*theme->type_name("NAME"), {"light", "dark", "print"});
    }

    int run(JobControl& job) override {
        auto read = readFile(job);
        if (!read)
            return reportInputError(Input(m_ncu), read.error());
        const NcuFile& file = **read;
        const Roofline roofline = rooflineOf(file);
        const std::string precision = m_precision.empty() ? mainPrecision(roofline) : m_precision;
        if (std::find(roofline.precisions.begin(), roofline.precisions.end(), precision) ==
            roofline.precisions.end())
            return noPoints(roofline, precision);
        if (const Status written = writePicture(file, roofline, precision); !written) {
            printError(m_output, written.error());
            return kExitNotWritten;
        }
        FileSink out(stdout);
        writeTable(file, roofline, precision, out);
        const int code = finishOutput(out);
        if (code != kExitDone || !file.report.isPartial())
            return code;
        std::fprintf(stderr, "lacuna: %s: only a part of the file could be read; results are of that part\n",
                     file.fileName.c_str());
        return kExitPartly;
    }

private:
    Result<std::shared_ptr<const NcuFile>> readFile(JobControl& job) const {
        const ProgressLine progress(shownName(m_ncu), job);
        return readNcu(m_ncu, job);
    }

    int noPoints(const Roofline& roofline, const std::string& precision) const {
        Error error{Errc::Unsupported,
                    "No kernel of the file has what a roofline needs.",
                    {},
                    "Collect it with `ncu --set roofline` or `ncu --set full`."};
        if (roofline.points.empty() && !roofline.withoutWork.empty())
            error = {Errc::Unsupported, "No kernel of the file does floating-point work.", {}, {}};
        if (!roofline.points.empty()) {
            std::string has;
            for (const std::string& one : roofline.precisions)
                has.append(has.empty() ? "" : ", ").append(one);
            std::fprintf(stderr, "lacuna roofline: --precision: no kernel does %s work; there is %s\n",
                         precision.c_str(), has.c_str());
            return kExitUsage;
        }
        return reportInputError(Input(m_ncu), error);
    }

    Status writePicture(const NcuFile& file, const Roofline& roofline, const std::string& precision) const {
        const OffscreenApplication application;
        const FigureFonts fonts = FigureFonts::load();
        RooflinePlotInput input;
        input.file = &file;
        input.roofline = &roofline;
        input.precision = precision;
        input.theme = m_theme == "dark" ? Theme::Dark : m_theme == "print" ? Theme::Print : Theme::Light;
        const PlotScene scene = rooflineScene(input, fonts);
        constexpr double kScale = 2;
        const UnfinishedOutput unfinished(m_output);
        return writeBytes(m_output.ends_with(".png") ? plotPng(scene, fonts, kScale) : plotSvg(scene, fonts),
                          QString::fromStdString(m_output));
    }

    static void writeTable(const NcuFile& file, const Roofline& roofline, const std::string& precision,
                           TextSink& out) {
        TextTable table({{"#", true},
                         {"kernel", false, true},
                         {"level"},
                         {"FLOP/byte", true},
                         {"FLOP/s", true},
                         {"attainable", true},
                         {"roof"},
                         {"headroom", true}});
        std::size_t number = 0;
        for (const RoofLevel level : {RoofLevel::Dram, RoofLevel::L2, RoofLevel::L1})
            for (const RooflinePoint& point : byHeadroom(roofline, precision, level))
                table.add({std::to_string(++number),
                           shortNames(file.nameOf(file.kernels[point.kernel]), EventKind::Kernel).front(),
                           std::string(roofLevelName(level)), threeDigits(point.flopPerByte),
                           siText(point.flopPerSecond, "FLOP/s"), siText(point.attainable(), "FLOP/s"),
                           point.isMemoryRoof() ? std::string(roofLevelName(level)) : precision,
                           threeDigits(point.headroom()) + "x"});
        out.write("Roofline, " + precision + ", most headroom first at each memory level\n");
        table.write(out, terminalWidth(), 2);
        if (!roofline.withoutWork.empty())
            out.write("  " + std::to_string(roofline.withoutWork.size()) +
                      " kernels do no floating-point work and have no point.\n");
        if (!roofline.withoutMetrics.empty())
            out.write("  " + std::to_string(roofline.withoutMetrics.size()) +
                      " kernels lack the metrics of a roofline (collect with ncu --set roofline).\n");
    }

    std::string m_ncu, m_output, m_precision, m_theme;
};

} // namespace

std::unique_ptr<Verb> makeRooflineVerb() {
    return std::make_unique<RooflineVerb>();
}

} // namespace lacuna::ui
