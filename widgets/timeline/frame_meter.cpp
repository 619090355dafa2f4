#include "widgets/timeline/frame_meter.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna::ui {

void FrameMeter::painted(std::int64_t atNs, std::int64_t tookNs) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    if (!m_frames.empty() && atNs - m_frames.back().atNs > kPauseNs) {
        if (m_frames.size() >= kLeastFrames)
            m_before = std::exchange(m_frames, {});
        m_frames.clear();
    }
    m_frames.push_back({atNs, tookNs});
    while (atNs - m_frames.front().atNs > kSecond)
        m_frames.pop_front();
}

std::optional<FrameMeter::Facts> FrameMeter::facts() const {
    const auto& frames = m_frames.size() >= kLeastFrames ? m_frames : m_before;
    if (frames.size() < kLeastFrames)
        return std::nullopt;
    std::vector<std::int64_t> took;
    for (const Painted& frame : frames)
        took.push_back(frame.tookNs);
    std::sort(took.begin(), took.end());
    const auto span = static_cast<double>(frames.back().atNs - frames.front().atNs);
    return Facts{span > 0 ? static_cast<double>(frames.size() - 1) * 1e9 / span : 0,
                 took[(took.size() - 1) / 2], took.back(), took.size()};
}

} // namespace lacuna::ui
