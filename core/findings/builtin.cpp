#include "core/findings/builtin.h"

#include <algorithm>
#include <array>

namespace lacuna {

namespace {

constexpr std::array kFindings = {
    // The order matters: what keeps the GPU from working comes before how well it works.
    FindingSpec{"gaps", "Gaps between kernels", findings::gapsBetweenWork, true},
    FindingSpec{"long_waits", "Long waits of the host", findings::longWaits, true},
    FindingSpec{"copies_in_loop", "Copies in the loop", findings::copiesInLoop, true},
    FindingSpec{"serialised_streams", "Serialised streams", findings::serialisedStreams, true},
    FindingSpec{"dominating_kernel", "One kernel dominates", findings::dominatingKernel, true},
    FindingSpec{"tiny_kernels", "Many tiny kernels", findings::tinyKernels, true},
    // In any order.
    FindingSpec{"limiter", "What limits the run", findings::limiter},
    FindingSpec{"launch_bound", "Launch-bound", findings::launchBound},
    FindingSpec{"input_bound", "Input-bound", findings::inputBound},
    FindingSpec{"kernel_classes", "Simple kernels take long", findings::kernelClasses},
    FindingSpec{"conversions", "Layout and dtype conversions", findings::conversions},
    FindingSpec{"waits_in_loop", "Sync inside the measured loop", findings::waitsInLoop},
    FindingSpec{"allocations", "Allocation in steady state", findings::allocations},
    FindingSpec{"no_warm_up", "No warm-up before the recording", findings::noWarmUp},
    FindingSpec{"benchmark_hygiene", "Benchmark hygiene", findings::benchmarkHygiene},
    FindingSpec{"annotation_health", "Annotation health", findings::annotationHealth},
    FindingSpec{"unusual_steps", "Unusual steps", findings::unusualSteps},
    FindingSpec{"drift", "Durations drift", findings::drift},
    FindingSpec{"memory_growth", "Memory grows", findings::memoryGrowth},
    FindingSpec{"left_out", "Left out", findings::leftOut},
};

// Found ones by what they are about, then unknown, clear and notes.
int placeOf(FindingState state) {
    switch (state) {
    case FindingState::Found:
        return 0;
    case FindingState::Unknown:
        return 1;
    case FindingState::Clear:
        return 2;
    case FindingState::Note:
        break;
    }
    return 3;
}

} // namespace

std::string_view stateName(FindingState state) {
    switch (state) {
    case FindingState::Found:
        return "found";
    case FindingState::Clear:
        return "clear";
    case FindingState::Unknown:
        return "unknown";
    case FindingState::Note:
        break;
    }
    return "note";
}

std::span<const FindingSpec> builtinFindings() {
    return kFindings;
}

Result<std::vector<Finding>> findAll(const FindingContext& context, JobControl& job) {
    std::vector<Finding> found;
    found.reserve(kFindings.size());
    for (const FindingSpec& spec : kFindings) {
        Finding finding = spec.look(context, job);
        if (job.cancelled())
            return cancelledError();
        finding.code = spec.code;
        finding.title = spec.title;
        finding.isLookFor = spec.isLookFor;
        found.push_back(std::move(finding));
    }
    const auto firstOther =
        std::find_if(found.begin(), found.end(), [](const Finding& f) { return !f.isLookFor; });
    std::stable_sort(firstOther, found.end(), [](const Finding& a, const Finding& b) {
        if (placeOf(a.state) != placeOf(b.state))
            return placeOf(a.state) < placeOf(b.state);
        return a.state == FindingState::Found && a.costNs > b.costNs;
    });
    return found;
}

} // namespace lacuna
