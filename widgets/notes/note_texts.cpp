#include "widgets/notes/note_texts.h"

#include "core/base/text_format.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lacuna::ui {

namespace {

// The functions of a context of translators.
struct Notes {
    Q_DECLARE_TR_FUNCTIONS(Notes)
};

} // namespace

NoteCounts NoteCounts::of(std::span<const Issue> notes) {
    NoteCounts counts;
    for (const Issue& note : notes)
        ++(note.severity == Severity::Error     ? counts.errors
           : note.severity == Severity::Warning ? counts.warnings
                                                : counts.infos);
    return counts;
}

QString badgeText(const NoteCounts& counts) {
    if (counts.total() == 0)
        return Notes::tr("No notes on this trace");
    if (!counts.isSerious())
        return Notes::tr("%n note(s) on this trace", nullptr, counts.total());
    NoteCounts serious = counts;
    serious.infos = 0;
    return Notes::tr("%1: %2").arg(Notes::tr("%n note(s)", nullptr, counts.total()), countsText(serious));
}

QString countsText(const NoteCounts& counts) {
    QStringList parts;
    if (counts.errors > 0)
        parts << Notes::tr("%n error(s)", nullptr, counts.errors);
    if (counts.warnings > 0)
        parts << Notes::tr("%n warning(s)", nullptr, counts.warnings);
    if (counts.infos > 0)
        parts << Notes::tr("%n remark(s)", nullptr, counts.infos);
    return parts.join(u", "_s);
}

QString severityText(Severity severity) {
    return severity == Severity::Error     ? Notes::tr("error")
           : severity == Severity::Warning ? Notes::tr("warning")
                                           : Notes::tr("remark");
}

bool hasPlace(const Issue& note) {
    return note.first.offset.has_value() || !note.first.table.empty();
}

QString placeText(const IssuePlace& place) {
    if (place.offset)
        return Notes::tr("byte %1").arg(text(formatCount(*place.offset)));
    if (!place.table.empty())
        return Notes::tr("table %1, row %2").arg(text(place.table)).arg(place.row);
    return {};
}

} // namespace lacuna::ui
