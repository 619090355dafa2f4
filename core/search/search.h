#pragma once
// Runs a search over a trace. Names are matched once each, then the rows are told by the number of their
// name: no text is touched per row. Arguments stand in the file and are read again, in its order.

#include "core/base/job_control.h"
#include "core/import/importer.h"
#include "core/search/query.h"
#include "core/search/search_hits.h"

#include <atomic>
#include <memory>

namespace lacuna {

// The rows of the query's kinds whose names match; of a query that wants arguments, those that need none
// (SearchQuery::orName). O(length of all names + rows). Errors: Cancelled, and those of Pattern::compile().
Result<SearchHits> searchNames(std::shared_ptr<const Trace> trace, const SearchQuery& query, JobControl& job);

// What a running search of arguments tells, and how it is asked to end early. Written by one thread, read by
// others.
struct ArgSearchState {
    std::atomic<std::uint64_t> rowsRead{0}, rowsTotal{0}, found{0};
    std::atomic<bool> enough{false}; // set it: what was found so far is the result
};

struct ArgHits {
    SearchHits hits; // those of searchNames() too
    std::uint64_t rowsRead = 0, rowsTotal = 0;
    std::uint64_t unreadable = 0; // rows whose place in the file could not be read again
    bool isComplete() const { return rowsRead == rowsTotal; }
};

// Reads every row of the query's kinds and names. The reader belongs to this job alone while it runs. Errors:
// Cancelled, those of Pattern::compile(), and that of the reader where it cannot read even the first row.
Result<ArgHits> searchArgs(std::shared_ptr<const Trace> trace, const SearchQuery& query, DetailReader& reader,
                           ArgSearchState& state, JobControl& job);

} // namespace lacuna
