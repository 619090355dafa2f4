#pragma once
// Labels that fit: the name, else its shorter forms, else a cut one, else none. A name that the user gave
// comes first, and where whole names are wanted the recorded one. Cached by (name, kind, width / 8), so that
// a frame of some hundred labels costs no text measuring.

#include "core/trace/trace.h"
#include "core/view/event_look.h"
#include "widgets/figure/figure_fonts.h"

#include <QString>

#include <unordered_map>

namespace lacuna::ui {

struct FittedLabel {
    QString text; // empty: nothing sensible fits
    double widthPx = 0;
};

// Longest form that fits into widthPx; a cut form keeps at least five letters, and three characters must fit.
FittedLabel fitLabel(std::string_view name, EventKind kind, double widthPx, const TextStyle& style,
                     const EventLook* look = nullptr);

class LabelCache {
public:
    explicit LabelCache(const TextStyle& style) : m_style(style) {}
    const TextStyle& style() const { return m_style; }
    const FittedLabel& fit(const Trace& trace, EventId event, double widthPx);
    void clear() { m_labels.clear(); }
    // Null: short names as recorded. Copied; another one empties the cache.
    void setLook(const EventLook* look);
    std::size_t size() const { return m_labels.size(); }
    std::uint64_t misses() const { return m_misses; }

private:
    static constexpr double kBucketPx = 4;
    static constexpr std::size_t kMaxLabels = 20'000;
    TextStyle m_style;
    EventLook m_look;
    std::unordered_map<std::uint64_t, FittedLabel> m_labels;
    std::uint64_t m_misses = 0;
};

} // namespace lacuna::ui
