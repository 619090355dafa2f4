#pragma once
// Text chunks of PNG files (iTXt, not compressed). Qt writes such chunks, too, but its reader changes white
// space and decodes the pixels on the way.

#include <QByteArray>
#include <QString>

class QIODevice;

namespace lacuna::ui {

// The PNG with a text chunk more, before those that follow its head. Anything but a PNG comes back unchanged.
QByteArray withPngText(const QByteArray& png, const QByteArray& key, const QString& text);
// Text of the first such chunk of that key; empty when there is none or it is larger than `mostBytes`. Reads
// the heads of the chunks only.
QString pngText(QIODevice& png, const QByteArray& key, qint64 mostBytes);

} // namespace lacuna::ui
