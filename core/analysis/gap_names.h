#pragma once
// What the gap rules read out of names. Behaviour decides whether a call blocked; names only tell its family.
// All tests are pure functions of the text; NameFacts keeps the answers, one lookup per distinct name.

#include "core/base/string_pool.h"

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::gaps {

// Order of the tests: sync, copy, allocation, module, link, launch, other (analysis.md section 7).
enum class ApiFamily : std::uint8_t { Sync, Copy, Allocation, Module, Link, Launch, Other };
ApiFamily apiFamily(std::string_view name); // with or without version suffix
bool isFreeCall(std::string_view name);     // frees memory, so that it may wait for the device
bool isDeviceLaunch(std::string_view name); // launches a kernel or a graph: must leave device work behind

bool isModuleOverhead(std::string_view name);   // overhead rows: lazy or runtime-triggered loading
bool isCompilerOverhead(std::string_view name); // "Driver Compiler"
bool isDataLoading(std::string_view name);      // enumerate(DataLoader)#...__next__
bool isGarbageCollection(std::string_view name);
// Tells of compiling; names of running compiled code do not.
bool tellsOfCompiling(std::string_view name);
bool isStepMark(std::string_view name);   // "ProfilerStep#5", "step 12"
bool isSignalCall(std::string_view name); // OS call that can wake a waiting thread
bool isSleepCall(std::string_view name);  // OS call that ends by itself
bool isScalarRead(std::string_view operatorName);
bool isBackwardFrame(std::string_view name);
bool isWatchdogThread(std::string_view threadName);
bool isCallbackThread(std::string_view threadName); // CUDA's own threads, which run host functions

// A range name as part of a call site: every run of digits becomes '#'.
std::string withoutNumbers(std::string_view name);

// Answers by name, looked up once each. Bits are independent of the kind of the row that has the name.
class NameFacts {
public:
    enum Bit : std::uint16_t {
        kDataLoading = 1,
        kCollection = 2,
        kCompiling = 4,
        kStep = 8,
        kSignal = 16,
        kSleep = 32,
        kFree = 64,
        kAsync = 128,
        kDeviceLaunch = 256,
        kStreamWait = 512,
        kEventRecord = 1024,
        kGraph = 2048
    };
    explicit NameFacts(const StringPool& strings) : m_strings(&strings), m_bits(strings.size(), kUnknown) {}
    ApiFamily family(StringId name) { return static_cast<ApiFamily>(lookUp(name) >> 12 & 7u); }
    bool has(StringId name, Bit bit) { return (lookUp(name) & bit) != 0; }

private:
    static constexpr std::uint16_t kUnknown = 0xffff;
    std::uint16_t lookUp(StringId name) {
        std::uint16_t& bits = m_bits[name.v];
        if (bits == kUnknown)
            bits = factsOf(m_strings->view(name));
        return bits;
    }
    static std::uint16_t factsOf(std::string_view name);

    const StringPool* m_strings;
    std::vector<std::uint16_t> m_bits;
};

} // namespace lacuna::gaps
