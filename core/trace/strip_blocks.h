#pragma once
// Rows of a strip are summed up in blocks, blocks in blocks of blocks: busy time and the longest row of each.

#include <cstddef>

namespace lacuna {

inline constexpr std::size_t kRowsPerBlock = 16; // performance.md section 4

constexpr std::size_t blocksOf(std::size_t rows) {
    return (rows + kRowsPerBlock - 1) / kRowsPerBlock;
}

} // namespace lacuna
