#pragma once

#include <cstdint>
#include <ctime>

namespace lacuna {

constexpr std::int64_t nsOf(const timespec& t) {
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

} // namespace lacuna
