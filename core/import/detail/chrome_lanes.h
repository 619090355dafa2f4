#pragma once
// Which lane a row belongs to, and what processes, threads and streams are called. Host rows: by (kind, pid,
// tid); device rows: by (kind, device, stream). Metadata may stand anywhere in the file and repeat by the
// 100,000: the last value wins, and it names only what has rows (chrome_json.md 3.2). Where it makes a device
// of a process whose rows stood before it, the file is read again with all names known (chrome_late.h).

#include "core/import/detail/chrome_category.h"
#include "core/import/detail/chrome_device_names.h"
#include "core/import/detail/json_events.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lacuna::chrome {

// "[TP00-DP01]" of "[TP00-DP01] 83", as mergers of ranks write; empty for anything else.
std::string_view rankPrefix(std::string_view pid);

class Lanes {
public:
    // `known`: all names of the file; metadata is then passed over. Else they come as it is read.
    explicit Lanes(TraceBuilder& builder, const Names* known = nullptr);

    // A pid of 0 on a Python row stands for the main process (Kineto <= 2.6).
    LaneId hostLane(LaneKind kind, const json::Event& event);
    // `title` separates lanes of the same kind and process.
    LaneId processLane(LaneKind kind, const json::Event& event, std::string_view title);
    // Arguments where the row has them; else pid and tid.
    LaneId deviceLane(LaneKind kind, const json::Event& event, std::optional<std::int64_t> device,
                      std::optional<std::int64_t> stream);
    ProcessId process(const json::Event& event);
    DeviceId device(std::string_view pidText, std::int64_t ordinal);
    // None where no row of that device came so far.
    DeviceId findDevice(std::string_view pidText, std::int64_t ordinal) const;
    // A number for (pid, tid), for stacks of B and E and for the ends of arrows.
    std::uint32_t threadNumber(const json::Event& event);
    // The lanes that hold rows of each numbered (pid, tid).
    std::vector<std::pair<std::uint32_t, LaneId>> lanesOfThreads() const;
    // Correlation ids are per process: a domain for each host pid, kPlainDomain for device rows, whose pid is
    // the device. Per rank where a merger made pids like "[TP00] 83".
    std::uint32_t correlationDomain(const json::Event& event, bool isHost);
    // Domains of host processes without such a prefix.
    const std::vector<std::uint32_t>& hostDomains() const { return m_hostDomains; }

    // For rows whose category tells nothing.
    DeviceLine deviceLine(const json::Event& event);
    // Some process so far is a device by its name.
    bool hasDeviceNames() const { return m_deviceNames.hasDevices(); }
    const Names& names() const { return m_names; }
    const DeviceNames& deviceNames() const { return m_deviceNames; }
    // Keys of the threads that have host rows, and the host lanes of each.
    const std::unordered_map<std::string, ThreadId>& threads() const { return m_threads; }
    const std::unordered_map<LaneId, ThreadId>& hostLanes() const { return m_hostLanes; }

    // A metadata element (ph M).
    void metadata(const json::Event& event);
    void applyNames();

private:
    struct CachedLane {
        std::uint64_t pid = 0, tid = 0; // the texts, when they fit
        std::uint8_t key = 0;           // kind + 1; 0: free
        LaneId lane;
    };
    struct CachedStream {
        std::int64_t device = 0, stream = 0;
        std::uint8_t key = 0;
        LaneId lane;
    };

    LaneId findHostLane(LaneKind kind, const json::Event& event);
    std::string_view pidText(const json::Event& event);
    std::string_view tidText(const json::Event& event);
    const std::string& threadKey(const json::Event& event);
    ProcessId processOf(const std::string& pid, bool isPython);
    ThreadId threadOf(ProcessId process, std::string_view pid, std::string_view tid);

    TraceBuilder& m_builder;
    std::vector<CachedLane> m_cache;
    std::vector<CachedStream> m_streams;
    std::string m_pid, m_tid, m_key;
    std::unordered_map<std::string, ProcessId> m_processes;
    std::unordered_map<std::string, ThreadId> m_threads; // by threadKey()
    std::unordered_map<std::string, std::uint32_t> m_threadNumbers, m_domains;
    std::unordered_map<std::string, ProcessId> m_ranks; // first host process of a rank prefix
    std::unordered_map<std::string, DeviceId> m_devices;
    std::unordered_map<LaneId, std::string> m_streamLanes; // thread key
    std::unordered_map<LaneId, ThreadId> m_hostLanes;
    std::vector<std::uint32_t> m_hostDomains;
    std::string m_lastHostPid; // the domain table is not asked again while it repeats
    std::uint32_t m_lastHostDomain = 0;
    Names m_names;
    DeviceNames m_deviceNames;
    bool m_areNamesKnown = false;
    std::optional<ProcessId> m_pythonZero; // process "0" as long as only Python rows used it
    std::optional<ProcessId> m_mainProcess;
};

} // namespace lacuna::chrome
