// Set-up, limits and provenance: what somebody needs to repeat the measurement or to doubt it.

#include "core/base/text_format.h"
#include "core/output/notes_output.h"
#include "core/writeup/write_up_parts.h"

#include <set>

namespace lacuna::writeup {

namespace {

constexpr const char* kNotStated = "not stated";

const CaptureItem* itemOf(const Summary& summary, std::string_view key) {
    for (const CaptureItem& item : summary.completeness.contents.items)
        if (item.key == key)
            return &item;
    return nullptr;
}

std::string hardwareOf(const Summary& summary) {
    std::string line;
    std::set<std::string> seen;
    for (const DeviceBusy& device : summary.devices) {
        const Device& info = summary.trace->devices()[device.device.v];
        const std::string name =
            "GPU " + std::to_string(info.ordinal) + (info.name.empty() ? "" : " " + oneLine(info.name));
        if (seen.insert(name).second)
            line.append(line.empty() ? "" : ", ").append(name);
    }
    return line;
}

std::string softwareOf(const Summary& summary) {
    std::string line = oneLine(summary.trace->facts().writer);
    for (const auto& [name, version] : summary.completeness.contents.software)
        if (!version.empty())
            line.append(line.empty() ? "" : ", ").append(oneLine(name)).append(" ").append(oneLine(version));
    return line;
}

std::string boundariesOf(const Summary& summary) {
    if (summary.devices.empty())
        return {};
    return "per GPU from the start of its first to the end of its last recorded operation; host work outside "
           "of it "
           "is not in the idle time";
}

std::string shapesOf(const Summary& summary) {
    const CaptureItem* shapes = itemOf(summary, "shapes");
    return shapes != nullptr && shapes->held == true ? "recorded per operator, in the trace" : std::string();
}

} // namespace

void addSetup(const Summary& summary, const StatedSetup& stated, const StepCaption& steps, Blocks& blocks) {
    blocks.heading(2, "Set-up");
    const std::vector<std::pair<std::string, std::string>> known{
        {"warm-up", {}},
        {"iterations", steps.text},
        {"shapes", shapesOf(summary)},
        {"batch", {}},
        {"dtype", {}},
        {"hardware", hardwareOf(summary)},
        {"software", softwareOf(summary)},
        {"boundaries", boundariesOf(summary)},
    };
    std::vector<std::pair<std::string, std::string>> rows;
    for (const auto& [name, fromFile] : known) {
        const auto said = stated.find(name);
        std::string value = said != stated.end() && !said->second.empty() ? oneLine(said->second) : fromFile;
        rows.emplace_back(name, value.empty() ? kNotStated : std::move(value));
    }
    blocks.fields(rows);
}

void addLimits(const Summary& summary, Blocks& blocks) {
    blocks.heading(2, "Limits of this report");
    blocks.list(
        {"Causes are hypotheses from one capture. Each finding names its evidence; change one thing, record "
         "again, compare.",
         "“Could save” is a bound: the gap itself would be gone, while other work may take its place.",
         "Idle means that no recorded kernel, copy or memset ran on any stream of the device. Work that the "
         "capture lost looks idle.",
         "The profiler slows the host down; short gaps between launches are shorter without it."});
    const std::vector<Issue> notes = allNotes(summary.trace->report(), summary.completeness);
    if (!notes.empty()) {
        blocks.text("What is missing or wrong in the file");
        std::vector<std::string> lines;
        lines.reserve(notes.size());
        for (const Issue& note : notes)
            lines.push_back(oneLine(note.message) +
                            (note.count > 1 ? " (" + formatCount(note.count) + ")" : ""));
        blocks.list(std::move(lines));
    }
    std::vector<std::string> missing;
    for (const CaptureItem& item : summary.completeness.contents.items)
        if (item.held == false)
            missing.push_back(oneLine(item.title) + (item.howTo.empty() ? "" : ": " + oneLine(item.howTo)));
    if (!missing.empty()) {
        blocks.text("What was not recorded");
        blocks.list(std::move(missing));
    }
}

void addProvenance(const Summary& summary, const std::string& program, Blocks& blocks) {
    const TraceFacts& facts = summary.trace->facts();
    const ImportReport& report = summary.trace->report();
    blocks.heading(2, "Where this comes from");
    std::vector<std::pair<std::string, std::string>> rows{
        {"file", oneLine(facts.fileName) + ", " + formatBytes(facts.fileSize)},
        {"format", facts.format},
        {"events", formatCount(report.rowsRead()) + " read = " + formatCount(report.rowsKept()) + " kept + " +
                       formatCount(report.rowsDropped()) + " dropped"}};
    if (!summary.sha256.empty())
        rows.emplace_back("SHA-256", summary.sha256);
    rows.emplace_back("made by", program);
    blocks.fields(rows);
}

} // namespace lacuna::writeup
