#pragma once
// Layers around the bytes of a trace, told by their first bytes: compression, archives, UTF-16. Each layer
// is opened on what the layer below gives.

#include "core/import/detail/archive_reader.h"
#include "core/import/detail/byte_stream.h"

#include <span>
#include <vector>

namespace lacuna {

enum class Container : std::uint8_t { None, Gzip, Zlib, Zstd, Xz, Utf16, Zip, Tar };

inline constexpr std::size_t kContainerHead = std::size_t{64} << 10; // enough to tell container and format
inline constexpr std::size_t kMaxLayers = 4;

Container containerOf(std::span<const std::byte> head);
bool isArchive(Container container);
// "zip archive", "gzip file"; empty for None.
std::string_view containerName(Container container);

struct Layer {
    Container container = Container::None;
    std::uint64_t entry = 0; // of an archive, counted from 0
};

// Bytes in one of two forms, whichever costs less; exactly one of stored and stream is set.
struct LayerBytes {
    StoredPtr stored;
    StreamPtr stream;
    StoredPtr gzip; // what a stream that unpacks gzip reads: random access needs it, not the stream
};

// Takes the bytes; stored bytes stay valid through their shared pointer.
StreamPtr toStream(LayerBytes bytes);
// Looks at the first kContainerHead bytes without moving.
Result<std::vector<std::byte>> headOf(LayerBytes& bytes);
// Opens one layer. `layers` are all of them, up to and with this one: where random access is needed the bytes
// below are spooled, and unpacked again from `bottom` through the layers below for what was not kept.
Result<LayerBytes> openLayer(LayerBytes below, std::span<const Layer> layers, const StoredPtr& bottom);
// The entries of an archive; the last of `layers` is its kind, as above.
std::unique_ptr<ArchiveReader> openArchive(LayerBytes below, std::span<const Layer> layers,
                                           const StoredPtr& bottom);
// Opens all layers one on the other.
Result<LayerBytes> openLayers(const StoredPtr& bottom, std::span<const Layer> layers);

} // namespace lacuna
