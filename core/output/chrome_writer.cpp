#include "core/output/chrome_writer.h"

#include "core/output/chrome_tables.h"
#include "core/output/chrome_transcoder.h"

namespace lacuna {

Result<ChromeExported> writeChrome(const LoadedTrace& source, const ChromeExport& options, TextSink& sink,
                                   JobControl& job) {
    const std::string& format = source.trace->facts().format;
    const bool isChrome = format == "kineto-json" || format == "chrome-json";
    return isChrome ? chrome::transcode(source, options, sink, job)
                    : chrome::writeTables(source, options, sink, job);
}

} // namespace lacuna
