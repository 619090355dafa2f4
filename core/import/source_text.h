#pragma once
// The whole text of a source once more, for who writes it anew. Detail readers of text formats implement it;
// ask a DetailReader with dynamic_cast. For sources without a path (standard input), which cannot be opened
// again: what passed was kept.

#include "core/import/byte_source.h"

#include <memory>

namespace lacuna {

class SourceText {
public:
    virtual ~SourceText() = default;
    // From its first byte; must not outlive the reader.
    virtual std::unique_ptr<ByteSource> fromStart() = 0;
};

} // namespace lacuna
