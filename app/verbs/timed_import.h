#pragma once
// Measures where the time of a load goes, from outside: importers that clock their load() and the reads of
// their byte source, and otherwise do what the built-in ones do.

#include "core/import/importer.h"

#include <chrono>
#include <cstdint>

namespace lacuna::ui {

using BenchClock = std::chrono::steady_clock;

struct ImportTimes {
    BenchClock::duration reading{}; // inside ByteSource::read(), part of the import
    BenchClock::duration importing{};
    std::uint64_t bytes = 0; // unpacked bytes that were read; 0 for formats that open the file by themselves
};

// `times` must outlive the list.
ImporterList timedImporters(ImportTimes& times);

} // namespace lacuna::ui
