// cuda_memcpy_sync: copies that block the host, without those to the device of at most 64,000 bytes, which
// return early, and those inside one device, which do not block. The vendor tells the latter by equal device
// numbers of source and destination; those are recorded for copies between devices only, so that it lists
// copies inside a device after all. Corrected: told by the kind of the copy; the driver's calls as well.

#include "core/import/arg_columns.h"
#include "core/report/builtin.h"
#include "core/report/copy_rules.h"

#include <array>
#include <utility>

namespace lacuna::reports {

namespace {

constexpr std::int64_t kEarlyReturn = 64'000; // bytes

// Copies whose recorded source and destination devices are equal.
Status removeWithinDevice(const ReportInput& input, std::vector<CopyCandidate>& copies, JobControl& job) {
    std::vector<EventId> ops;
    ops.reserve(copies.size());
    for (const CopyCandidate& copy : copies)
        ops.push_back(copy.op);
    constexpr std::array<std::string_view, 2> kColumns = {"srcDeviceId", "dstDeviceId"};
    const auto devices = ArgColumns::read(input.trace, input.details, ops, kColumns, job);
    if (!devices)
        return devices.error();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < copies.size(); ++i)
        if (!devices->value(i, 0) || devices->value(i, 0) != devices->value(i, 1))
            copies[kept++] = copies[i];
    copies.resize(kept);
    return ok();
}

} // namespace

Result<ReportTable> cudaMemcpySync(const ReportInput& input, JobControl& job) {
    const bool corrected = input.options.corrected;
    auto copies = selectCopies(
        input, EventKind::Memcpy,
        [corrected](const CopyCandidate& copy) {
            return isCallOf(copy.api, "Memcpy", corrected) &&
                   copy.api.find("Async") == std::string_view::npos &&
                   !(copy.args.kind == CopyKind::HtoD && copy.args.bytes <= kEarlyReturn) &&
                   !(corrected && copy.args.kind == CopyKind::DtoD);
        },
        job);
    if (!copies)
        return copies.error();
    if (const Status removed = removeWithinDevice(input, *copies, job); !removed)
        return removed.error();
    auto table = copyRuleTable(input, *std::move(copies), {"Src Kind", "Dst Kind"}, job);
    if (table && table->rows() == 0)
        table->addNote("No copy blocks the host by its kind of call.");
    return table;
}

} // namespace lacuna::reports
