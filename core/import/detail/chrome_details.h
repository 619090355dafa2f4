#pragma once
// All recorded details of one event of a Chrome trace, read again at its byte offset. Values stand as
// recorded: numbers keep their text, strings are unescaped, lists and objects are text on one line. Members
// of args come as "args.NAME"; equal keys all stay.

#include "core/import/byte_source.h"
#include "core/import/importer.h"

#include <memory>

namespace lacuna::chrome {

std::unique_ptr<DetailReader> makeDetailReader(std::shared_ptr<ByteSource> bytes);

} // namespace lacuna::chrome
