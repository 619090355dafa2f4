#include "core/import/launch_configs.h"

#include "core/import/byte_source.h"
#include "core/import/detail/json_event_parse.h"
#include "core/import/detail/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <span>

namespace lacuna {

namespace {

constexpr std::size_t kConfigRead = std::size_t{256} << 10;
constexpr std::size_t kLargestElement = std::size_t{64} << 20; // as json::Limits::event
constexpr std::uint32_t kConfigsPerPoll = 1024;

// "[4096, 1, 1]"
Dim3 dimOfList(std::string_view text) {
    std::array<std::uint32_t, 3> sides{};
    std::size_t used = 0;
    for (const char* at = text.data(); at != text.data() + text.size() && used < 3;) {
        const auto [end, error] = std::from_chars(at, text.data() + text.size(), sides[used]);
        used += error == std::errc{} ? 1 : 0;
        at = error == std::errc{} ? end : at + 1;
    }
    return used == 3 ? Dim3{sides[0], sides[1], sides[2]} : Dim3{};
}

template <class T> void setNumber(std::optional<T>& into, std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end != text.data())
        into = value;
}

// Kineto's names, without "args.", and those of Nsight's columns.
void takeField(LaunchConfig& config, std::string_view name, std::string_view text) {
    const auto side = [text](std::uint32_t& into) {
        std::optional<std::uint32_t> value;
        setNumber(value, text);
        into = value.value_or(0);
    };
    if (name == "grid")
        config.grid = dimOfList(text);
    else if (name == "block")
        config.block = dimOfList(text);
    else if (name == "registers per thread" || name == "registersPerThread")
        setNumber(config.registersPerThread, text);
    else if (name == "shared memory")
        setNumber(config.sharedBytes, text);
    else if (name == "staticSharedMemory")
        setNumber(config.staticSharedBytes, text);
    else if (name == "dynamicSharedMemory")
        setNumber(config.dynamicSharedBytes, text);
    else if (name == "localMemoryPerThread")
        setNumber(config.localBytesPerThread, text);
    else if (name == "est. achieved occupancy %")
        setNumber(config.reportedOccupancyPct, text);
    else if (name == "gridX")
        side(config.grid.x);
    else if (name == "gridY")
        side(config.grid.y);
    else if (name == "gridZ")
        side(config.grid.z);
    else if (name == "blockX")
        side(config.block.x);
    else if (name == "blockY")
        side(config.block.y);
    else if (name == "blockZ")
        side(config.block.z);
}

std::vector<EventId> kernelsInFileOrder(const Trace& trace) {
    std::vector<EventId> kernels;
    const EventTable& events = trace.events();
    for (const Strip& strip : trace.strips())
        if (trace.lane(strip.lane).kind == LaneKind::GpuStream)
            for (EventId e = strip.first; e < strip.last; ++e.v)
                if (events.kind[e.v] == EventKind::Kernel)
                    kernels.push_back(e);
    std::sort(kernels.begin(), kernels.end(),
              [&](EventId a, EventId b) { return events.source[a.v] < events.source[b.v]; });
    return kernels;
}

// Elements of an event array at ascending offsets of the unpacked text.
class ElementStream {
public:
    explicit ElementStream(ByteSource& bytes) : m_bytes(bytes) {}

    // False: no element stands there, or it is damaged or too large.
    Result<bool> read(std::uint64_t offset, json::Event& out) {
        std::size_t wanted = std::size_t{16} << 10;
        while (true) {
            const auto enough = reach(offset, wanted);
            if (!enough)
                return enough.error();
            const auto from = static_cast<std::size_t>(offset - m_base);
            if (from >= m_size || m_text[from] != '{')
                return false;
            json::Scanner scanner(m_text.data() + m_size);
            if (json::parseEvent(scanner, m_text.data() + from, out) != nullptr)
                return true;
            if (scanner.stop() != json::Scanner::Stop::More || !*enough || wanted >= kLargestElement)
                return false;
            wanted *= 4;
        }
    }

private:
    // Text from `offset` on, `wanted` bytes; false: there is less.
    Result<bool> reach(std::uint64_t offset, std::size_t wanted) {
        if (const std::uint64_t before = std::min<std::uint64_t>(offset - m_base, m_size);
            before > kConfigRead) {
            m_text.erase(0, static_cast<std::size_t>(before));
            m_base += before;
            m_size -= static_cast<std::size_t>(before);
        }
        while (m_base + m_size < offset + wanted) {
            m_text.resize(m_size + kConfigRead + json::kPadding);
            const auto got =
                m_bytes.read(std::as_writable_bytes(std::span(m_text.data() + m_size, kConfigRead)));
            if (!got)
                return got.error();
            m_size += *got;
            m_text.resize(m_size);
            m_text.resize(m_size + json::kPadding, '\0');
            if (*got == 0)
                return false;
            if (offset - m_base > m_size) { // all of it lies before
                m_base += m_size;
                m_size = 0;
                m_text.clear();
            }
        }
        return true;
    }

