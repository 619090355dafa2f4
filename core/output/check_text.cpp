#include "core/base/text_format.h"
#include "core/output/check_output.h"
#include "core/output/notes_output.h"
#include "core/output/text_table.h"
#include "core/output/utf8.h"

#include <algorithm>

namespace lacuna {

namespace {

void writeContents(const CaptureContents& contents, TextSink& sink) {
    if (!contents.items.empty()) {
        sink.write("\nWhat this capture holds\n");
        TextTable table({{"what"}, {"held"}, {"how to record it", false, true}});
        for (const CaptureItem& item : contents.items)
            table.add({item.title, std::string(heldName(item.held)),
                       item.held.value_or(false) ? std::string() : item.howTo});
        table.write(sink, kTextWidth, 2);
    }
    sink.write("\nSoftware\n");
    TextTable table({{"what"}, {"version", false, true}});
    for (const auto& [name, version] : contents.software)
        table.add({name, version.empty() ? "unknown" : version});
    table.write(sink, kTextWidth, 2);
}

} // namespace

std::string checkVerdict(const Trace& trace, const Completeness& completeness) {
    if (isComplete(trace.report(), completeness))
        return "Complete: nothing that the file tells is missing or wrong.";
    const auto notes = allNotes(trace.report(), completeness);
    const auto serious = static_cast<std::uint64_t>(std::count_if(
        notes.begin(), notes.end(), [](const Issue& note) { return note.severity != Severity::Info; }));
    return "Not complete: " + formatCount(serious) + (serious == 1 ? " note tells" : " notes tell") +
           " what is missing or wrong.";
}

void writeCheckText(const Trace& trace, const Completeness& completeness, TextSink& sink) {
    const TraceFacts& facts = trace.facts();
    sink.write(printable(facts.fileName) + '\n');
    sink.write("Format   " + facts.format + ", " + formatBytes(facts.fileSize) + '\n');
    writeRowsText(sink, trace.report());
    writeContents(completeness.contents, sink);
    writeNotesText(sink, allNotes(trace.report(), completeness), true);
    sink.write('\n' + checkVerdict(trace, completeness) + '\n');
}

} // namespace lacuna
