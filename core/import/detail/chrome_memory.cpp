#include "core/import/detail/chrome_memory.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace lacuna::chrome {

namespace {

constexpr std::int64_t kCpuType = 0; // "Device Type"

struct Owner {
    std::string name;
    ProcessId process;
    DeviceId device;
    bool hasAllocated = false, hasReserved = false;
    std::int64_t sum = 0;
};

using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t>; // process, device type, device
Key keyOf(const MemorySample& sample) {
    return {sample.process.v, sample.mark.deviceType, sample.mark.device};
}

} // namespace

void MemoryTracks::addTracks(TraceBuilder& builder, const Lanes& lanes) {
    std::map<Key, Owner> owners;
    for (const MemorySample& sample : m_samples) {
        Owner& owner = owners[keyOf(sample)];
        if (owner.name.empty()) {
            const bool isCpu = sample.mark.deviceType == kCpuType;
            owner.name = isCpu ? "CPU memory " : "GPU " + std::to_string(sample.mark.device) + " memory ";
            owner.process = sample.process;
            if (!isCpu)
                owner.device = lanes.findDevice(builder.process(sample.process).idText, sample.mark.device);
        }
        owner.hasAllocated = owner.hasAllocated || sample.mark.allocated.value_or(0) != 0;
        owner.hasReserved = owner.hasReserved || sample.mark.reserved.value_or(0) != 0;
    }
    std::stable_sort(m_samples.begin(), m_samples.end(),
                     [](const MemorySample& a, const MemorySample& b) { return a.timeNs < b.timeNs; });
    for (const MemorySample& sample : m_samples) {
        Owner& owner = owners[keyOf(sample)];
        const auto add = [&](std::string_view what, std::int64_t bytes) {
            const CounterId track =
                builder.counter(owner.name + std::string(what), owner.process, owner.device, "B");
            builder.addSample(track, sample.timeNs, static_cast<double>(bytes));
        };
        if (owner.hasAllocated && sample.mark.allocated)
            add("allocated", *sample.mark.allocated);
        if (owner.hasReserved && sample.mark.reserved)
            add("reserved", *sample.mark.reserved);
        if (owner.hasAllocated)
            continue;
        if (__builtin_add_overflow(owner.sum, sample.mark.bytes, &owner.sum))
            owner.sum = 0;
        add("change since start", owner.sum);
    }
    m_samples = {};
}

} // namespace lacuna::chrome
