#pragma once
// Launch configurations of the kernels of a trace: grid, block, registers, shared memory. The timeline does
// not draw them, so they stay in the file and are read again, in one pass, by what asks for them. Most
// launches of a program share a few configurations: each is kept once.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/importer.h"
#include "core/trace/launch_config.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

class LaunchConfigs {
public:
    static constexpr std::uint32_t kUnknown = 0; // number of the configuration that tells nothing

    LaunchConfigs() : m_configs(1) {}
    const std::vector<LaunchConfig>& configs() const { return m_configs; }
    // Number of a kernel's configuration in configs(). O(log kernels).
    std::uint32_t numberOf(EventId kernel) const;
    const LaunchConfig& of(EventId kernel) const { return m_configs[numberOf(kernel)]; }
    // Why some are unknown, for people; empty: none is.
    std::string remark;

private:
    friend class LaunchConfigReader;
    std::vector<LaunchConfig> m_configs;                      // [kUnknown] is empty
    std::vector<std::pair<EventId, std::uint32_t>> m_kernels; // by event
};

// Reads the file of the trace once more through `details`, in one ordered pass (arg_columns.h). Null, or a
// file that changed or cannot be read again, gives unknown configurations and a remark. Error: Cancelled.
// Memory: some 60 bytes a kernel while it reads, 8 after it.
Result<LaunchConfigs> readLaunchConfigs(const Trace& trace, DetailReader* details, JobControl& job);

// From the details of one kernel, for a panel that shows one.
LaunchConfig launchConfigOf(const EventDetails& details);

} // namespace lacuna
