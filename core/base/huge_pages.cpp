#include "core/base/huge_pages.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>

namespace lacuna {

void wantHugePages(void* block, std::size_t bytes) {
    constexpr std::size_t kPage = std::size_t{2} << 20;
    const auto first = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t begin = (first + kPage - 1) / kPage * kPage, end = (first + bytes) / kPage * kPage;
    if (begin < end)
        ::madvise(static_cast<std::byte*>(block) + (begin - first), end - begin, MADV_HUGEPAGE);
}

} // namespace lacuna
