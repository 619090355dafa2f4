#pragma once
// A Chrome trace again as a Chrome trace: every element of the source in its order, as strict JSON.

#include "core/output/chrome_writer.h"

namespace lacuna::chrome {

Result<ChromeExported> transcode(const LoadedTrace& source, const ChromeExport& options, TextSink& sink,
                                 JobControl& job);

} // namespace lacuna::chrome
