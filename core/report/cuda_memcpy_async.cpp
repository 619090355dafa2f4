// cuda_memcpy_async: copies called as asynchronous that are staged all the same, because one side is pageable
// memory. Corrected: the driver's calls as well.

#include "core/report/builtin.h"
#include "core/report/copy_rules.h"

#include <utility>

namespace lacuna::reports {

Result<ReportTable> cudaMemcpyAsync(const ReportInput& input, JobControl& job) {
    const bool corrected = input.options.corrected;
    auto copies = selectCopies(
        input, EventKind::Memcpy,
        [corrected](const CopyCandidate& copy) {
            return isCallOf(copy.api, "Memcpy", corrected) &&
                   copy.api.find("Async") != std::string_view::npos &&
                   (copy.args.src == MemKind::Pageable || copy.args.dst == MemKind::Pageable);
        },
        job);
    if (!copies)
        return copies.error();
    auto table = copyRuleTable(input, *std::move(copies), {"Src Kind", "Dst Kind"}, job);
    if (table && table->rows() == 0)
        table->addNote("No asynchronous copy uses pageable memory.");
    return table;
}

} // namespace lacuna::reports
