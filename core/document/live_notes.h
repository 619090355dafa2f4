#pragma once
// What notes are about, and notes whose text follows it: a callout with the verdict of a gap says what the
// analysis says now, whatever it said when it was written.

#include "core/analysis/gap_analysis.h"
#include "core/document/annotations.h"

#include <optional>

namespace lacuna {

// The gap that a live annotation is about: the one with exactly its range, on the device of its lane where
// the lane tells one. None: there is no such gap (any more).
std::optional<GapId> gapOfNote(const Trace& trace, const GapAnalysis& gaps, const Callout& note);
// The event that an annotation is about: the one of its lane and depth with exactly its range (rows have no
// number that a file could keep, see ids.h). Null without. O(log events of the lane).
EventId eventOfNote(const Trace& trace, const Callout& note);
// "The gap, 2.491 ms"
std::string liveTitle(const Gap& gap);
// Title and text of every live annotation whose gap is there; the others keep what they had. True when one
// changed. O(gaps) a note.
bool renewLiveNotes(AnnotationSet& notes, const Trace& trace, const GapAnalysis& gaps);

} // namespace lacuna
