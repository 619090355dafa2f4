#include "core/import/chrome_json.h"
#include "core/import/load_trace.h"
#include "tests/fuzz/check_model.h"
#include "tests/fuzz/targets.h"
#include "tests/support/trace_compare.h"

#include <array>
#include <string>

namespace lacuna::fuzz {

namespace {

constexpr std::array<std::size_t, 8> kChunks{0, 1, 2, 3, 7, 16, 61, 257};

Result<LoadedTrace> load(const std::string& text, std::size_t chunk, unsigned threads) {
    static const ImporterList importers = [] {
        ImporterList list;
        list.push_back(makeChromeJsonImporter());
        return list;
    }();
    JobControl job;
    LoadOptions options;
    options.threads = threads;
    return loadTraceFromMemory(text, "trace.json", importers, job, chunk, options);
}

} // namespace

// The last byte says how the text is read: in pieces of a size, on one thread or two, and whether the result
// must be that of another way of reading.
void fuzzJson(std::span<const std::byte> data) {
    if (data.empty())
        return;
    const auto how = std::to_integer<unsigned>(data.back());
    const std::string text(reinterpret_cast<const char*>(data.data()), data.size() - 1);
    const auto loaded = load(text, kChunks[how & 7], (how & 0xf8) == 0xf8 ? 2 : 1);
    if (!loaded) {
        const Error& error = loaded.error();
        require(!error.detail.empty() && !error.place.empty() && !error.remedy.empty(),
                "an error has a reason, a place and a remedy");
        return;
    }
    requireModel(loaded->trace, true);
    if (const std::size_t rows = loaded->trace->events().size(); rows != 0 && loaded->details != nullptr)
        (void)loaded->details->read({loaded->trace->events().source[how % rows]});
    if ((how & 0x18) != 0x18)
        return;
    const auto again = load(text, kChunks[(how >> 5) & 7], 1);
    require(bool(again), "the size of the pieces does not matter");
    const std::string difference = test::firstDifference(*loaded->trace, *again->trace);
    require(difference.empty(), "pieces change " + difference);
}

} // namespace lacuna::fuzz
