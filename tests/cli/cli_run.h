#pragma once
// Runs the built program as a user or script would and checks what every verb promises.

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace lacuna::test {

using Json = nlohmann::ordered_json; // keeps the order of keys as printed

struct Ran {
    int code = -1; // -1: did not end by itself
    QByteArray out, err;
};

// Without a display: DISPLAY and WAYLAND_DISPLAY are unset and the platform plug-in is one that cannot start.
QProcessEnvironment bareEnvironment();
Ran runLacuna(const QStringList& arguments);
// The same with standard output going to a file.
Ran runLacunaTo(const QString& outputFile, const QStringList& arguments);

// The one JSON object that a run printed; discarded (is_discarded()) when it is none.
Json parsed(const QByteArray& out);
// "" when every object of the document has sorted keys, else the first key that is out of order.
std::string unsortedKey(const Json& json);

// Names of the files below a folder, hidden ones too, relative to it and sorted.
QStringList filesBelow(const QString& folder);
QString fixturePath(const std::string& relative);
// All trace files below tests/fixtures: micro cases and captures.
std::vector<std::filesystem::path> fixtureTraces();

} // namespace lacuna::test
