#include "core/trace/import_report.h"

#include <algorithm>
#include <numeric>

namespace lacuna {

Issue& ImportReport::issue(std::string_view code, std::string_view message, const IssuePlace& place,
                           Severity severity) {
    const auto at =
        std::find_if(m_issues.begin(), m_issues.end(), [&](const Issue& i) { return i.code == code; });
    if (at != m_issues.end())
        return *at;
    Issue fresh;
    fresh.code = code;
    fresh.severity = severity;
    fresh.message = message;
    fresh.first = place;
    m_issues.push_back(std::move(fresh));
    return m_issues.back();
}

void ImportReport::drop(std::string_view code, std::string_view message, const IssuePlace& place,
                        Severity severity, std::uint64_t rows) {
    if (rows == 0)
        return;
    Issue& i = issue(code, message, place, severity);
    i.dropsRows = true;
    i.count += rows;
}

void ImportReport::note(std::string_view code, std::string_view message, const IssuePlace& place,
                        Severity severity, std::uint64_t count) {
    if (count != 0)
        issue(code, message, place, severity).count += count;
}

std::uint64_t ImportReport::rowsKept() const {
    return std::accumulate(m_kept.begin(), m_kept.end(), std::uint64_t{0});
}

std::uint64_t ImportReport::rowsDropped() const {
    std::uint64_t rows = 0;
    for (const Issue& i : m_issues)
        if (i.dropsRows)
            rows += i.count;
    return rows;
}

const Issue* ImportReport::find(std::string_view code) const {
    const auto at =
        std::find_if(m_issues.begin(), m_issues.end(), [&](const Issue& i) { return i.code == code; });
    return at == m_issues.end() ? nullptr : &*at;
}

} // namespace lacuna