    ByteSource& m_bytes;
    std::string m_text; // m_size bytes from m_base on, and padding
    std::size_t m_size = 0;
    std::uint64_t m_base = 0;
};

} // namespace

std::uint32_t LaunchConfigs::numberOf(EventId kernel) const {
    const auto at = std::lower_bound(m_kernels.begin(), m_kernels.end(), kernel,
                                     [](const auto& entry, EventId e) { return entry.first < e; });
    return at != m_kernels.end() && at->first == kernel ? at->second : kUnknown;
}

LaunchConfig launchConfigOf(const EventDetails& details) {
    LaunchConfig config;
    constexpr std::string_view kArgs = "args.";
    for (const auto& [name, value] : details.fields)
        takeField(config, name.starts_with(kArgs) ? std::string_view(name).substr(kArgs.size()) : name,
                  value);
    return config;
}

class LaunchConfigReader {
public:
    LaunchConfigReader(const Trace& trace, JobControl& job)
        : m_trace(trace), m_job(job), m_kernels(kernelsInFileOrder(trace)) {
        m_out.m_kernels.reserve(m_kernels.size());
    }

    bool isEmpty() const { return m_kernels.empty(); }

    Status readJson(ByteSource& bytes) {
        ElementStream stream(bytes);
        json::Event element;
        std::string name;
        for (const EventId kernel : m_kernels) {
            if (isCancelled())
                return cancelledError();
            const auto found = stream.read(m_trace.events().source[kernel.v], element);
            if (!found)
                return found.error();
            LaunchConfig config;
            if (*found && element.args.type == json::ValueType::Object) {
                json::Members members(element.args.text);
                std::string_view key;
                json::Value value;
                while (members.next(key, value))
                    takeField(config, key, value.text);
            }
            add(kernel, config);
        }
        return ok();
    }

    Status readRows(DetailReader& details) {
        for (const EventId kernel : m_kernels) {
            if (isCancelled())
                return cancelledError();
            const auto row = details.read({m_trace.events().source[kernel.v]});
            if (!row)
                return row.error();
            add(kernel, launchConfigOf(*row));
        }
        return ok();
    }

    LaunchConfigs finish() {
        std::sort(m_out.m_kernels.begin(), m_out.m_kernels.end());
        return std::move(m_out);
    }

private:
    bool isCancelled() {
        if (++m_read % kConfigsPerPoll != 0)
            return false;
        m_job.countEvents(kConfigsPerPoll);
        return m_job.cancelled();
    }

    void add(EventId kernel, const LaunchConfig& config) {
        const auto [at, isNew] =
            m_numbers.try_emplace(config, static_cast<std::uint32_t>(m_out.m_configs.size()));
        if (isNew)
            m_out.m_configs.push_back(config);
        m_out.m_kernels.emplace_back(kernel, at->second);
    }

    const Trace& m_trace;
    JobControl& m_job;
    std::vector<EventId> m_kernels;
    std::map<LaunchConfig, std::uint32_t> m_numbers{{LaunchConfig{}, LaunchConfigs::kUnknown}};
    std::uint32_t m_read = 0;
    LaunchConfigs m_out;
};

Result<LaunchConfigs> readLaunchConfigs(const Trace& trace, DetailReader* details,
                                        const std::filesystem::path& file, std::string_view member,
                                        JobControl& job) {
    LaunchConfigReader reader(trace, job);
    if (reader.isEmpty())
        return LaunchConfigs{};
    Status read = Error{Errc::Io, "the file cannot be read again", {}, {}};
    const bool isJson = trace.facts().format.ends_with("json");
    if (isJson && !file.empty() && !isStandardInput(file)) {
        const auto bytes = openFile(file, member, &job);
        read = bytes ? reader.readJson(**bytes) : Status(bytes.error());
    } else if (details != nullptr) {
        read = reader.readRows(*details);
    }
    if (!read && read.error().code == Errc::Cancelled)
        return read.error();
    LaunchConfigs configs = reader.finish();
    if (!read)
        configs.remark = "Launch configurations are not known: " + read.error().detail;
    return configs;
}

} // namespace lacuna
