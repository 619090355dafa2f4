#pragma once
// zlib (RFC 1950), Zstandard and xz unpacked as a stream. Memory is bounded: 256 KiB of input, and what the
// format asks for its window: 32 KiB (zlib), at most 128 MiB (Zstandard), at most 256 MiB (xz); files that
// ask for more end with an error that says so. gzip is read by Inflater, whose states can be copied.

#include "core/import/detail/byte_stream.h"

namespace lacuna {

enum class Codec : std::uint8_t { Zlib, Zstd, Xz };

StreamPtr unpackedStream(Codec codec, StreamPtr packed);

} // namespace lacuna
