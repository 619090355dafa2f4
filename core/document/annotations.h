#pragma once
// Annotations, anchored in time and lane: the anchor stays right under zoom, pan, fold and lane moves, the
// box of a callout keeps its screen distance from it. Every change is an edit whose application returns its
// inverse, so undo is redo of the inverse. Not thread-safe; ids are unique within one set and never reused.

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class AnnotationKind : std::uint8_t {
    Callout,   // box with text
    Bracket,   // over a time range of a lane, with its duration
    Arrow,     // from one place to another
    Pin,       // a number
    Highlight, // coloured time range of a lane
    Redaction, // names of these events are hidden in exports
};
inline constexpr std::size_t kAnnotationKinds = 6;
std::string_view annotationKindName(AnnotationKind kind); // "callout", "range", "arrow", …; as in workspaces

// What a note is drawn in: a colour of the theme by what it means there, so that it is right in each theme;
// Accent is the colour of the selection.
enum class NoteColour : std::uint8_t { Annotation, Gap, Accent, Text };
inline constexpr std::size_t kNoteColours = 4;
std::string_view noteColourName(NoteColour colour); // "annotation", "gap", …; as in workspaces

// Any annotation; a callout unless `kind` says otherwise.
struct Callout {
    AnnotationKind kind = AnnotationKind::Callout;
    std::uint32_t id = 0;      // given by the set; 0 in an Add edit
    int number = 0;            // callouts and pins, from 1; given by the set when 0
    std::string laneKey;       // TimelineRow::key of its lane
    TimeNs time;               // anchor
    std::optional<TimeNs> end; // a range: the anchor is its middle
    std::uint32_t strip = 0;   // depth inside the lane
    std::string title, text;
    double boxDx = 24, boxDy = -96; // logical px from the anchor to the box's top left corner
    // Arrow: its head.
    std::string toLaneKey;
    TimeNs toTime;
    std::uint32_t toStrip = 0;
    bool isShown = true;
    bool isLive =
        false; // the text is the verdict of the gap with exactly this range; renewed when it changes
    NoteColour colour = NoteColour::Annotation;
    std::string author, written; // written: ISO 8601, UTC; empty: not known

    TimeNs anchorTime() const { return end ? TimeNs{time.v + (end->v - time.v) / 2} : time; }
    bool isNumbered() const { return kind == AnnotationKind::Callout || kind == AnnotationKind::Pin; }
    friend bool operator==(const Callout&, const Callout&) = default;
};

struct AnnotationEdit {
    enum class Kind : std::uint8_t { Nothing, Add, Remove, Replace };
    Kind kind = Kind::Nothing;
    std::size_t index = 0; // place in the list; Add: clamped to the end
    Callout callout;       // Add, Replace: the new one; Remove: only its id matters

    static AnnotationEdit add(Callout callout);
    static AnnotationEdit remove(std::uint32_t id);
    static AnnotationEdit replace(Callout callout); // same id
};

class AnnotationSet {
public:
    // Returns the inverse. An edit of an unknown id changes nothing and returns Nothing.
    AnnotationEdit apply(const AnnotationEdit& edit);
    std::span<const Callout> callouts() const { return m_callouts; }
    const Callout* find(std::uint32_t id) const;
    bool isEmpty() const { return m_callouts.empty(); }
    int nextNumber() const; // smallest number not in use
    friend bool operator==(const AnnotationSet& a, const AnnotationSet& b) {
        return a.m_callouts == b.m_callouts;
    }

private:
    std::vector<Callout> m_callouts;
    std::uint32_t m_lastId = 0;
};

} // namespace lacuna
