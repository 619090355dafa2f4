#pragma once
// Notes and the account of the rows, as every verb prints them.

#include "core/output/json_writer.h"
#include "core/trace/import_report.h"

#include <span>
#include <string>
#include <string_view>

namespace lacuna {

// Member "notes": code, count, first place or null, message, remedy or null, severity.
void writeNotesMember(JsonWriter& json, std::span<const Issue> notes);
// Member "rows": read = kept + dropped, and kept by kind.
void writeRowsMember(JsonWriter& json, const ImportReport& report);

// Paragraphs with severity, sentence, count and first place; with the remedies where asked for.
void writeNotesText(TextSink& sink, std::span<const Issue> notes, bool withRemedies);
// "Rows     12 read = 12 kept + 0 dropped" and the kinds that occur.
void writeRowsText(TextSink& sink, const ImportReport& report);
// "No device activity is in this file.", which nobody knows of a file that was read in part.
std::string_view noDeviceText(const ImportReport& report);
// "First at byte 1 234."; empty where the place is unknown.
std::string firstPlaceText(const IssuePlace& place);

} // namespace lacuna
