#pragma once
// Work that is cut into independent pieces, on several threads. What the pieces write must not depend on who
// does which: then the result is the same for any number of threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lacuna {

// Work on fewer rows than this takes longer on several threads than on one.
inline constexpr std::size_t kRowsForThreads = 50'000;

// 0 stands for as many as the machine has.
inline unsigned threadsFor(unsigned wanted) {
    return wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(i) once for every i in [0, count) on up to `threads` threads, the calling one among them; pieces
// start in ascending order. Returns when all are done and rethrows the first exception of a piece.
template <class Work> void parallelFor(unsigned threads, std::size_t count, const Work& work) {
    if (threads <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            work(i);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failureLock;
    const auto run = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++)
                work(i);
        } catch (...) {
            const std::lock_guard lock(failureLock);
            if (!failure)
                failure = std::current_exception();
            next = count;
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            for (std::size_t k = 1; k < std::min<std::size_t>(threads, count); ++k)
                helpers.emplace_back(run);
        } catch (const std::system_error&) {
            // No more threads to be had: those that run do the work.
        }
        run();
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace lacuna
