#include "widgets/figure/render_verb.h"

#include "core/analysis/steps.h"
#include "core/base/text_format.h"
#include "core/cache/cached_load_as.h"
#include "core/cache/index_cache.h"
#include "core/document/live_notes.h"
#include "widgets/figure/contact_sheet.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/figure/figure_view.h"
#include "widgets/figure/figure_workspace.h"

#include <QGuiApplication>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>

namespace lacuna::ui {

namespace {

enum Exit : int { kDone = 0, kUsage = 2, kUnreadable = 3, kPartly = 4, kNotWritten = 5, kInterrupted = 130 };

struct Failure {
    int code;
    std::string text;
};

std::string worded(const Error& error) {
    std::string text = error.detail;
    if (!error.place.empty())
        text += " (" + error.place + ")";
    return error.remedy.empty() ? text : text + "\n" + error.remedy;
}

std::optional<QSize> parseSize(const std::string& text) {
    int width = 0, height = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != 'x')
        return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, height);
    if (second.ec != std::errc{} || second.ptr != end || width <= 0 || height <= 0)
        return std::nullopt;
    return QSize(width, height);
}

// Chooses the time to show; a message when the options ask for what is not there.
std::optional<Failure> chooseView(const RenderOptions& options, FigureInput& input) {
    const Trace& trace = *input.trace;
    input.range = trace.window();
    if (!options.range.empty()) {
        const auto range = parseRange(options.range);
        if (!range)
            return Failure{kUsage, "--range: \"" + options.range + "\" is not a range of times A..B."};
        input.range = *range;
    } else if (options.gap > 0) {
        const auto ranked = input.gaps->byRank();
        if (static_cast<std::size_t>(options.gap) > ranked.size())
            return Failure{kUsage, "--gap: there are " + std::to_string(ranked.size()) + " gaps."};
        input.gap = ranked[static_cast<std::size_t>(options.gap) - 1];
        input.range = viewOfGap(trace, input.gaps->gap(input.gap));
    } else if (options.step > 0) {
        const Steps steps = findSteps(trace);
        if (static_cast<std::size_t>(options.step) > steps.events.size())
            return Failure{kUsage, "--step: there are " + std::to_string(steps.events.size()) + " steps."};
        input.range = trace.events().range(steps.events[static_cast<std::size_t>(options.step) - 1]);
    }
    if (input.range.isEmpty()) // a trace of marks only
        input.range.end = input.range.begin + DurationNs{1'000};
    return std::nullopt;
}

std::optional<Failure> readOptions(const RenderOptions& options, FigureInput& input) {
    const auto format = figureFormatOf(QString::fromStdString(options.output));
    if (!format)
        return Failure{kUsage, "-o: the name of the picture must end in .png, .svg or .pdf."};
    if (options.sheet && format != FigureFormat::Png)
        return Failure{kUsage, "-o: several pictures in one are a PNG: the name must end in .png."};
    const auto size = parseSize(options.size);
    if (!size)
        return Failure{kUsage, "--size: \"" + options.size + "\" is not WIDTHxHEIGHT."};
    input.size = *size;
    input.scale = options.scale;
    if (options.theme == "dark")
        input.theme = Theme::Dark;
    else if (options.theme == "print")
        input.theme = Theme::Print;
    else if (options.theme != "light")
        return Failure{kUsage, "--theme: choose light, dark or print."};
    FigureInput probe = input; // size and scale, before a long load
    probe.range = {{0}, {1}};
    if (const Status checked = checkFigure(probe); !checked)
        return Failure{kUsage, worded(checked.error())};
    return std::nullopt;
}

// Painting needs a QGuiApplication, never a display: the offscreen platform, unless a program is running.
struct OffscreenApplication {
    char name[7] = "lacuna";
    char* argv[2] = {name, nullptr};
    int argc = 1;
    QGuiApplication application{argc, argv};
};

std::unique_ptr<OffscreenApplication> applicationIfNone() {
    if (QCoreApplication::instance() != nullptr)
        return nullptr;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return std::make_unique<OffscreenApplication>();
}

Failure inputFailure(const Error& error) {
    return {error.code == Errc::Cancelled ? kInterrupted : kUnreadable, worded(error)};
}

// The view and the callouts of a workspace; what the command line asks for goes before.
std::optional<Failure> useWorkspace(const RenderOptions& options, const Workspace& workspace,
                                    FigureInput& input, AnnotationSet& annotations) {
    if (!workspace.trace.sha256.empty() && workspace.trace.sha256 != input.sha256.toStdString())
        return Failure{kUnreadable,
                       options.workspace + " was made on another trace, " + workspace.trace.name + "."};
    const FigureInput asked = input;
    applyWorkspace(workspace, input);
    if (!options.range.empty() || options.gap > 0 || options.step > 0) {
        input.range = asked.range;
        input.gap = asked.gap;
    }
    annotations = workspace.annotations();
    if (input.gaps != nullptr)
        renewLiveNotes(annotations, *input.trace, *input.gaps);
    input.annotations = &annotations;
    return std::nullopt;
}

Result<Workspace> readWorkspace(const std::string& file) {
    if (file.empty())
        return Workspace{};
    const auto held = workspaceInPicture(QString::fromStdString(file));
    if (held)
        return Workspace::parse(*held);
    return held.error().code == Errc::NotRecognised ? Workspace::read(file) : Result<Workspace>(held.error());
}

std::optional<Failure> render(const RenderOptions& options, JobControl& job, bool& partly) {
    FigureInput input;
    if (auto failure = readOptions(options, input))
        return failure;
    const auto workspace = readWorkspace(options.workspace);
    if (!workspace)
        return Failure{kUnreadable, options.workspace + ": " + worded(workspace.error())};
    AnnotationSet annotations;
    LoadOptions loading;
    loading.cacheFolder = defaultCacheFolder();
    loading.member = options.member;
    auto loaded = loadCachedAs(options.file, workspace->trace.readAs, job, loading);
    if (!loaded)
        return inputFailure(loaded.error());
    const auto gaps = GapAnalysis::run(loaded->trace, {}, job);
    if (!gaps)
        return inputFailure(gaps.error());
    input.trace = loaded->trace.get();
    input.gaps = gaps->get();
    partly = input.trace->report().isPartial();
    if (auto failure = chooseView(options, input))
        return failure;
    const auto hash = sha256OfFile(options.file, job);
    if (!hash)
        return inputFailure(hash.error());
    input.sha256 = QString::fromStdString(*hash);
    if (!options.workspace.empty())
        if (auto failure = useWorkspace(options, *workspace, input, annotations))
            return failure;

    AnalysisSettings settings = options.settings;
    for (const auto& [key, value] : workspace->settings) {
        const Status known = changeSetting(settings, key, value); // of another version: left alone
        if (known)
            input.stepSettings.emplace(key, value);
    }
    auto steps = stepCaption(*loaded->trace, settings, job);
    if (!steps)
        return inputFailure(steps.error());
    input.steps = *std::move(steps);

    const auto application = applicationIfNone();
    const FigureFonts fonts = FigureFonts::load();
    if (!fonts.isComplete())
        return Failure{kNotWritten, "The bundled fonts could not be loaded."};
    const QString output = QString::fromStdString(options.output);
    const std::vector<GapId> sheet = options.sheet ? gapsOfSheet(**gaps) : std::vector<GapId>();
    if (options.sheet)
        if (const Status checked = checkSheet(input, sheet); !checked)
            return Failure{kUsage, worded(checked.error())};
    const auto bytes = options.sheet ? sheetBytes(paintSheet(input, sheet, fonts), input, sheet)
                                     : figureBytes(input, fonts, *figureFormatOf(output));
    if (!bytes)
        return Failure{kNotWritten, worded(bytes.error())};
    if (const Status written = writeBytes(*bytes, output); !written)
        return Failure{kNotWritten, options.output + ": " + worded(written.error())};
    return std::nullopt;
}

} // namespace

int renderVerb(const RenderOptions& options, std::string& messages) {
    JobControl own;
    bool partly = false;
    const auto failure = render(options, options.job != nullptr ? *options.job : own, partly);
    const auto say = [&messages](const std::string& text) { messages += "lacuna: " + text + "\n"; };
    if (failure) {
        if (failure->code != kInterrupted)
            say(failure->code == kUnreadable ? options.file + ": " + failure->text : failure->text);
        return failure->code;
    }
    if (partly)
        say(options.file + ": only a part of the file could be read; the picture shows that part.");
    return partly ? kPartly : kDone;
}

} // namespace lacuna::ui
