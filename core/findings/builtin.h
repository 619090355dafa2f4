#pragma once
// The list of findings. A new one is a file with a function, its declaration here and a line in builtin.cpp;
// report, JSON and the window's page follow from that.

#include "core/findings/context.h"
#include "core/findings/finding.h"

#include <span>
#include <vector>

namespace lacuna {

// Fills all but code, title and isLookFor. Pure; polls the job at least every 4,096 rows.
using FindingFunction = Finding(const FindingContext& context, JobControl& job);

struct FindingSpec {
    std::string_view code;  // stable: "long_waits"
    std::string_view title; // for people
    FindingFunction* look = nullptr;
    bool isLookFor = false; // one of the six that are looked at first, always in this order
};

namespace findings {
FindingFunction gapsBetweenWork, longWaits, copiesInLoop, serialisedStreams, dominatingKernel, tinyKernels;
FindingFunction limiter, launchBound, inputBound, kernelClasses, conversions, waitsInLoop, allocations,
    noWarmUp, benchmarkHygiene, annotationHealth, unusualSteps, drift, memoryGrowth, leftOut;
} // namespace findings

std::span<const FindingSpec> builtinFindings();

// The six look-fors in their order, then those found by the time they are about, then the others; notes last.
// Error: Cancelled.
Result<std::vector<Finding>> findAll(const FindingContext& context, JobControl& job);

} // namespace lacuna
