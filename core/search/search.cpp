#include "core/search/search.h"

#include "core/analysis/compiled_code.h"
#include "core/base/ascii.h"
#include "core/base/parallel.h"
#include "core/base/poll.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kNamesPerPoll = 256; // long ones, and costly expressions
constexpr std::size_t kRowsPerPiece = std::size_t{1} << 18;
constexpr std::size_t kArgRowsPerPoll = 64; // each may be a read of the file

Error searchCancelled() {
    return {Errc::Cancelled, "cancelled", {}, {}};
}

// Per name of the pool: 1 where it matches.
using NameMarks = std::vector<std::uint8_t>;

Result<NameMarks> markNames(const StringPool& names, std::string_view text, PatternOptions options,
                            JobControl& job, bool onlyCompiled = false) {
    auto pattern = Pattern::compile(text, options);
    if (!pattern)
        return pattern.error();
    NameMarks marks(names.size());
    for (std::uint32_t n = 0; n < marks.size(); ++n) {
        if (n % kNamesPerPoll == 0 && job.cancelled())
            return searchCancelled();
        const std::string_view name = names.view(StringId{n});
        const bool isAsked = !onlyCompiled || compiledCodeOf(name) != CompiledCode::None;
        marks[n] = isAsked && pattern->occursIn(name) ? 1 : 0;
    }
    return marks;
}

// The rows of marked names and wanted kinds, ascending.
Result<std::vector<EventId>> markedRows(const EventTable& events, const NameMarks& marks, std::uint32_t kinds,
                                        JobControl& job) {
    const std::size_t rows = events.size(), pieces = (rows + kRowsPerPiece - 1) / kRowsPerPiece;
    std::vector<std::vector<EventId>> found(pieces);
    const auto scan = [&](std::size_t piece) {
        const std::size_t first = piece * kRowsPerPiece, last = std::min(rows, first + kRowsPerPiece);
        std::vector<EventId>& into = found[piece];
        for (std::size_t from = first; from < last; from += kRowsPerPoll) {
            const std::size_t to = std::min(last, from + kRowsPerPoll);
            if (job.cancelled())
                return;
            job.countEvents(to - from);
            for (std::size_t row = from; row < to; ++row)
                if (marks[events.name[row].v] != 0 &&
                    (kinds >> static_cast<unsigned>(events.kind[row]) & 1U) != 0)
                    into.push_back(EventId{static_cast<std::uint32_t>(row)});
        }
    };
    parallelFor(rows < kRowsForThreads ? 1 : threadsFor(0), pieces, scan);
    if (job.cancelled())
        return searchCancelled();
    std::size_t total = 0;
    for (const auto& part : found)
        total += part.size();
    std::vector<EventId> all;
    all.reserve(total);
    for (const auto& part : found)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

// The rows that searchNames() finds.
Result<std::vector<EventId>> rowsByName(const Trace& trace, const SearchQuery& query, JobControl& job) {
    if (query.isEmpty() || (query.wantsArgs && query.orName.empty()))
        return std::vector<EventId>{};
    const auto marks = query.wantsArgs
                           ? markNames(trace.strings(), query.orName, {}, job, query.onlyCompiled)
                           : markNames(trace.strings(), query.text, query.options, job, query.onlyCompiled);
    if (!marks)
        return marks.error();
    return markedRows(trace.events(), *marks, query.kinds, job);
}

bool equalFolded(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

// Whether one field is what the query asks for. Fields of Chrome traces are named "args.grid"; those outside
// args count by their own name.
bool isWanted(std::string_view field, std::string_view asked) {
    constexpr std::string_view kArgs = "args.";
    if (asked.empty())
        return true;
    return equalFolded(field, asked) ||
           (field.starts_with(kArgs) && equalFolded(field.substr(kArgs.size()), asked));
}

} // namespace

Result<SearchHits> searchNames(std::shared_ptr<const Trace> trace, const SearchQuery& query,
                               JobControl& job) {
    auto rows = rowsByName(*trace, query, job);
    if (!rows)
        return rows.error();
    return SearchHits(std::move(trace), std::move(*rows));
}

Result<ArgHits> searchArgs(std::shared_ptr<const Trace> trace, const SearchQuery& query, DetailReader& reader,
                           ArgSearchState& state, JobControl& job) {
    auto found = rowsByName(*trace, query, job);
    auto value = Pattern::compile(query.argValue, query.argOptions);
    const auto marks = markNames(trace->strings(), query.text, query.options, job, query.onlyCompiled);
    if (!found || !value || !marks)
        return !found ? found.error() : !value ? value.error() : marks.error();
    auto asked = markedRows(trace->events(), *marks, query.kinds, job);
    if (!asked)
        return asked.error();
    const auto& source = trace->events().source;
    std::sort(asked->begin(), asked->end(), [&](EventId a, EventId b) {
        return std::pair(source[a.v], a.v) < std::pair(source[b.v], b.v);
    });
    ArgHits out;
    out.rowsTotal = asked->size();
    state.rowsTotal = out.rowsTotal;
    for (const EventId row : *asked) {
        if (out.rowsRead % kArgRowsPerPoll == 0) {
            if (job.cancelled())
                return searchCancelled();
            if (state.enough)
                break;
        }
        job.countEvents(1);
        ++out.rowsRead;
        const auto details = reader.read(SourceRef{source[row.v]});
        if (!details && out.rowsRead == 1)
            return details.error();
        bool isHit = false;
        if (details)
            for (const auto& [name, text] : details->fields)
                isHit = isHit || (isWanted(name, query.argName) && value->occursIn(text));
        else
            ++out.unreadable;
        if (isHit)
            found->push_back(row);
        state.rowsRead = out.rowsRead;
        state.found = found->size();
    }
    std::sort(found->begin(), found->end());
    found->erase(std::unique(found->begin(), found->end()), found->end());
    out.hits = SearchHits(std::move(trace), std::move(*found));
    return out;
}

} // namespace lacuna
