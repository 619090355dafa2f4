#pragma once
// Threads that stay, for work that comes many times a second: the lanes of a frame. Starting a thread costs
// more than a lane. What the pieces write must not depend on who does which, as in parallel.h.

#include <cstddef>
#include <memory>

namespace lacuna {

class Crew {
public:
    // Threads that work, the calling one among them; 0: as many as the machine has, at most kMost. Helpers
    // are started by the first run().
    explicit Crew(unsigned threads = 0);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Calls work(i) once for every i in [0, count); pieces start in ascending order, and the caller takes
    // what no helper has begun. Returns when all are done and rethrows the first exception of a piece. One
    // run at a time; not from inside a piece.
    template <class Work> void run(std::size_t count, const Work& work) {
        runPieces(
            count, [](const void* it, std::size_t i) { (*static_cast<const Work*>(it))(i); }, &work);
    }

private:
    static constexpr unsigned kMost = 4; // a frame has too little work for more
    using Piece = void (*)(const void* work, std::size_t i);
    void runPieces(std::size_t count, Piece piece, const void* work);

    class Helpers;
    unsigned m_threads;
    std::unique_ptr<Helpers> m_helpers; // none until they are needed, or where there are none to be had
};

} // namespace lacuna
