#pragma once
// Storage of columns. The first touch of fresh memory is five times cheaper in huge pages, so large blocks
// are mapped and advised; elements are default-initialised (not zeroed) when a column is resized.
//  Column<T>        one contiguous block, for finished columns
//  WorkColumn<T>    the same for work space, which soon goes: whole huge pages from a quarter of one on
//  ChunkedColumn<T> grows without copying what is there, for columns under construction

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace lacuna {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// A block of its own that the kernel can back with huge pages: it begins at one; zeroed. The last one is
// whole where the block needs three quarters of it. Throws std::bad_alloc.
void* mapHuge(std::size_t bytes);
void unmapHuge(void* block, std::size_t bytes) noexcept;

// Blocks of `From` bytes and more are mapped, as whole huge pages where they are work space.
template <class T, std::size_t From, bool IsWork> class ColumnAllocator {
public:
    using value_type = T;
    template <class U> struct rebind { using other = ColumnAllocator<U, From, IsWork>; };
    ColumnAllocator() = default;
    template <class U> ColumnAllocator(const ColumnAllocator<U, From, IsWork>&) noexcept {}

    T* allocate(std::size_t n) {
        if (bytesOf(n) < From)
            return std::allocator<T>().allocate(n); // aligned by hand only where T asks for it
        return static_cast<T*>(mapHuge(mapped(bytesOf(n))));
    }
    void deallocate(T* p, std::size_t n) noexcept {
        if (bytesOf(n) < From)
            std::allocator<T>().deallocate(p, n);
        else
            unmapHuge(p, mapped(bytesOf(n)));
    }
    template <class U> void construct(U* p) noexcept { ::new (static_cast<void*>(p)) U; }
    template <class U, class... Args> void construct(U* p, Args&&... args) {
        ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
    }
    friend bool operator==(const ColumnAllocator&, const ColumnAllocator&) { return true; }

private:
    static constexpr std::size_t bytesOf(std::size_t n) {
        return n * sizeof(T); // NOLINT(bugprone-sizeof-expression): of the element, a pointer here and there
    }
    static constexpr std::size_t mapped(std::size_t bytes) {
        return IsWork ? (bytes + kHugePage - 1) / kHugePage * kHugePage : bytes;
    }
};

// What is kept may waste an eighth of a huge page.
template <class T> using Column = std::vector<T, ColumnAllocator<T, kHugePage / 8 * 7, false>>;
template <class T> using WorkColumn = std::vector<T, ColumnAllocator<T, kHugePage / 4, true>>;

// Chunks are shared by copies: a copy is a frozen picture of the first size() elements while the original
// grows, as long as nothing below size() is changed. deepCopy() is for columns that are changed later.
template <class T> class ChunkedColumn {
public:
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    static constexpr std::size_t kChunk = 64; // a fuzzer's files have few rows: several chunks, little memory
#else
    static constexpr std::size_t kChunk = std::size_t{1} << 16;
#endif

    void push_back(const T& value) {
        if (m_size % kChunk == 0)
            grow();
        m_chunks[m_size / kChunk][m_size % kChunk] = value;
        ++m_size;
    }
    void append(std::size_t count, const T& value) {
        while (count > 0) {
            if (m_size % kChunk == 0)
                grow();
            const std::size_t here = std::min(count, kChunk - m_size % kChunk);
            std::fill_n(m_chunks[m_size / kChunk].get() + m_size % kChunk, here, value);
            m_size += here;
            count -= here;
        }
    }
    T& operator[](std::size_t i) {
        return m_chunks[i / kChunk][i % kChunk];
    }
    const T& operator[](std::size_t i) const {
        return m_chunks[i / kChunk][i % kChunk];
    }
    T& back() {
        return (*this)[m_size - 1];
    }
    std::size_t size() const {
        return m_size;
    }
    bool empty() const {
        return m_size == 0;
    }
    void clear() {
        m_chunks = {};
        m_size = 0;
    }
    ChunkedColumn deepCopy() const {
        ChunkedColumn copy;
        for (std::size_t first = 0; first < m_size; first += kChunk) {
            const std::size_t count = std::min(kChunk, m_size - first);
            copy.grow();
            std::copy_n(m_chunks[first / kChunk].get(), count, copy.m_chunks[first / kChunk].get());
            copy.m_size += count;
        }
        return copy;
    }

private:
    // The first chunk stands alone, so that small traces stay small; later ones are cut from huge pages.
    static constexpr std::size_t kAlone = 1;
    static constexpr std::size_t kPerPage = std::max<std::size_t>(1, kHugePage / (kChunk * sizeof(T)));

    void grow() {
        const std::size_t chunk = m_size / kChunk;
        if (chunk < m_chunks.size())
            return;
        if (chunk < kAlone) {
            m_chunks.push_back(std::shared_ptr<T[]>(new T[kChunk]));
            return;
        }
        constexpr std::size_t kBytes = kPerPage * kChunk * sizeof(T);
        const std::shared_ptr<void> page(mapHuge(kBytes), [](void* block) { unmapHuge(block, kBytes); });
        for (std::size_t k = 0; k < kPerPage; ++k)
            m_chunks.push_back(std::shared_ptr<T[]>(page, static_cast<T*>(page.get()) + k * kChunk));
    }

    std::vector<std::shared_ptr<T[]>> m_chunks;
    std::size_t m_size = 0;
};

} // namespace lacuna
