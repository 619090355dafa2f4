#include "widgets/notes/note_texts.h"

#include "core/base/text_format.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lacuna::ui {

namespace {

QString noteTr(const char* source) {
    return QCoreApplication::translate("Notes", source);
}

QString counted(int count, const char* one, const char* many) {
    return noteTr(count == 1 ? one : many).arg(count);
}

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
        return noteTr("No notes on this trace");
    if (!counts.isSerious())
        return counted(counts.total(), "%1 note on this trace", "%1 notes on this trace");
    NoteCounts serious = counts;
    serious.infos = 0;
    return noteTr("%1: %2").arg(counted(counts.total(), "%1 note", "%1 notes"), countsText(serious));
}

QString countsText(const NoteCounts& counts) {
    QStringList parts;
    if (counts.errors > 0)
        parts << counted(counts.errors, "%1 error", "%1 errors");
    if (counts.warnings > 0)
        parts << counted(counts.warnings, "%1 warning", "%1 warnings");
    if (counts.infos > 0)
        parts << counted(counts.infos, "%1 remark", "%1 remarks");
    return parts.join(u", "_s);
}

QString severityText(Severity severity) {
    return severity == Severity::Error     ? noteTr("error")
           : severity == Severity::Warning ? noteTr("warning")
                                           : noteTr("remark");
}

bool hasPlace(const Issue& note) {
    return note.first.offset.has_value() || !note.first.table.empty();
}

QString placeText(const IssuePlace& place) {
    if (place.offset)
        return noteTr("byte %1").arg(text(formatCount(*place.offset)));
    if (!place.table.empty())
        return noteTr("table %1, row %2").arg(text(place.table)).arg(place.row);
    return {};
}

} // namespace lacuna::ui
