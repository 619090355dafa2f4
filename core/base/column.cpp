#include "core/base/column.h"

#include <cstdint>
#include <sys/mman.h>

namespace lacuna {

namespace {

constexpr std::size_t roundUp(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

std::size_t mappedBytes(std::size_t bytes) {
    constexpr std::size_t kSmallPage = std::size_t{4} << 10;
    const std::size_t last = bytes % kHugePage;
    return roundUp(bytes, last > kHugePage / 4 * 3 ? kHugePage : kSmallPage);
}

} // namespace

void* mapHuge(std::size_t bytes) {
    const std::size_t size = mappedBytes(bytes);
    // mmap aligns to small pages: map more, give back what stands over.
    void* const mapped =
        ::mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        throw std::bad_alloc();
    char* const first = static_cast<char*>(mapped);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(first) % kHugePage) % kHugePage;
    char* const start = first + before;
    if (before > 0)
        ::munmap(first, before);
    if (before < kHugePage)
        ::munmap(start + size, kHugePage - before);
    ::madvise(start, size, MADV_HUGEPAGE);
    return start;
}

void unmapHuge(void* block, std::size_t bytes) noexcept {
    ::munmap(block, mappedBytes(bytes));
}

} // namespace lacuna
