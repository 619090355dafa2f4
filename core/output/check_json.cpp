#include "core/output/check_output.h"
#include "core/output/json_writer.h"
#include "core/output/notes_output.h"
#include "core/output/summary_output.h"

namespace lacuna {

namespace {

void writeCapture(JsonWriter& json, const CaptureContents& contents) {
    json.key("capture");
    json.beginObject();
    json.key("holds");
    json.beginArray();
    for (const CaptureItem& item : contents.items) {
        json.beginObject();
        json.member("get", item.howTo);
        json.member("held", item.held);
        json.member("name", item.key);
        json.member("title", item.title);
        json.endObject();
    }
    json.endArray();
    json.key("software");
    json.beginArray();
    for (const auto& [name, version] : contents.software) {
        json.beginObject();
        json.member("name", name);
        json.textMember("version", version);
        json.endObject();
    }
    json.endArray();
    json.key("tables_not_shown");
    json.beginArray();
    for (const std::string& table : contents.tablesNotShown)
        json.value(table);
    json.endArray();
    json.endObject();
}

} // namespace

void writeCheckJson(const Trace& trace, const Completeness& completeness, const std::string& sha256,
                    TextSink& sink) {
    JsonWriter json(sink);
    json.beginObject();
    writeCapture(json, completeness.contents);
    json.member("complete", isComplete(trace.report(), completeness));
    writeFileMember(json, trace.facts(), sha256);
    writeNotesMember(json, allNotes(trace.report(), completeness));
    writeRowsMember(json, trace.report());
    json.endObject();
}

} // namespace lacuna
