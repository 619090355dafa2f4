// windows: the same figures for several windows of the trace beside one another, with their spread, so that
// one lucky or unlucky stretch is not taken for the run. Windows are groups of measured steps, else equal
// parts of the time in which the device worked (within the range that is given).

#include "core/analysis/device_busy.h"
#include "core/report/builtin.h"
#include "core/report/copy_names.h"
#include "core/report/report_rows.h"
#include "core/report/report_settings.h"
#include "core/report/selected_devices.h"
#include "core/report/step_values.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

namespace lacuna::reports {

namespace {

constexpr std::size_t kMostWindows = 8, kEqualParts = 4;

enum WindowFigure : std::size_t {
    WindowLength,
    WindowBusy,
    WindowIdle,
    WindowKernelTime,
    WindowExposedComm,
    WindowExposedCopy,
    WindowKernels,
    WindowCopies,
    WindowBytes,
    WindowLaunches,
    WindowFigures
};
constexpr std::array<std::pair<std::string_view, std::string_view>, WindowFigures> kFigureNames{{
    {"Duration", "ns"},
    {"GPU busy", "ns"},
    {"GPU idle", "ns"},
    {"Kernel time (sum)", "ns"},
    {"Exposed communication", "ns"},
    {"Exposed copies", "ns"},
    {"Kernels", "count"},
    {"Copies and sets", "count"},
    {"Bytes copied and set", "bytes"},
    {"Launching calls", "count"},
}};

struct ComparedWindow {
    TimeRange range;
    std::string title;
    std::array<std::int64_t, WindowFigures> figures{};
    std::int64_t untold = 0; // copies and sets without a number of bytes
};

std::vector<ComparedWindow> windowsOfSteps(const Trace& trace, const StepTimes& times) {
    const auto steps = times.measured();
    const std::size_t first = times.steps.size() - steps.size();
    const std::size_t count = std::min(steps.size(), kMostWindows);
    std::vector<ComparedWindow> windows;
    for (std::size_t w = 0; w < count; ++w) {
        const std::size_t begin = w * steps.size() / count, end = (w + 1) * steps.size() / count;
        ComparedWindow window;
        window.range = {steps[begin].range.begin, steps[end - 1].range.end};
        window.title = stepTitle(trace, times, first + begin);
        if (end - begin > 1)
            window.title += " to " + stepTitle(trace, times, first + end - 1);
        windows.push_back(std::move(window));
    }
    return windows;
}

std::vector<ComparedWindow> equalWindows(TimeRange whole) {
    std::vector<ComparedWindow> windows;
    const auto edge = [&](std::size_t k) {
        return whole.begin + DurationNs{whole.length().v / static_cast<std::int64_t>(kEqualParts) *
                                        static_cast<std::int64_t>(k)};
    };
    for (std::size_t k = 0; k < kEqualParts && !whole.isEmpty(); ++k)
        windows.push_back({{edge(k), k + 1 == kEqualParts ? whole.end : edge(k + 1)},
                           "part " + std::to_string(k + 1) + " of " + std::to_string(kEqualParts),
                           {}});
    return windows;
}

// What starts in a window counts in it.
bool countRows(const ReportInput& input, std::vector<ComparedWindow>& windows, JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    ReportInput all = input;
    all.options.range.reset();
    return forEachRow(all, kGpuKinds | kApiKinds, job, [&](EventId e, const Lane&) {
        const auto at = std::find_if(windows.begin(), windows.end(), [&](const ComparedWindow& window) {
            return window.range.contains({events.beginNs[e.v]});
        });
        if (at == windows.end())
            return;
        if ((kindBit(events.kind[e.v]) & kApiKinds) != 0) {
            at->figures[WindowLaunches] +=
                trace.correlations().deviceOps(events.correlation[e.v]).empty() ? 0 : 1;
        } else if (events.kind[e.v] == EventKind::Kernel) {
            ++at->figures[WindowKernels];
            at->figures[WindowKernelTime] += events.duration(e).v;
        } else {
            ++at->figures[WindowCopies];
            if (const auto bytes = toldBytes(trace.hotArgs().copies.find(e)))
                at->figures[WindowBytes] = saturatingAdd(at->figures[WindowBytes], *bytes);
            else
                ++at->untold;
        }
    });
}

std::int64_t untoldOf(const std::vector<ComparedWindow>& windows) {
    return std::accumulate(
        windows.begin(), windows.end(), std::int64_t{0},
        [](std::int64_t sum, const ComparedWindow& window) { return sum + window.untold; });
}

void addFigure(ReportTable& table, const std::vector<ComparedWindow>& windows, std::size_t figure) {
    std::vector<std::int64_t> values;
    ReportTable::Row row = table.addRow();
    row.text(kFigureNames[figure].first).text(kFigureNames[figure].second);
    if (figure == WindowBytes && untoldOf(windows) != 0) {
        for (std::size_t cell = 0; cell < windows.size() + 3; ++cell)
            row.empty();
        return;
    }
    for (const ComparedWindow& window : windows) {
        row.integer(window.figures[figure]);
        values.push_back(window.figures[figure]);
    }
    std::sort(values.begin(), values.end());
    const std::int64_t middle =
        (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2; // of two, rounded down
    const std::int64_t spread = values.back() - values.front();
    row.integer(middle).integer(spread);
    if (middle == 0)
        row.empty();
    else
        row.decimal(100.0 * static_cast<double>(spread) / static_cast<double>(middle));
}

} // namespace

Result<ReportTable> windows(const ReportInput& input, JobControl& job) {
    const auto devices = selectedDevices(input);
    auto times = stepTimes(input.trace, devices, settingsOf(input), job);
    if (!times)
        return times.error();
    if (input.options.range)
        keepStepsOf(*times, *input.options.range);
    std::vector<DeviceBusy> busy;
    std::optional<TimeRange> worked;
    for (const DeviceId device : devices) {
        busy.push_back(deviceBusy(input.trace, device, job));
        if (job.cancelled())
            return cancelledError();
        if (const TimeRange span = busy.back().span; busy.back().ops != 0)
            worked = worked ? TimeRange{std::min(worked->begin, span.begin), std::max(worked->end, span.end)}
                            : span;
    }
    const bool areSteps = !times->measured().empty();
    std::vector<ComparedWindow> windows =
        areSteps ? windowsOfSteps(input.trace, *times)
                 : equalWindows(intersection(worked.value_or(TimeRange{}),
                                             input.options.range.value_or(worked.value_or(TimeRange{}))));
    if (!countRows(input, windows, job))
        return cancelledError();
    for (ComparedWindow& window : windows)
        for (const DeviceBusy& device : busy) {
            if (device.ops == 0)
                continue;
            const DeviceBusy part = busyWithin(device, window.range, job);
            if (job.cancelled())
                return cancelledError();
            window.figures[WindowBusy] += part.busyNs;
            window.figures[WindowIdle] += window.range.length().v - part.busyNs;
            window.figures[WindowExposedComm] += part.exposedCommunicationNs();
            window.figures[WindowExposedCopy] += part.exposedCopyNs();
        }
    std::vector<ReportColumn> columns = {textColumn("Figure"), textColumn("Unit")};
    for (std::size_t w = 0; w < windows.size(); ++w) {
        columns.push_back(integerColumn("Window " + std::to_string(w + 1)));
        windows[w].figures[WindowLength] = windows[w].range.length().v;
    }
    for (ReportColumn column :
         {integerColumn("Median"), integerColumn("Spread"), decimalColumn("Spread (% of median)", 1)})
        columns.push_back(std::move(column));
    ReportTable table(std::move(columns));
    if (windows.empty()) {
        table.addNote("The trace has no device work to compare.");
        return table;
    }
    for (std::size_t figure = 0; figure < WindowFigures; ++figure)
        addFigure(table, windows, figure);
    std::string bounds;
    for (std::size_t w = 0; w < windows.size(); ++w)
        bounds += (w == 0 ? "Window " : "; ") + std::to_string(w + 1) + ": " + windows[w].title + ", " +
                  std::to_string(windows[w].range.begin.v) + " to " + std::to_string(windows[w].range.end.v) +
                  " ns";
    table.addNote(bounds + ".");
    if (std::string note = untoldBytesNote(untoldOf(windows)); !note.empty())
        table.addNote(std::move(note));
    table.addNote(
        std::string(areSteps ? "Measured steps in at most eight windows"
                             : "No steps: four equal parts of the time") +
        ". Spread: largest less smallest. Rows count in the window in which they start; busy and idle "
        "time is cut at its edges" +
        (devices.size() > 1 ? ", of all devices together." : "."));
    return table;
}

} // namespace lacuna::reports
