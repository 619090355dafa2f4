#include "core/base/large_blocks.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace lacuna {

void mapLargeBlocks() {
#if defined(M_MMAP_THRESHOLD)
    constexpr int kMappedFrom = 128 << 10;
    ::mallopt(M_MMAP_THRESHOLD, kMappedFrom);
#endif
}

} // namespace lacuna
