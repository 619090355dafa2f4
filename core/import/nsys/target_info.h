#pragma once
// What an export tells about the machine and the session: facts for the information pane, names of processes,
// threads, GPUs and streams. Never the environment, host or user names (nsys.md section 1, privacy).

#include "core/import/nsys/nsys_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lacuna::nsys {

// Writer, time base, versions, capture options; also names of processes and threads into the reader.
void loadTargetInfo(NsysReader& reader);
// Diagnostics that say why data is missing (severity 2 and 3) as notes of the report.
void loadDiagnostics(NsysReader& reader);
// Tables with rows that no reader handles, as facts and, where a user would miss them, as notes.
void noteUnreadTables(NsysReader& reader);

// The physical GPU behind a CUDA ordinal (nsys.md section 3.1, "GPU identity rule").
class GpuNames {
public:
    explicit GpuNames(SqliteDb& db);
    // Empty when the file does not tell.
    std::string name(std::int64_t processNumber, std::int64_t ordinal) const;
    // nsys's own GPU number of a device; none when the file has no sure map.
    std::optional<std::int64_t> gpu(std::int64_t processNumber, std::int64_t ordinal) const;

private:
    struct Gpu {
        std::int64_t id = 0;
        std::optional<std::int64_t> cudaOrdinal;
        std::string name;
    };
    const Gpu* find(std::int64_t processNumber, std::int64_t ordinal) const;
    std::vector<Gpu> m_gpus;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> m_byProcess; // (process, ordinal) -> id
    bool m_ordinalsAreUnique = false;
};

// Titles of stream lanes: the NVTX name, else the number with what the file tells about the stream.
class StreamTitles {
public:
    explicit StreamTitles(NsysReader& reader);
    std::string title(std::int64_t processNumber, std::int64_t context, std::int64_t stream) const;

private:
    using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>; // process number, context, stream
    struct Stream {
        std::string name;
        std::int64_t priority = 0;
        bool isDefault = false, isNonBlocking = false;
    };
    std::map<Key, Stream> m_streams;
};

} // namespace lacuna::nsys
