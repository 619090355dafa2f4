#include "core/base/column.h"

#include <cstdint>

namespace lacuna {

std::shared_ptr<void> hugePage(std::size_t bytes) {
    constexpr std::size_t kAlign = std::size_t{2} << 20;
    const std::size_t size = (bytes + kAlign - 1) / kAlign * kAlign;
    // mmap aligns to small pages: map more, give back what stands over.
    void* mapped = ::mmap(nullptr, size + kAlign, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        throw std::bad_alloc();
    char* const first = static_cast<char*>(mapped);
    const std::size_t before = (kAlign - reinterpret_cast<std::uintptr_t>(first) % kAlign) % kAlign;
    char* const start = first + before;
    if (before > 0)
        ::munmap(first, before);
    if (before < kAlign)
        ::munmap(start + size, kAlign - before);
    ::madvise(start, size, MADV_HUGEPAGE);
    return {start, [size](void* p) { ::munmap(p, size); }};
}

} // namespace lacuna
