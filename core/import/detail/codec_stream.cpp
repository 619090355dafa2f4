#include "core/import/detail/codec_stream.h"

#include <zlib.h>

#include <algorithm>
#include <lzma.h>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include <zstd.h>

namespace lacuna {

namespace {

constexpr std::size_t kInput = std::size_t{256} << 10;
constexpr std::uint64_t kXzMemory = std::uint64_t{256} << 20;

// What one call of a library did.
struct Step {
    enum class State : std::uint8_t { More, BetweenFrames, End, Foreign, Damaged, TooLarge };
    std::size_t consumed = 0, produced = 0;
    State state = State::More;
};

class Decoder {
public:
    virtual ~Decoder() = default;
    virtual std::string_view name() const = 0;
    virtual Step step(std::span<const std::byte> in, std::span<std::byte> out, bool inputEnds) = 0;
};

class ZlibDecoder final : public Decoder {
public:
    ZlibDecoder() { m_isReady = ::inflateInit(&m_stream) == Z_OK; }
    ~ZlibDecoder() override {
        if (m_isReady)
            ::inflateEnd(&m_stream);
    }
    ZlibDecoder(const ZlibDecoder&) = delete;
    ZlibDecoder& operator=(const ZlibDecoder&) = delete;

    std::string_view name() const override { return "zlib"; }
    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
        if (!m_isReady)
            return {0, 0, Step::State::TooLarge};
        // zlib does not write to its input; its header says otherwise unless ZLIB_CONST is defined.
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
        m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size(), kInput * 4));
        const uInt room = m_stream.avail_out;
        const int code = ::inflate(&m_stream, Z_NO_FLUSH);
        Step step{in.size() - m_stream.avail_in, room - m_stream.avail_out, Step::State::More};
        if (code == Z_STREAM_END)
            step.state = Step::State::End;
        else if (code != Z_OK && code != Z_BUF_ERROR)
            step.state = Step::State::Damaged;
        return step;
    }

private:
    z_stream m_stream{};
    bool m_isReady = false;
};

class ZstdDecoder final : public Decoder {
public:
    ZstdDecoder() : m_context(ZSTD_createDCtx(), &ZSTD_freeDCtx) {}

    std::string_view name() const override { return "Zstandard"; }
    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
        if (!m_context)
            return {0, 0, Step::State::TooLarge};
        ZSTD_inBuffer input{in.data(), std::min(in.size(), m_wanted), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        const std::size_t code = ZSTD_decompressStream(m_context.get(), &output, &input);
        Step step{input.pos, output.pos, Step::State::More};
        if (ZSTD_isError(code) == 0) {
            m_wanted = code > kBlockHeader ? code - kBlockHeader : 1;
            if (code == 0)
                step.state = Step::State::BetweenFrames;
            m_hasFrames = m_hasFrames || code == 0;
            return step;
        }
        // Errors are told by their texts: the list of codes is not part of the library's stable interface.
        const std::string_view message = ZSTD_getErrorName(code);
        if (message == "Frame requires too much memory for decoding")
            step.state = Step::State::TooLarge;
        else
            step.state = m_hasFrames && message == "Unknown frame descriptor" ? Step::State::Foreign
                                                                              : Step::State::Damaged;
        return step;
    }

private:
    // A call that fails does not tell what it unpacked before. So no call gets more than the block that is
    // under way: the library answers what it wants next, the header of the block behind included.
    static constexpr std::size_t kBlockHeader = 3;
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> m_context;
    std::size_t m_wanted = 1;
    bool m_hasFrames = false;
};

// Streams are told apart here, not by LZMA_CONCATENATED: with that, other data behind a stream cannot be told
// from damage in it.
class XzDecoder final : public Decoder {
public:
    XzDecoder() { start(); }
    ~XzDecoder() override { ::lzma_end(&m_stream); }
    XzDecoder(const XzDecoder&) = delete;
    XzDecoder& operator=(const XzDecoder&) = delete;

