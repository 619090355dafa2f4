// Rows behind the reports under the names of Holistic Trace Analysis.

#include "core/analysis/hta_series.h"
#include "core/report/hta_input.h"
#include "core/report/row_evidence.h"

namespace lacuna::evidence {

namespace {

template <class Is>
Found eventsOf(const Asked& asked, const Result<std::vector<HtaRow>>& rows, const Is& is) {
    if (!rows)
        return rows.error();
    std::vector<EventId> found;
    RowPoll poll(asked.job);
    for (const HtaRow& row : *rows) {
        if (!poll.tick())
            return cancelledError();
        if (is(row))
            found.push_back(row.event);
    }
    return found;
}

template <class Is> Found deviceRows(const Asked& asked, const Is& is) {
    return eventsOf(asked, htaRows(asked.input.trace, htaOptionsOf(asked.input), asked.job), is);
}

Found rangesNamed(const Asked& asked, bool onDevice) {
    const std::string_view name = asked.text("Name");
    const auto rows = htaAnnotations(asked.input.trace, onDevice, htaOptionsOf(asked.input), asked.job);
    return eventsOf(asked, rows,
                    [&](const HtaRow& row) { return asked.input.trace.nameOf(row.event) == name; });
}

std::string_view typeName(HtaClass cls) {
    return cls == HtaClass::Computation     ? "COMPUTATION"
           : cls == HtaClass::Communication ? "COMMUNICATION"
           : cls == HtaClass::Memory        ? "MEMORY"
                                            : "SYNC";
}

} // namespace

Found htaAllRows(const Asked& asked) {
    return deviceRows(asked, [](const HtaRow&) { return true; });
}

Found htaCommunication(const Asked& asked) {
    return deviceRows(asked, [](const HtaRow& row) { return row.cls == HtaClass::Communication; });
}

// "COMMUNICATION overlapping COMPUTATION": rows of both.
Found htaTypes(const Asked& asked) {
    const std::string_view types = asked.text("Kernel Type");
    return deviceRows(
        asked, [&](const HtaRow& row) { return types.find(typeName(row.cls)) != std::string_view::npos; });
}

Found htaNames(const Asked& asked) {
    const std::string_view name = asked.text("Name"), type = asked.text("Kernel Type");
    return deviceRows(asked, [&](const HtaRow& row) {
        return typeName(row.cls) == type && asked.input.trace.nameOf(row.event) == name;
    });
}

Found htaHostRanges(const Asked& asked) {
    return rangesNamed(asked, false);
}

Found htaDeviceRanges(const Asked& asked) {
    return rangesNamed(asked, true);
}

// The operations that end the gaps.
Found htaIdleGaps(const Asked& asked) {
    const HtaOptions options = htaOptionsOf(asked.input);
    const auto rows = htaRows(asked.input.trace, options, asked.job);
    if (!rows)
        return rows.error();
    const std::string_view category = asked.text("Idle Category");
    for (const HtaIdle& idle : lacuna::htaIdle(*rows, options, kHtaConsecutiveNs, asked.job))
        if (idle.stream == asked.number("Stream"))
            for (const HtaIdleKind kind :
                 {HtaIdleKind::HostWait, HtaIdleKind::KernelWait, HtaIdleKind::Other})
                if (htaIdleName(kind) == category)
                    return idle.next[static_cast<std::size_t>(kind)];
    return std::vector<EventId>();
}

Found htaQueued(const Asked& asked) {
    const auto stream = asked.number("Stream");
    return deviceRows(asked, [&](const HtaRow& row) {
        return row.cls != HtaClass::Sync && row.call && row.stream == stream;
    });
}

Found htaCopies(const Asked& asked) {
    const std::string_view operation = asked.text("Operation");
    return deviceRows(asked, [&](const HtaRow& row) {
        return row.cls == HtaClass::Memory && htaOperationName(asked.input.trace, row.event) == operation;
    });
}

Found htaStepMarks(const Asked& asked) {
    const std::string name = "ProfilerStep#" + std::to_string(asked.number("Step").value_or(-1));
    return rowsThat(asked, kindBit(EventKind::Range),
                    [&](EventId e, const Lane&) { return asked.input.trace.nameOf(e) == name; });
}

} // namespace lacuna::evidence
