// Operators that only change layout, dtype or place: aten::copy_, aten::to, aten::contiguous.

#include "core/findings/builtin.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <array>
#include <map>

namespace lacuna::findings {

namespace {

constexpr std::array<std::string_view, 3> kConversions{"aten::copy_", "aten::to", "aten::contiguous"};
constexpr std::size_t kShownCallers = 3;

struct ConversionCaller {
    std::string name;
    std::size_t count = 0;
    std::int64_t deviceNs = 0;
    EventId first;
    std::vector<EventId> rows; // the outermost ones
};

struct Conversions {
    std::array<std::size_t, kConversions.size()> counts{};
    std::int64_t deviceNs = 0; // of operations launched below one, each once
    std::size_t waits = 0;     // sync calls below one
    EventId firstWait;
    std::vector<EventId> rows, waitRows;
    std::map<std::string, ConversionCaller> callers; // of outermost ones
    std::size_t count() const { return counts[0] + counts[1] + counts[2]; }
};

class ConversionFinder {
public:
    ConversionFinder(const FindingContext& context, JobControl& job)
        : m_context(context), m_poll(job), m_kinds(context.trace.strings().size(), kNotAsked) {}

    Conversions find() {
        for (std::uint32_t t = 0; t < m_context.trace.threads().size(); ++t) {
            const HostTree::ThreadPart& part = m_context.tree.part({t});
            HostRow around; // outermost conversion around the rows that follow
            for (HostRow row{part.firstRow}; row.v < part.lastRow && m_poll.tick(); ++row.v) {
                if (around && m_context.tree.range(row).begin >= m_context.tree.range(around).end)
                    around = {};
                look(row, around);
            }
        }
        return std::move(m_found);
    }

private:
    static constexpr std::uint8_t kNotAsked = 0xff;

    std::size_t kindOf(HostRow row) {
        const StringId name = m_context.events().name[m_context.tree.event(row).v];
        std::uint8_t& kind = m_kinds[name.v];
        if (kind == kNotAsked)
            kind = static_cast<std::uint8_t>(
                std::find(kConversions.begin(), kConversions.end(), m_context.trace.strings().view(name)) -
                kConversions.begin());
        return kind;
    }

    void look(HostRow row, HostRow& around) {
        const EventId event = m_context.tree.event(row);
        if (m_context.tree.kind(row) == EventKind::CpuOp && m_context.startsInWindow(event))
            if (const std::size_t kind = kindOf(row); kind < kConversions.size()) {
                ++m_found.counts[kind];
                m_found.rows.push_back(event);
                if (!around) {
                    around = row;
                    addCaller(event);
                }
            }
        if (!around || !isHostCall(m_context.tree.kind(row)))
            return;
        if (m_context.rows.cls(row) == PieceClass::SyncApi) {
            m_found.firstWait = m_found.waits == 0 ? event : m_found.firstWait;
            ++m_found.waits;
            m_found.waitRows.push_back(event);
        }
        for (const EventId op :
             m_context.trace.correlations().deviceOps(m_context.events().correlation[event.v])) {
            const std::int64_t ns = m_context.events().duration(op).v;
            m_found.deviceNs = saturatingAdd(m_found.deviceNs, ns);
            m_caller->deviceNs = saturatingAdd(m_caller->deviceNs, ns);
        }
    }

    void addCaller(EventId event) {
        const HostSite site = hostSiteOf(m_context, event);
        std::string name = !site.op.empty() ? site.op : site.range;
        if (!site.frame.empty())
            name = site.frame;
        m_caller = &m_found.callers[name];
        m_caller->name = name.empty() ? "code outside every recorded row" : std::move(name);
        m_caller->first = m_caller->count == 0 ? event : m_caller->first;
        ++m_caller->count;
        m_caller->rows.push_back(event);
    }

    const FindingContext& m_context;
    RowPoll m_poll;
    std::vector<std::uint8_t> m_kinds; // by StringId: place in kConversions, or behind it
    Conversions m_found;
    ConversionCaller* m_caller = nullptr;
};

std::int64_t deviceSumOfWindow(const FindingContext& context) {
    std::int64_t sum = 0;
    for (const DeviceBusy& device : context.busy)
        sum = saturatingAdd(sum, device.busy.measureIn(context.window).v);
    return sum;
}

} // namespace

Finding conversions(const FindingContext& context, JobControl& job) {
    Finding finding;
    const Conversions found = ConversionFinder(context, job).find();
    if (found.count() == 0) {
        finding.suggests = "No aten::copy_, aten::to or aten::contiguous.";
        return finding;
    }
    std::string counts;
    for (std::size_t c = 0; c < kConversions.size(); ++c)
        counts += (counts.empty() ? "" : ", ") + std::to_string(found.counts[c]) + " " +
                  std::string(kConversions[c]);
    const std::int64_t busy = deviceSumOfWindow(context);
    finding.costNs = found.deviceNs;
    finding.supports.push_back(
        withRows(context,
                 plainEvidence(counts + "; they launched " + durationText(found.deviceNs) +
                               " of device work, " + shareOf(found.deviceNs, busy) + " of the busy time."),
                 found.rows));
    std::vector<const ConversionCaller*> callers;
    callers.reserve(found.callers.size());
    for (const auto& [name, caller] : found.callers)
        callers.push_back(&caller);
    std::stable_sort(callers.begin(), callers.end(),
                     [](const ConversionCaller* a, const ConversionCaller* b) {
                         return a->deviceNs != b->deviceNs ? a->deviceNs > b->deviceNs : a->count > b->count;
                     });
    for (std::size_t c = 0; c < callers.size() && c < kShownCallers; ++c)
        finding.supports.push_back(
            withRows(context,
                     rowEvidence(context, callers[c]->first,
                                 std::to_string(callers[c]->count) + " called from " + callers[c]->name +
                                     ", " + durationText(callers[c]->deviceNs) + " of device work."),
                     callers[c]->rows));
    if (found.waits != 0)
        finding.supports.push_back(
            withRows(context,
                     rowEvidence(context, found.firstWait,
                                 countOf(found.waits, "wait") +
                                     " inside them: a copy to the host (.cpu(), .item()) waits."),
                     found.waitRows));
    const double steps = static_cast<double>(std::max<std::size_t>(1, context.measuredSteps()));
    const bool isFound =
        static_cast<double>(found.count()) / steps >= context.threshold(Threshold::ConversionsPerStep) ||
        static_cast<double>(found.deviceNs) >= context.threshold(Threshold::ConversionShare) *
                                                   static_cast<double>(std::max<std::int64_t>(1, busy));
    finding.state = isFound ? FindingState::Found : FindingState::Clear;
    finding.suggests =
        isFound
            ? "Tensors change layout, dtype or place often: formats of neighbouring operations may not match."
            : "Conversions are few and short.";
    if (isFound) {
        finding.against.push_back(plainEvidence("Mixed precision needs some; optimizers copy by design."));
        finding.tests.emplace_back("Keep one memory format (channels_last) and one dtype through the model.");
        finding.tests.emplace_back("Take the .cpu() or .item() behind them out of the loop for one run.");
    }
    return finding;
}

} // namespace lacuna::findings
