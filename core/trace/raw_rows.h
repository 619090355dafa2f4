#pragma once
// The rows of a trace under construction, in the order of the file and in its own time. 41 bytes a row.

#include "core/base/column.h"
#include "core/trace/event_table.h"
#include "core/trace/hot_args.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lacuna {

struct RawRows {
    ChunkedColumn<std::int64_t> begin, end;
    ChunkedColumn<std::uint32_t> lane;
    ChunkedColumn<StringId> name;
    ChunkedColumn<EventKind> kind;
    ChunkedColumn<std::uint64_t> correlation, source;
    WorkColumn<std::pair<std::uint32_t, CopyArgs>> copies;
    WorkColumn<std::pair<std::uint32_t, SyncArgs>> syncs;
    WorkColumn<std::pair<std::uint32_t, GraphArgs>> graphs;

    std::size_t size() const { return begin.size(); }

    // A picture that another thread may read while this one goes on: 12 bytes a row, for what may still be
    // corrected (end, name); the rest is shared.
    RawRows snapshot() const {
        return {begin,       end.deepCopy(), lane,   name.deepCopy(), kind,
                correlation, source,         copies, syncs,           graphs};
    }
};

} // namespace lacuna
