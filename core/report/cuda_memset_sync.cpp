// cuda_memset_sync: memsets of pinned or managed memory by calls that are not asynchronous; those block the
// host. Corrected: the driver's calls as well.

#include "core/report/builtin.h"
#include "core/report/copy_rules.h"

#include <utility>

namespace lacuna::reports {

Result<ReportTable> cudaMemsetSync(const ReportInput& input, JobControl& job) {
    const bool corrected = input.options.corrected;
    auto sets = selectCopies(
        input, EventKind::Memset,
        [corrected](const CopyCandidate& set) {
            return isCallOf(set.api, "Memset", corrected) &&
                   set.api.find("Async") == std::string_view::npos &&
                   (set.args.dst == MemKind::Pinned || set.args.dst == MemKind::Managed);
        },
        job);
    if (!sets)
        return sets.error();
    auto table = copyRuleTable(input, *std::move(sets), {"Memory Kind"}, job);
    if (table && table->rows() == 0)
        table->addNote("No memset blocks the host.");
    return table;
}

} // namespace lacuna::reports
