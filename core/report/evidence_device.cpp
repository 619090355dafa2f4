// Operations of the device behind rows of reports.

#include "core/analysis/collective.h"
#include "core/analysis/device_busy.h"
#include "core/import/arg_columns.h"
#include "core/import/launch_configs.h"
#include "core/report/copy_names.h"
#include "core/report/launched_kernels.h"
#include "core/report/operation_sums.h"
#include "core/report/row_evidence.h"
#include "core/report/vendor_names.h"

#include <array>

namespace lacuna::evidence {

namespace {

constexpr KindMask kWorkKinds = kGpuKinds | kindBit(EventKind::GraphLaunch);

// Operations whose work has one of the bits; of the device of the row.
Found rowsOfWork(const Asked& asked, unsigned works) {
    const Trace& trace = asked.input.trace;
    const std::int64_t ordinal = asked.number("Device").value_or(-1);
    return rowsThat(asked, kWorkKinds, [&](EventId e, const Lane& lane) {
        return lane.device && ordinalOfLane(trace, lane) == ordinal && (workOf(trace, e) & works) != 0;
    });
}

bool isShapeOf(const Asked& asked, const LaunchConfig& config) {
    const auto isDim = [&](std::string_view column, const Dim3& dim) {
        return asked.text(column) == (dim.isKnown() ? dimensionText(dim.x, dim.y, dim.z) : std::string());
    };
    const auto isNumber = [&](std::string_view column, const auto& value) {
        const auto cell = asked.number(column);
        return cell.has_value() == value.has_value() && (!cell || *cell == static_cast<std::int64_t>(*value));
    };
    return isDim("GridXYZ", config.grid) && isDim("BlockXYZ", config.block) &&
           isNumber("Registers Per Thread", config.registersPerThread) &&
           isNumber("Shared Memory Per Block (bytes)", config.allSharedBytes()) &&
           isNumber("Local Memory Per Thread (bytes)", config.localBytesPerThread);
}

} // namespace

Found copies(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const CopyLabels wanted{asked.number("Device").value_or(-1), asked.text("Direction"),
                            asked.text("Source"), asked.text("Destination")};
    return rowsThat(asked, kMemoryKinds,
                    [&](EventId e, const Lane& lane) { return copyLabels(trace, e, lane) == wanted; });
}

Found kernelsByShape(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const std::string_view name = asked.text("Name"), grid = asked.text("GridXYZ"),
                           block = asked.text("BlockXYZ");
    auto kernels = rowsThat(asked, kindBit(EventKind::Kernel),
                            [&](EventId e, const Lane&) { return trace.nameOf(e) == name; });
    if (!kernels)
        return kernels.error();
    constexpr std::array<std::string_view, 6> kColumns = {"gridX",  "gridY",  "gridZ",
                                                          "blockX", "blockY", "blockZ"};
    const auto shapes = ArgColumns::read(trace, asked.input.details, *kernels, kColumns, asked.job);
    if (!shapes)
        return shapes.error();
    std::vector<EventId> found;
    for (std::size_t i = 0; i < kernels->size(); ++i) {
        const auto side = [&](std::size_t column) { return shapes->valueOr(i, column, 0); };
        if (dimensionText(side(0), side(1), side(2)) == grid &&
            dimensionText(side(3), side(4), side(5)) == block)
            found.push_back((*kernels)[i]);
    }
    return found;
}

Found kernelShapes(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto configs = readLaunchConfigs(trace, asked.input.details, asked.job);
    if (!configs)
        return configs.error();
    std::vector<bool> isAsked;
    for (const LaunchConfig& config : configs->configs())
        isAsked.push_back(isShapeOf(asked, config));
    const std::int64_t ordinal = asked.number("Device").value_or(-1);
    const std::string_view name = asked.text("Name");
    return rowsThat(asked, kindBit(EventKind::Kernel), [&](EventId e, const Lane& lane) {
        return ordinalOfLane(trace, lane) == ordinal && trace.nameOf(e) == name &&
               isAsked[configs->numberOf(e)];
    });
}

Found memorySizes(const Asked& asked) {
    OperationGroups groups(asked.input.trace);
    const std::string_view operation = asked.text("Operation");
    return rowsThat(asked, kMemoryKinds,
                    [&](EventId e, const Lane&) { return groups.label(groups.of(e)) == operation; });
}

Found kernelExecutions(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto launched = launchedOps(asked.input, kindBit(EventKind::Kernel), asked.job);
    if (!launched)
        return cancelledError();
    const std::string_view kernel = asked.text("Kernel Name"), api = asked.text("API Name");
    const auto pid = asked.number("PID"), tid = asked.number("TID"), device = asked.number("DevId");
    std::vector<EventId> found;
    RowPoll poll(asked.job);
    for (const LaunchedOp& op : launched->ops) {
        if (!poll.tick())
            return cancelledError();
        const HostIds ids = hostIdsOf(trace, op.thread);
        if (trace.nameOf(op.op) == kernel && vendorApiName(trace.nameOf(op.call)) == api && ids.pid == pid &&
            ids.tid == tid && ordinalOf(trace, trace.lane(trace.laneOf(op.op)).device) == device)
            found.push_back(op.op);
    }
    return found;
}

Found kernelExposure(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto device = asked.number("Device");
    const std::string_view name = asked.text("Name");
    return rowsThat(asked, kWorkKinds, [&](EventId e, const Lane& lane) {
        return lane.device && ordinalOf(trace, lane.device) == device && trace.nameOf(e) == name;
    });
}

Found launches(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto device = asked.number("Device"), stream = asked.number("Stream");
    return rowsThat(asked, kWorkKinds, [&](EventId e, const Lane& lane) {
        return lane.device && ordinalOfLane(trace, lane) == device && lane.sourceId == stream &&
               trace.correlations().launchOf(trace.events(), e).has_value();
    });
}

Found streams(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto device = asked.number("Device"), stream = asked.number("Stream");
    return rowsThat(asked, kWorkKinds, [&](EventId, const Lane& lane) {
        return lane.device && ordinalOfLane(trace, lane) == device && lane.sourceId == stream;
    });
}

Found overlap(const Asked& asked) {
    constexpr unsigned kAll = kCompute | kCommunication | kCopy | kSet;
    const std::string_view name = asked.text("Name");
    for (unsigned mask = 1; mask <= kAll; ++mask)
        if (name == stateName(mask))
            return rowsOfWork(asked, mask);
    return rowsOfWork(asked, kAll); // all, and idle: what they leave free
}

Found limiters(const Asked& asked) {
    const std::string_view name = asked.text("Limiter");
    return rowsOfWork(asked, name == "kernel execution" ? unsigned{kCompute}
                             : name == "communication"  ? unsigned{kCommunication}
                             : name == "data movement"  ? unsigned{kCopy} | kSet
                                                        : unsigned{kCompute} | kCommunication | kCopy | kSet);
}

// Of all windows together, and what lies between them.
Found windows(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const std::string_view figure = asked.text("Figure");
    if (figure == "Launching calls")
        return rowsThat(asked, kApiKinds, [&](EventId e, const Lane&) {
            return !trace.correlations().deviceOps(trace.events().correlation[e.v]).empty();
        });
    const KindMask kinds = figure.starts_with("Kernel") ? kindBit(EventKind::Kernel)
                           : figure.starts_with("Copies") || figure.starts_with("Bytes") ? kMemoryKinds
                                                                                         : kWorkKinds;
    return rowsThat(asked, kinds, [](EventId, const Lane&) { return true; });
}

Found collectives(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto device = asked.number("Device"), group = asked.number("Group Size"),
               bytes = asked.number("Bytes");
    const std::string_view name = asked.text("Kernel"), collective = asked.text("Collective");
    auto kernels = rowsThat(asked, kindBit(EventKind::Kernel), [&](EventId e, const Lane& lane) {
        return ordinalOfLane(trace, lane) == device && trace.nameOf(e) == name;
    });
    if (!kernels)
        return kernels.error();
    RowPoll poll(asked.job);
    std::vector<EventId> found;
    for (const EventId kernel : *kernels) {
        if (!poll.tick(64)) // each reads the source
            return cancelledError();
        EventDetails details;
        if (asked.input.details != nullptr)
            if (auto read = asked.input.details->read({trace.events().source[kernel.v]}))
                details = *std::move(read);
        const CollectiveFacts facts = collectiveFacts(details, trace.nameOf(kernel));
        if (facts.name == collective && facts.groupSize == group && facts.bytes == bytes)
            found.push_back(kernel);
    }
    return found;
}

} // namespace lacuna::evidence
