#include "app/samples.h"

#include "widgets/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace lacuna::ui {

std::vector<SampleTrace> sampleTraces() {
    return {{QCoreApplication::translate("Samples", "a PyTorch step that waits"),
             u":/lacuna/samples/item_sync.pt.trace.json.gz"_s},
            {QCoreApplication::translate("Samples", "an Nsight export of stalls"),
             u":/lacuna/samples/stall.sqlite"_s},
            {QCoreApplication::translate("Samples", "Decode, 18 ms"),
             u":/lacuna/samples/decode_18ms.pt.trace.json.gz"_s}};
}

Result<QString> sampleFile(const QString& resource) {
    const QString folder =
        QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/lacuna/samples"_s;
    const QString path = folder + u'/' + QFileInfo(resource).fileName();
    QFile source(resource);
    if (!source.open(QIODevice::ReadOnly))
        return Error{Errc::Io, "the sample is not in this build", {}, {}};
    const QByteArray bytes = source.readAll();
    if (QFileInfo(path).size() == bytes.size())
        return path;
    QSaveFile target(path);
    if (!QDir().mkpath(folder) || !target.open(QIODevice::WriteOnly) || target.write(bytes) != bytes.size() ||
        !target.commit())
        return Error{Errc::Io,
                     "the sample could not be written to " + path.toStdString(),
                     {},
                     "Free some space there, or set XDG_CACHE_HOME to a folder that can be written."};
    return path;
}

} // namespace lacuna::ui