    std::string_view name() const override { return "xz"; }
    Step step(std::span<const std::byte> in, std::span<std::byte> out, bool inputEnds) override {
        if (m_isBetween) {
            const auto next =
                std::find_if(in.begin(), in.end(), [](std::byte b) { return b != std::byte{0}; });
            const auto padding = static_cast<std::size_t>(next - in.begin());
            if (next == in.end())
                return {padding, 0, Step::State::BetweenFrames};
            if (*next != std::byte{0xFD}) // the first byte of a stream
                return {padding, 0, Step::State::Foreign};
            m_isBetween = false;
            start();
            return {padding, 0, Step::State::BetweenFrames};
        }
        if (!m_isReady)
            return {0, 0, Step::State::TooLarge};
        m_stream.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
        m_stream.avail_in = in.size();
        m_stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        m_stream.avail_out = out.size();
        const lzma_ret code = ::lzma_code(&m_stream, inputEnds ? LZMA_FINISH : LZMA_RUN);
        Step step{in.size() - m_stream.avail_in, out.size() - m_stream.avail_out, Step::State::More};
        if (code == LZMA_STREAM_END) {
            step.state = Step::State::BetweenFrames;
            m_isBetween = m_hasStreams = true;
        } else if (code == LZMA_MEM_ERROR || code == LZMA_MEMLIMIT_ERROR) {
            step.state = Step::State::TooLarge;
        } else if (code == LZMA_FORMAT_ERROR) {
            step.state = m_hasStreams ? Step::State::Foreign : Step::State::Damaged;
        } else if (code != LZMA_OK && code != LZMA_BUF_ERROR) {
            step.state = Step::State::Damaged;
        }
        return step;
    }

private:
    void start() {
        lzma_mt options{};
        options.threads = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
        options.memlimit_threading = kXzMemory;
        options.memlimit_stop = kXzMemory;
        m_isReady = ::lzma_stream_decoder_mt(&m_stream, &options) == LZMA_OK;
    }

    lzma_stream m_stream = LZMA_STREAM_INIT;
    bool m_isReady = false, m_isBetween = false, m_hasStreams = false;
};

std::unique_ptr<Decoder> makeDecoder(Codec codec) {
    switch (codec) {
    case Codec::Zlib:
        return std::make_unique<ZlibDecoder>();
    case Codec::Zstd:
        return std::make_unique<ZstdDecoder>();
    case Codec::Xz:
        break;
    }
    return std::make_unique<XzDecoder>();
}

class CodecStream final : public ByteStream {
public:
    CodecStream(Codec codec, StreamPtr packed)
        : m_packed(std::move(packed)), m_decoder(makeDecoder(codec)), m_input(kInput) {}

    Result<std::size_t> read(std::span<std::byte> buffer) override {
        while (!m_ended && !buffer.empty()) {
            if (m_from == m_to && !m_inputEnds)
                if (const Status filled = refill(); !filled)
                    return filled.error();
            const bool isIdle = m_inputEnds && m_from == m_to;
            if (isIdle && m_betweenFrames)
                break;
            const Step step =
                m_decoder->step(std::span(m_input).subspan(m_from, m_to - m_from), buffer, m_inputEnds);
            m_from += step.consumed;
            m_consumed += step.consumed;
            judge(step, isIdle);
            if (step.state == Step::State::TooLarge)
                return tooLarge();
            if (step.produced != 0)
                return step.produced;
        }
        return std::size_t{0};
    }
    std::string damage() const override {
        const std::string below = m_packed->damage();
        return below.empty() || (m_isCut && !m_packed->isCut()) ? m_damage : below;
    }
    bool isCut() const override { return m_isCut || m_packed->isCut(); }

private:
    Status refill() {
        const auto got = m_packed->read(m_input);
        if (!got)
            return got.error();
        m_from = 0;
        m_to = *got;
        m_inputEnds = *got == 0;
        return ok();
    }

    void judge(const Step& step, bool isIdle) {
        m_betweenFrames = step.state == Step::State::BetweenFrames;
        m_ended = step.state != Step::State::More && step.state != Step::State::BetweenFrames;
        const std::string name(m_decoder->name());
        if (step.state == Step::State::Foreign)
            stop("data that is not " + name + " follows the compressed data and is ignored,", false);
        else if (step.state == Step::State::Damaged)
            stop("the " + name + " data is damaged", true);
        else if (isIdle && step.state == Step::State::More && step.produced == 0)
            stop("the " + name + " data ends early", true);
    }

    void stop(const std::string& what, bool cut) {
        m_damage = what + " at byte " + std::to_string(m_consumed) + " of the compressed data";
        m_isCut = cut;
        m_ended = true;
    }

    Error tooLarge() const {
        return {Errc::TooLarge,
                "The " + std::string(m_decoder->name()) +
                    " data needs more memory for unpacking than Lacuna gives it (Zstandard 128 MiB, xz 256 "
                    "MiB).",
                "byte " + std::to_string(m_consumed),
                "Unpack it with its own program first (zstd -d --long=31, unxz), then open the result."};
    }

    StreamPtr m_packed;
    std::unique_ptr<Decoder> m_decoder;
    std::vector<std::byte> m_input;
    std::size_t m_from = 0, m_to = 0; // of m_input, not yet unpacked
    std::uint64_t m_consumed = 0;
    bool m_inputEnds = false, m_betweenFrames = false, m_ended = false, m_isCut = false;
    std::string m_damage;
};

} // namespace

StreamPtr unpackedStream(Codec codec, StreamPtr packed) {
    return std::make_unique<CodecStream>(codec, std::move(packed));
}

} // namespace lacuna
