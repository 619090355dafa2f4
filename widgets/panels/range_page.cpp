// Statistics of a marked range: what every device did in it, its idle time by class, and how many events
// touch it.

#include "core/analysis/counter_mean.h"
#include "core/base/si_text.h"
#include "core/base/text_format.h"
#include "core/trace/strip_query.h"
#include "widgets/panels/inspector_pages.h"
#include "widgets/panels/range_work_part.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <algorithm>
#include <array>

namespace lacuna::ui {

namespace {

class RangePageMaker {
public:
    RangePageMaker(const PageContext& context, TimeRange range)
        : m_context(context), m_document(*context.session.document()), m_trace(m_document.trace()),
          m_range(range), m_page(new InspectorPage(context.palette)) {}

    QWidget* make() {
        m_page->addText(InspectorPage::tr("Marked range"), Qt::PlainText, 12, true);
        QLabel* length = m_page->addText(text(formatDuration(m_range.length())), Qt::PlainText, 22);
        length->setFont(uiFont(Face::SemiBold, 22));
        m_page->addField(InspectorPage::tr("start"), text(exactTimeText(m_range.begin, m_context.axis)));
        m_page->addField(InspectorPage::tr("end"), text(exactTimeText(m_range.end, m_context.axis)));
        m_page->addField(InspectorPage::tr("length"), text(formatExact(m_range.length())));
        for (const DeviceBusy& device : m_document.busy)
            if (device.ops > 0)
                addDevice(device);
        addRangeWork(*m_page, m_context, m_range);
        addCounters();
        addEvents();
        m_page->finish();
        return m_page;
    }

private:
    std::int64_t within(const IntervalSet& set) const { return set.measureIn(m_range).v; }

    void addLine(std::optional<Ink> swatch, const QString& what, std::int64_t ns, bool strong = false,
                 bool lineAbove = false) {
        const auto whole = static_cast<double>(std::max<std::int64_t>(1, m_range.length().v));
        m_page->addRow({swatch,
                        what,
                        false,
                        strong,
                        false,
                        lineAbove,
                        {text(formatIn({ns}, TimeUnit::Us, 3)) + u" µs"_s,
                         text(formatPercent(static_cast<double>(ns) / whole))},
                        {}});
    }

    void addDevice(const DeviceBusy& device) {
        const Device& info = m_trace.devices()[device.device.v];
        m_page->addHeading(InspectorPage::tr("GPU %1").arg(info.ordinal),
                           InspectorPage::tr("of the range; unions"));
        const GapTotals totals = m_document.gaps->totals(device.device, m_range);
        addLine({}, InspectorPage::tr("busy"), within(device.busy), true);
        static constexpr std::array kWork{Ink::Kernel, Ink::Communication, Ink::Memcpy, Ink::Memset};
        for (std::size_t w = 0; w < kWork.size(); ++w)
            if (const std::int64_t ns = within(device.byWork[w]); ns > 0)
                addLine(kWork[w], term(inkTitle(kWork[w])), ns);
        addLine({}, InspectorPage::tr("idle"), totals.idleNs, true);
        std::array<std::int64_t, kGapClasses> byClass{};
        for (std::size_t c = 0; c < kGapCauses; ++c)
            byClass[static_cast<std::size_t>(classOf(static_cast<GapCause>(c)))] += totals.partNs[c];
        for (std::size_t c = 0; c < kGapClasses; ++c)
            if (byClass[c] > 0)
                addLine({},
                        QString(u"%1  %2"_s)
                            .arg(QLatin1Char(classLetter(static_cast<GapClass>(c))))
                            .arg(term(classTitle(static_cast<GapClass>(c)))),
                        byClass[c]);
        if (const std::int64_t edges = totals.edgeStartNs + totals.edgeEndNs; edges > 0)
            addLine({}, InspectorPage::tr("edges, before the first or after the last operation"), edges);
        addLine({}, InspectorPage::tr("busy + idle + edges"),
                totals.busyNs + totals.idleNs + totals.edgeStartNs + totals.edgeEndNs, true, true);
    }

    // What was sampled: means weighted by time, as each sample holds until the next.
    void addCounters() {
        constexpr std::size_t kMostCounters = 40;
        std::size_t shown = 0;
        for (const CounterTrack& counter : m_trace.counters()) {
            const auto mean = counterMean(counter, m_range);
            if (!mean || shown == kMostCounters)
                continue;
            if (shown++ == 0)
                m_page->addHeading(InspectorPage::tr("Counters"),
                                   InspectorPage::tr("mean, peak of the range"));
            const auto number = [&](double value) {
                if (counter.unit == "bytes" || counter.unit == "B" || counter.unit == "byte")
                    return text(formatBytes(static_cast<std::uint64_t>(std::max(0.0, value))));
                if (counter.unit == "Hz" || counter.unit.ends_with("/s"))
                    return text(siText(value, counter.unit));
                return QString(text(threeDigits(value)) + u' ' + text(counter.unit)).trimmed();
            };
            m_page->addRow({{},
                            text(counter.name),
                            false,
                            false,
                            false,
                            false,
                            {number(mean->mean), number(mean->most)},
                            text(counter.name),
                            92});
        }
    }

    void addEvents() {
        std::array<std::uint64_t, static_cast<std::size_t>(Ink::Count)> byInk{};
        std::uint64_t all = 0;
        const auto strips = m_trace.strips();
        for (std::uint32_t s = 0; s < strips.size(); ++s) {
            const auto [first, last] = eventsTouching(m_trace, StripId{s}, m_range);
            const std::uint64_t count = last.v - first.v;
            all += count;
            if (count > 0)
                byInk[static_cast<std::size_t>(inkOfKind(m_trace.events().kind[first.v]))] += count;
        }
        m_page->addHeading(InspectorPage::tr("Events"), InspectorPage::tr("that touch the range"));
        for (std::size_t i = 0; i < byInk.size(); ++i)
            if (byInk[i] > 0)
                m_page->addRow({static_cast<Ink>(i),
                                term(inkTitle(static_cast<Ink>(i))),
                                false,
                                false,
                                false,
                                false,
                                {text(formatCount(byInk[i]))},
                                {}});
        m_page->addRow(
            {{}, InspectorPage::tr("all"), false, true, false, true, {text(formatCount(all))}, {}});
    }

    PageContext m_context;
    const Document& m_document;
    const Trace& m_trace;
    TimeRange m_range;
    InspectorPage* m_page;
};

} // namespace

QWidget* makeRangePage(const PageContext& context, TimeRange range) {
    return RangePageMaker(context, range).make();
}

} // namespace lacuna::ui
