#include "widgets/timeline/range_control.h"

#include "core/base/text_format.h"
#include "widgets/command/command_registry.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/session/note_author.h"
#include "widgets/text.h"
#include "widgets/timeline/alike_dialog.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr std::size_t kNameLength = 40;

QString shortOf(const Trace& trace, EventId event) {
    return text(elideMiddle(trace.nameOf(event), kNameLength));
}

} // namespace

RangeControl::RangeControl(TimelineView& view, CommandRegistry& registry)
    : QObject(&view), m_view(view), m_model(view.model()), m_registry(registry) {
    connect(&m_model.session(), &AnalysisSession::documentChanged, this, [this] {
        m_job.cancel();
        m_from = {};
        m_alike = {};
        m_shown.reset();
    });
    connect(&m_model.session().selection(), &SelectionModel::changed, this, [this] {
        const auto& now = m_model.measurement();
        if (now && now != m_shown)
            show(*now);
        m_shown = now;
    });
    registerRanges();
    registerBookmarks();
}

void RangeControl::registerRanges() {
    const QString group = tr("Ranges");
    const auto open = [this] { return m_model.session().document() != nullptr; };
    const auto marked = [this, open] { return open() && m_model.session().selection().range().has_value(); };
    const auto some = [this, open] { return open() && m_model.selectedTime().has_value(); };
    const auto add = [&](const QString& id, const QString& title, QKeySequence key, std::function<void()> run,
                         std::function<bool()> available, bool repeats = false) {
        m_registry.add({id, group, title, {key}, std::move(run), std::move(available), nullptr, repeats, {}});
    };
    add(
        u"ranges.fromSelection"_s, tr("&Mark the time of the selection"), Qt::Key_M,
        [this] { markSelection(); },
        [this, open] {
            return open() && (m_model.session().selection().event() || m_model.session().selection().gap());
        });
    add(
        u"ranges.keep"_s, tr("&Keep the range as a bracket"), QKeySequence(Qt::SHIFT | Qt::Key_M),
        [this] { keepAsMark(); }, some);
    add(
        u"ranges.measure"_s, tr("M&easure from here, then to there"), Qt::Key_R, [this] { measure(); },
        [this, open] { return open() && static_cast<bool>(m_model.session().selection().event()); });
    // Without a range it is the key of the zoom, as everywhere.
    add(
        u"ranges.alike"_s, tr("Find all &alike the range"), QKeySequence(Qt::SHIFT | Qt::Key_S),
        [this, marked] {
            if (marked())
                findAlikeSpans();
            else
                m_registry.run(u"timeline.zoomOutFast"_s);
        },
        open);
    add(
        u"ranges.nextAlike"_s, tr("&Next alike"), QKeySequence(Qt::ALT | Qt::Key_Period),
        [this] { goToAlike(1); }, [this] { return m_alike.spans.size() > 1; }, true);
    add(
        u"ranges.previousAlike"_s, tr("&Previous alike"), QKeySequence(Qt::ALT | Qt::Key_Comma),
        [this] { goToAlike(-1); }, [this] { return m_alike.spans.size() > 1; }, true);
}

void RangeControl::registerBookmarks() {
    const QString group = tr("Move");
    for (int key = 1; key <= TimelineViewModel::kBookmarks; ++key) {
        const auto digit = static_cast<Qt::Key>(Qt::Key_0 + key);
        m_registry.add(
            {u"view.bookmark%1"_s.arg(key),
             group,
             tr("Go to bookmark %1").arg(key),
             {digit},
             [this, key] { m_model.goToBookmark(key); },
             [this, key] { return m_model.trace() != nullptr && m_model.bookmarks().contains(key); },
             nullptr,
             false,
             {}});
        m_registry.add({u"view.storeBookmark%1"_s.arg(key),
                        group,
                        tr("Store the view as bookmark %1").arg(key),
                        {QKeySequence(Qt::CTRL | digit)},
                        [this, key] {
                            m_model.storeBookmark(key);
                            Q_EMIT said(tr("This view is bookmark %1: %1 goes back to it.").arg(key));
                        },
                        [this] { return m_model.session().document() != nullptr; },
                        nullptr,
                        false,
                        {}});
    }
}

void RangeControl::markSelection() {
    if (const auto time = m_model.selectedTime(); time && !time->isEmpty())
        m_model.session().selection().set(*time, Origin::Command);
}

