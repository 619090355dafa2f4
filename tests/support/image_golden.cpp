#include "tests/support/image_golden.h"

#include "tests/support/paths.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cstdlib>

namespace lacuna::test {

namespace {

struct Tolerance {
    int channel = 0;       // of 255
    double pixelShare = 0; // of pixels that may differ by more
};

int channelDistance(QRgb a, QRgb b) {
    return std::max(
        {std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

QString compare(const QImage& actual, const QString& name, Tolerance tolerance) {
    const QString path = QString::fromStdString(golden("images/" + name.toStdString() + ".png").string());
    const QImage image = actual.convertToFormat(QImage::Format_RGB32);
    if (qEnvironmentVariableIntValue("LACUNA_UPDATE_GOLDEN") == 1) {
        QDir().mkpath(QFileInfo(path).path());
        return image.save(path) ? QString() : QStringLiteral("%1 could not be written").arg(path);
    }
    const QImage expected = QImage(path).convertToFormat(QImage::Format_RGB32);
    if (expected.size() != image.size()) {
        image.save(name + QStringLiteral(".actual.png"));
        return QStringLiteral("%1: %2x%3 pixels, expected %4x%5")
            .arg(name)
            .arg(image.width())
            .arg(image.height())
            .arg(expected.width())
            .arg(expected.height());
    }
    qint64 out = 0;
    QImage difference(image.size(), QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const bool differs = channelDistance(image.pixel(x, y), expected.pixel(x, y)) > tolerance.channel;
            out += differs ? 1 : 0;
            difference.setPixel(x, y, differs ? 0xffff0000 : image.pixel(x, y));
        }
    if (static_cast<double>(out) <= tolerance.pixelShare * image.width() * image.height())
        return {};
    image.save(name + QStringLiteral(".actual.png"));
    difference.save(name + QStringLiteral(".difference.png"));
    return QStringLiteral("%1: %2 pixels differ").arg(name).arg(out);
}

} // namespace

QString compareWithGolden(const QImage& actual, const QString& name) {
    return compare(actual, name, {2, 0.0005});
}

QString compareExactly(const QImage& actual, const QString& name) {
    return compare(actual, name, {});
}

} // namespace lacuna::test
