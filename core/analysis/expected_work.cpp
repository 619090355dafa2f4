#include "core/analysis/expected_work.h"

#include "core/analysis/expected_operators.h"
#include "core/analysis/memory_calls.h"
#include "core/analysis/operator_work.h"
#include "core/analysis/work_questions.h"
#include "core/base/ascii.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

namespace lacuna {

namespace {

NameCounts sortedCounts(const std::map<StringId, std::uint64_t>& counts) {
    NameCounts sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

class ExpectedWorkMaker {
public:
    ExpectedWorkMaker(const Trace& trace, const HostTree& tree, DetailReader* details,
                      std::optional<TimeRange> range, JobControl& job)
        : m_trace(trace), m_events(trace.events()), m_tree(tree), m_details(details), m_range(range),
          m_poll(job) {}

    Result<ExpectedWork> make() {
        m_hasWorkBelow.resize(m_tree.size());
        for (std::uint32_t t = 0; t < m_trace.threads().size(); ++t)
            if (!takeThread(m_tree.part(ThreadId{t})))
                return cancelledError();
        m_work.isByDevice = m_range && m_operators == 0;
        if (!takeLaunches())
            return cancelledError();
        if (!readShapes())
            return cancelledError();
        for (const auto& [row, item] : m_owners)
            ++m_work.items[item].calls;
        for (const auto& [launch, row] : m_assigned)
            addOperation(m_work.items[m_owners.at(row.v)], m_counts[m_owners.at(row.v)], launch);
        for (const LaunchedWork& launch : m_generated)
            addGenerated(launch);
        finish();
        return std::move(m_work);
    }

private:
    bool isIn(EventId event) const {
        return !m_range ||
               (m_events.beginNs[event.v] >= m_range->begin.v && m_events.beginNs[event.v] < m_range->end.v);
    }

    // Marks every row above an operator of a rule, from the innermost ones outwards; each mark is made once.
    bool takeThread(const HostTree::ThreadPart& part) {
        for (std::uint32_t r = part.lastRow; r > part.firstRow; --r) {
            if (!m_poll.tick())
                return false;
            const HostRow row{r - 1};
            const EventId event = m_tree.event(row);
            const EventKind kind = m_events.kind[event.v];
            if (isHostCall(kind)) {
                m_hasCalls = true;
                if (isIn(event) && takesMemory(m_trace.nameOf(event)))
                    m_allocations.push_back(event);
            }
            if (kind != EventKind::CpuOp)
                continue;
            const bool isWork = !workOf(m_events.name[event.v]).empty();
            if (isWork)
                for (HostRow above = m_tree.parent(row); above && !m_hasWorkBelow[above.v];
                     above = m_tree.parent(above))
                    m_hasWorkBelow[above.v] = true;
            if (!isIn(event))
                continue;
            ++m_operators;
            m_views += isViewOperator(m_trace.nameOf(event)) ? 1u : 0u;
            if (isWork && !m_hasWorkBelow[row.v])
                m_owners.emplace(row.v, 0);
        }
        return true;
    }

    std::string_view workOf(StringId name) {
        const auto [at, isNew] = m_workOfName.try_emplace(name.v);
        if (isNew)
            at->second = expectedWorkOf(m_trace.strings().view(name));
        return at->second;
    }

    // The operator of a rule that a launch belongs to, else the nearest one.
    HostRow ownerOf(HostRow op) {
        for (HostRow row = op; row; row = m_tree.enclosing(row, EventKind::CpuOp))
            if (!workOf(m_events.name[m_tree.event(row).v]).empty())
                return m_hasWorkBelow[row.v] ? op : row;
        return op;
    }

    bool takeLaunches() {
        for (std::uint32_t e = 0; e < m_events.size(); ++e) {
            if (!m_poll.tick())
                return false;
            const EventKind kind = m_events.kind[e];
            if (kind == EventKind::Kernel || kind == EventKind::Memcpy || kind == EventKind::Memset)
                takeLaunch(EventId{e});
        }
        return true;
    }

    void takeLaunch(EventId operation) {
        const auto call = m_trace.correlations().launchOf(m_events, operation);
        const HostRow callRow = call ? m_tree.find(*call) : HostRow{};
        const HostRow op = callRow ? m_tree.enclosing(callRow, EventKind::CpuOp) : HostRow{};
        const TimeRange time = m_events.range(operation);
        const bool isInDevice = !m_range || (time.begin < m_range->end && m_range->begin < time.end);
        const bool isTaken = m_work.isByDevice ? isInDevice
                             : op              ? isIn(m_tree.event(op))
                                               : (callRow ? isIn(*call) : isInDevice);
        if (!isTaken)
            return;
        ++m_work.operations;
        m_work.withoutOperator += op ? 0u : 1u;
        m_launched.push_back({operation, op});
        if (isGenerated(m_events.name[operation.v])) {
            m_generated.push_back({operation, op});
        } else if (op) {
            const HostRow owner = ownerOf(op);
            m_owners.emplace(owner.v, 0);
            m_assigned.emplace_back(operation, owner);
        }
    }

    bool isGenerated(StringId name) {
        const auto [at, isNew] = m_fusedOfName.try_emplace(name.v);
        if (isNew)
            at->second = fusedOperators(m_trace.strings().view(name));
        return !at->second.empty();
    }

    // Items of all owners; those of GEMMs by the shapes that their operators had, read in the file's order.
    bool readShapes() {
        std::vector<HostRow> rows;
        rows.reserve(m_owners.size());
        for (const auto& [row, item] : m_owners)
            rows.push_back(HostRow{row});
        std::sort(rows.begin(), rows.end(), [this](HostRow a, HostRow b) {
            const auto sourceA = m_events.source[m_tree.event(a).v],
                       sourceB = m_events.source[m_tree.event(b).v];
            return sourceA != sourceB ? sourceA < sourceB : a < b;
        });
        std::size_t read = 0;
        for (const HostRow row : rows) {
            if (!m_poll.tick(16))
                return false;
            const EventId event = m_tree.event(row);
            const std::string_view name = m_trace.nameOf(event), work = workOf(m_events.name[event.v]);
            std::string shape;
            double flop = 0;
            if (work == "GEMM" && m_details != nullptr && ++read <= kMostShapesRead) {
                if (const auto recorded = m_details->read({m_events.source[event.v]}))
                    if (const auto known = operatorWork(name, operatorShapes(*recorded))) {
                        const std::size_t colon = known->formula.find(": ");
                        shape = known->formula.substr(colon == std::string::npos ? 0 : colon + 2);
                        flop = known->flop;
                    }
            }
            m_owners[row.v] = itemOf({std::string(bareOperator(name)), shape}, work, flop, event);
        }
        m_work.shapesAreCut = read > kMostShapesRead;
        return true;
    }

    std::size_t itemOf(const std::pair<std::string, std::string>& key, std::string_view work, double flop,
                       EventId event) {
        const auto [at, isNew] = m_items.try_emplace(key, m_work.items.size());
        if (isNew) {
            ExpectedItem item;
            item.operators = {key.first};
            item.work = work;
            item.shape = key.second;
            item.flop = flop;
            m_work.items.push_back(std::move(item));
            m_counts.emplace_back();
        }
        ExpectedItem& item = m_work.items[at->second];
        if (!item.operation || m_events.beginNs[event.v] < m_events.beginNs[item.operation.v])
            item.operation = event;
        return at->second;
    }

    void addOperation(ExpectedItem& item, std::map<StringId, std::uint64_t>& names, EventId operation) {
        ++item.seen;
        item.areKernels = item.areKernels && m_events.kind[operation.v] == EventKind::Kernel;
        ++names[m_events.name[operation.v]];
        item.deviceNs = saturatingAdd(item.deviceNs, m_events.duration(operation).v);
        if (!item.kernel || m_events.beginNs[operation.v] < m_events.beginNs[item.kernel.v])
            item.kernel = operation;
    }

    // A reduction that Inductor splits is a "red" and a "per" kernel of the same operators, one after the
    // other in its numbers: both are the work of the first.
    StringId firstStage(StringId name) const {
        const std::string_view text = m_trace.strings().view(name);
        constexpr std::string_view kSecond = "triton_per_fused_", kFirst = "triton_red_fused_";
        std::size_t digits = 0;
        while (digits < text.size() && isDigit(text[text.size() - 1 - digits]))
            ++digits;
        unsigned number = 0;
        std::from_chars(text.data() + text.size() - digits, text.data() + text.size(), number);
        if (!text.starts_with(kSecond) || number == 0)
            return name;
        std::string before(kFirst);
        before.append(text.substr(kSecond.size(), text.size() - kSecond.size() - digits));
        return m_trace.strings().find(before + std::to_string(number - 1)).value_or(name);
    }

    void addGenerated(const LaunchedWork& launch) {
        const std::vector<std::string>& operators = m_fusedOfName.at(m_events.name[launch.operation.v].v);
        const auto [at, isNew] =
            m_fused.try_emplace(firstStage(m_events.name[launch.operation.v]), m_work.items.size());
        if (isNew) {
            ExpectedItem item;
            item.operators = operators;
            item.work = "fused";
            m_work.items.push_back(std::move(item));
            m_counts.emplace_back();
        }
        ExpectedItem& item = m_work.items[at->second];
        if (launch.op && !item.operation)
            item.operation = m_tree.event(launch.op);
        addOperation(item, m_counts[at->second], launch.operation);
    }

    void finish() {
        for (std::size_t i = 0; i < m_work.items.size(); ++i) {
            ExpectedItem& item = m_work.items[i];
            item.kernels = sortedCounts(m_counts[i]);
            if (item.work == "fused") {
                item.calls = item.kernels.front().second; // of several kernels: that of most launches
                item.expected = item.calls * expectedOf(item.operators);
            } else if (!item.work.empty()) {
                item.expected = item.calls;
            }
        }
        std::stable_sort(m_work.items.begin(), m_work.items.end(),
                         [](const ExpectedItem& a, const ExpectedItem& b) {
                             if (a.deviceNs != b.deviceNs)
                                 return a.deviceNs > b.deviceNs;
                             return a.calls != b.calls ? a.calls > b.calls : a.title() < b.title();
                         });
        std::sort(m_allocations.begin(), m_allocations.end());
        m_work.questions = answerWorkQuestions(
            {m_trace, m_tree, m_launched, m_allocations, m_operators, m_views, m_hasCalls}, m_work.items);
    }

    // Views need none; at least one: the kernel is there.
    static std::uint64_t expectedOf(const std::vector<std::string>& operators) {
        const auto working = std::count_if(operators.begin(), operators.end(),
                                           [](const std::string& op) { return !isViewOperator(op); });
        return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(1, working));
    }

    const Trace& m_trace;
    const EventTable& m_events;
    const HostTree& m_tree;
    DetailReader* m_details;
    std::optional<TimeRange> m_range;
    RowPoll m_poll;
    ExpectedWork m_work;
    std::vector<bool> m_hasWorkBelow;                    // by row of the tree
    std::map<std::uint32_t, std::size_t> m_owners;       // row -> item
    std::vector<std::pair<EventId, HostRow>> m_assigned; // operations to owners
    std::vector<LaunchedWork> m_launched, m_generated;   // all; those of generated kernels
    std::vector<EventId> m_allocations;
    std::uint64_t m_operators = 0, m_views = 0;
    bool m_hasCalls = false;
    std::unordered_map<std::uint32_t, std::string_view> m_workOfName;
    std::unordered_map<std::uint32_t, std::vector<std::string>> m_fusedOfName;
    std::map<std::pair<std::string, std::string>, std::size_t> m_items; // operator, shape
    std::map<StringId, std::size_t> m_fused;                            // first kernel
    std::vector<std::map<StringId, std::uint64_t>> m_counts;            // beside the items
};

std::string launchesText(std::uint64_t count, bool areKernels) {
    return std::to_string(count) + (areKernels ? " kernel" : " operation") + (count == 1 ? "" : "s");
}

} // namespace

std::string_view workAnswerName(WorkAnswer answer) {
    return answer == WorkAnswer::Yes ? "yes" : answer == WorkAnswer::No ? "no" : "unknown";
}

std::string ExpectedItem::title() const {
    std::string text;
    for (std::size_t i = 0; i < operators.size(); ++i)
        text.append(i == 0                      ? ""
                    : i + 1 == operators.size() ? " and "
                                                : ", ")
            .append(operatorTitle(operators[i]));
    return text;
}

std::string ExpectedItem::verdict() const {
    if (!expected)
        return "no rule for this operator";
    if (isAsExpected())
        return "as expected";
    if (seen == 0)
        return "none seen: it worked on the host, or its launch is not recorded";
    const bool isEach = calls > 0 && seen % calls == 0 && *expected % calls == 0;
    const std::uint64_t each = isEach ? calls : 1;
    return title() + ": " + launchesText(seen / each, areKernels) + " instead of " +
           std::to_string(*expected / each) + (isEach ? "" : ", in all");
}

Result<ExpectedWork> expectedWork(const Trace& trace, const HostTree& tree, DetailReader* details,
                                  std::optional<TimeRange> range, JobControl& job) {
    return ExpectedWorkMaker(trace, tree, details, range, job).make();
}

} // namespace lacuna
