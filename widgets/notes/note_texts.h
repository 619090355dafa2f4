#pragma once
// Notes as the window tells them; the sentences themselves are core's, the same as those of `lacuna check`.

#include "core/document/completeness.h"

#include <QString>

#include <span>

namespace lacuna::ui {

struct NoteCounts {
    int errors = 0, warnings = 0, infos = 0;
    int total() const { return errors + warnings + infos; }
    bool isSerious() const { return errors + warnings > 0; }
    static NoteCounts of(std::span<const Issue> notes);
};

// "No notes on this trace", "2 notes on this trace", "4 notes: 1 error, 2 warnings".
QString badgeText(const NoteCounts& counts);
// "1 error, 2 warnings, 1 remark"; empty where there is none.
QString countsText(const NoteCounts& counts);
// "error", "warning", "remark".
QString severityText(Severity severity);

bool hasPlace(const Issue& note);
// "byte 1 234", "table NVTX_EVENTS, row 5"; empty where the place is unknown.
QString placeText(const IssuePlace& place);

} // namespace lacuna::ui
