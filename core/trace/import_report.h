#pragma once
// What was read and what could not be used: rows read = rows kept + rows dropped, exactly. One row = one
// element of the event array or one row of a table that Lacuna reads. Issues are counted, the first place of
// each is kept.

#include "core/trace/event_table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class Severity : std::uint8_t { Info, Warning, Error };
std::string_view severityName(Severity severity);

struct IssuePlace {
    std::optional<std::uint64_t> offset; // byte in the unpacked text
    std::string table;                   // or a table and row
    std::int64_t row = 0;
};

struct Issue {
    std::string code; // stable identifier: "truncated", "negative_duration", ...
    Severity severity = Severity::Info;
    std::uint64_t count = 0;
    std::string message; // one sentence for people
    IssuePlace first;
    bool dropsRows = false; // every count is a row that was read and could not be kept
};

class ImportReport {
public:
    void keep(EventKind kind, std::uint64_t rows = 1) { m_kept[static_cast<std::size_t>(kind)] += rows; }
    void drop(std::string_view code, std::string_view message, const IssuePlace& place,
              Severity severity = Severity::Warning, std::uint64_t rows = 1);
    void note(std::string_view code, std::string_view message, const IssuePlace& place,
              Severity severity = Severity::Info, std::uint64_t count = 1);

    std::uint64_t rowsKept() const;
    std::uint64_t rowsDropped() const;
    std::uint64_t rowsRead() const { return rowsKept() + rowsDropped(); }
    std::uint64_t kept(EventKind kind) const { return m_kept[static_cast<std::size_t>(kind)]; }
    const std::vector<Issue>& issues() const { return m_issues; }
    const Issue* find(std::string_view code) const;

    // A part of the file could not be reached (truncated, corrupt block): exit code 4, "partly read".
    bool isPartial() const { return m_partial; }
    void setPartial() { m_partial = true; }

private:
    friend class TraceArchive;
    Issue& issue(std::string_view code, std::string_view message, const IssuePlace& place, Severity severity);
    std::array<std::uint64_t, kEventKinds> m_kept{};
    std::vector<Issue> m_issues;
    bool m_partial = false;
};

} // namespace lacuna
