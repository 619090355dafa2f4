#pragma once
// Which processes and threads of a Chrome trace are devices and streams by the names that metadata gives them
// (chrome_producers.h), for rows whose category tells nothing.

#include "core/import/detail/chrome_producers.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lacuna::chrome {

// Names as the file gives them, by text; ids of processes and threads exist only for those with rows. The
// last value of each wins. Keys of threads are those of threadKeyOf().
struct Names {
    using Map = std::unordered_map<std::string, std::string>;
    Map processes, threads, sortIndexes;
};

// pid and tid in one text.
std::string threadKeyOf(std::string_view pid, std::string_view tid);

// What the names of a row's process and thread, or its ids, say about it.
struct DeviceLine {
    enum class Role : std::uint8_t {
        Ordinary,
        Work,    // work of a stream
        Summary, // the same time again, as ranges
    };
    Role role = Role::Ordinary;
    std::int64_t device = 0, stream = 0; // of Work
    friend bool operator==(const DeviceLine&, const DeviceLine&) = default;
};

class DeviceNames {
public:
    DeviceNames() = default;
    // All names at once, as if they stood before every row.
    explicit DeviceNames(const Names& names);

    // A name that metadata gives, as the file is read.
    void process(const std::string& pid, std::string_view name);
    void thread(std::string_view name);
    // Some process so far is a device.
    bool hasDevices() const { return m_hasDevices; }
    // By the names so far; O(1) for a thread that was asked for before.
    DeviceLine lineOf(const std::string& threadKey, const Names& names);
    // Some answer of lineOf() differs from what all names say.
    bool answeredOtherwiseThan(DeviceNames& all, const Names& names) const;

private:
    DeviceLine find(const std::string& threadKey, const Names& names) const;

    std::unordered_map<std::string, ProcessName> m_processes; // those that are devices, by pid
    struct Answer {
        DeviceLine first, line;
        std::uint64_t names = 0; // m_namesSoFar when `line` was found
    };
    std::unordered_map<std::string, Answer> m_answers; // by thread key
    std::uint64_t m_namesSoFar = 1;                    // answers of fewer names are found again
    bool m_hasChanged = false;                         // some answer was not the same twice
    bool m_hasDevices = false, m_hasTfStreams = false, m_hasHipThreads = false;
};

// The last run of digits: 7 of "stream 7", 0 of "[TP00] 0", 1 of "/device:GPU:1".
std::optional<std::int64_t> lastNumber(std::string_view text);

} // namespace lacuna::chrome
