// One event: when, where, what it belongs to, and every field that its file records.

#include "core/base/text_format.h"
#include "core/trace/strip_query.h"
#include "widgets/panels/inspector_pages.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/axis_text.h"

namespace lacuna::ui {

namespace {

constexpr std::size_t kMaxRelated = 20; // rows of one launch's operations

class EventPageMaker {
public:
    EventPageMaker(const PageContext& context, EventId event)
        : m_context(context), m_trace(context.session.shown()->trace()), m_event(event),
          m_page(new InspectorPage(context.palette)) {}

    QWidget* make() {
        addHead();
        addPlace();
        addRelated();
        addRecorded();
        m_page->finish();
        return m_page;
    }

private:
    void addHead() {
        const Ink ink = inkOf(m_trace, m_event);
        m_page->addRow({ink, term(inkTitle(ink)), false, false, true, false, {}, {}});
        m_page->addName(text(m_trace.nameOf(m_event)), u"eventName"_s);
        QLabel* duration =
            m_page->addText(text(formatDuration(m_trace.events().duration(m_event))), Qt::PlainText, 22);
        duration->setFont(uiFont(Face::SemiBold, 22));
    }

    QString laneTitle(const Lane& lane) const {
        const QString title = text(m_trace.strings().view(lane.title));
        if (lane.device && lane.kind != LaneKind::Counter) {
            const Device& device = m_trace.devices()[lane.device.v];
            const QString gpu = InspectorPage::tr("GPU %1, stream %2").arg(device.ordinal).arg(lane.sourceId);
            // "stream 7", as files that give streams no name of their own have it
            const bool isNumber = title.isEmpty() || title == u"stream %1"_s.arg(lane.sourceId);
            return isNumber ? gpu : QString(gpu + u", "_s + title);
        }
        if (lane.thread)
            return text(m_trace.threadTitle(lane.thread));
        return title;
    }

    void addPlace() {
        const TimeRange range = m_trace.events().range(m_event);
        m_page->addHeading(InspectorPage::tr("Place"), axisText(m_context.axis));
        m_page->addField(InspectorPage::tr("start"), text(exactTimeText(range.begin, m_context.axis)));
        m_page->addField(InspectorPage::tr("end"), text(exactTimeText(range.end, m_context.axis)));
        m_page->addField(InspectorPage::tr("duration"), text(formatExact(range.length())));
        m_page->addField(InspectorPage::tr("lane"), laneTitle(m_trace.lane(m_trace.laneOf(m_event))));
        if (const CopyArgs* copy = m_trace.hotArgs().copies.find(m_event);
            copy != nullptr && copy->bytes > 0) {
            const auto bytes = static_cast<std::uint64_t>(copy->bytes);
            m_page->addField(InspectorPage::tr("size"), text(formatBytes(bytes)));
            m_page->addField(InspectorPage::tr("rate"), text(formatRate(bytes, range.length())));
        }
    }

    void addEvent(EventId event) {
        m_page->addRow({inkOf(m_trace, event),
                        text(elideMiddle(m_trace.nameOf(event), 80)),
                        true,
                        false,
                        false,
                        false,
                        {text(formatDuration(m_trace.events().duration(event)))},
                        text(elideMiddle(m_trace.nameOf(event), 300))},
                       [go = m_context.go, event] { go(event); });
    }

    void addGroup(const QString& heading, std::span<const EventId> events) {
        std::vector<EventId> others;
        for (const EventId event : events)
            if (event != m_event)
                others.push_back(event);
        if (others.empty())
            return;
        m_page->addHeading(heading,
                           others.size() > kMaxRelated
                               ? InspectorPage::tr("first %1 of %2").arg(kMaxRelated).arg(others.size())
                               : QString());
        for (std::size_t i = 0; i < std::min(kMaxRelated, others.size()); ++i)
            addEvent(others[i]);
    }

    void addRelated() {
        if (const auto parent = parentOf(m_trace, m_event)) {
            m_page->addHeading(InspectorPage::tr("Inside"));
            addEvent(*parent);
        }
        std::vector<EventId> sources, targets;
        for (const std::uint32_t link : m_trace.flows().incoming(m_event))
            sources.push_back(m_trace.flows().links()[link].from);
        for (const FlowLink& link : m_trace.flows().outgoing(m_event))
            targets.push_back(link.to);
        addGroup(InspectorPage::tr("Arrow from"), sources);
        addGroup(InspectorPage::tr("Arrow to"), targets);
        const std::uint32_t group = m_trace.events().correlation[m_event.v];
        if (group == 0)
            return;
        const CorrelationIndex& correlations = m_trace.correlations();
        const bool onDevice = isDeviceOp(m_trace.events().kind[m_event.v]);
        addGroup(onDevice ? InspectorPage::tr("Submitted by") : InspectorPage::tr("Same call"),
                 correlations.hostCalls(group));
        addGroup(onDevice ? InspectorPage::tr("Same call submitted") : InspectorPage::tr("Submits"),
                 correlations.deviceOps(group));
        addGroup(InspectorPage::tr("Markers of the call"), correlations.markers(group));
    }

    void addRecorded() {
        if (m_context.session.isPreview()) {
            m_page->addHeading(InspectorPage::tr("Recorded"));
            m_page->addText(InspectorPage::tr("All recorded fields are shown after loading."), Qt::PlainText,
                            12, true);
            return;
        }
        const auto details = m_context.session.details(m_event);
        if (!details) {
            m_page->addHeading(InspectorPage::tr("Recorded"));
            m_page->addText(
                InspectorPage::tr("The file could not be read again: %1").arg(text(details.error().detail)),
                Qt::PlainText, 12, true);
            return;
        }
        m_page->addHeading(
            InspectorPage::tr("Recorded"),
            InspectorPage::tr("%n field(s), as in the file", nullptr, pluralOf(details->fields.size())));
        for (const auto& [name, value] : details->fields)
            m_page->addField(text(name), text(value));
    }

    PageContext m_context;
    const Trace& m_trace;
    EventId m_event;
    InspectorPage* m_page;
};

} // namespace

QWidget* makeEventPage(const PageContext& context, EventId event) {
    return EventPageMaker(context, event).make();
}

} // namespace lacuna::ui
