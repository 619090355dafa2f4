#include "core/base/large_blocks.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace lacuna {

void mapLargeBlocks() {
#if defined(M_MMAP_THRESHOLD)
    constexpr int kMappedFrom = 512 << 10, kSpare = 4 << 20, kGrowth = 1 << 20;
    ::mallopt(M_MMAP_THRESHOLD, kMappedFrom);
    ::mallopt(M_TRIM_THRESHOLD, kSpare);
    ::mallopt(M_TOP_PAD, kGrowth);
#endif
}

} // namespace lacuna
