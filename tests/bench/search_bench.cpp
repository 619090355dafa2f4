// Search over a trace of many rows made in memory: 8 threads, 60,000 names of kernel length.
//   search_bench [rows, 10,000,000]
// Prints wall and CPU ms of the names, of all rows, and of the parts that the window asks for afterwards.

#include "core/search/search.h"
#include "core/trace/trace_builder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

using namespace lacuna;

namespace {

constexpr std::uint32_t kNames = 60'000, kThreads = 8;

std::shared_ptr<const Trace> makeTrace(std::size_t rows) {
    TraceBuilder builder;
    std::vector<StringId> names;
    names.reserve(kNames);
    for (std::uint32_t n = 0; n < kNames; ++n)
        names.push_back(builder.strings().intern(
            "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
            "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>) #" +
            std::to_string(n)));
    const ProcessId process = builder.process("1");
    std::vector<LaneId> lanes;
    for (std::uint32_t t = 0; t < kThreads; ++t) {
        LaneKey key;
        key.process = process;
        key.thread = builder.thread(process, std::to_string(t + 1));
        lanes.push_back(builder.lane(key));
    }
    for (std::size_t row = 0; row < rows; ++row) {
        const auto at = static_cast<std::int64_t>(row / kThreads) * 10;
        builder.add({lanes[row % kThreads], at, at + 9, names[row * 7919 % kNames], EventKind::CpuOp, 0,
                     SourceRef::offset(row)});
    }
    JobControl job;
    auto trace = std::move(builder).finish(job);
    return trace ? *trace : nullptr;
}

class Watch {
public:
    void tell(const char* what, std::size_t count) {
        const auto now = std::chrono::steady_clock::now();
        const std::clock_t cpu = std::clock();
        std::printf("  %-36s %10zu  %8.1f ms wall  %8.1f ms CPU\n", what, count,
                    std::chrono::duration<double, std::milli>(now - m_wall).count(),
                    1'000.0 * static_cast<double>(cpu - m_cpu) / CLOCKS_PER_SEC);
        m_wall = std::chrono::steady_clock::now();
        m_cpu = std::clock();
    }

private:
    std::chrono::steady_clock::time_point m_wall = std::chrono::steady_clock::now();
    std::clock_t m_cpu = std::clock();
};

void search(const std::shared_ptr<const Trace>& trace, const char* typed) {
    constexpr std::size_t kListed = 100'000;
    std::printf("%s\n", typed);
    JobControl job;
    const auto query = parseQuery(typed, {});
    Watch watch;
    auto pattern = Pattern::compile(query->text, query->options);
    std::size_t names = 0;
    for (std::uint32_t n = 0; n < trace->strings().size(); ++n)
        names += pattern->occursIn(trace->strings().view(StringId{n})) ? 1U : 0U;
    watch.tell("names alone", names);
    const auto hits = searchNames(trace, *query, job);
    watch.tell("rows, counts, columns", hits->size());
    watch.tell("listed", hits->firstInTime(kListed).size());
    const auto first = hits->atOrAfter({0});
    watch.tell("first hit in time", first ? first->v : 0);
}

} // namespace

int main(int argc, char** argv) {
    const auto trace = makeTrace(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000);
    if (trace == nullptr)
        return 1;
    for (const char* typed : {"#59999", "kernel<4", "/Fill.*#1234$/", "cat:kernel"})
        search(trace, typed);
}
