#include "widgets/panels/annotations_panel.h"
#include "widgets/panels/memory_panel.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/steps_panel.h"

namespace lacuna::ui {

std::span<const PanelEntry> builtinPanels() {
    static constexpr PanelEntry kPanels[] = {
        {"inspector", PanelHome::Side, makeInspectorPanel},
        {"gaps", PanelHome::Bottom, makeGapsPanel},
        {"kernels", PanelHome::Bottom, makeKernelsPanel},
        {"steps", PanelHome::Bottom, makeStepsPanel},
        {"annotations", PanelHome::Bottom, makeAnnotationsPanel},
        {"reports", PanelHome::Bottom, makeReportsPanel},
        {"search", PanelHome::Bottom, makeSearchPanel},
        {"flame", PanelHome::Bottom, makeFlamePanel},
        {"memory", PanelHome::Bottom, makeMemoryPanel},
    };
    return kPanels;
}

} // namespace lacuna::ui
