#include "tests/support/trace_text.h"

#include "core/trace/trace_builder.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace lacuna::test {

namespace {

[[noreturn]] void fail(std::string_view line, const char* what) {
    std::fprintf(stderr, "trace text: %s in \"%.*s\"\n", what, static_cast<int>(line.size()), line.data());
    std::abort();
}

struct Line {
    std::string who, what, name, text;
    std::int64_t beginNs = 0, endNs = 0;
    std::uint64_t correlation = 0;
    std::map<std::string, std::int64_t, std::less<>> members;

    std::int64_t member(std::string_view key, std::int64_t fallback) const {
        const auto at = members.find(key);
        return at == members.end() ? fallback : at->second;
    }
};

std::int64_t nanoseconds(const std::string& text) {
    return us(std::strtod(text.c_str(), nullptr));
}

Line parse(const std::string& text) {
    Line line;
    line.text = text;
    std::istringstream words(text);
    words >> line.who >> line.what;
    bool timed = false;
    for (std::string word; words >> word;) {
        const std::size_t dots = word.find("..");
        const std::size_t equals = word.find('=');
        if (!timed && dots != std::string::npos && dots > 0) {
            line.beginNs = nanoseconds(word.substr(0, dots));
            line.endNs = nanoseconds(word.substr(dots + 2));
            timed = true;
        } else if (timed && word.starts_with("//")) {
            break;
        } else if (timed && word.front() == '#') {
            line.correlation = std::strtoull(word.c_str() + 1, nullptr, 10);
        } else if (timed && equals != std::string::npos) {
            line.members[word.substr(0, equals)] = std::strtoll(word.c_str() + equals + 1, nullptr, 10);
        } else if (timed) {
            fail(text, "unknown word after the times");
        } else {
            line.name.append(line.name.empty() ? "" : " ").append(word);
        }
    }
    if (!timed)
        fail(text, "no times");
    return line;
}

struct Kind {
    EventKind event;
    LaneKind lane;
};

const std::map<std::string, Kind, std::less<>>& kinds() {
    static const std::map<std::string, Kind, std::less<>> table{
        {"op", {EventKind::CpuOp, LaneKind::CpuThread}},
        {"call", {EventKind::RuntimeApi, LaneKind::CudaApi}},
        {"driver", {EventKind::DriverApi, LaneKind::CudaApi}},
        {"range", {EventKind::Range, LaneKind::Range}},
        {"step", {EventKind::Range, LaneKind::Steps}},
        {"py", {EventKind::Python, LaneKind::Python}},
        {"os", {EventKind::OsRuntime, LaneKind::OsRuntime}},
        {"overhead", {EventKind::Overhead, LaneKind::Overhead}},
        {"kernel", {EventKind::Kernel, LaneKind::GpuStream}},
        {"copy", {EventKind::Memcpy, LaneKind::GpuStream}},
        {"set", {EventKind::Memset, LaneKind::GpuStream}},
        {"graph", {EventKind::GraphLaunch, LaneKind::GpuStream}},
        {"wait", {EventKind::Sync, LaneKind::GpuSync}},
        {"record", {EventKind::Sync, LaneKind::GpuSync}},
    };
    return table;
}

CopyArgs copyArgs(const Line& line) {
    CopyArgs args;
    args.bytes = line.member("bytes", 0);
    const auto has = [&](const char* word) { return line.name.find(word) != std::string::npos; };
    const MemKind host = has("pageable") ? MemKind::Pageable
                         : has("pinned") ? MemKind::Pinned
                                         : MemKind::Unknown;
    if (has("HtoD")) {
        args.kind = CopyKind::HtoD;
        args.src = host;
        args.dst = MemKind::Device;
    } else if (has("DtoH")) {
        args.kind = CopyKind::DtoH;
        args.src = MemKind::Device;
        args.dst = host;
    } else if (has("DtoD")) {
        args.kind = CopyKind::DtoD;
        args.src = args.dst = MemKind::Device;
    }
    return args;
}

class Adder {
public:
    void add(const Line& line);
    void addFacts(const std::string& text);
    std::shared_ptr<const Trace> finish();

private:
    LaneId deviceLane(const Line& line, LaneKind kind, std::string who, ProcessId process);
    TraceBuilder m_builder;
    std::uint64_t m_rows = 0;
};

LaneId Adder::deviceLane(const Line& line, LaneKind kind, std::string who, ProcessId process) {
    std::int64_t ordinal = 0;
    if (who.front() == 'd') {
        ordinal = std::strtoll(who.c_str() + 1, nullptr, 10);
        who = who.substr(who.find('s'));
    }
    if (who.front() != 's')
        fail(line.text, "no stream");
    const std::int64_t stream = std::strtoll(who.c_str() + 1, nullptr, 10);
    return m_builder.lane({kind, process, {}, m_builder.device(process, ordinal), stream, {}});
}

void Adder::add(const Line& line) {
    const auto found = kinds().find(line.what);
    if (found == kinds().end())
        fail(line.text, "unknown kind");
    const Kind kind = found->second;
    std::string who = line.who, processText = "1";
    if (const std::size_t slash = who.find('/'); slash != std::string::npos) {
        processText = who.substr(1, slash - 1);
        who = who.substr(slash + 1);
    }
    const ProcessId process = m_builder.process(processText);
    LaneId lane;
    if (kind.lane == LaneKind::GpuStream || kind.lane == LaneKind::GpuSync) {
        lane = deviceLane(line, kind.lane, who, process);
    } else {
        const ThreadId thread = m_builder.thread(process, who);
        m_builder.thread(thread).name = who;
        lane = m_builder.lane({kind.lane, process, thread, {}, 0, {}});
    }
    const std::uint64_t domain = std::strtoull(processText.c_str(), nullptr, 10);
    RawEvent event{lane,
                   line.beginNs,
                   line.endNs,
                   m_builder.strings().intern(line.name),
                   kind.event,
                   0,
                   SourceRef::offset(m_rows++)};
    if (line.correlation != 0)
        event.correlation = domain << 32 | line.correlation;
    const std::uint32_t row = m_builder.add(event);
    if (kind.event == EventKind::Memcpy)
        m_builder.setCopy(row, copyArgs(line));
    if (line.members.contains("graph"))
        m_builder.setGraph(row, {{}, static_cast<std::uint64_t>(line.member("graph", 0)), m_rows});
    if (kind.event == EventKind::Sync) {
        SyncArgs args;
        args.kind = line.what == "wait" ? SyncKind::StreamWaitEvent : SyncKind::EventRecord;
        args.stream = line.member("stream", -1);
        args.sourceStream = line.member("from", -1);
        args.recordCorrelation = line.member("record", -1);
        args.eventId = line.member("event", -1);
        m_builder.setSync(row, args);
    }
    m_builder.report().keep(kind.event);
}

void Adder::addFacts(const std::string& text) {
    TraceFacts& facts = m_builder.facts();
    facts.syncRowsRecorded = text.find("sync") != std::string::npos;
    facts.pythonRecorded = text.find("python") != std::string::npos;
    facts.osRuntimeRecorded = text.find("os") != std::string::npos;
}

std::shared_ptr<const Trace> Adder::finish() {
    JobControl job;
    auto trace = std::move(m_builder).finish(job);
    if (!trace)
        fail(trace.error().detail, "cannot finish");
    return *trace;
}

} // namespace

std::shared_ptr<const Trace> traceOf(std::string_view text) {
    Adder adder;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos || line.compare(first, 2, "//") == 0)
            continue;
        if (line[first] == '!')
            adder.addFacts(line);
        else
            adder.add(parse(line.substr(first)));
    }
    return adder.finish();
}

EventId rowNamed(const Trace& trace, std::string_view name) {
    EventId found;
    for (EventId row{0}; row.v < trace.events().size(); ++row.v)
        if (trace.nameOf(row) == name &&
            (!found || trace.events().source[row.v] < trace.events().source[found.v]))
            found = row;
    if (!found)
        fail(name, "no such row");
    return found;
}

} // namespace lacuna::test
