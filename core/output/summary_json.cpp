#include "core/output/notes_output.h"
#include "core/output/summary_output.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

void writeRange(JsonWriter& json, std::string_view name, std::int64_t start, std::int64_t end) {
    json.key(name);
    json.beginObject();
    json.member("end", end);
    json.member("start", start);
    json.endObject();
}

void writeStates(JsonWriter& json, const DeviceBusy& busy) {
    std::vector<std::pair<std::string, std::int64_t>> states;
    for (unsigned mask = 0; mask < busy.stateNs.size(); ++mask)
        states.emplace_back(stateName(mask), busy.stateNs[mask]);
    std::sort(states.begin(), states.end());
    json.key("state_ns");
    json.beginObject();
    for (const auto& [name, ns] : states)
        json.member(name, ns);
    json.endObject();
}

void writeDevice(JsonWriter& json, const Trace& trace, const DeviceBusy& busy) {
    const Device& device = trace.devices()[busy.device.v];
    json.beginObject();
    json.member("busy_ns", busy.busyNs);
    json.member("device", device.ordinal);
    json.member("exposed_communication_ns", busy.exposedCommunicationNs());
    json.member("exposed_copy_ns", busy.exposedCopyNs());
    json.member("first_start_ns", busy.span.begin.v);
    json.member("gpu_ops", busy.ops);
    json.member("idle_ns", busy.idleNs());
    json.member("last_end_ns", busy.span.end.v);
    if (device.process && trace.processes()[device.process.v].mpiRank)
        json.member("mpi_rank", *trace.processes()[device.process.v].mpiRank);
    json.textMember("name", device.name);
    json.member("process", processOf(trace, busy.device));
    json.member("span_ns", busy.span.length().v);
    writeStates(json, busy);
    json.member("sum_ns", busy.sumNs);
    json.key("union_ns");
    json.beginObject();
    json.member("communication", busy.byWork[1].measure().v);
    json.member("compute", busy.byWork[0].measure().v);
    json.member("memcpy", busy.byWork[2].measure().v);
    json.member("memset", busy.byWork[3].measure().v);
    json.endObject();
    json.endObject();
}

void writeSteps(JsonWriter& json, const Steps& steps) {
    const bool found = !steps.events.empty();
    const auto duration = [found](std::int64_t ns) { return found ? std::optional(ns) : std::nullopt; };
    json.key("steps");
    json.beginObject();
    json.member("count", steps.events.size());
    json.key("duration_ns");
    json.beginObject();
    json.member("max", duration(steps.maxNs));
    json.member("median", duration(steps.medianNs));
    json.member("min", duration(steps.minNs));
    json.member("p95", duration(steps.p95Ns));
    json.endObject();
    json.textMember("source", steps.source);
    json.endObject();
}

} // namespace

void writeFileMember(JsonWriter& json, const TraceFacts& facts, const std::string& sha256) {
    json.key("file");
    json.beginObject();
    json.member("format", facts.format);
    json.member("name", facts.fileName);
    json.member("sha256", sha256);
    json.member("size", facts.fileSize);
    json.textMember("writer", facts.writer);
    json.endObject();
}

void writeSummaryJson(const Summary& summary, TextSink& sink) {
    const Trace& trace = *summary.trace;
    JsonWriter json(sink);
    json.beginObject();
    json.member("base_ns", trace.facts().baseNs);
    json.key("devices");
    json.beginArray();
    for (const DeviceBusy& busy : summary.devices)
        writeDevice(json, trace, busy);
    json.endArray();
    writeFileMember(json, trace.facts(), summary.sha256);
    writeNotesMember(json, allNotes(trace.report(), summary.completeness));
    writeRowsMember(json, trace.report());
    writeSteps(json, summary.steps);
    writeRange(json, "window_ns", trace.window().begin.v, trace.window().end.v);
    json.endObject();
}

} // namespace lacuna
