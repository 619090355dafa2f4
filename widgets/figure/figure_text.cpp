#include "widgets/figure/figure_text.h"

#include "core/analysis/steps.h"
#include "core/base/text_format.h"
#include "widgets/text.h"

#include <QStringList>

#include <algorithm>
#include <string_view>

namespace lacuna::ui {

namespace {

QString separator() {
    return QStringLiteral("  %1  ").arg(QChar(0xb7));
}

// CUDA versions are coded 1000 * major + 10 * minor.
QString cudaVersion(std::string_view value) {
    bool isNumber = false;
    const int coded = text(value).toInt(&isNumber);
    return isNumber && coded >= 1000 ? QStringLiteral("%1.%2").arg(coded / 1000).arg(coded % 1000 / 10)
                                     : text(value);
}

std::string_view metadata(const Trace& trace, std::string_view key) {
    for (const auto& [name, value] : trace.facts().metadata)
        if (name == key)
            return value;
    return {};
}

// "driver and runtime CUDA 13.0", or each with its own version.
QString versions(const Trace& trace) {
    const QString driver = cudaVersion(metadata(trace, "cuda_driver_version"));
    const QString runtime = cudaVersion(metadata(trace, "cuda_runtime_version"));
    if (!driver.isEmpty() && driver == runtime)
        return QStringLiteral("driver and runtime CUDA ") + driver;
    QStringList parts;
    if (!driver.isEmpty())
        parts << QStringLiteral("driver CUDA ") + driver;
    if (!runtime.isEmpty())
        parts << QStringLiteral("runtime CUDA ") + runtime;
    return parts.join(QStringLiteral(", "));
}

// Names of the devices that did work, each once: "NVIDIA H200", "2 x NVIDIA H200".
QString deviceNames(const Trace& trace) {
    std::vector<bool> worked(trace.devices().size(), false);
    for (const Lane& lane : trace.lanes())
        if (lane.kind == LaneKind::GpuStream && lane.device)
            worked[lane.device.v] = true;
    std::vector<std::pair<std::string_view, int>> names;
    for (std::size_t i = 0; i < worked.size(); ++i) {
        const std::string_view name = trace.devices()[i].name;
        if (!worked[i] || name.empty())
            continue;
        const auto at =
            std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == name; });
        if (at == names.end())
            names.emplace_back(name, 1);
        else
            ++at->second;
    }
    QStringList parts;
    for (const auto& [name, count] : names)
        parts << (count > 1 ? QStringLiteral("%1 %2 ").arg(count).arg(QChar(0xd7)) : QString()) + text(name);
    return parts.join(QStringLiteral(", "));
}

// "4.500 – 8.900 ms", both in the unit of the larger.
QString rangeText(TimeRange range) {
    const std::int64_t begin = range.begin.v < 0 ? -range.begin.v : range.begin.v;
    const std::int64_t end = range.end.v < 0 ? -range.end.v : range.end.v;
    const TimeUnit unit = unitFor({std::max(begin, end)});
    const int decimals = unit == TimeUnit::Ns ? 0 : 3;
    return QStringLiteral("%1 %2 %3 %4")
        .arg(text(formatIn({range.begin.v}, unit, decimals)), QString(QChar(0x2013)),
             text(formatIn({range.end.v}, unit, decimals)), text(unitName(unit)));
}

// The device whose gap or work the figure is about: that of the gap, else the first with gaps.
DeviceId subject(const FigureInput& input) {
    if (input.gaps == nullptr)
        return {};
    if (input.gap)
        return input.gaps->gap(input.gap).device;
    for (std::uint32_t i = 0; i < input.trace->devices().size(); ++i)
        if (!input.gaps->gapsOf(DeviceId{i}).empty())
            return DeviceId{i};
    return {};
}

QString deviceTitle(const Trace& trace, DeviceId device) {
    return QStringLiteral("GPU ") + QString::number(trace.devices()[device.v].ordinal);
}

QString gapTitle(const FigureInput& input) {
    const Gap& gap = input.gaps->gap(input.gap);
    const GapClass cls = classOf(gap.cause);
    const QString idle = QStringLiteral("%1 idle for %2")
                             .arg(deviceTitle(*input.trace, gap.device), text(formatDuration(gap.length())));
    return cls == GapClass::Unknown ? idle + QStringLiteral(", cause unknown")
                                    : QStringLiteral("%1: %2").arg(idle, text(classTitle(cls)));
}

} // namespace

QString defaultFigureTitle(const FigureInput& input) {
    if (input.gaps != nullptr && input.gap)
        return gapTitle(input);
    return shownFileName(input);
}

QString defaultFigureSubtitle(const FigureInput& input) {
    if (input.gaps != nullptr && input.gap)
        return text(input.gaps->explain(input.gaps->gap(input.gap)).verdict);
    QStringList parts;
    if (const DeviceId device = subject(input)) {
        const GapTotals totals = input.gaps->totals(device);
        const std::int64_t window = input.gaps->deviceWindow(device).length().v;
        if (window > 0)
            parts << QStringLiteral("%1 busy %2 of %3")
                         .arg(deviceTitle(*input.trace, device),
                              text(formatPercent(static_cast<double>(totals.busyNs) /
                                                 static_cast<double>(window))),
                              text(formatDuration({window})));
    }
    if (const std::int64_t medianNs =
            input.steps.medianNs > 0 ? input.steps.medianNs : findSteps(*input.trace).medianNs;
        medianNs > 0)
        parts << QStringLiteral("step median ") + text(formatDuration({medianNs}));
    if (parts.isEmpty())
        return {};
    QString sentence = parts.join(QStringLiteral(", ")) + QLatin1Char('.');
    sentence[0] = sentence[0].toUpper();
    return sentence;
}

QString figureTitle(const FigureInput& input, const HiddenNames& hidden) {
    return hidden.in(input.title.isEmpty() ? defaultFigureTitle(input) : input.title);
}

QString figureSubtitle(const FigureInput& input, const HiddenNames& hidden) {
    if (!input.subtitle.isEmpty())
        return hidden.in(input.subtitle);
    const QString own = defaultFigureSubtitle(input);
    return input.gaps != nullptr && input.gap ? hidden.in(own) : hidden.inOurs(own);
}

QString shownFileName(const FigureInput& input) {
    return input.hideUserNames ? QStringLiteral("Trace") : text(input.trace->facts().fileName);
}

QString shownTimeText(const FigureInput& input) {
    return QStringLiteral("%1 of %2 since trace start")
        .arg(rangeText(input.range), text(formatDuration(input.trace->window().length())));
}

std::vector<QString> provenanceLines(const FigureInput& input) {
    const Trace& trace = *input.trace;
    QStringList first;
    if (!input.hideUserNames)
        first << shownFileName(input);
    if (!input.sha256.isEmpty())
        first << QStringLiteral("sha256 ") + input.sha256.first(std::min<qsizetype>(12, input.sha256.size()));
    for (const QString& part : {deviceNames(trace), versions(trace)})
        if (!part.isEmpty())
            first << part;
    QStringList second{shownTimeText(input),
                       text(formatCount(trace.events().size())) + QStringLiteral(" events")};
    if (!input.steps.text.empty())
        second << text(input.steps.text);
    if (!trace.facts().writer.empty())
        second << text(trace.facts().writer);
    if (trace.facts().pythonRecorded)
        second << QStringLiteral("host times include the profiler with stacks");
    if (trace.report().isPartial())
        second << QStringLiteral("file only partly read");
    return {first.join(separator()), second.join(separator())};
}

} // namespace lacuna::ui
