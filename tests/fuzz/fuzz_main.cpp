// The entry point that libFuzzer calls; LACUNA_FUZZ_TARGET is one of targets.h.

#include "tests/fuzz/targets.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    lacuna::fuzz::LACUNA_FUZZ_TARGET(std::as_bytes(std::span(data, size)));
    return 0;
}
