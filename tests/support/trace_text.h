#pragma once
// Small traces written as text, one row a line, times in us with up to three decimals:
//
//   main  op     aten::add            12..30
//   main  call   cudaLaunchKernel     25..28   #2
//   s7    kernel K2                   31..40   #2
//   s7    copy   HtoD pageable        50..60   #3 bytes=4096
//   s20   wait                        -24..-23 #12 stream=7 from=20 record=11
//
// First word: a thread ("main", "p2/worker" of process p2) or a stream ("s7", "d1s7", "p2/s7"). Second word:
// op, call (runtime), driver, range, step, py, os, overhead; kernel, copy, set, graph; markers wait, record.
// Then the name (may have spaces), begin..end, #correlation and members key=value: bytes, graph, stream,
// from, record, event. Lines that begin with '!' set facts: "! sync python os nsys". Empty lines and //
// comments are skipped. File order is the order of the lines; time zero is the file's own, so that times read
// as written.

#include "core/trace/trace.h"

#include <memory>
#include <string_view>

namespace lacuna::test {

std::shared_ptr<const Trace> traceOf(std::string_view text);
// The first row of that name in the file; asserts that there is one.
EventId rowNamed(const Trace& trace, std::string_view name);
constexpr std::int64_t us(double value) {
    return static_cast<std::int64_t>(value * 1000 + (value < 0 ? -0.5 : 0.5));
}

} // namespace lacuna::test
