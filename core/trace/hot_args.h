#pragma once
// The few arguments that analyses need without reading the file again, as sparse columns sorted by event.
// find() is a binary search; null when the row has none.

#include "core/base/column.h"
#include "core/base/ids.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lacuna {

// Values of nsys ENUM_CUDA_MEMCPY_OPER; Kineto names map to the same.
enum class CopyKind : std::uint8_t {
    Unknown = 0,
    HtoD = 1,
    DtoH = 2,
    HtoA = 3,
    AtoH = 4,
    AtoA = 5,
    AtoD = 6,
    DtoA = 7,
    DtoD = 8,
    HtoH = 9,
    PeerToPeer = 10,
    UnifiedHtoD = 11,
    UnifiedDtoH = 12,
    UnifiedDtoD = 13,
    Set = 100
};
// Values of nsys ENUM_CUDA_MEM_KIND.
enum class MemKind : std::uint8_t {
    Pageable = 0,
    Pinned = 1,
    Device = 2,
    Array = 3,
    Managed = 4,
    DeviceStatic = 5,
    ManagedStatic = 6,
    Unknown = 7
};
enum class SyncKind : std::uint8_t { Unknown, Event, StreamWaitEvent, Stream, Context, EventRecord };

struct CopyArgs { // Memcpy and Memset rows
    EventId event;
    std::int64_t bytes = 0;
    CopyKind kind = CopyKind::Unknown;
    MemKind src = MemKind::Unknown, dst = MemKind::Unknown;
};

// Sync rows (Kineto cuda_sync / cuda_event, Nsight SYNCHRONIZATION / CUDA_EVENT). The host call that made the
// row is in the same correlation group. -1 = not told.
struct SyncArgs {
    EventId event;
    SyncKind kind = SyncKind::Unknown;
    std::int64_t stream =
        -1; // the stream waited for (Stream), waiting (StreamWaitEvent), recorded (EventRecord)
    std::int64_t sourceStream = -1; // StreamWaitEvent: stream of the recorded event (Kineto wait_on_stream)
    std::int64_t recordCorrelation = -1; // StreamWaitEvent, Event: correlation id of the record call
    std::int64_t eventId = -1, eventSyncId = -1;
};

struct GraphArgs { // device work that came from a CUDA graph
    EventId event;
    std::uint64_t graph = 0; // executable graph; 0 = unknown
    std::uint64_t node = 0;  // 0 = whole graph
};

template <class T> class SparseArgs {
public:
    void push(const T& row) { m_rows.push_back(row); }
    void sort() {
        std::sort(m_rows.begin(), m_rows.end(), [](const T& a, const T& b) { return a.event < b.event; });
        m_rows.shrink_to_fit();
    }
    const T* find(EventId event) const {
        const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), event,
                                         [](const T& row, EventId e) { return row.event < e; });
        return at != m_rows.end() && at->event == event ? &*at : nullptr;
    }
    Column<T>& rows() { return m_rows; }
    const Column<T>& rows() const { return m_rows; }

private:
    Column<T> m_rows;
};

struct HotArgs {
    SparseArgs<CopyArgs> copies;
    SparseArgs<SyncArgs> syncs;
    SparseArgs<GraphArgs> graphs;
};

} // namespace lacuna