void RangeControl::keepAsMark() {
    const auto time = m_model.selectedTime();
    const TimelineRow* row = m_model.currentRow();
    const auto rows = m_model.layout().rows();
    if (row == nullptr || row->kind != RowKind::Lane) // a range belongs to no lane: the first one in view
        for (const TimelineRow& candidate : rows)
            if (candidate.kind == RowKind::Lane && m_model.beginsInView(candidate)) {
                row = &candidate;
                break;
            }
    if (!time || row == nullptr)
        return;
    Callout bracket;
    bracket.kind = AnnotationKind::Bracket;
    bracket.laneKey = row->key;
    bracket.time = time->begin;
    bracket.end = time->end;
    bracket.title = formatDuration(time->length());
    sign(bracket);
    m_model.session().undoStack().push(
        new EditAnnotations(m_model.session(), AnnotationEdit::add(bracket), tr("Keep range")));
}

void RangeControl::measure() {
    const Trace& trace = *m_model.trace();
    SelectionModel& selection = m_model.session().selection();
    if (const auto chosen = m_model.measurement()) { // two by Ctrl+click: the time between them is marked
        m_from = {};
        if (!chosen->range.isEmpty())
            selection.markBeside(chosen->range, Origin::Command);
        return;
    }
    const EventId event = selection.event();
    if (!m_from || m_from == event) {
        m_from = event;
        Q_EMIT said(tr("Measuring from %1: select another event and press R.").arg(shortOf(trace, event)));
        return;
    }
    const EventId from = std::exchange(m_from, EventId{});
    selection.setEvents({from, event}, Origin::Command); // as two by Ctrl+click
    if (const auto both = m_model.measurement(); both && !both->range.isEmpty())
        selection.markBeside(both->range, Origin::Command);
}

void RangeControl::show(const Measurement& m) {
    Q_EMIT said(tr("%1 to %2: %3")
                    .arg(shortOf(*m_model.trace(), m.first), shortOf(*m_model.trace(), m.second),
                         measurementText(m)));
}

void RangeControl::findAlikeSpans() {
    const TimeRange range = *m_model.session().selection().range();
    // The job outlives neither the document nor this: the trace is shared with it.
    const std::shared_ptr<const Trace> trace = m_model.session().document()->loaded.trace;
    m_job.start<AlikeSpans>([trace, range](JobControl& job) { return findAlike(*trace, range, job); },
                            [this](Result<AlikeSpans> found) {
                                if (!found)
                                    return;
                                m_alike = std::move(*found);
                                showAlike();
                            });
}

void RangeControl::showAlike() {
    m_registry.refresh();
    if (m_alike.spans.empty())
        Q_EMIT said(tr("Nothing begins in this range."));
    else if (m_alike.spans.size() == 1)
        Q_EMIT said(tr("Nothing else is alike: %1.").arg(text(m_alike.by)));
    else
        Q_EMIT said(tr("%1 alike by %2: median %3, %4 to %5")
                        .arg(text(formatCount(m_alike.spans.size())),
                             text(elideMiddle(m_alike.by, kNameLength)),
                             text(formatDuration({m_alike.medianNs})), text(formatDuration({m_alike.minNs})),
                             text(formatDuration({m_alike.maxNs}))));
    Q_EMIT alikeFound();
    if (m_alike.spans.size() < 2)
        return;
    delete m_view.window()->findChild<AlikeDialog*>();
    auto* dialog = new AlikeDialog(m_alike, m_model.axis(), m_view.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AlikeDialog::spanChosen, this, [this](TimeRange span) {
        m_model.session().selection().set(span, Origin::Command);
        m_model.reveal(span, {});
    });
    connect(&m_model.session(), &AnalysisSession::documentChanged, dialog, &QDialog::close);
    dialog->show();
}

bool RangeControl::goToAlike(int direction) {
    const auto& spans = m_alike.spans;
    const auto now = m_model.session().selection().range();
    if (spans.empty() || !now)
        return false;
    const auto after = std::ranges::upper_bound(spans, now->begin, {}, &TimeRange::begin);
    auto place = after - spans.begin(); // the first that begins later
    if (direction < 0)
        place -= place > 0 && spans[static_cast<std::size_t>(place - 1)].begin == now->begin ? 2 : 1;
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(spans.size()))
        return false;
    const TimeRange span = spans[static_cast<std::size_t>(place)];
    m_model.session().selection().set(span, Origin::Command);
    m_model.reveal(span, {});
    return true;
}

} // namespace lacuna::ui
