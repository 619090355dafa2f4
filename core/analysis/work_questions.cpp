#include "core/analysis/work_questions.h"

#include "core/analysis/expected_operators.h"
#include "core/analysis/kernel_family.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace lacuna {

namespace {

constexpr std::size_t kEvidenceKept = 20;
constexpr int kLevelsToView = 16;

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

void addPart(std::string& text, std::uint64_t count, std::string_view one, std::string_view many) {
    if (count > 0)
        text += (text.empty() ? "" : ", ") + counted(count, one, many);
}

class QuestionAnswerer {
public:
    QuestionAnswerer(const WorkEvidence& evidence, std::span<const ExpectedItem> items)
        : m_in(evidence), m_events(evidence.trace.events()), m_items(items) {}

    std::array<WorkQuestion, 4> all() { return {views(), copies(), fusion(), shapes()}; }

private:
    static void keep(WorkQuestion& question, EventId event) {
        if (event && question.evidence.size() < kEvidenceKept)
            question.evidence.push_back(event);
    }

    bool isGenerated(EventId operation) const { return m_in.trace.nameOf(operation).starts_with("triton_"); }

    // The view that an operation was launched under; none.
    HostRow viewAbove(HostRow op) const {
        for (int level = 0; op && level < kLevelsToView; ++level) {
            if (isViewOperator(m_in.trace.nameOf(m_in.tree.event(op))))
                return op;
            op = m_in.tree.enclosing(op, EventKind::CpuOp);
        }
        return {};
    }

    WorkQuestion views() const {
        WorkQuestion question{"Did a view materialise?", WorkAnswer::Unknown, {}, {}};
        std::uint64_t materialised = 0;
        for (const LaunchedWork& launch : m_in.launched)
            if (viewAbove(launch.op)) {
                ++materialised;
                keep(question, launch.operation);
            }
        if (materialised > 0) {
            question.answer = WorkAnswer::Yes;
            question.why = counted(materialised, "device operation was launched under a view operator",
                                   "device operations were launched under view operators");
        } else if (m_in.views > 0) {
            question.answer = WorkAnswer::No;
            question.why =
                counted(m_in.views, "view operator launched nothing", "view operators launched nothing");
        } else if (m_in.operators == 0) {
            question.why = "no operators are recorded here";
        } else if (std::any_of(m_in.launched.begin(), m_in.launched.end(),
                               [this](const LaunchedWork& l) { return isGenerated(l.operation); })) {
            question.why = "compiled code does not tell its views";
        } else {
            question.answer = WorkAnswer::No;
            question.why = "there are no view operators";
        }
        return question;
    }

    bool isCopyKernel(EventId operation) {
        const StringId name = m_events.name[operation.v];
        const auto [at, isNew] = m_isCopy.try_emplace(name.v);
        if (isNew)
            at->second = classifyKernel(m_in.trace.strings().view(name)).family == KernelFamily::Copy;
        return at->second;
    }

    WorkQuestion copies() {
        WorkQuestion question{"Did an allocation or a copy appear?", WorkAnswer::Unknown, {}, {}};
        std::uint64_t copies = 0, kernels = 0;
        for (const EventId call : m_in.allocations)
            keep(question, call);
        for (const LaunchedWork& launch : m_in.launched) {
            const EventKind kind = m_events.kind[launch.operation.v];
            const bool isCopy = kind == EventKind::Memcpy;
            const bool isKernel = kind == EventKind::Kernel && isCopyKernel(launch.operation);
            copies += isCopy ? 1u : 0u;
            kernels += isKernel ? 1u : 0u;
            if (isCopy || isKernel)
                keep(question, launch.operation);
        }
        addPart(question.why, m_in.allocations.size(), "allocation by the driver",
                "allocations by the driver");
        addPart(question.why, copies, "copy", "copies");
        addPart(question.why, kernels, "kernel that copies", "kernels that copy");
        if (!question.why.empty()) {
            question.answer = WorkAnswer::Yes;
        } else if (m_in.hasCalls && !m_in.launched.empty()) {
            question.answer = WorkAnswer::No;
            question.why = "none was called or launched";
        } else {
            question.why = m_in.hasCalls ? "no device work was launched here" : "no CUDA calls are recorded";
        }
        return question;
    }

    WorkQuestion fusion() const {
        WorkQuestion question{"Did operators become one kernel?", WorkAnswer::Unknown, {}, {}};
        std::string names;
        std::uint64_t shown = 0, all = 0;
        for (const ExpectedItem& item : m_items) {
            const auto working = std::count_if(item.operators.begin(), item.operators.end(),
                                               [](const std::string& op) { return !isViewOperator(op); });
            const bool isFused =
                item.seen > 0 &&
                (working > 1 || (item.operators.size() == 1 && isFusedOperator(item.operators[0])));
            if (!isFused)
                continue;
            ++all;
            keep(question, item.kernel);
            if (shown < 3 && ++shown > 0)
                names += (names.empty() ? "" : "; ") + item.title();
        }
        const bool anySeen = std::any_of(m_items.begin(), m_items.end(),
                                         [](const ExpectedItem& item) { return item.seen > 0; });
        if (all > 0) {
            question.answer = WorkAnswer::Yes;
            question.why = names + (all > shown ? "; " + std::to_string(all - shown) + " more" : "");
        } else if (anySeen) {
            question.answer = WorkAnswer::No;
            question.why = "each kernel belongs to one operator";
        } else {
            question.why = "no kernel is known to belong to an operator";
        }
        return question;
    }

    // GEMMs of one operator in several shapes.
    WorkQuestion shapes() const {
        WorkQuestion question{"Did a shape change a GEMM's kernel?", WorkAnswer::Unknown, {}, {}};
        std::map<std::string_view, std::vector<const ExpectedItem*>> byOperator;
        std::uint64_t gemms = 0;
        for (const ExpectedItem& item : m_items)
            if (item.work == "GEMM" && item.seen > 0) {
                ++gemms;
                if (!item.shape.empty())
                    byOperator[item.operators.front()].push_back(&item);
            }
        bool isCompared = false;
        for (const auto& [op, items] : byOperator) {
            std::set<StringId> kernels;
            for (const ExpectedItem* item : items)
                kernels.insert(item->kernels.front().first);
            isCompared = isCompared || items.size() > 1;
            if (items.size() < 2 || kernels.size() < 2)
                continue;
            for (const ExpectedItem* item : items)
                keep(question, item->kernel);
            question.why += (question.why.empty() ? "" : "; ") + std::string(op) + ": " +
                            counted(items.size(), "shape", "shapes") + ", " +
                            counted(kernels.size(), "kernel", "kernels");
        }
        if (!question.why.empty()) {
            question.answer = WorkAnswer::Yes;
        } else if (isCompared) {
            question.answer = WorkAnswer::No;
            question.why = "all shapes of an operator have the same kernel";
        } else if (gemms == 0) {
            question.why = "there are no GEMMs of operators here";
        } else {
            question.why = byOperator.empty() ? "shapes are not recorded (record_shapes=True)"
                                              : "every operator has one shape here";
        }
        return question;
    }

    const WorkEvidence& m_in;
    const EventTable& m_events;
    std::span<const ExpectedItem> m_items;
    std::unordered_map<std::uint32_t, bool> m_isCopy; // by name
};

} // namespace

std::array<WorkQuestion, 4> answerWorkQuestions(const WorkEvidence& evidence,
                                                std::span<const ExpectedItem> items) {
    return QuestionAnswerer(evidence, items).all();
}

} // namespace lacuna
