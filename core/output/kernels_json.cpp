#include "core/output/json_writer.h"
#include "core/output/kernels_output.h"
#include "core/output/notes_output.h"
#include "core/output/summary_output.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lacuna {

namespace {

void dimMember(JsonWriter& json, std::string_view name, const Dim3& dim) {
    json.key(name);
    if (!dim.isKnown()) {
        json.null();
        return;
    }
    json.beginArray();
    json.value(dim.x);
    json.value(dim.y);
    json.value(dim.z);
    json.endArray();
}

void stallsMember(JsonWriter& json, const KernelDiagnosis* of) {
    json.key("stalls");
    if (of == nullptr || of->stalls.measure == StallMeasure::None) {
        json.null();
        return;
    }
    std::vector<std::pair<std::string_view, double>> byName;
    byName.reserve(of->stalls.reasons.size());
    for (const Stall& stall : of->stalls.reasons)
        byName.emplace_back(stall.id, stall.value);
    std::sort(byName.begin(), byName.end());
    json.beginObject();
    for (const auto& [name, value] : byName)
        json.member(name, value);
    json.endObject();
}

void findingsMember(JsonWriter& json, const KernelDiagnosis* of) {
    json.key("findings");
    json.beginArray();
    if (of != nullptr)
        for (const KernelFinding& finding : of->findings) {
            json.beginObject();
            json.textMember("action", finding.action);
            json.member("code", findingName(finding.code));
            json.member("text", finding.text);
            json.endObject();
        }
    json.endArray();
}

void timelineMember(JsonWriter& json, const KernelsReport& report, const KernelRow& row) {
    json.key("timeline");
    if (!row.group) {
        json.null();
        return;
    }
    const KernelGroups& all = *report.timeline;
    const KernelGroup& group = all.groups[*row.group];
    json.beginObject();
    json.member("count", group.count);
    json.member("device", all.trace->devices()[group.device.v].ordinal);
    json.member("first_launch_apart", group.isFirstApart);
    json.member("first_launch_ns", group.firstNs);
    json.member("launches_before", group.launchesBefore);
    json.member("max_ns", group.maxNs);
    json.member("median_ns", group.medianNs);
    json.member("min_ns", group.minNs);
    const auto occupancy = rowOccupancy(report, row);
    json.textMember("occupancy_limiter",
                    occupancy ? std::string_view(occupancy->limiter) : std::string_view{});
    json.member("occupancy_reported_pct", all.configOf(group).reportedOccupancyPct);
    json.member("occupancy_theoretical_pct",
                occupancy ? std::optional(occupancy->share() * 100) : std::nullopt);
    json.member("p95_ns", group.p95Ns);
    json.member("share", group.share);
    json.member("total_ns", group.totalNs);
    json.endObject();
}

void joinMember(JsonWriter& json, const KernelsReport& report, const KernelRow& row) {
    json.key("join");
    if (!row.launch || !report.timeline) {
        json.null();
        return;
    }
    json.beginObject();
    json.textMember("by", row.join.by);
    json.member("certainty", joinCertaintyName(row.join.certainty));
    if (row.join.instance)
        json.member("launch_start_ns", report.timeline->trace->events().beginNs[row.join.instance.v]);
    else
        json.nullMember("launch_start_ns");
    json.endObject();
}

void writeRow(JsonWriter& json, const KernelsReport& report, const KernelRow& row) {
    static const KernelNumbers kNone;
    const KernelDiagnosis* const of = row.launch ? &report.diagnoses[*row.launch] : nullptr;
    const KernelNumbers& numbers = of != nullptr ? of->numbers : kNone;
    const LaunchConfig& config = rowConfig(report, row);
    const KernelClass kind = classifyKernel(rowName(report, row));
    const Stall* const top = of != nullptr ? of->stalls.top() : nullptr;
    json.beginObject();
    json.textMember("action", of != nullptr ? std::string_view(of->action) : std::string_view{});
    if (kind.attention != AttentionBackend::None)
        json.member("attention_backend", attentionBackendName(kind.attention));
    else
        json.nullMember("attention_backend");
    dimMember(json, "block", config.block);
    json.textMember("command", rowCommand(report, row));
    json.textMember("diagnosis", of != nullptr && of->bound ? boundName(*of->bound) : std::string_view{});
    json.member("dram_pct", numbers.dramPct);
    json.member("duration_ns", numbers.durationNs);
    json.member("dynamic_shared_bytes", config.dynamicSharedBytes);
    json.member("excess_sector_share", numbers.excessSectorShare);
    json.member("family", familyName(kind.family));
    findingsMember(json, of);
    dimMember(json, "grid", config.grid);
    if (row.launch)
        json.member("id", report.ncu->kernels[*row.launch].id);
    else
        json.nullMember("id");
    joinMember(json, report, row);
    json.member("memory_pct", numbers.memoryPct);
    json.member("name", rowName(report, row));
    json.textMember("occupancy_limiter", numbers.limits.limiter());
    json.member("occupancy_pct", numbers.occupancyPct);
    json.member("origin", originName(kind.origin));
    json.member("registers_per_thread", config.registersPerThread);
    json.member("sectors_per_request", numbers.loadSectorsPerRequest);
    json.member("sectors_per_request_store", numbers.storeSectorsPerRequest);
    json.member("shared_bytes", config.allSharedBytes());
    json.member("sm_pct", numbers.smPct);
    json.textMember("stall_measure", of != nullptr && of->stalls.measure != StallMeasure::None
                                         ? stallMeasureName(of->stalls.measure)
                                         : std::string_view{});
    stallsMember(json, of);
    json.member("static_shared_bytes", config.staticSharedBytes);
    json.member("theoretical_occupancy_pct", numbers.theoreticalOccupancyPct);
    timelineMember(json, report, row);
    json.textMember("top_stall", top != nullptr ? top->id : std::string_view{});
    json.textMember("verdict", of != nullptr ? std::string_view(of->verdict) : std::string_view{});
    json.endObject();
}

void ncuMember(JsonWriter& json, const NcuFile* ncu) {
    json.key("ncu");
    if (ncu == nullptr) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("format", ncuFormatName(ncu->format));
    json.member("kernels", ncu->kernels.size());
    json.member("name", ncu->fileName);
    writeNotesMember(json, ncu->report.issues());
    json.member("partly_read", ncu->report.isPartial());
    json.endObject();
}

} // namespace

void writeKernelsJson(const KernelsReport& report, TextSink& sink) {
    JsonWriter json(sink);
    json.beginObject();
    if (report.timeline)
        writeFileMember(json, report.timeline->trace->facts(), report.traceSha256);
    else
        json.nullMember("file");
    json.key("kernels");
    json.beginArray();
    for (const KernelRow& row : report.rows)
        writeRow(json, report, row);
    json.endArray();
    ncuMember(json, report.ncu.get());
    json.key("remarks");
    json.beginArray();
    for (const std::string& remark : remarksOf(report))
        json.value(remark);
    json.endArray();
    json.endObject();
}

} // namespace lacuna
