#include "core/import/byte_source.h"

#include "core/import/archive_members.h"
#include "core/import/detail/inflater.h"
#include "core/import/detail/spooled_bytes.h"
#include "core/import/detail/sqlite_db.h"
#include "core/import/detail/unpack.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna {

namespace {

// What all sources know of how they were opened.
struct Opened {
    std::shared_ptr<WatchedBytes> bottom;
    std::size_t chunk = SIZE_MAX;
    bool isCompressed = false;
    std::string member;
    std::vector<SourceNote> notes;
};

class OpenedSource : public ByteSource {
public:
    explicit OpenedSource(Opened opened) : m_opened(std::move(opened)) {}
    std::uint64_t storedSize() const override { return m_opened.bottom->size(); }
    std::uint64_t storedDone() const override { return m_opened.bottom->done(); }
    bool isCompressed() const override { return m_opened.isCompressed; }
    const std::string& member() const override { return m_opened.member; }
    void watch(const JobControl* job) override { m_opened.bottom->watch(job); }
    const std::string& damage() const override { return m_damage; }
    bool isCut() const override { return m_isCut; }
    std::vector<SourceNote> notes() const override {
        std::vector<SourceNote> notes = m_opened.notes;
        if (m_opened.bottom->hasChanged())
            notes.push_back({"file_changed",
                             "The file was written while it was read: what is shown may be of two versions. "
                             "Open it again when it is complete.",
                             1, true});
        return notes;
    }

protected:
    std::span<std::byte> limited(std::span<std::byte> buffer) const {
        return buffer.first(std::min(buffer.size(), m_opened.chunk));
    }
    void end(std::string damage, bool isCut) {
        m_damage = std::move(damage);
        m_isCut = isCut;
    }

private:
    Opened m_opened;
    std::string m_damage;
    bool m_isCut = false;
};

class PlainSource final : public OpenedSource {
public:
    PlainSource(StoredPtr stored, Opened opened)
        : OpenedSource(std::move(opened)), m_stored(std::move(stored)) {}

    Result<std::size_t> read(std::span<std::byte> buffer) override {
        buffer = limited(buffer);
        auto got = m_stored->readAt(m_position, buffer);
        m_position += got ? *got : 0;
        if (got && *got < buffer.size())
            end(m_stored->damage(), m_stored->isCut());
        return got;
    }
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) override {
        return m_stored->readAt(offset, buffer);
    }

private:
    StoredPtr m_stored;
    std::uint64_t m_position = 0;
};

// Keeps a copy of the decoder every m_spacing bytes of output, the furthest that any call has come. A copy
// takes about 86 KiB, so their number is bounded (11 MiB): past kMaxSnapshots every second one goes and the
// spacing doubles. 8 MiB are unpacked in about 3 ms, the 64 MiB of a text of 8 GiB in 25 ms.
class GzipSource final : public OpenedSource {
public:
    GzipSource(StoredPtr stored, Opened opened)
        : OpenedSource(std::move(opened)), m_stored(std::move(stored)), m_decoder(*m_stored) {}

    Result<std::size_t> read(std::span<std::byte> buffer) override {
        buffer = limited(buffer);
        auto got = m_decoder.produce(buffer);
        if (got && *got < buffer.size())
            noteDamage();
        else if (got)
            keepSnapshot(m_decoder);
        return got;
    }

    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) override {
        if (m_last == nullptr || m_last->outputOffset() != offset)
            m_last = decoderBefore(offset);
        Inflater& decoder = *m_last;
        std::vector<std::byte> passed(kPassed);
        while (decoder.outputOffset() < offset) {
            const std::uint64_t distance = offset - decoder.outputOffset();
            auto got = decoder.produce(std::span(passed).first(std::min<std::uint64_t>(distance, kPassed)));
            if (!got) {
                m_last.reset(); // it may stand anywhere
                return got;
            }
            if (*got == 0)
                return std::size_t{0};
            keepSnapshot(decoder); // where read() has not been: the next call need not begin at the start
        }
        std::size_t done = 0;
        while (done < buffer.size()) {
            auto got = decoder.produce(buffer.subspan(done));
            if (!got) {
                m_last.reset(); // it may stand anywhere
                return got;
            }
            if (*got == 0)
                break;
            done += *got;
        }
        return done;
    }

