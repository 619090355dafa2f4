#pragma once
// Writes the groups of a CorrelationIndex in the form in which it keeps them.

#include "core/trace/correlation_index.h"

namespace lacuna {

class CorrelationGroups {
public:
    using Group = CorrelationIndex::Group;

    // What will come, at most; what stays untouched costs nothing.
    CorrelationGroups(CorrelationIndex& into, std::size_t groups);

    // In ascending order by (domain, id); their members follow one another. Markers: what lies before the
    // next group. Returns the group's number.
    std::uint32_t add(const Group& group);
    void finish(); // after the last one

private:
    void closeBlock();

    CorrelationIndex& m_into;
    Column<Group> m_open; // of the block that is not yet written
};

} // namespace lacuna
