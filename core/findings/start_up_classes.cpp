#include "core/findings/start_up_classes.h"

#include "core/analysis/host_lanes.h"
#include "core/base/ascii.h"
#include "core/trace/row_poll.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

struct StartUpWord {
    std::string_view word; // lower case, anywhere in the name
    StartUpClass cls;
};

// The first line that fits decides.
constexpr std::array kStartUpWords = {
    StartUpWord{"ctxcreate", StartUpClass::CudaInit},
    StartUpWord{"primaryctxretain", StartUpClass::CudaInit},
    StartUpWord{"cuinit", StartUpClass::CudaInit},
    StartUpWord{"cudasetdevice", StartUpClass::CudaInit},
    StartUpWord{"cudagetdevicecount", StartUpClass::CudaInit},
    StartUpWord{"cudainitdevice", StartUpClass::CudaInit},
    StartUpWord{"autotun", StartUpClass::Autotuning},
    StartUpWord{"benchmark_choice", StartUpClass::Autotuning},
    StartUpWord{"heuristic", StartUpClass::Heuristics},
    StartUpWord{"cudnncreate", StartUpClass::Heuristics},
    StartUpWord{"cublascreate", StartUpClass::Heuristics},
    StartUpWord{"cublasltcreate", StartUpClass::Heuristics},
    StartUpWord{"begincapture", StartUpClass::GraphBuild},
    StartUpWord{"endcapture", StartUpClass::GraphBuild},
    StartUpWord{"graphinstantiate", StartUpClass::GraphBuild},
    StartUpWord{"graphupload", StartUpClass::GraphBuild},
};

} // namespace

std::string_view startUpTitle(StartUpClass cls) {
    switch (cls) {
    case StartUpClass::CudaInit:
        return "CUDA initialisation";
    case StartUpClass::LazyLoading:
        return "lazy loading of code";
    case StartUpClass::AllocatorGrowth:
        return "allocator growth";
    case StartUpClass::Heuristics:
        return "library heuristics";
    case StartUpClass::Jit:
        return "just-in-time compilation";
    case StartUpClass::Autotuning:
        return "autotuning";
    case StartUpClass::GraphBuild:
        return "graph building";
    case StartUpClass::InputInit:
        return "input initialisation";
    case StartUpClass::None:
        break;
    }
    return "";
}

StartUpClass startUpClassOf(std::string_view name) {
    for (const StartUpWord& entry : kStartUpWords)
        if (containsNoCase(name, entry.word))
            return entry.cls;
    if (gaps::isModuleOverhead(name))
        return StartUpClass::LazyLoading;
    switch (name.starts_with("cu") || name.starts_with("nv") || name.starts_with("hip")
                ? gaps::apiFamily(name)
                : gaps::ApiFamily::Other) {
    case gaps::ApiFamily::Module:
        return StartUpClass::LazyLoading;
    case gaps::ApiFamily::Allocation:
        return StartUpClass::AllocatorGrowth;
    case gaps::ApiFamily::Link:
        return StartUpClass::Jit;
    default:
        break;
    }
    if (gaps::tellsOfCompiling(name) || gaps::isCompilerOverhead(name))
        return StartUpClass::Jit;
    return gaps::isDataLoading(name) ? StartUpClass::InputInit : StartUpClass::None;
}

namespace {

// The first row of a strip that begins at t or later.
EventId firstFrom(const Trace& trace, const Strip& strip, TimeNs t) {
    std::uint32_t from = strip.first.v, to = strip.last.v;
    while (from < to) {
        const std::uint32_t middle = from + (to - from) / 2;
        if (trace.events().beginNs[middle] < t.v)
            from = middle + 1;
        else
            to = middle;
    }
    return {from};
}

} // namespace

std::array<StartUpUse, kStartUpClasses> startUpUses(const Trace& trace, TimeRange window, JobControl& job) {
    constexpr std::uint8_t kNotAsked = 0xff;
    const EventTable& events = trace.events();
    std::vector<std::uint8_t> classes(trace.strings().size(), kNotAsked);
    std::array<StartUpUse, kStartUpClasses> uses{};
    std::array<std::vector<TimeRange>, kStartUpClasses> ranges;
    RowPoll poll(job);
    for (const Strip& strip : trace.strips()) {
        if (!isHostLane(trace.lane(strip.lane), {}))
            continue;
        for (EventId event = firstFrom(trace, strip, window.begin); event < strip.last && poll.tick();
             ++event.v) {
            const TimeRange range = events.range(event);
            if (range.begin >= window.end)
                break;
            std::uint8_t& cls = classes[events.name[event.v].v];
            if (cls == kNotAsked)
                cls = static_cast<std::uint8_t>(startUpClassOf(trace.nameOf(event)));
            if (cls >= kStartUpClasses)
                continue;
            StartUpUse& use = uses[cls];
            const bool isLonger = use.rows == 0 || range.length() > events.duration(use.longest);
            const bool isEarlier = !isLonger && range.length() == events.duration(use.longest) &&
                                   range.begin.v < events.beginNs[use.longest.v];
            if (isLonger || isEarlier)
                use.longest = event;
            ++use.rows;
            ranges[cls].push_back(range);
        }
    }
    for (std::size_t c = 0; c < kStartUpClasses; ++c)
        uses[c].ns = IntervalSet::fromUnsorted(std::move(ranges[c])).measure().v;
    return uses;
}

} // namespace lacuna::findings
