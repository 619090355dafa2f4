#include "core/cache/trace_archive.h"
#include "core/import/load_trace.h"
#include "tests/fuzz/check_model.h"
#include "tests/fuzz/targets.h"
#include "tests/support/trace_compare.h"

#include <algorithm>
#include <array>
#include <string>

namespace lacuna::fuzz {

namespace {

constexpr std::string_view kKey = "k";

std::string archived(const Trace& trace) {
    std::string bytes;
    JobControl job;
    TraceArchive::write(
        trace, kKey,
        [&](std::span<const std::byte> piece) {
            bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
            return true;
        },
        job);
    return bytes;
}

std::shared_ptr<const Trace> restored(std::string bytes) {
    JobControl job;
    return TraceArchive::read(*storedMemory(std::move(bytes)), kKey, job,
                              {{}, 1, ArchiveFileReader::Sums::Ignored});
}

std::string archiveOf(std::string_view events) {
    JobControl job;
    std::string text = "{\"schemaVersion\":1,\"traceEvents\":[";
    text.append(events).append("]}");
    auto loaded = loadTraceFromMemory(std::move(text), "t.json", builtinImporters(), job);
    require(bool(loaded), "the traces of this target open");
    return archived(*loaded->trace);
}

// A little of everything that a cache file may hold.
constexpr std::string_view kLaunches = R"j(
{"ph":"X","name":"op","cat":"cpu_op","pid":1,"tid":1,"ts":0,"dur":50},
{"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":1,"dur":3,"args":{"correlation":7}},
{"ph":"X","name":"k","cat":"kernel","pid":0,"tid":7,"ts":10,"dur":5,
 "args":{"device":0,"stream":7,"correlation":7}},
{"ph":"X","name":"Memcpy HtoD (Pageable -> Device)","cat":"gpu_memcpy","pid":0,"tid":7,"ts":20,"dur":5,
 "args":{"device":0,"stream":7,"correlation":8,"bytes":4096}},
{"ph":"X","name":"cudaMemcpyAsync","cat":"cuda_runtime","pid":1,"tid":1,"ts":12,"dur":20,
 "args":{"correlation":8}})j";
constexpr std::string_view kCounters = R"j(
{"ph":"C","name":"mem","pid":1,"ts":1,"args":{"a":1,"b":2.5}},
{"ph":"C","name":"mem","pid":1,"ts":2,"args":{"a":3}},
{"ph":"X","name":"a","pid":1,"tid":"t","ts":0,"dur":10},
{"ph":"X","name":"b","pid":1,"tid":"t","ts":2,"dur":3},
{"ph":"s","id":1,"name":"f","cat":"c","pid":1,"tid":"t","ts":3},
{"ph":"f","bp":"e","id":1,"name":"f","cat":"c","pid":1,"tid":"u","ts":6},
{"ph":"X","name":"c","pid":1,"tid":"u","ts":5,"dur":4},
{"ph":"i","name":"m","pid":1,"tid":"u","ts":6,"s":"t"},
{"ph":"X","name":"bad"})j";
constexpr std::string_view kMarkers = R"j(
{"ph":"M","name":"process_name","pid":3,"args":{"name":"python"}},
{"ph":"X","name":"Stream Wait Event","cat":"cuda_sync","pid":0,"tid":7,"ts":3,"dur":1,
 "args":{"stream":7,"correlation":2,"wait_on_stream":8,"wait_on_cuda_event_record_corr_id":1,"device":0}},
{"ph":"X","name":"x","cat":"user_annotation","pid":3,"tid":3,"ts":0,"dur":9},
{"ph":"X","name":"k2","cat":"kernel","pid":1,"tid":9,"ts":4,"dur":2,
 "args":{"device":1,"stream":9,"graph id":3,"graph node id":5}})j";

const std::array<std::string, 3>& bases() {
    static const std::array<std::string, 3> archives{archiveOf(kLaunches), archiveOf(kCounters),
                                                     archiveOf(kMarkers)};
    return archives;
}

} // namespace

// First byte: which file. Then edits of three bytes, place and value; a place behind the end cuts the file.
void fuzzCache(std::span<const std::byte> data) {
    if (data.empty())
        return;
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(data[i]); };
    std::string bytes = bases()[at(0) % bases().size()];
    for (std::size_t i = 1; i + 2 < data.size() && !bytes.empty(); i += 3) {
        const std::size_t place = at(i) * 256 + at(i + 1);
        if (place < bytes.size())
            bytes[place] = static_cast<char>(at(i + 2));
        else
            bytes.resize(bytes.size() - std::min<std::size_t>(bytes.size(), at(i + 2) % 64));
    }
    const auto trace = restored(std::move(bytes));
    if (trace == nullptr)
        return;
    requireModel(trace, false);
    const auto again = restored(archived(*trace));
    require(again != nullptr, "what was accepted is accepted again");
    const std::string difference = test::firstDifference(*trace, *again);
    require(difference.empty(), "a second copy differs in " + difference);
}

} // namespace lacuna::fuzz
