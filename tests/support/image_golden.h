#pragma once
// Compares a picture with tests/golden/images/NAME.png: channels may differ by 2, and at most 0.05 % of the
// pixels by more. LACUNA_UPDATE_GOLDEN=1 rewrites the file. On failure actual and difference go into the
// working folder.

#include <QImage>
#include <QString>

namespace lacuna::test {

// Empty when equal enough, else what differs.
QString compareWithGolden(const QImage& actual, const QString& name);
// The same with no tolerance at all: of figures, which are painted alike on every machine.
QString compareExactly(const QImage& actual, const QString& name);

} // namespace lacuna::test
