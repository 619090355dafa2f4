#pragma once
// A trace that is no Chrome trace as a Chrome trace in Kineto's layout: host rows on (process, thread),
// device rows on (device, stream), launches as "correlation" and as ac2g arrows. Lanes, devices and counters
// are listed in the root member "lacuna" and named by every row, so that nothing about them must be guessed.

#include "core/output/chrome_writer.h"

namespace lacuna::chrome {

Result<ChromeExported> writeTables(const LoadedTrace& source, const ChromeExport& options, TextSink& sink,
                                   JobControl& job);

} // namespace lacuna::chrome
