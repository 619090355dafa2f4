#include "core/analysis/quicksort_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace lacuna {

namespace {

constexpr std::ptrdiff_t kByInsertion = 16;

class QuicksortOrder {
public:
    explicit QuicksortOrder(std::span<const std::int64_t> keys) : m_keys(keys), m_rows(keys.size()) {
        std::iota(m_rows.begin(), m_rows.end(), std::uint32_t{0});
    }

    bool run(RowPoll& poll) {
        int levels = 2; // before a part counts as hostile: twice the logarithm
        for (std::size_t rows = m_rows.size(); rows > 1; rows /= 2)
            levels += 2;
        std::vector<Part> waiting{{0, static_cast<std::ptrdiff_t>(m_rows.size()) - 1, levels}};
        while (!waiting.empty()) {
            Part part = waiting.back();
            waiting.pop_back();
            while (part.last - part.first > kByInsertion && part.levels > 0) {
                if (!poll.tick(static_cast<std::uint32_t>(part.last - part.first)))
                    return false;
                const std::ptrdiff_t middle = split(part);
                const int next = part.levels - 1;
                const Part left{part.first, middle - 1, next}, right{middle + 1, part.last, next};
                const bool isLeftSmaller = middle - part.first < part.last - middle;
                waiting.push_back(isLeftSmaller ? right : left);
                part = isLeftSmaller ? left : right;
            }
            finish(part);
        }
        return true;
    }
    std::vector<std::uint32_t> take() { return std::move(m_rows); }

private:
    struct Part { // both ends included
        std::ptrdiff_t first, last;
        int levels;
    };

    std::int64_t key(std::ptrdiff_t at) const { return m_keys[m_rows[static_cast<std::size_t>(at)]]; }
    void swap(std::ptrdiff_t a, std::ptrdiff_t b) {
        std::swap(m_rows[static_cast<std::size_t>(a)], m_rows[static_cast<std::size_t>(b)]);
    }
    void order(std::ptrdiff_t a, std::ptrdiff_t b) {
        if (key(b) < key(a))
            swap(a, b);
    }

    // Where the median of the first, middle and last key comes to stand: not less than it behind, not greater
    // before.
    std::ptrdiff_t split(const Part& part) {
        const std::ptrdiff_t middle = part.first + (part.last - part.first) / 2;
        order(part.first, middle);
        order(middle, part.last);
        order(part.first, middle);
        const std::int64_t pivot = key(middle);
        std::ptrdiff_t left = part.first, right = part.last - 1;
        swap(middle, right);
        while (true) {
            do
                ++left;
            while (key(left) < pivot);
            do
                --right;
            while (pivot < key(right));
            if (left >= right)
                break;
            swap(left, right);
        }
        swap(left, part.last - 1);
        return left;
    }

    void finish(const Part& part) {
        const auto begin = m_rows.begin() + part.first, end = m_rows.begin() + part.last + 1;
        const auto isLess = [this](std::uint32_t a, std::uint32_t b) { return m_keys[a] < m_keys[b]; };
        if (part.last - part.first > kByInsertion) {
            std::sort(begin, end, isLess);
            return;
        }
        for (auto at = begin; at < end; ++at) // stable
            std::rotate(std::upper_bound(begin, at, *at, isLess), at, at + 1);
    }

    std::span<const std::int64_t> m_keys;
    std::vector<std::uint32_t> m_rows;
};

} // namespace

std::vector<std::uint32_t> quicksortOrder(std::span<const std::int64_t> keys, RowPoll& poll) {
    if (keys.empty())
        return {};
    QuicksortOrder order(keys);
    return order.run(poll) ? order.take() : std::vector<std::uint32_t>{};
}

} // namespace lacuna
