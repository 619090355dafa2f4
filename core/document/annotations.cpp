#include "core/document/annotations.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna {

std::string_view annotationKindName(AnnotationKind kind) {
    static constexpr std::array<std::string_view, kAnnotationKinds> kNames{
        "callout", "range", "arrow", "pin", "highlight", "redaction"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view noteColourName(NoteColour colour) {
    static constexpr std::array<std::string_view, kNoteColours> kNames{"annotation", "gap", "selection",
                                                                       "text"};
    return kNames[static_cast<std::size_t>(colour)];
}

AnnotationEdit AnnotationEdit::add(Callout callout) {
    return {Kind::Add, static_cast<std::size_t>(-1), std::move(callout)};
}

AnnotationEdit AnnotationEdit::remove(std::uint32_t id) {
    AnnotationEdit edit{Kind::Remove, 0, {}};
    edit.callout.id = id;
    return edit;
}

AnnotationEdit AnnotationEdit::replace(Callout callout) {
    return {Kind::Replace, 0, std::move(callout)};
}

const Callout* AnnotationSet::find(std::uint32_t id) const {
    const auto at =
        std::find_if(m_callouts.begin(), m_callouts.end(), [id](const Callout& c) { return c.id == id; });
    return at == m_callouts.end() ? nullptr : &*at;
}

int AnnotationSet::nextNumber() const {
    int number = 1;
    while (std::any_of(m_callouts.begin(), m_callouts.end(),
                       [number](const Callout& c) { return c.number == number; }))
        ++number;
    return number;
}

AnnotationEdit AnnotationSet::apply(const AnnotationEdit& edit) {
    const auto at = std::find_if(m_callouts.begin(), m_callouts.end(),
                                 [&edit](const Callout& c) { return c.id == edit.callout.id; });
    switch (edit.kind) {
    case AnnotationEdit::Kind::Nothing:
        return {};
    case AnnotationEdit::Kind::Add: {
        Callout callout = edit.callout;
        // An undone removal comes back under its old id, so that later edits in the history still find it.
        if (callout.id == 0 || at != m_callouts.end())
            callout.id = ++m_lastId;
        m_lastId = std::max(m_lastId, callout.id);
        if (callout.number == 0 && callout.isNumbered())
            callout.number = nextNumber();
        const std::size_t index = std::min(edit.index, m_callouts.size());
        AnnotationEdit inverse = AnnotationEdit::remove(callout.id);
        m_callouts.insert(m_callouts.begin() + static_cast<std::ptrdiff_t>(index), std::move(callout));
        return inverse;
    }
    case AnnotationEdit::Kind::Remove: {
        if (at == m_callouts.end())
            return {};
        AnnotationEdit inverse{AnnotationEdit::Kind::Add, static_cast<std::size_t>(at - m_callouts.begin()),
                               std::move(*at)};
        m_callouts.erase(at);
        return inverse;
    }
    case AnnotationEdit::Kind::Replace: {
        if (at == m_callouts.end())
            return {};
        AnnotationEdit inverse = AnnotationEdit::replace(*at);
        const int number = at->number;
        *at = edit.callout;
        if (at->number == 0)
            at->number = number;
        return inverse;
    }
    }
    return {};
}

} // namespace lacuna
