#pragma once
// What a figure does not tell: the names that redactions hide, and on request all names that come from the
// user: those of ranges, marks and Python frames, given names, and who wrote a note.

#include "widgets/figure/figure_painter.h"

#include <set>
#include <vector>

namespace lacuna::ui {

class HiddenNames {
public:
    // The input outlives it. O(events) where the user's names are hidden, else O(events under redactions).
    explicit HiddenNames(const FigureInput& input);

    const std::set<StringId>& names() const { return m_names; }
    // Text that may name what is hidden, without it. Redacted names are found anywhere; the user's, which are
    // often common words, as whole words.
    QString in(const QString& text) const;
    // The same for text of Lacuna's own words, in which only redacted names are looked for.
    QString inOurs(const QString& text) const;
    AnnotationSet in(const AnnotationSet& notes) const;
    EventLook look() const; // that of the input, with the names blocked out

private:
    const FigureInput& m_input;
    std::set<StringId> m_names, m_redacted;
    std::vector<QString> m_words; // the user's, longest first
};

} // namespace lacuna::ui
