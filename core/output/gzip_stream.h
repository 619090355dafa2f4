#pragma once
// Packs text as one gzip member, piece by piece. Fast rather than small: a trace of hundreds of MB is packed
// while it is written, at several hundred MB/s.

#include <memory>
#include <string>
#include <string_view>

namespace lacuna {

class GzipStream {
public:
    GzipStream();
    ~GzipStream();
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;

    // Appends what is packed so far to `out`.
    void add(std::string_view text, std::string& out);
    // Appends the rest and the trailer; nothing may be added after.
    void finish(std::string& out);

private:
    void run(std::string_view text, bool isLast, std::string& out);
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lacuna
