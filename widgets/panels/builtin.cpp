#include "widgets/panels/annotations_panel.h"
#include "widgets/panels/log_panel.h"
#include "widgets/panels/memory_panel.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/ranks_panel.h"
#include "widgets/panels/steps_panel.h"

#include <QtGlobal>

#include <array>

namespace lacuna::ui {

namespace {

using Names = std::string_view;
constexpr std::array kOperators{Names("ops"), Names("key_averages"), Names("expected_work"),
                                Names("compiled_code"), Names("event_sum")};
constexpr std::array kApi{Names("api"), Names("cuda_api_sum"), Names("launch_density"), Names("osrt_sum"),
                          Names("cuda_api_trace")};
constexpr std::array kCopies{Names("copies"), Names("cuda_gpu_mem_time_sum"), Names("cuda_gpu_mem_size_sum"),
                             Names("cuda_memcpy_async"), Names("cuda_memcpy_sync")};
constexpr std::array kPhases{Names("phases"), Names("nvtx_gpu_proj_sum"), Names("nvtx_sum"),
                             Names("nvtx_kern_sum")};
constexpr std::array kStreams{Names("streams"), Names("overlap"), Names("launch"), Names("collectives")};

constexpr ReportTab tab(const char* title, std::span<const Names> reports) {
    return {title, reports};
}

} // namespace

// In the order of their tabs: those that are always there, then those that come when they are opened.
std::span<const PanelEntry> builtinPanels() {
    static constexpr PanelEntry kPanels[] = {
        {"inspector", PanelHome::Side, makeInspectorPanel},
        {"gaps", PanelHome::Bottom, makeGapsPanel},
        {"operators", PanelHome::Bottom, nullptr,
         tab(QT_TRANSLATE_NOOP("ReportTabs", "Operators"), kOperators)},
        {"kernels", PanelHome::Bottom, makeKernelsPanel},
        {"api", PanelHome::Bottom, nullptr, tab(QT_TRANSLATE_NOOP("ReportTabs", "API"), kApi)},
        {"copies", PanelHome::Bottom, nullptr, tab(QT_TRANSLATE_NOOP("ReportTabs", "Copies"), kCopies)},
        {"phases", PanelHome::Bottom, nullptr, tab(QT_TRANSLATE_NOOP("ReportTabs", "Phases"), kPhases)},
        {"steps", PanelHome::Bottom, makeStepsPanel},
        {"memory", PanelHome::Bottom, makeMemoryPanel},
        {"streams", PanelHome::Bottom, nullptr, tab(QT_TRANSLATE_NOOP("ReportTabs", "Streams"), kStreams)},
        {"log", PanelHome::Bottom, makeLogPanel},
        {"ranks", PanelHome::Bottom, makeRanksPanel, {}, true},
        {"annotations", PanelHome::Bottom, makeAnnotationsPanel, {}, true},
        {"reports", PanelHome::Bottom, nullptr, tab(QT_TRANSLATE_NOOP("ReportTabs", "Reports"), {}), true},
        {"search", PanelHome::Bottom, makeSearchPanel, {}, true},
        {"flame", PanelHome::Bottom, makeFlamePanel, {}, true},
    };
    return kPanels;
}

} // namespace lacuna::ui
