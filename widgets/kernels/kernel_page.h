#pragma once
// The page of one kernel, after mock/kernel_panel.png: figures, plots, work, and what Nsight Compute says.
// Built from results and thrown away when anything changes.

#include "widgets/kernels/kernel_study.h"
#include "widgets/theme/theme_palette.h"

#include <QString>

#include <functional>
#include <optional>

class QWidget;

namespace lacuna::ui {

struct KernelPageInput {
    const KernelStudy& study;
    const ThemePalette& palette;
    std::optional<std::size_t> bundle; // of the study's facts; none: only the profiled launch is shown
    EventId instance;                  // the launch that is selected in the timeline, if it is one of them
    std::optional<std::size_t> launch; // of the study's Nsight Compute file
    std::function<void()> showCalls;
    std::function<void(const QString& text)> copy;
    std::function<void(std::size_t launch)> chooseLaunch;
    std::function<void()> openNcu;
    std::function<void(std::size_t bundle)> chooseKernel;
    bool hasDocument = true;
};

QWidget* makeKernelPage(const KernelPageInput& input);

class InspectorPage;
// What to do where no kernel is chosen: the largest ones to choose from (kernel_choice.cpp).
void addKernelChoice(InspectorPage& page, const KernelPageInput& input);
// The part of Nsight Compute, or the commands that collect it (kernel_page_ncu.cpp).
void addNcuPart(InspectorPage& page, const KernelPageInput& input);

// "0 % as reported; can be a limit of the capture" (features.md C76).
QString reportedOccupancyText(double percent);

} // namespace lacuna::ui
