#include "core/findings/time_shares.h"

#include "core/analysis/device_part.h"
#include "core/analysis/device_states.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

TimeShare shareOfCause(GapCause cause) {
    switch (cause) {
    case GapCause::LaunchBound:
    case GapCause::SlowLaunchCall:
    case GapCause::GraphLaunch:
    case GapCause::GraphUpload:
    case GapCause::LaunchLatency:
    case GapCause::DriverLock:
    case GapCause::HostWork:
    case GapCause::HostUnrecorded:
    case GapCause::HostBlockedOther:
    case GapCause::OsWait:
    case GapCause::Gc:
        return TimeShare::Launch;
    case GapCause::SyncDrain:
        return TimeShare::Wait;
    case GapCause::PageableCopy:
        return TimeShare::Copy;
    case GapCause::DataLoading:
        return TimeShare::Input;
    case GapCause::Allocation:
        return TimeShare::Allocation;
    case GapCause::StreamDependency:
    case GapCause::InsideOneLaunch:
    case GapCause::HostCallback:
    case GapCause::OtherStreamRunning:
        return TimeShare::Device;
    case GapCause::ModuleLoad:
    case GapCause::Compile:
    case GapCause::ProfilerArtifact:
    case GapCause::EdgeStart:
    case GapCause::EdgeEnd:
        return TimeShare::StartUp;
    case GapCause::LaunchNotRecorded:
    case GapCause::QueuedBeforeCapture:
    case GapCause::PossiblyUnrecordedWork:
    case GapCause::DeviceUnexplained:
        break;
    }
    return TimeShare::Unknown;
}

bool isDrainedByCopy(const FindingContext& context, const Gap& gap) {
    if (!gap.drainedBy)
        return false;
    if (gaps::apiFamily(context.trace.nameOf(gap.drainedBy)) == gaps::ApiFamily::Copy)
        return true;
    return hostSiteOf(context, gap.drainedBy).op == "aten::copy_"; // PyTorch: a copy, then a wait
}

void addGap(const FindingContext& context, GapId id, TimeRange part, TimeShares& shares,
            std::array<std::int64_t, kTimeShares>& longest) {
    const Gap& gap = context.gapAnalysis->gap(id);
    const auto add = [&](TimeShare share, std::int64_t ns) {
        shares.ns[static_cast<std::size_t>(share)] += ns;
    };
    const auto remember = [&](TimeShare share, std::int64_t ns, GapId& into) {
        std::int64_t& most = longest[static_cast<std::size_t>(share)];
        if (ns > most) {
            most = ns;
            into = id;
        }
    };
    if (context.phases.of(PhaseKind::Data).measureIn(part).v > part.length().v / 2) {
        add(TimeShare::Input, part.length().v);
        remember(TimeShare::Input, part.length().v, shares.longestInput);
        return;
    }
    std::int64_t launchNs = 0;
    for (const GapPart& one : context.gapAnalysis->partsWithin(gap, part)) {
        TimeShare share = shareOfCause(one.cause);
        if (share == TimeShare::Wait && isDrainedByCopy(context, gap))
            share = TimeShare::Copy;
        add(share, one.ns);
        launchNs += share == TimeShare::Launch ? one.ns : 0;
        if (share == TimeShare::Input)
            remember(share, one.ns, shares.longestInput);
    }
    remember(TimeShare::Launch, launchNs, shares.longestLaunch);
}

} // namespace

std::string_view timeShareTitle(TimeShare share) {
    switch (share) {
    case TimeShare::Compute:
        return "compute";
    case TimeShare::Communication:
        return "exposed communication";
    case TimeShare::Copy:
        return "copies";
    case TimeShare::Input:
        return "data loading";
    case TimeShare::Launch:
        return "late launches";
    case TimeShare::Wait:
        return "waits of the host";
    case TimeShare::Allocation:
        return "allocation";
    case TimeShare::Device:
        return "order of work on the device";
    case TimeShare::StartUp:
        return "start-up and profiler";
    case TimeShare::Unknown:
        break;
    }
    return "unknown";
}

TimeShares timeShares(const FindingContext& context, JobControl& job) {
    TimeShares shares;
    std::array<std::int64_t, kTimeShares> longest{};
    for (const DeviceBusy& device : context.busy) {
        const TimeRange window = context.windowOf(device);
        if (window.isEmpty())
            continue;
        shares.whole += window.length().v;
        const auto states = statesWithin(device, window, job);
        for (unsigned mask = 1; mask < states.size(); ++mask) {
            const DevicePart part = devicePart(mask);
            const TimeShare share = part == DevicePart::Kernels         ? TimeShare::Compute
                                    : part == DevicePart::Communication ? TimeShare::Communication
                                                                        : TimeShare::Copy;
            shares.ns[static_cast<std::size_t>(share)] += states[mask];
        }
        const std::uint32_t first = context.gapAnalysis->firstGapOf(device.device).v;
        const auto gaps = context.gapAnalysis->gapsOf(device.device);
        for (std::uint32_t g = 0; g < gaps.size() && !job.cancelled(); ++g)
            if (const TimeRange part = intersection(gaps[g].range, window); !part.isEmpty())
                addGap(context, {first + g}, part, shares, longest);
    }
    return shares;
}

} // namespace lacuna::findings
