#include "core/trace/read_part.h"

#include <algorithm>

namespace lacuna {

std::optional<DurationNs> readUntil(const Trace& trace) {
    if (trace.report().find(kReadingStopped) == nullptr)
        return std::nullopt;
    const auto& source = trace.events().source;
    const auto last = std::max_element(source.begin(), source.end());
    if (last == source.end())
        return DurationNs{0};
    const auto row = static_cast<std::size_t>(last - source.begin());
    return TimeNs{trace.events().beginNs[row]} - trace.window().begin;
}

} // namespace lacuna
