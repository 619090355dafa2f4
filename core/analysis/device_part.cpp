#include "core/analysis/device_part.h"

#include <algorithm>
#include <numeric>

namespace lacuna {

namespace {

constexpr std::int64_t kWholeInTenths = 1'000; // 100.0 %

} // namespace

std::string_view devicePartName(DevicePart part) {
    constexpr std::array<std::string_view, kDeviceParts> kNames{"kernel execution", "communication",
                                                                "data movement", "idle"};
    return kNames[static_cast<std::size_t>(part)];
}

DeviceParts devicePartsOf(const DeviceBusy& busy) {
    DeviceParts parts;
    for (unsigned mask = 0; mask < busy.stateNs.size(); ++mask)
        parts.ns[static_cast<std::size_t>(devicePart(mask))] += busy.stateNs[mask];
    const std::int64_t whole = busy.span.length().v;
    if (whole <= 0)
        return parts;
    std::array<long double, kDeviceParts> rests{};
    for (std::size_t k = 0; k < kDeviceParts; ++k) {
        const long double exact =
            static_cast<long double>(parts.ns[k]) * kWholeInTenths / static_cast<long double>(whole);
        parts.tenths[k] = static_cast<std::int64_t>(exact);
        rests[k] = exact - static_cast<long double>(parts.tenths[k]);
    }
    std::array<std::size_t, kDeviceParts> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rests[a] > rests[b]; });
    std::int64_t left =
        kWholeInTenths - std::accumulate(parts.tenths.begin(), parts.tenths.end(), std::int64_t{0});
    for (std::size_t k = 0; left > 0; k = (k + 1) % order.size(), --left)
        ++parts.tenths[order[k]];
    return parts;
}

} // namespace lacuna
