#include "core/import/detail/containers.h"

#include "core/import/detail/codec_stream.h"
#include "core/import/detail/inflater.h"
#include "core/import/detail/spooled_bytes.h"
#include "core/import/detail/utf16_stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace lacuna {

namespace {

using namespace std::string_view_literals;

struct Magic {
    std::string_view bytes;
    std::size_t offset;
    Container container;
};

constexpr std::array kMagics{
    Magic{"\x1f\x8b"sv, 0, Container::Gzip},
    Magic{"\x28\xB5\x2F\xFD"sv, 0, Container::Zstd},
    Magic{"\xFD"
          "7zXZ\x00"sv,
          0, Container::Xz},
    Magic{"PK\x03\x04"sv, 0, Container::Zip},
    Magic{"PK\x05\x06"sv, 0, Container::Zip}, // an empty one
    Magic{"ustar"sv, 257, Container::Tar},
    Magic{"\xFF\xFE"sv, 0, Container::Utf16},
    Magic{"\xFE\xFF"sv, 0, Container::Utf16},
    Magic{"{\0"sv, 0, Container::Utf16}, // without the mark: the bracket that JSON begins with
    Magic{"\0{"sv, 0, Container::Utf16},
    Magic{"[\0"sv, 0, Container::Utf16},
    Magic{"\0["sv, 0, Container::Utf16},
};

bool isZstdSkippable(std::string_view head) {
    return head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xF0u) == 0x50 &&
           head.substr(1, 3) == "\x2A\x4D\x18"sv;
}

// RFC 1950: method 8, a window that deflate has, a header checksum. Two bytes prove little, but no text that
// a trace may start with passes: those that do start with 'x'.
bool isZlib(std::string_view head) {
    if (head.size() < 2)
        return false;
    const unsigned method = static_cast<unsigned char>(head[0]), flags = static_cast<unsigned char>(head[1]);
    return (method & 0x0Fu) == 8 && (method >> 4) == 7 && (method * 256 + flags) % 31 == 0 &&
           (flags & 0x20u) == 0;
}

// An Inflater with the bytes that it reads.
class GzipStream final : public ByteStream {
public:
    explicit GzipStream(StoredPtr packed) : m_packed(std::move(packed)), m_inflater(*m_packed) {}
    Result<std::size_t> read(std::span<std::byte> buffer) override { return m_inflater.produce(buffer); }
    std::string damage() const override {
        return m_packed->isCut() ? m_packed->damage() : m_inflater.damage();
    }
    bool isCut() const override { return m_packed->isCut() || m_inflater.isCut(); }

private:
    StoredPtr m_packed;
    Inflater m_inflater;
};

class EntryStream final : public ByteStream {
public:
    explicit EntryStream(std::unique_ptr<ArchiveReader> reader) : m_reader(std::move(reader)) {}
    Result<std::size_t> read(std::span<std::byte> buffer) override { return m_reader->read(buffer); }
    std::string damage() const override { return m_reader->damage(); }
    bool isCut() const override { return m_reader->isCut(); }

private:
    std::unique_ptr<ArchiveReader> m_reader;
};

// A stream of which the beginning was looked at.
class PeekedStream final : public ByteStream {
public:
    PeekedStream(std::vector<std::byte> head, StreamPtr rest)
        : m_head(std::move(head)), m_rest(std::move(rest)) {}
    Result<std::size_t> read(std::span<std::byte> buffer) override {
        if (m_given == m_head.size())
            return m_rest->read(buffer);
        const std::size_t count = std::min(buffer.size(), m_head.size() - m_given);
        std::memcpy(buffer.data(), m_head.data() + m_given, count);
        m_given += count;
        return count;
    }
    std::string damage() const override { return m_rest->damage(); }
    bool isCut() const override { return m_rest->isCut(); }

private:
    std::vector<std::byte> m_head;
    std::size_t m_given = 0;
    StreamPtr m_rest;
};

StoredPtr toStored(LayerBytes bytes, std::span<const Layer> layers, const StoredPtr& bottom) {
    if (bytes.stored)
        return bytes.stored;
    const std::vector<Layer> below(layers.begin(), layers.end() - 1);
    return std::make_shared<SpooledBytes>(std::move(bytes.stream), [bottom, below]() -> Result<StreamPtr> {
        auto again = openLayers(bottom, below);
        if (!again)
            return again.error();
        // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): owned by the returned value
        return toStream(std::move(*again));
    });
}

