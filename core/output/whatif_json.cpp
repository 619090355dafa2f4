#include "core/output/whatif_json.h"

#include "core/analysis/replay.h"

namespace lacuna {

namespace {

// Columns of the report; all there.
struct WhatIfColumns {
    std::size_t site, range, change, attributed, bound, replay, model, recorded, predicted;
    explicit WhatIfColumns(const ReportTable& table)
        : site(*table.findColumn("Call Site")), range(*table.findColumn("Range")),
          change(*table.findColumn("Change")), attributed(*table.findColumn("Attributed")),
          bound(*table.findColumn("Bound")), replay(*table.findColumn("Replay")),
          model(*table.findColumn("Model")), recorded(*table.findColumn("Step Recorded")),
          predicted(*table.findColumn("Step Predicted")) {}
};

void writeModelLimits(JsonWriter& json) {
    json.key("model_limits");
    json.beginArray();
    for (const std::string_view limit : replayLimits())
        json.value(limit);
    json.endArray();
}

void writeStepPeriod(const ReportTable& table, std::size_t row, const WhatIfColumns& columns,
                     JsonWriter& json) {
    if (table.isEmpty(row, columns.recorded)) {
        json.nullMember("step_period_ns");
        return;
    }
    json.key("step_period_ns");
    json.beginObject();
    json.member("predicted", table.number(row, columns.predicted));
    json.member("recorded", table.number(row, columns.recorded));
    json.endObject();
}

} // namespace

void writeWhatIfAnswer(const ReportTable& table, std::size_t row, JsonWriter& json) {
    const WhatIfColumns columns(table);
    json.beginObject();
    json.member("attributed_ns", table.number(row, columns.attributed));
    json.member("bound_ns", table.number(row, columns.bound));
    const bool isRange = table.isEmpty(row, columns.site);
    if (!isRange)
        json.member("call_site", table.text(row, columns.site));
    json.member("change", table.text(row, columns.change));
    writeModelLimits(json);
    json.member("model_ns", table.number(row, columns.model));
    if (isRange)
        json.member("range", table.text(row, columns.range));
    json.member("replay_ns", table.number(row, columns.replay));
    writeStepPeriod(table, row, columns, json);
    json.endObject();
}

} // namespace lacuna
