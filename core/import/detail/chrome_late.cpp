#include "core/import/detail/chrome_late.h"

#include "core/base/poll.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lacuna::chrome {

namespace {

// Host lanes of threads that are lines of a device by the names of the whole file.
std::unordered_set<LaneId> lateLanes(const Lanes& lanes, DeviceNames& all) {
    std::unordered_set<ThreadId> threads;
    for (const auto& [key, thread] : lanes.threads())
        if (all.lineOf(key, lanes.names()).role != DeviceLine::Role::Ordinary)
            threads.insert(thread);
    std::unordered_set<LaneId> late;
    for (const auto& [lane, thread] : lanes.hostLanes())
        if (threads.contains(thread))
            late.insert(lane);
    return late;
}

} // namespace

std::optional<bool> isPlacedTooEarly(const TraceBuilder& builder, const Lanes& lanes, JobControl& job) {
    if (!lanes.hasDeviceNames())
        return false;
    DeviceNames all(lanes.names());
    if (lanes.deviceNames().answeredOtherwiseThan(all, lanes.names()))
        return true;
    const std::unordered_set<LaneId> late = lateLanes(lanes, all);
    if (late.empty())
        return false;
    for (std::uint32_t row = 0; row < builder.size(); ++row) {
        if (row % kRowsPerPoll == 0 && job.cancelled())
            return std::nullopt;
        if (builder.kindOf(row) == EventKind::Other && late.contains(builder.laneOf(row)))
            return true;
    }
    return false;
}

void startAgain(TraceBuilder& builder) {
    TraceFacts kept;
    kept.path = std::move(builder.facts().path);
    kept.fileName = std::move(builder.facts().fileName);
    kept.fileSize = builder.facts().fileSize;
    kept.format = std::move(builder.facts().format);
    RowChoice* const choice = builder.choice();
    builder = TraceBuilder();
    builder.setChoice(choice);
    builder.facts() = std::move(kept);
}

Result<std::size_t> FromStart::read(std::span<std::byte> buffer) {
    auto got = m_bytes.readAt(m_at, buffer);
    if (got)
        m_at += *got;
    return got;
}

std::uint64_t FromStart::storedDone() const {
    if (m_size == 0)
        return 0;
    const double share = static_cast<double>(std::min(m_at, m_size)) / static_cast<double>(m_size);
    return static_cast<std::uint64_t>(share * static_cast<double>(m_bytes.storedDone()));
}

} // namespace lacuna::chrome