private:
    static constexpr std::size_t kPassed = std::size_t{64} << 10;
    static constexpr std::size_t kMaxSnapshots = 128;

    // What cut the stored bytes is the cause of what the decoder says.
    void noteDamage() {
        if (m_stored->isCut())
            end(m_stored->damage(), true);
        else
            end(m_decoder.damage(), m_decoder.isCut());
    }

    void keepSnapshot(const Inflater& decoder) {
        if (decoder.outputOffset() < m_nextSnapshot)
            return;
        if (auto copy = decoder.clone())
            m_snapshots.push_back(std::move(copy));
        if (m_snapshots.size() > kMaxSnapshots) {
            for (std::size_t i = 0; 2 * i + 1 < m_snapshots.size(); ++i)
                m_snapshots[i] = std::move(m_snapshots[2 * i + 1]);
            m_snapshots.resize(m_snapshots.size() / 2);
            m_spacing *= 2;
        }
        m_nextSnapshot = decoder.outputOffset() + m_spacing;
    }

    std::unique_ptr<Inflater> decoderBefore(std::uint64_t offset) const {
        const auto after = std::partition_point(m_snapshots.begin(), m_snapshots.end(),
                                                [&](const auto& s) { return s->outputOffset() <= offset; });
        if (after != m_snapshots.begin())
            if (auto copy = (*std::prev(after))->clone())
                return copy;
        return std::make_unique<Inflater>(*m_stored);
    }

    StoredPtr m_stored;
    Inflater m_decoder;
    std::vector<std::unique_ptr<Inflater>> m_snapshots; // ascending by outputOffset()
    std::unique_ptr<Inflater> m_last; // of readAt(): who goes on where it ended is not skipped to again
    std::uint64_t m_spacing = std::uint64_t{8} << 20;
    std::uint64_t m_nextSnapshot = m_spacing;
};

class FailedSource final : public ByteSource {
public:
    explicit FailedSource(Error error) : m_error(std::move(error)) {}
    Result<std::size_t> read(std::span<std::byte>) override { return m_error; }
    Result<std::size_t> readAt(std::uint64_t, std::span<std::byte>) override { return m_error; }
    std::uint64_t storedSize() const override { return 0; }
    std::uint64_t storedDone() const override { return 0; }
    const std::string& damage() const override { return m_damage; }
    bool isCut() const override { return false; }
    bool isCompressed() const override { return false; }

private:
    Error m_error;
    std::string m_damage;
};

bool isDatabase(std::span<const std::byte> head) {
    return SqliteDb::looksLike({reinterpret_cast<const char*>(head.data()), head.size()});
}

Result<std::unique_ptr<ByteSource>> makeSource(const std::shared_ptr<WatchedBytes>& bottom,
                                               std::string_view member, std::size_t chunk) {
    auto unpacked = unpack(bottom, member);
    if (!unpacked)
        return unpacked.error();
    bottom->restart();
    const std::vector<Layer>& layers = unpacked->layers;
    Opened opened{bottom, chunk, !layers.empty(), std::move(unpacked->member), std::move(unpacked->notes)};
    LayerBytes& bytes = unpacked->bytes;
    if (!layers.empty() && layers.back().container == Container::Gzip)
        return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(bytes.gzip, std::move(opened)));
    if (bytes.stored)
        return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(bytes.stored, std::move(opened)));
    // Databases are unpacked into a file of their own and read there; a second one would be of no use.
    const std::uint64_t limit = isDatabase(unpacked->head) ? 0 : SpoolFile::kHalfOfFree;
    const auto spooled = std::make_shared<SpooledBytes>(
        std::move(bytes.stream),
        [bottom, layers]() -> Result<StreamPtr> {
            auto again = openLayers(bottom, layers);
            if (!again)
                return again.error();
            return toStream(std::move(*again));
        },
        limit);
    return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(spooled, std::move(opened)));
}

} // namespace

bool isStandardInput(const std::filesystem::path& file) {
    return file == "-";
}

std::string shownName(const std::filesystem::path& file) {
    return isStandardInput(file) ? "standard input" : file.filename().string();
}

Result<std::unique_ptr<ByteSource>> openFile(const std::filesystem::path& file, std::string_view member,
                                             const JobControl* job) {
    const auto bottom = openStored(file, job);
    if (!bottom)
        return bottom.error();
    return makeSource(*bottom, member, SIZE_MAX);
}

std::unique_ptr<ByteSource> openMemory(std::string text, std::size_t chunk, std::string_view member) {
    const std::shared_ptr<const StoredBytes> stored = storedMemory(std::move(text));
    auto source = makeSource(std::make_shared<WatchedBytes>(stored), member, chunk == 0 ? SIZE_MAX : chunk);
    if (!source)
        return std::make_unique<FailedSource>(source.error());
    return std::move(*source);
}

Result<std::vector<ArchiveMember>> listMembers(const std::filesystem::path& file, JobControl& job) {
    const auto bottom = openStored(file, &job);
    if (!bottom)
        return bottom.error();
    return membersOf(*bottom);
}

} // namespace lacuna
