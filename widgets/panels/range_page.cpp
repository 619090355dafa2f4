// Statistics of a marked range: what every device did in it, its idle time by class, and how many events
// touch it.

#include "core/analysis/counter_mean.h"
#include "core/analysis/device_busy.h"
#include "core/base/si_text.h"
#include "core/base/text_format.h"
#include "core/trace/strip_query.h"
#include "widgets/panels/inspector_pages.h"
#include "widgets/panels/range_work_part.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QCursor>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace lacuna::ui {

namespace {

constexpr std::uint64_t kMostChosen = 100'000;

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
        for (std::size_t d = 0; d < m_document.busy.size(); ++d)
            if (m_document.busy[d].ops > 0)
                addDevice(m_document.busy[d].device, m_document.covered[d]);
        addRangeWork(*m_page, m_context, m_range);
        addCounters();
        addEvents();
        m_page->finish();
        return m_page;
    }

private:
    void addLine(std::optional<Ink> swatch, const QString& what, std::int64_t ns, std::function<void()> open,
                 bool strong = false, bool lineAbove = false) {
        const auto whole = static_cast<double>(std::max<std::int64_t>(1, m_range.length().v));
        m_page->addRow({swatch,
                        what,
                        false,
                        strong,
                        false,
                        lineAbove,
                        {text(formatIn({ns}, TimeUnit::Us, 3)) + u" µs"_s,
                         text(formatPercent(static_cast<double>(ns) / whole))},
                        {}},
                       std::move(open));
    }

    // The rows of the lanes that `wants` takes, as far as they touch the range.
    template <class Wants>
    static std::vector<EventId> touching(const Trace& trace, TimeRange range, const Wants& wants) {
        std::vector<EventId> rows;
        const auto strips = trace.strips();
        for (std::uint32_t s = 0; s < strips.size(); ++s) {
            const auto [first, last] = eventsTouching(trace, StripId{s}, range);
            for (EventId e = first; e < last; ++e.v)
                if (wants(trace.lane(strips[s].lane), e))
                    rows.push_back(e);
        }
        return rows;
    }

    // Chosen rows are summed up on a page: of very many it would hold the window up.
    static void chooseOrTell(const PageContext& context, const std::vector<EventId>& rows) {
        if (rows.size() <= kMostChosen)
            context.choose(rows);
        else
            QToolTip::showText(QCursor::pos(), tooMany());
    }
    static QString tooMany() {
        return InspectorPage::tr("Mark a shorter range to select them: they are more than %1.")
            .arg(text(formatCount(kMostChosen)));
    }

    // Chooses the operations behind a device's busy time; work: a mask of DeviceWork.
    std::function<void()> operations(DeviceId device, unsigned work) const {
        return [context = m_context, &trace = m_trace, range = m_range, device, work] {
            chooseOrTell(context, touching(trace, range, [&](const Lane& lane, EventId e) {
                             return lane.device == device && isDeviceOp(trace.events().kind[e.v]) &&
                                    (workOf(trace, e) & work) != 0;
                         }));
        };
    }

    // Goes to the gap with most idle time in the range, of one class or of any. The table of gaps has all of
    // them: it is of the range too.
    std::function<void()> longestGap(DeviceId device, std::optional<GapClass> cls) const {
        return [context = m_context, &gaps = *m_document.gaps, range = m_range, device, cls] {
            GapId longest;
            std::int64_t most = 0;
            const std::uint32_t first = gaps.firstGapOf(device).v;
            const auto all = gaps.gapsOf(device);
            for (std::uint32_t g = 0; g < all.size(); ++g) {
                const TimeRange part = intersection(all[g].range, range);
                if (part.isEmpty())
                    continue;
                std::int64_t ns = part.length().v;
                if (cls) {
                    ns = 0;
                    for (const GapPart& one : gaps.partsWithin(all[g], part))
                        ns += classOf(one.cause) == *cls ? one.ns : 0;
                }
                if (ns > most) {
                    most = ns;
                    longest = {first + g};
                }
            }
            if (longest)
                context.go(longest);
        };
    }

    std::function<void()> showing(TimeRange range) const {
        return [show = m_context.show, range] { show(range); };
    }

    void addDevice(DeviceId device, const CoveredTimes& covered) {
        const Device& info = m_trace.devices()[device.v];
        m_page->addHeading(InspectorPage::tr("GPU %1").arg(info.ordinal),
                           InspectorPage::tr("of the range; unions"));
        const GapTotals totals = m_document.gaps->totals(device, m_range);
        constexpr unsigned kAllWork = 15;
        addLine({}, InspectorPage::tr("busy"), covered.busy.in(m_range), operations(device, kAllWork), true);
        static constexpr std::array kWork{Ink::Kernel, Ink::Communication, Ink::Memcpy, Ink::Memset};
        for (std::size_t w = 0; w < kWork.size(); ++w)
            if (const std::int64_t ns = covered.byWork[w].in(m_range); ns > 0)
                addLine(kWork[w], term(inkTitle(kWork[w])), ns, operations(device, 1U << w));
        addLine({}, InspectorPage::tr("idle"), totals.idleNs, longestGap(device, {}), true);
        std::array<std::int64_t, kGapClasses> byClass{};
        for (std::size_t c = 0; c < kGapCauses; ++c)
            byClass[static_cast<std::size_t>(classOf(static_cast<GapCause>(c)))] += totals.partNs[c];
        for (std::size_t c = 0; c < kGapClasses; ++c)
            if (byClass[c] > 0)
                addLine({},
                        QString(u"%1  %2"_s)
                            .arg(QLatin1Char(classLetter(static_cast<GapClass>(c))))
                            .arg(term(classTitle(static_cast<GapClass>(c)))),
                        byClass[c], longestGap(device, static_cast<GapClass>(c)));
        if (const std::int64_t edges = totals.edgeStartNs + totals.edgeEndNs; edges > 0)
            addLine({}, InspectorPage::tr("edges, before the first or after the last operation"), edges,
                    showing(m_range));
        addLine({}, InspectorPage::tr("busy + idle + edges"),
                totals.busyNs + totals.idleNs + totals.edgeStartNs + totals.edgeEndNs, showing(m_range), true,
                true);
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
                            92},
                           showing(m_range));
        }
    }

    // A stream has kernels and copies in one strip. Most strips are of one kind, which is seen at the speed
    // of memory: this runs while a range is pulled.
    void countKinds(EventId first, EventId last,
                    std::array<std::uint64_t, static_cast<std::size_t>(Ink::Count)>& byInk) const {
        if (first == last)
            return;
        const auto& kinds = m_trace.events().kind;
        const EventKind kind = kinds[first.v];
        std::uint32_t same = 0;
        for (std::uint32_t e = first.v; e < last.v; ++e)
            same += kinds[e] == kind ? 1U : 0U;
        byInk[static_cast<std::size_t>(inkOfKind(kind))] += same;
        for (std::uint32_t e = first.v; e < last.v && same != last.v - first.v; ++e)
            if (kinds[e] != kind)
                ++byInk[static_cast<std::size_t>(inkOfKind(kinds[e]))];
    }

    // Chooses rows of one colour, or all of them.
    void addCount(std::optional<Ink> ink, std::uint64_t count) {
        m_page->addRow({ink,
                        ink ? term(inkTitle(*ink)) : InspectorPage::tr("all"),
                        false,
                        !ink,
                        false,
                        !ink,
                        {text(formatCount(count))},
                        count <= kMostChosen ? QString() : tooMany()},
                       [context = m_context, &trace = m_trace, range = m_range, ink, count] {
                           if (count > kMostChosen)
                               QToolTip::showText(QCursor::pos(), tooMany());
                           else
                               context.choose(touching(trace, range, [&](const Lane&, EventId e) {
                                   return !ink || inkOfKind(trace.events().kind[e.v]) == *ink;
                               }));
                       });
    }

    void addEvents() {
        std::array<std::uint64_t, static_cast<std::size_t>(Ink::Count)> byInk{};
        std::uint64_t all = 0;
        const auto strips = m_trace.strips();
        for (std::uint32_t s = 0; s < strips.size(); ++s) {
            const auto [first, last] = eventsTouching(m_trace, StripId{s}, m_range);
            all += last.v - first.v;
            countKinds(first, last, byInk);
        }
        m_page->addHeading(InspectorPage::tr("Events"), InspectorPage::tr("that touch the range"));
        for (std::size_t i = 0; i < byInk.size(); ++i)
            if (byInk[i] > 0)
                addCount(static_cast<Ink>(i), byInk[i]);
        addCount({}, all);
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
