#include "tests/support/json_trace.h"

#include <QTest>

#include <zlib.h>

#include <algorithm>
#include <sstream>

namespace lacuna::test {

std::string q(std::string_view text) {
    std::string out(text);
    std::replace(out.begin(), out.end(), '\'', '"');
    return out;
}

Result<LoadedTrace> loadText(std::string text, std::size_t chunk, std::string_view fileName) {
    JobControl job;
    return loadTraceFromMemory(std::move(text), fileName, builtinImporters(), job, chunk);
}

std::shared_ptr<const Trace> jsonTrace(const std::string& text, std::size_t chunk) {
    auto loaded = loadText(text, chunk);
    if (!loaded) {
        QTest::qFail(loaded.error().detail.c_str(), __FILE__, __LINE__);
        return nullptr;
    }
    return loaded->trace;
}

std::string objectForm(std::string_view events, std::string_view members) {
    std::string text = "{";
    text.append(members).append(members.empty() ? "" : ", ");
    return text.append("\"traceEvents\": [\n").append(events).append("\n]}");
}

std::string gzipped(std::string_view text) {
    constexpr int kGzipWrapper = 15 + 16;
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWrapper, 8, Z_DEFAULT_STRATEGY);
    std::string input(text);
    std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
    deflateEnd(&stream);
    return out;
}

std::string dumpTrace(const Trace& trace) {
    std::ostringstream out;
    const EventTable& events = trace.events();
    const TraceFacts& facts = trace.facts();
    out << facts.format << " | " << facts.writer << " | " << facts.baseNs.value_or(-1) << " | "
        << trace.window().begin.v << ".." << trace.window().end.v << '\n';
    for (const Lane& lane : trace.lanes()) {
        out << laneKindName(lane.kind) << ' ' << lane.sourceId << " '" << trace.strings().view(lane.title)
            << "'";
        if (lane.process)
            out << " process " << trace.processes()[lane.process.v].idText << ' '
                << trace.processes()[lane.process.v].name;
        if (lane.thread)
            out << " thread " << trace.threads()[lane.thread.v].idText << ' '
                << trace.threads()[lane.thread.v].name;
        if (lane.device)
            out << " device " << trace.devices()[lane.device.v].ordinal << ' '
                << trace.devices()[lane.device.v].name;
        out << '\n';
        for (std::uint32_t s = 0; s < lane.depth; ++s) {
            const Strip& strip = trace.strip({lane.firstStrip.v + s});
            for (std::uint32_t row = strip.first.v; row < strip.last.v; ++row)
                out << "  " << s << ": " << events.beginNs[row] << ".." << events.endNs[row] << ' '
                    << kindName(events.kind[row]) << ' ' << trace.nameOf({row}) << " #"
                    << trace.correlations().correlationId(events.correlation[row]) << '\n';
        }
    }
    for (const CounterTrack& track : trace.counters()) {
        out << "counter " << track.name << ':';
        for (std::size_t i = 0; i < track.timeNs.size(); ++i)
            out << ' ' << track.timeNs[i] << '=' << track.value[i];
        out << '\n';
    }
    for (const auto& [key, value] : facts.metadata)
        out << "fact " << key << " = " << value << '\n';
    for (std::size_t kind = 0; kind < kEventKinds; ++kind)
        out << kindName(static_cast<EventKind>(kind)) << ' '
            << trace.report().kept(static_cast<EventKind>(kind)) << '\n';
    for (const Issue& issue : trace.report().issues())
        out << "issue " << issue.code << ' ' << issue.count << '\n';
    return out.str();
}

} // namespace lacuna::test
