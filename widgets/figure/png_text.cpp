#include "widgets/figure/png_text.h"

#include <QIODevice>
#include <QtEndian>

#include <cstdint>

namespace lacuna::ui {

namespace {

constexpr qsizetype kSignature = 8, kLengthAndType = 8, kChecksum = 4;
constexpr qsizetype kHeadEnd = kSignature + kLengthAndType + 13 + kChecksum; // of IHDR, always the first

bool isPng(const QByteArray& bytes) {
    return bytes.size() >= kHeadEnd && bytes.startsWith("\x89PNG\r\n\x1a\n") &&
           bytes.mid(kSignature + 4, 4) == "IHDR";
}

// CRC-32 of the PNG specification, bit by bit: chunks are short.
std::uint32_t checksumOf(const QByteArray& bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (const char byte : bytes) {
        crc ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

QByteArray bigEndian(std::uint32_t value) {
    QByteArray bytes(4, Qt::Uninitialized);
    qToBigEndian(value, bytes.data());
    return bytes;
}

// Keyword, 0; not compressed: 0, 0; no language, no translated keyword: 0, 0.
QByteArray headOf(const QByteArray& key) {
    return key + QByteArray(5, '\0');
}

} // namespace

QByteArray withPngText(const QByteArray& png, const QByteArray& key, const QString& text) {
    if (!isPng(png))
        return png;
    const QByteArray body = headOf(key) + text.toUtf8(), typed = "iTXt" + body;
    QByteArray out = png;
    out.insert(kHeadEnd,
               bigEndian(static_cast<std::uint32_t>(body.size())) + typed + bigEndian(checksumOf(typed)));
    return out;
}

QString pngText(QIODevice& png, const QByteArray& key, qint64 mostBytes) {
    if (!isPng(png.peek(kHeadEnd)))
        return {};
    const QByteArray head = headOf(key);
    qint64 at = kSignature;
    while (png.seek(at)) {
        const QByteArray chunk = png.read(kLengthAndType);
        if (chunk.size() != kLengthAndType)
            break;
        const qint64 length = qFromBigEndian<std::uint32_t>(chunk.constData());
        if (chunk.endsWith("iTXt") && length <= mostBytes && png.peek(head.size()) == head)
            return QString::fromUtf8(png.read(length).mid(head.size()));
        at += kLengthAndType + length + kChecksum;
    }
    return {};
}

} // namespace lacuna::ui
