#pragma once
// How fast frames follow each other while something moves, and what painting one takes. Times are ns of any
// steady clock.

#include <cstdint>
#include <deque>
#include <optional>

namespace lacuna::ui {

class FrameMeter {
public:
    // A frame whose painting began at `atNs`, ascending, and took `tookNs`.
    void painted(std::int64_t atNs, std::int64_t tookNs);

    struct Facts {
        double perSecond = 0;      // of the last second of the movement
        std::int64_t medianNs = 0; // what painting took, the lower median
        std::int64_t longestNs = 0;
        std::size_t frames = 0;
    };
    // Of the movement that is under way, else of the last one; none before it has kLeastFrames.
    std::optional<Facts> facts() const; // O(frames of a second, sorted)

    static constexpr std::int64_t kPauseNs = 250'000'000; // longer without a frame: another movement
    static constexpr std::size_t kLeastFrames = 3;

private:
    struct Painted {
        std::int64_t atNs = 0, tookNs = 0;
    };
    std::deque<Painted> m_frames; // of one movement, the last second
    std::deque<Painted> m_before; // of the movement before it, while this one is too short
};

} // namespace lacuna::ui
