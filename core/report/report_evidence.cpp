#include "core/report/report_evidence.h"

#include "core/report/report_rows.h"
#include "core/report/row_evidence.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <array>

namespace lacuna {

namespace {

std::optional<std::int64_t> timeCell(const ReportTable& table, std::size_t row, std::string_view title) {
    const auto column = table.findColumn(title);
    if (!column || table.columns()[*column].type != ReportColumn::Type::Ns || table.isEmpty(row, *column))
        return std::nullopt;
    return table.number(row, *column);
}

struct OwnEvidence {
    std::string_view report;
    evidence::Function* find;
    bool isFirst = false; // also where a row tells something: that is not all of it
};
constexpr std::array kOwnEvidence = {
    OwnEvidence{"collectives", evidence::collectives},
    OwnEvidence{"comm_comp_overlap", evidence::htaCommunication},
    OwnEvidence{"copies", evidence::copies},
    OwnEvidence{"critical_path", evidence::criticalPath},
    OwnEvidence{"cuda_gpu_kern_gb_sum", evidence::kernelsByShape},
    OwnEvidence{"cuda_gpu_mem_size_sum", evidence::memorySizes},
    OwnEvidence{"cuda_kern_exec_sum", evidence::kernelExecutions},
    OwnEvidence{"gpu_kernel_breakdown", evidence::htaTypes},
    OwnEvidence{"gpu_kernel_breakdown_names", evidence::htaNames},
    OwnEvidence{"gpu_user_annotation_breakdown", evidence::htaDeviceRanges},
    OwnEvidence{"idle", evidence::idle},
    OwnEvidence{"idle_time_breakdown", evidence::htaIdleGaps},
    OwnEvidence{"key_averages", evidence::averages, true},
    OwnEvidence{"kernel_exposure", evidence::kernelExposure},
    OwnEvidence{"kernel_shapes", evidence::kernelShapes},
    OwnEvidence{"launch", evidence::launches},
    OwnEvidence{"limiters", evidence::limiters},
    OwnEvidence{"memory_bw_summary", evidence::htaCopies},
    OwnEvidence{"nvtx_gpu_proj_sum", evidence::projections},
    OwnEvidence{"nvtx_kern_sum", evidence::kernelsByRange},
    OwnEvidence{"nvtx_pushpop_sum", evidence::pushPopSums},
    OwnEvidence{"nvtx_startend_sum", evidence::startEndSums},
    OwnEvidence{"nvtx_sum", evidence::rangeSums},
    OwnEvidence{"overlap", evidence::overlap},
    OwnEvidence{"phases", evidence::phases},
    OwnEvidence{"profiler_steps", evidence::htaStepMarks},
    OwnEvidence{"queue_length_summary", evidence::htaQueued},
    OwnEvidence{"schedule", evidence::schedule},
    OwnEvidence{"step_histogram", evidence::stepHistogram},
    OwnEvidence{"step_stats", evidence::stepStatistics},
    OwnEvidence{"streams", evidence::streams},
    OwnEvidence{"temporal_breakdown", evidence::htaAllRows},
    OwnEvidence{"threads", evidence::threads},
    OwnEvidence{"user_annotation_breakdown", evidence::htaHostRanges},
    OwnEvidence{"whatif", evidence::whatIf},
    OwnEvidence{"windows", evidence::windows},
};

evidence::Function* ownEvidenceOf(std::string_view report, const ReportEvidence& told) {
    const auto* const at = std::find_if(kOwnEvidence.begin(), kOwnEvidence.end(),
                                        [report](const OwnEvidence& one) { return one.report == report; });
    return at == kOwnEvidence.end() || !(told.isEmpty() || at->isFirst) ? nullptr : at->find;
}

bool byStart(const Trace& trace, std::vector<EventId>& rows, const JobControl& job) {
    const EventTable& events = trace.events();
    RowPoll poll(job);
    return sortRows(rows, poll, [&](EventId a, EventId b) {
        return events.beginNs[a.v] != events.beginNs[b.v] ? events.beginNs[a.v] < events.beginNs[b.v] : a < b;
    });
}

} // namespace

ReportEvidence evidenceOf(const ReportTable& table, std::size_t row) {
    ReportEvidence evidence;
    if (const std::int64_t about = table.aboutOf(row); about != ReportTable::kEmpty) {
        const auto bits = static_cast<std::uint64_t>(about);
        evidence.kinds = static_cast<KindMask>(bits >> 32);
        const auto number = static_cast<std::uint32_t>(bits);
        if (evidence.kinds == 0)
            evidence.event = EventId{number};
        else
            evidence.name = StringId{number};
        return evidence;
    }
    const auto start = timeCell(table, row, "Start");
    if (!start)
        return evidence;
    if (const auto duration = timeCell(table, row, "Duration"); duration && *duration >= 0)
        evidence.time = TimeRange{{*start}, {saturatingAdd(*start, *duration)}};
    else if (const auto end = timeCell(table, row, "End"); end && *end >= *start)
        evidence.time = TimeRange{{*start}, {*end}};
    return evidence;
}

std::optional<std::vector<EventId>> instancesOf(const ReportInput& input, const ReportEvidence& evidence,
                                                JobControl& job) {
    std::vector<EventId> rows;
    if (evidence.event)
        rows.push_back(evidence.event);
    if (evidence.kinds == 0)
        return rows;
    const EventTable& events = input.trace.events();
    const bool done = forEachRow(input, evidence.kinds, job, [&](EventId e, const Lane&) {
        if (events.name[e.v] == evidence.name)
            rows.push_back(e);
    });
    if (!done || !byStart(input.trace, rows, job))
        return std::nullopt;
    return rows;
}

bool hasOwnEvidence(std::string_view report, const ReportEvidence& told) {
    return ownEvidenceOf(report, told) != nullptr;
}

Result<std::vector<EventId>> eventsBehind(std::string_view report, const ReportInput& input,
                                          const ReportTable& table, std::size_t row, JobControl& job) {
    const ReportEvidence told = evidenceOf(table, row);
    evidence::Function* own = ownEvidenceOf(report, told);
    if (own == nullptr) {
        auto rows = instancesOf(input, told, job);
        return rows ? Result<std::vector<EventId>>(*std::move(rows)) : cancelledError();
    }
    auto found = own({input, table, row, job});
    if (!found)
        return found.error();
    if (!byStart(input.trace, *found, job) || job.cancelled()) // few rows are ordered without a look at it
        return cancelledError();
    found->erase(std::unique(found->begin(), found->end()), found->end());
    return *std::move(found);
}

} // namespace lacuna
