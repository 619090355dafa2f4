#include "widgets/timeline/annotation_control.h"

#include "core/base/text_format.h"
#include "widgets/command/command_registry.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/session/note_author.h"
#include "widgets/tables/annotation_table_model.h"
#include "widgets/text.h"

#include <algorithm>

namespace lacuna::ui {

AnnotationControl::AnnotationControl(TimelineView& view, CommandRegistry& registry)
    : QObject(&view), m_view(view), m_model(view.model()) {
    connect(&m_model.session(), &AnalysisSession::documentChanged, this, [this] { m_arrow.reset(); });
    const QString group = tr("Annotate");
    const auto some = [this] { return atSelection(AnnotationKind::Pin).has_value(); };
    const auto command = [&](const QString& id, const QString& title, std::function<void()> run) {
        registry.add({id, group, title, {}, std::move(run), some, nullptr, false, {}});
    };
    command(u"annotate.pin"_s, tr("Numbered &pin"), [this] { add(AnnotationKind::Pin); });
    command(u"annotate.highlight"_s, tr("&Highlight"), [this] { add(AnnotationKind::Highlight); });
    command(u"annotate.redact"_s, tr("&Redact in exports"), [this] { add(AnnotationKind::Redaction); });
    command(u"annotate.arrow"_s, tr("&Arrow from here, then to there"), [this] { addArrow(); });
}

std::optional<Callout> AnnotationControl::atSelection(AnnotationKind kind) const {
    const Document* document = m_model.session().document();
    const auto time = m_model.selectedTime();
    if (document == nullptr || !time)
        return std::nullopt;
    const auto rows = m_model.layout().rows();
    const TimelineRow* row = m_model.currentRow();
    if (row == nullptr || row->kind != RowKind::Lane)
        for (const TimelineRow& candidate : rows)
            if (candidate.kind == RowKind::Lane && m_model.beginsInView(candidate)) {
                row = &candidate;
                break;
            }
    if (row == nullptr)
        return std::nullopt;
    Callout note;
    note.kind = kind;
    note.laneKey = row->key;
    note.time = time->begin;
    if (time->begin < time->end)
        note.end = time->end;
    if (const EventId event = m_model.session().selection().event()) {
        const Trace& trace = document->trace();
        note.laneKey = laneKey(trace, trace.laneOf(event));
        note.strip = trace.stripOf(event).v - trace.lane(trace.laneOf(event)).firstStrip.v;
    }
    sign(note);
    return note;
}

void AnnotationControl::push(const AnnotationEdit& edit, const QString& text) {
    m_model.session().undoStack().push(new EditAnnotations(m_model.session(), edit, text));
}

void AnnotationControl::add(AnnotationKind kind) {
    const auto note = atSelection(kind);
    if (!note)
        return;
    push(AnnotationEdit::add(*note), tr("Add %1").arg(annotationTitle(kind).toLower()));
    m_model.setSelectedCallout(m_model.session().annotations().callouts().back().id);
}

void AnnotationControl::addArrow() {
    auto here = atSelection(AnnotationKind::Arrow);
    if (!here)
        return;
    if (!m_arrow) {
        m_arrow = here;
        Q_EMIT said(tr("The arrow begins here: select where it points to and choose the command again."));
        return;
    }
    Callout arrow = *m_arrow;
    m_arrow.reset();
    arrow.time = arrow.end.value_or(arrow.time); // from the end of the one to the begin of the other
    arrow.end.reset();
    arrow.toLaneKey = here->laneKey;
    arrow.toTime = here->time;
    arrow.toStrip = here->strip;
    if (arrow.toLaneKey == arrow.laneKey && arrow.toTime == arrow.time)
        return;
    push(AnnotationEdit::add(arrow), tr("Add arrow"));
    m_model.setSelectedCallout(m_model.session().annotations().callouts().back().id);
}

} // namespace lacuna::ui
