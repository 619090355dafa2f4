#include "core/report/average_labels.h"

#include "core/import/importer.h"
#include "core/report/memory_marks.h"
#include "core/report/report_rows.h"

#include <algorithm>
#include <string>

namespace lacuna {

namespace {

constexpr std::size_t kFramesOfStack = 5; // innermost first

std::string_view fieldOf(const EventDetails& details, std::string_view field) {
    for (const auto& [name, text] : details.fields)
        if (name == field)
            return text;
    return {};
}

class LabelMaker {
public:
    LabelMaker(const ReportInput& input, const HostTree& tree, JobControl& job)
        : m_input(input), m_trace(input.trace), m_tree(tree), m_job(job), m_poll(job) {
        m_made.labels.ofHostRow.resize(tree.size(), 0);
    }

    Status shapes() {
        if (m_input.details == nullptr)
            return Error{
                Errc::Io, "the file cannot be read again, and input shapes stand only there", {}, {}};
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (m_tree.kind(row) != EventKind::CpuOp)
                continue;
            if (m_job.cancelled())
                return cancelledError();
            const auto details = m_input.details->read({m_trace.events().source[m_tree.event(row).v]});
            if (!details)
                return details.error();
            std::string_view text = fieldOf(*details, "args.Input Dims");
            if (text.empty())
                text = fieldOf(*details, "args.Input dims"); // before PyTorch 1.13
            label(row, text);
        }
        return ok();
    }

    Status stacks() {
        const auto whole = HostTree::build(m_trace, {true, false}, m_job);
        if (!whole)
            return whole.error();
        std::string text;
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!m_poll.tick())
                return cancelledError();
            text.clear();
            std::size_t frames = 0, levels = 0;
            HostRow around = whole->find(m_tree.event(row));
            while (around && frames < kFramesOfStack && levels++ < HostTree::kLevelsLookedAt) {
                around = whole->parent(around);
                if (!around || whole->kind(around) != EventKind::Python)
                    continue;
                text.append(frames++ == 0 ? "" : " < ").append(m_trace.nameOf(whole->event(around)));
            }
            label(row, text);
        }
        return ok();
    }

    // Parents come before children.
    Status ranges() {
        std::vector<HostRow> innermost(m_tree.size());
        for (HostRow row{0}; row.v < m_tree.size(); ++row.v) {
            if (!m_poll.tick())
                return cancelledError();
            const HostRow parent = m_tree.parent(row);
            if (!parent)
                continue;
            HostRow range = m_tree.kind(parent) == EventKind::Range ? parent : innermost[parent.v];
            while (range && m_tree.range(range).end < m_tree.range(row).end) // it ends inside the row
                range = innermost[range.v];
            innermost[row.v] = range;
            if (range)
                label(row, m_trace.nameOf(m_tree.event(range)));
        }
        ofLaunch();
        return ok();
    }

    Status threads() {
        for (std::uint32_t t = 0; t < m_trace.threads().size(); ++t) {
            const HostTree::ThreadPart& part = m_tree.part({t});
            const std::string title = part.isEmpty() ? std::string() : m_trace.threadTitle({t});
            for (HostRow row{part.firstRow}; row.v < part.lastRow; ++row.v) {
                if (!m_poll.tick())
                    return cancelledError();
                label(row, title);
            }
        }
        ofLaunch();
        return ok();
    }

    Status streams() {
        std::vector<std::uint32_t> ofLane(m_trace.lanes().size(), 0);
        for (std::size_t lane = 0; lane < ofLane.size(); ++lane)
            if (const Lane& stream = m_trace.lanes()[lane]; stream.device) {
                const std::int64_t device = m_trace.devices()[stream.device.v].ordinal;
                ofLane[lane] = number("device " + std::to_string(device) + ", stream " +
                                      std::to_string(stream.sourceId));
            }
        m_made.labels.ofDeviceRow = [&trace = m_trace, ofLane](EventId e) {
            return ofLane[trace.laneOf(e).v];
        };
        return ok();
    }

    // Device rows have no shapes and no stack of their own.
    void withoutDeviceRows() {
        m_made.labels.ofDeviceRow = [](EventId) { return 0U; };
    }
    bool haveAny() const { return m_made.texts.size() > 1; }
    AverageLabelTexts take() { return std::move(m_made); }

private:
    std::uint32_t number(std::string_view text) { return m_made.texts.intern(text).v; }
    void label(HostRow row, std::string_view text) { m_made.labels.ofHostRow[row.v] = number(text); }

    // Device rows have the label of the call that launched them.
    void ofLaunch() {
        m_made.labels.ofDeviceRow = [&trace = m_trace, &tree = m_tree,
                                     ofHostRow = m_made.labels.ofHostRow](EventId e) {
            const auto call = trace.correlations().launchOf(trace.events(), e);
            const HostRow row = call ? tree.find(*call) : HostRow{};
            return row ? ofHostRow[row.v] : 0U;
        };
    }

    const ReportInput& m_input;
    const Trace& m_trace;
    const HostTree& m_tree;
    JobControl& m_job;
    RowPoll m_poll;
    AverageLabelTexts m_made;
};

Error noLabels(const char* what, const char* howTo) {
    return {Errc::Unsupported,
            std::string("key_averages cannot be grouped by ") + what + ": the trace has none; " + howTo,
            {},
            {}};
}

} // namespace

Result<AverageLabelTexts> averageLabels(const ReportInput& input, const HostTree& tree, AverageGroup group,
                                        JobControl& job) {
    LabelMaker maker(input, tree, job);
    Status done = ok();
    const char* howTo = "";
    const char* what = "";
    switch (group) {
    case AverageGroup::Shape:
        maker.withoutDeviceRows();
        done = maker.shapes();
        what = "input shape";
        howTo = "record_shapes=True records them";
        break;
    case AverageGroup::Stack:
        maker.withoutDeviceRows();
        done = maker.stacks();
        what = "Python stack";
        howTo = "with_stack=True records them";
        break;
    case AverageGroup::Range:
        done = maker.ranges();
        what = "range";
        howTo = "record_function and NVTX make them";
        break;
    case AverageGroup::Thread:
        done = maker.threads();
        what = "thread";
        howTo = "it has no host rows";
        break;
    case AverageGroup::Stream:
        done = maker.streams();
        what = "stream";
        howTo = "it has no device work";
        break;
    case AverageGroup::Name:
        maker.withoutDeviceRows();
        return maker.take();
    }
    if (!done)
        return done.error();
    if (!maker.haveAny())
        return noLabels(what, howTo);
    return maker.take();
}

std::string_view averageLabelTitle(AverageGroup group) {
    switch (group) {
    case AverageGroup::Shape:
        return "Input Shapes";
    case AverageGroup::Stack:
        return "Source Location";
    case AverageGroup::Range:
        return "Range";
    case AverageGroup::Thread:
        return "Thread";
    case AverageGroup::Stream:
        return "Stream";
    case AverageGroup::Name:
        break;
    }
    return {};
}

// Operators at the edge of the range count all of their marks.
Result<std::vector<MemoryChange>> memoryChanges(const ReportInput& input, JobControl& job) {
    const auto marks = allocatorMarks(input, job);
    if (!marks)
        return marks.error();
    std::vector<MemoryChange> changes;
    for (const AllocatorMark& mark : *marks)
        changes.push_back({mark.timeNs, mark.bytes, mark.isOnDevice});
    return changes;
}

} // namespace lacuna
