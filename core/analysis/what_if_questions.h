#pragma once
// What can be taken away from a trace, found by walking it once.

#include "core/analysis/what_if.h"

namespace lacuna {

// By kind, then time from the largest, then first occurrence. Error: Cancelled.
Result<std::vector<WhatIfQuestion>> whatIfQuestions(const ReplayModel& model, const ReplayChanges& changes,
                                                    JobControl& job);

} // namespace lacuna
