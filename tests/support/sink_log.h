#pragma once
// Everything that the JSON reader tells a sink, call by call, to compare two ways of reading the same text.

#include "core/import/detail/json_events.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lacuna::test {

struct SinkLog {
    std::vector<std::uint64_t> calls; // a hash of each: kind, offset, every field with its type
    std::string end;                  // what run() answered, damage, progress
    friend bool operator==(const SinkLog&, const SinkLog&) = default;
};

// `stored` may be gzip data; chunk > 0 limits every read to that many bytes.
SinkLog readIntoLog(const std::string& stored, unsigned threads, json::PieceSizes sizes = {},
                    std::size_t chunk = 0);

// Empty when both are the same; else where they begin to differ.
std::string difference(const SinkLog& got, const SinkLog& expected);

} // namespace lacuna::test
