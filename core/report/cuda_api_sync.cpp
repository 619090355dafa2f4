// cuda_api_sync: calls that wait for the device or a stream, the longest first. Corrected: waits for an event
// or a context and the driver's calls as well.

#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <array>

namespace lacuna::reports {

namespace {

constexpr std::array<std::string_view, 2> kVendorWaits = {"cudaDeviceSynchronize", "cudaStreamSynchronize"};
constexpr std::array<std::string_view, 5> kOtherWaits = {"cudaEventSynchronize", "cudaThreadSynchronize",
                                                         "cuCtxSynchronize", "cuStreamSynchronize",
                                                         "cuEventSynchronize"};

bool isWait(std::string_view name, bool corrected) {
    const auto matches = [name](std::string_view begin) { return name.starts_with(begin); };
    return std::any_of(kVendorWaits.begin(), kVendorWaits.end(), matches) ||
           (corrected && std::any_of(kOtherWaits.begin(), kOtherWaits.end(), matches));
}

} // namespace

Result<ReportTable> cudaApiSync(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    std::vector<signed char> byName(trace.strings().size(), -1); // -1: not asked yet
    std::vector<EventId> waits;
    const bool done = forEachRow(input, kApiKinds, job, [&](EventId e, const Lane&) {
        signed char& known = byName[events.name[e.v].v];
        if (known < 0)
            known = isWait(trace.nameOf(e), input.options.corrected) ? 1 : 0;
        if (known == 1)
            waits.push_back(e);
    });
    if (!done)
        return cancelledError();
    RowPoll poll(job);
    if (!sortRows(waits, poll, [&events](EventId a, EventId b) {
            const std::int64_t left = events.duration(a).v, right = events.duration(b).v;
            return left != right ? left > right : events.beginNs[a.v] < events.beginNs[b.v];
        }))
        return cancelledError();
    ReportTable table({nsColumn("Duration (ns)"), nsColumn("Start (ns)"), integerColumn("PID"),
                       integerColumn("TID"), textColumn("API Name")});
    for (const EventId e : waits) {
        const HostIds ids = hostIdsOf(trace, trace.lane(trace.laneOf(e)).thread);
        table.addRow()
            .about(e)
            .ns(events.duration(e).v)
            .ns(events.beginNs[e.v])
            .integer(ids.pid)
            .integer(ids.tid)
            .text(trace.nameOf(e));
    }
    if (table.rows() == 0)
        table.addNote("No call waits for the device or a stream.");
    return table;
}

} // namespace lacuna::reports
