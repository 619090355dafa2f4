#include "core/output/notes_output.h"

#include "core/base/text_format.h"
#include "core/document/completeness.h"
#include "core/output/text_table.h"
#include "core/output/utf8.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lacuna {

namespace {

void writePlace(JsonWriter& json, const IssuePlace& place) {
    json.key("first");
    if (!place.offset && place.table.empty())
        return json.null();
    json.beginObject();
    if (place.offset)
        json.member("offset", *place.offset);
    if (!place.table.empty()) {
        json.member("row", place.row);
        json.member("table", place.table);
    }
    json.endObject();
}

// The sentences of the checks begin with their count.
bool tellsCount(const Issue& note) {
    return note.message.find(formatCount(note.count)) != std::string::npos;
}

} // namespace

void writeNotesMember(JsonWriter& json, std::span<const Issue> notes) {
    json.key("notes");
    json.beginArray();
    for (const Issue& note : notes) {
        json.beginObject();
        json.member("code", note.code);
        json.member("count", note.count);
        writePlace(json, note.first);
        json.member("message", note.message);
        json.textMember("remedy", remedyOf(note));
        json.member("severity", severityName(note.severity));
        json.endObject();
    }
    json.endArray();
}

void writeRowsMember(JsonWriter& json, const ImportReport& report) {
    std::array<std::pair<std::string_view, std::uint64_t>, kEventKinds> kinds;
    for (std::size_t k = 0; k < kEventKinds; ++k) {
        const auto kind = static_cast<EventKind>(k);
        kinds[k] = {kindName(kind), report.kept(kind)};
    }
    std::sort(kinds.begin(), kinds.end());
    json.key("rows");
    json.beginObject();
    json.key("by_kind");
    json.beginObject();
    for (const auto& [name, rows] : kinds)
        json.member(name, rows);
    json.endObject();
    json.member("dropped", report.rowsDropped());
    json.member("kept", report.rowsKept());
    json.member("read", report.rowsRead());
    json.endObject();
}

std::string firstPlaceText(const IssuePlace& place) {
    if (place.offset)
        return "First at byte " + formatCount(*place.offset) + ".";
    if (!place.table.empty())
        return "First in table " + printable(place.table) + ", row " + std::to_string(place.row) + ".";
    return {};
}

void writeNotesText(TextSink& sink, std::span<const Issue> notes, bool withRemedies) {
    if (notes.empty())
        return;
    sink.write("\nNotes\n");
    for (const Issue& note : notes) {
        std::string text = printable(note.message);
        if (note.count > 1 && !tellsCount(note))
            text += " (" + formatCount(note.count) + " times)";
        if (const std::string place = firstPlaceText(note.first); !place.empty())
            text += ' ' + place;
        if (const std::string_view remedy = remedyOf(note); withRemedies && !remedy.empty())
            text.append(" ").append(remedy);
        writeParagraph(sink, "  " + std::string(severityName(note.severity)) + ": ", text, kTextWidth);
    }
}

std::string_view noDeviceText(const ImportReport& report) {
    return report.isPartial() ? "No device activity is in the part of the file that could be read."
                              : "No device activity is in this file.";
}

void writeRowsText(TextSink& sink, const ImportReport& report) {
    sink.write("Rows     " + formatCount(report.rowsRead()) + " read = " + formatCount(report.rowsKept()) +
               " kept + " + formatCount(report.rowsDropped()) + " dropped\n");
    // Most rows first.
    std::vector<std::pair<std::uint64_t, std::string_view>> kinds;
    for (std::size_t k = 0; k < kEventKinds; ++k)
        if (const auto kind = static_cast<EventKind>(k); report.kept(kind) > 0)
            kinds.emplace_back(report.kept(kind), kindName(kind));
    std::sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::string text;
    for (const auto& [rows, name] : kinds)
        text.append(text.empty() ? "" : ", ").append(name).append("\u00A0").append(formatCount(rows));
    if (!text.empty())
        writeParagraph(sink, "         ", text, kTextWidth);
}

} // namespace lacuna
