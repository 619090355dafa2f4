#pragma once
// UTF-16 text with a byte order mark as UTF-8 without one. Lone surrogates and a half unit at the end become
// U+FFFD.

#include "core/import/detail/byte_stream.h"

namespace lacuna {

StreamPtr utf8Stream(StreamPtr utf16);

} // namespace lacuna
