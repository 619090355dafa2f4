#include "core/report/operation_sums.h"

#include "core/report/time_sums.h"
#include "core/report/vendor_names.h"

namespace lacuna {

std::uint32_t OperationGroups::of(EventId event) {
    const EventKind kind = m_trace.events().kind[event.v];
    const Category category = kind == EventKind::Kernel ? Category::Kernel
                              : isHostCall(kind)        ? Category::Api
                                                        : Category::Memory;
    std::vector<std::uint32_t>& byName = m_byName[static_cast<std::size_t>(category)];
    const StringId name = m_trace.events().name[event.v];
    if (byName.empty())
        byName.resize(m_trace.strings().size(), 0);
    if (byName[name.v] != 0)
        return byName[name.v] - 1;
    std::string label = category == Category::Memory ? memoryOperation(m_trace, event)
                        : category == Category::Api  ? std::string(vendorApiName(m_trace.nameOf(event)))
                                                     : std::string(m_trace.nameOf(event));
    const auto fresh = static_cast<std::uint32_t>(m_groups.size());
    const auto [at, isFresh] = m_numbers.try_emplace({category, label}, fresh);
    if (isFresh)
        m_groups.emplace_back(category, std::move(label));
    m_names.resize(m_groups.size());
    m_names[at->second] = isFresh ? name : StringId{};
    byName[name.v] = at->second + 1;
    return at->second;
}

std::string OperationGroups::categoryName(std::uint32_t group) const {
    switch (category(group)) {
    case Category::Kernel:
        return "CUDA_KERNEL";
    case Category::Memory:
        return "MEMORY_OPER";
    case Category::Api:
        break;
    }
    return "CUDA_API";
}

KindMask OperationGroups::kinds(std::uint32_t group) const {
    if (!m_names[group])
        return 0;
    switch (category(group)) {
    case Category::Kernel:
        return kindBit(EventKind::Kernel);
    case Category::Memory:
        return kMemoryKinds;
    case Category::Api:
        break;
    }
    return kApiKinds;
}

Result<ReportTable> operationTimes(const ReportInput& input, KindMask kinds, std::string countTitle,
                                   bool withCategory, JobControl& job) {
    OperationGroups groups(input.trace);
    GroupedValues times;
    const bool done = forEachRow(input, kinds, job, [&](EventId e, const Lane&) {
        times.add(groups.of(e), input.trace.events().duration(e).v);
    });
    if (!done)
        return cancelledError();
    std::vector<TimeSum> sums;
    for (const GroupedValues::Group& group : times.take(job)) {
        std::vector<std::string> labels;
        if (withCategory)
            labels.push_back(groups.categoryName(group.key));
        labels.push_back(groups.label(group.key));
        sums.push_back({group.values, std::move(labels), groups.name(group.key), groups.kinds(group.key)});
    }
    return timeSumTable(std::move(countTitle),
                        withCategory ? std::vector<std::string>{"Category", "Operation"}
                                     : std::vector<std::string>{"Operation"},
                        std::move(sums));
}

} // namespace lacuna
