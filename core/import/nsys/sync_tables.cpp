// Synchronisation and event-record rows: host-time markers drawn with the device, no device work.
//
// What kind of wait a row is follows from its ids alone: the number in syncType means different things in
// different versions (nsys.md section 3.2). A stream wait names an event object that may have been recorded
// many times; its source is the record that was in force when the wait was called: the one that eventSyncId
// numbers where both tables have it, else the latest record of the object whose call started before the
// wait's.

#include "core/import/nsys/device_lanes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace lacuna::nsys {

namespace {

struct EventRecord {
    std::int64_t process = 0, eventId = 0;
    std::int64_t calledAt = 0; // start of the record call
    std::int64_t stream = 0, syncId = -1;
    std::uint32_t correlation = 0;
};

bool byObjectAndTime(const EventRecord& a, const EventRecord& b) {
    return std::tie(a.process, a.eventId, a.calledAt) < std::tie(b.process, b.eventId, b.calledAt);
}

// -1 for NULL, "none" and negative numbers.
std::int64_t idOr(std::optional<std::int64_t> id) {
    return id && *id >= 0 && *id != kNoneId ? *id : -1;
}

class EventRecords {
public:
    void load(NsysReader& reader, DeviceLanes& lanes) {
        enum Column { Device, Context, Stream, Correlation, Pid, Event, SyncId };
        TableRows rows(
            reader, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
            {"deviceId", "contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"});
        const StringId name = reader.builder.strings().intern("Event Record");
        while (rows.next()) {
            const auto pid = rows.integer(Pid);
            const std::uint64_t correlation = reader.correlation(pid, rows.integer(Correlation));
            const auto call = correlation == 0 ? std::nullopt : reader.apiCall(correlation);
            if (!call) { // these rows carry no time of their own
                rows.drop("record_without_call",
                          "Event records whose API call is not in the file have no time; they "
                          "were left out.");
                continue;
            }
            const std::int64_t at = reader.builder.endOf(*call);
            SyncArgs args;
            args.kind = SyncKind::EventRecord;
            args.stream = idOr(rows.integer(Stream));
            args.eventId = idOr(rows.integer(Event));
            args.eventSyncId = idOr(rows.integer(SyncId));
            const std::int64_t ordinal =
                lanes.ordinalOf(pid, rows.integer(Context), rows.integerOr(Device, 0));
            const LaneId lane =
                lanes.sync(pid, ordinal, args.stream < 0 ? std::nullopt : std::optional(args.stream));
            const std::uint32_t row =
                reader.builder.add({lane, at, at, name, EventKind::Sync, correlation, rows.source()});
            rows.keep(EventKind::Sync);
            reader.builder.setSync(row, args);
            m_records.push_back({static_cast<std::int64_t>(correlation >> 32), args.eventId,
                                 reader.builder.beginOf(*call), args.stream, args.eventSyncId,
                                 static_cast<std::uint32_t>(correlation)});
        }
        std::stable_sort(m_records.begin(), m_records.end(), byObjectAndTime);
        for (std::size_t i = 0; i < m_records.size(); ++i)
            if (m_records[i].syncId >= 0)
                m_bySyncId.insert_or_assign({m_records[i].process, m_records[i].syncId}, i);
    }

    // The record that a wait called at `waitStart` refers to.
    const EventRecord* find(std::int64_t process, std::int64_t eventId, std::int64_t syncId,
                            std::int64_t waitStart) const {
        if (const auto at = m_bySyncId.find({process, syncId}); at != m_bySyncId.end()) {
            const EventRecord& record = m_records[at->second];
            if (record.eventId == eventId && record.calledAt < waitStart)
                return &record;
        }
        const EventRecord key{process, eventId, waitStart, 0, -1, 0};
        const auto end = std::lower_bound(m_records.begin(), m_records.end(), key, byObjectAndTime);
        if (end == m_records.begin() || (end - 1)->process != process || (end - 1)->eventId != eventId)
            return nullptr;
        return &*(end - 1);
    }

private:
    std::vector<EventRecord> m_records;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> m_bySyncId; // (process, eventSyncId)
};

SyncKind kindOf(std::int64_t stream, std::int64_t event) {
    if (stream >= 0)
        return event >= 0 ? SyncKind::StreamWaitEvent : SyncKind::Stream;
    return event >= 0 ? SyncKind::Event : SyncKind::Context;
}

std::string_view nameOf(SyncKind kind, bool isQuery) {
    switch (kind) {
    case SyncKind::Event:
        return isQuery ? "Event Query" : "Event Sync";
    case SyncKind::StreamWaitEvent:
        return "Stream Wait Event";
    case SyncKind::Stream:
        return isQuery ? "Stream Query" : "Stream Sync";
    default:
        return "Context Sync";
    }
}

void loadWaits(NsysReader& reader, DeviceLanes& lanes, const EventRecords& records) {
    enum Column { Begin, End, Device, Context, Stream, Correlation, Pid, Event, SyncId };
    TableRows rows(reader, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                   {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                    "eventId", "eventSyncId"});
    const bool idsAreKnown = rows.has(Stream) && rows.has(Event);
    while (rows.next()) {
        const auto time = rows.interval(false);
        if (!time)
            continue;
        reader.builder.facts().syncRowsRecorded = true;
        const auto pid = rows.integer(Pid);
        const std::uint64_t correlation = reader.correlation(pid, rows.integer(Correlation));
        const auto call = correlation == 0 ? std::nullopt : reader.apiCall(correlation);
        SyncArgs args;
        args.stream = idOr(rows.integer(Stream));
        args.eventId = idOr(rows.integer(Event));
        args.eventSyncId = idOr(rows.integer(SyncId));
        const SyncKind kind = idsAreKnown ? kindOf(args.stream, args.eventId) : SyncKind::Unknown;
        // A query leaves the row of a wait, but never blocks.
        const bool isQuery =
            call && reader.builder.strings().view(reader.builder.nameOf(*call)).find("Query") !=
                        std::string_view::npos;
        args.kind = isQuery ? SyncKind::Unknown : kind;
        if (kind == SyncKind::StreamWaitEvent || kind == SyncKind::Event) {
            const std::int64_t calledAt = !call ? time->begin : reader.builder.beginOf(*call);
            if (const EventRecord* record = records.find(static_cast<std::int64_t>(correlation >> 32),
                                                         args.eventId, args.eventSyncId, calledAt)) {
                args.recordCorrelation = record->correlation;
                args.sourceStream = record->stream;
            }
        }
        const StringId name = reader.builder.strings().intern(
            kind == SyncKind::Unknown ? std::string_view("Synchronisation") : nameOf(kind, isQuery));
        const std::int64_t ordinal = lanes.ordinalOf(pid, rows.integer(Context), rows.integerOr(Device, 0));
        const LaneId lane =
            lanes.sync(pid, ordinal, args.stream < 0 ? std::nullopt : std::optional(args.stream));
        const std::uint32_t row = reader.builder.add(
            {lane, time->begin, time->end, name, EventKind::Sync, correlation, rows.source()});
        rows.keep(EventKind::Sync);
        reader.builder.setSync(row, args);
    }
}

} // namespace

void loadSyncRows(NsysReader& reader, DeviceLanes& lanes) {
    EventRecords records;
    records.load(reader, lanes);
    loadWaits(reader, lanes, records);
}

} // namespace lacuna::nsys
