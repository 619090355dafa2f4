#include "core/ncu/kernel_diagnosis.h"

#include "core/base/text_format.h"

#include <algorithm>
#include <cstdio>

namespace lacuna {

namespace {

std::string fixedText(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string pctText(double pct) {
    return fixedText(pct, pct < 10 ? 2 : 1) + " %";
}

std::string shareText(double share) {
    return fixedText(share * 100, 0) + " %";
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

// Fewer excess sectors than that is the business of edges and strides of one.
bool hasExcess(const KernelNumbers& numbers) {
    return numbers.excessSectorShare && *numbers.excessSectorShare >= kMuchExcess;
}

double mostSectors(const KernelNumbers& numbers) {
    return std::max(numbers.loadSectorsPerRequest.value_or(0), numbers.storeSectorsPerRequest.value_or(0));
}

void addMemoryFindings(const KernelDiagnosis& of, std::vector<KernelFinding>& out) {
    const KernelNumbers& n = of.numbers;
    if (isPoorlyCoalesced(n))
        out.push_back({FindingCode::PoorCoalescing, "poorly coalesced: " + coalescingText(n),
                       "let neighbouring threads access neighbouring addresses"});
    else if (!n.excessSectorShare && mostSectors(n) > kPoorSectors)
        out.push_back({FindingCode::WideAccesses, coalescingText(n),
                       "check that the accesses are 16 bytes wide; if not, they are poorly coalesced"});
    if (of.bound == Bound::Memory && *n.dramPct >= kNearRoofPct)
        out.push_back({FindingCode::MemoryRoof, "near the memory roof: DRAM " + pctText(*n.dramPct),
                       "move fewer bytes (fuse kernels, narrower types, reuse); tuning it otherwise gains "
                       "little"});
}

void addConflicts(const KernelNumbers& n, std::vector<KernelFinding>& out) {
    if (!n.bankConflicts || !n.sharedWavefronts || *n.sharedWavefronts <= 0)
        return;
    const double share = *n.bankConflicts / *n.sharedWavefronts;
    if (share >= kManyConflicts)
        out.push_back(
            {FindingCode::BankConflicts,
             "bank conflicts are " + shareText(std::min(share, 1.0)) + " of the shared-memory wavefronts",
             "pad or swizzle the arrays in shared memory so that the lanes of a warp meet different "
             "banks"});
}

void addLaunchFindings(const NcuKernel& kernel, const KernelNumbers& n, std::vector<KernelFinding>& out) {
    const std::uint64_t blocks = kernel.config.grid.isKnown() ? kernel.config.grid.count() : 0;
    if (n.smCount && blocks > 0 && static_cast<double>(blocks) < *n.smCount)
        out.push_back({FindingCode::SmallGrid,
                       "the grid has " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") +
                           " for " + fixedText(*n.smCount, 0) + " multiprocessors",
                       "launch more blocks, or run it beside other kernels"});
    const std::string limiter = n.limits.limiter();
    if (n.theoreticalOccupancyPct && *n.theoreticalOccupancyPct < kLowOccupancyPct && !limiter.empty())
        out.push_back(
            {FindingCode::LowOccupancy,
             "theoretical occupancy is limited to " + pctText(*n.theoreticalOccupancyPct) + " by " + limiter,
             "use less " + limiter + " per block, or blocks of another size"});
}

void addTopStall(const Stalls& stalls, std::vector<KernelFinding>& out) {
    const Stall* const top = stalls.top();
    if (top == nullptr || top->isHealthy() || top->value < stalls.total * kLargeStallShare)
        return;
    const bool isRatio = stalls.measure == StallMeasure::CyclesPerIssue;
    std::string text = "top stall " + std::string(top->reason != nullptr ? top->reason->title : top->id) +
                       ", " + fixedText(top->value, isRatio ? 2 : 1) +
                       (isRatio ? " cycles per issued instruction" : " %");
    if (top->reason != nullptr)
        text.append(" (a warp ").append(top->reason->meaning).append(")");
    out.push_back({FindingCode::TopStall, std::move(text),
                   top->reason != nullptr ? std::string(top->reason->action) : std::string()});
}

std::string_view boundAction(Bound bound) {
    switch (bound) {
    case Bound::Compute:
        return "Use a lower precision or tensor cores, or do fewer operations.";
    case Bound::Memory:
        return "Move fewer bytes: fuse kernels, use narrower types, reuse what was loaded.";
    case Bound::Latency:
        return "Look at the stall reasons: occupancy, independent instructions, access pattern.";
    case Bound::Balanced:
        return "Well balanced: only less work, in operations and bytes, makes it faster.";
    }
    return {};
}

std::string verdictOf(const KernelDiagnosis& of) {
    const KernelNumbers& n = of.numbers;
    if (!of.bound)
        return "No diagnosis: the file does not tell both SM and DRAM throughput.";
    std::string text = capitalised(std::string(boundName(*of.bound)));
    if (*of.bound == Bound::Balanced)
        text = "Well balanced";
    if (*of.bound == Bound::Memory && *n.dramPct >= kNearRoofPct)
        text += ", near the memory roof";
    return text + ": SM " + pctText(*n.smPct) + ", DRAM " + pctText(*n.dramPct) + " of peak.";
}

// The bound's advice, and first what the findings add to it.
std::string actionOf(const KernelDiagnosis& of) {
    if (!of.bound)
        return {};
    std::string text;
    const auto say = [&text](const KernelFinding& finding) {
        text.append(text.empty() ? "" : " ")
            .append(capitalised(finding.text))
            .append(finding.action.empty() ? "." : ": ");
        if (!finding.action.empty())
            text.append(finding.action).append(".");
    };
    std::size_t said = 0;
    for (const KernelFinding& finding : of.findings) {
        const bool fits = *of.bound == Bound::Latency || finding.code == FindingCode::PoorCoalescing ||
                          (finding.code == FindingCode::MemoryRoof && said == 0);
        if (fits && said < 2) {
            say(finding);
            ++said;
        }
    }
    return said > 0 ? text : std::string(boundAction(*of.bound));
}

} // namespace

std::string_view boundName(Bound bound) {
    switch (bound) {
    case Bound::Compute:
        return "compute bound";
    case Bound::Memory:
        return "memory bound";
    case Bound::Latency:
        return "latency bound";
    case Bound::Balanced:
        return "balanced";
    }
    return "balanced";
}

std::optional<Bound> boundOf(std::optional<double> smPct, std::optional<double> dramPct) {
    if (!smPct || !dramPct)
        return std::nullopt;
    const bool sm = *smPct >= kHighPct, dram = *dramPct >= kHighPct;
    return sm ? (dram ? Bound::Balanced : Bound::Compute) : (dram ? Bound::Memory : Bound::Latency);
}

std::string_view findingName(FindingCode code) {
    switch (code) {
    case FindingCode::MemoryRoof:
        return "memory_roof";
    case FindingCode::PoorCoalescing:
        return "poor_coalescing";
    case FindingCode::WideAccesses:
        return "wide_accesses";
    case FindingCode::BankConflicts:
        return "bank_conflicts";
    case FindingCode::LowOccupancy:
        return "low_occupancy";
    case FindingCode::SmallGrid:
        return "small_grid";
    case FindingCode::TopStall:
        return "top_stall";
    }
    return "top_stall";
}

bool isPoorlyCoalesced(const KernelNumbers& numbers) {
    // 16 sectors a request are right for 16-byte accesses: only the excess tells. Beyond 16 nothing is.
    return numbers.excessSectorShare ? hasExcess(numbers) : mostSectors(numbers) > 16.5;
}

std::string coalescingText(const KernelNumbers& numbers) {
    const double sectors = mostSectors(numbers);
    if (sectors <= 0)
        return {};
    std::string text = fixedText(sectors, 1) + " sectors per request";
    if (isPoorlyCoalesced(numbers)) {
        text += ", 4 are ideal for 4-byte accesses";
        if (numbers.excessSectorShare)
            text += "; " + shareText(*numbers.excessSectorShare) + " of the sectors are excess";
        return text;
    }
    if (numbers.excessSectorShare)
        return text + ", as many as the accesses need";
    if (sectors <= 4.5)
        return text + ", ideal: 4 are what a full warp of 4-byte accesses needs";
    return text + ": ideal for accesses of " + (sectors <= 8.5 ? "8" : "16") +
           " bytes a thread, too many for narrower ones";
}

KernelDiagnosis diagnose(const NcuFile& file, const NcuKernel& kernel) {
    KernelDiagnosis of;
    of.numbers = numbersOf(file, kernel);
    of.stalls = stallsOf(file, kernel);
    of.bound = boundOf(of.numbers.smPct, of.numbers.dramPct);
    addConflicts(of.numbers, of.findings);
    addMemoryFindings(of, of.findings);
    if (of.bound == Bound::Latency || !of.bound) {
        addLaunchFindings(kernel, of.numbers, of.findings);
        addTopStall(of.stalls, of.findings);
    }
    of.verdict = verdictOf(of);
    of.action = actionOf(of);
    return of;
}

} // namespace lacuna