Result<StreamPtr> openEntry(std::unique_ptr<ArchiveReader> reader, std::uint64_t entry) {
    for (std::uint64_t i = 0; i <= entry; ++i) {
        const auto found = reader->next();
        if (!found)
            return found.error();
        if (!*found)
            return Error{Errc::Io, "The entry is not in the archive any more.", {}, "Open the file again."};
    }
    return StreamPtr(std::make_unique<EntryStream>(std::move(reader)));
}

} // namespace

Container containerOf(std::span<const std::byte> bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const Magic& magic : kMagics)
        if (head.size() >= magic.offset && head.substr(magic.offset).starts_with(magic.bytes))
            return magic.container;
    if (isZstdSkippable(head))
        return Container::Zstd;
    return isZlib(head) ? Container::Zlib : Container::None;
}

bool isArchive(Container container) {
    return container == Container::Zip || container == Container::Tar;
}

std::string_view containerName(Container container) {
    switch (container) {
    case Container::None:
        break;
    case Container::Gzip:
        return "gzip file";
    case Container::Zlib:
        return "zlib file";
    case Container::Zstd:
        return "Zstandard file";
    case Container::Xz:
        return "xz file";
    case Container::Utf16:
        return "UTF-16 text";
    case Container::Zip:
        return "zip archive";
    case Container::Tar:
        return "tar archive";
    }
    return {};
}

StreamPtr toStream(LayerBytes bytes) {
    return bytes.stream ? std::move(bytes.stream) : std::make_unique<StoredStream>(std::move(bytes.stored));
}

Result<std::vector<std::byte>> headOf(LayerBytes& bytes) {
    std::vector<std::byte> head(kContainerHead);
    std::size_t size = 0;
    if (bytes.stored) {
        const auto got = bytes.stored->readAt(0, head);
        if (!got)
            return got.error();
        size = *got;
    }
    while (bytes.stream && size < head.size()) {
        const auto got = bytes.stream->read(std::span(head).subspan(size));
        if (!got)
            return got.error();
        if (*got == 0)
            break;
        size += *got;
    }
    head.resize(size);
    if (bytes.stream)
        bytes.stream = std::make_unique<PeekedStream>(head, std::move(bytes.stream));
    return head;
}

std::unique_ptr<ArchiveReader> openArchive(LayerBytes below, std::span<const Layer> layers,
                                           const StoredPtr& bottom) {
    if (layers.back().container == Container::Zip)
        return std::make_unique<ArchiveReader>(ArchiveKind::Zip, toStored(std::move(below), layers, bottom));
    if (below.stored)
        return std::make_unique<ArchiveReader>(ArchiveKind::Tar, std::move(below.stored));
    return std::make_unique<ArchiveReader>(ArchiveKind::Tar, std::move(below.stream));
}

// NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks): every stream is owned by the returned value
Result<LayerBytes> openLayer(LayerBytes below, std::span<const Layer> layers, const StoredPtr& bottom) {
    const auto unpacked = [&](Codec codec) {
        return LayerBytes{nullptr, unpackedStream(codec, toStream(std::move(below))), nullptr};
    };
    switch (layers.back().container) {
    case Container::None:
        break;
    case Container::Gzip: {
        StoredPtr packed = toStored(std::move(below), layers, bottom);
        return LayerBytes{nullptr, std::make_unique<GzipStream>(packed), packed};
    }
    case Container::Zlib:
        return unpacked(Codec::Zlib);
    case Container::Zstd:
        return unpacked(Codec::Zstd);
    case Container::Xz:
        return unpacked(Codec::Xz);
    case Container::Utf16:
        return LayerBytes{nullptr, utf8Stream(toStream(std::move(below))), nullptr};
    case Container::Zip:
    case Container::Tar: {
        auto stream = openEntry(openArchive(std::move(below), layers, bottom), layers.back().entry);
        if (!stream)
            return stream.error();
        return LayerBytes{nullptr, std::move(*stream), nullptr};
    }
    }
    return below;
}
// NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)

Result<LayerBytes> openLayers(const StoredPtr& bottom, std::span<const Layer> layers) {
    LayerBytes bytes{bottom, nullptr, nullptr};
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto opened = openLayer(std::move(bytes), layers.first(i + 1), bottom);
        if (!opened)
            return opened;
        bytes = std::move(*opened);
    }
    return bytes;
}

} // namespace lacuna
