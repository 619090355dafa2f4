#pragma once
// Which program recorded a trace, where an answer depends on it and the format of the file does not tell:
// a trace that was converted from an Nsight export is a Chrome trace, but it holds what Nsight recorded.

#include "core/trace/trace.h"

namespace lacuna {

inline bool isOfNsight(const TraceFacts& facts) {
    return facts.format == "nsys-sqlite" || facts.writer.starts_with("Nsight");
}

} // namespace lacuna
