#include "tests/cli/cli_run.h"

#include "tests/support/paths.h"

#include <QDir>
#include <QDirIterator>

#include <algorithm>

namespace lacuna::test {

namespace {

constexpr int kPatienceMs = 300'000; // a hung program fails the test; nothing here is a speed limit

Ran finish(QProcess& process) {
    if (!process.waitForFinished(kPatienceMs) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

QProcessEnvironment bareEnvironment() {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
    return environment;
}

Ran runLacuna(const QStringList& arguments) {
    return runLacunaTo({}, arguments);
}

Ran runLacunaTo(const QString& outputFile, const QStringList& arguments) {
    QProcess process;
    process.setProcessEnvironment(bareEnvironment());
    if (!outputFile.isEmpty())
        process.setStandardOutputFile(outputFile);
    process.start(QStringLiteral(LACUNA_BINARY), arguments);
    return finish(process);
}

Json parsed(const QByteArray& out) {
    return Json::parse(out.toStdString(), nullptr, false);
}

std::string unsortedKey(const Json& json) {
    std::string previous;
    bool first = true;
    for (const auto& [key, value] : json.items()) {
        if (json.is_object() && !first && key <= previous)
            return key;
        if (value.is_structured())
            if (const std::string inner = unsortedKey(value); !inner.empty())
                return inner;
        previous = key;
        first = false;
    }
    return {};
}

QStringList filesBelow(const QString& folder) {
    QStringList files;
    for (QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();)
        files << QDir(folder).relativeFilePath(it.next());
    files.sort();
    return files;
}

QString fixturePath(const std::string& relative) {
    return QString::fromStdString(fixture(relative).string());
}

std::vector<std::filesystem::path> fixtureTraces() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"micro", "captured/torch", "captured/nsys", "captured/pairs"})
        for (const auto& entry : std::filesystem::directory_iterator(fixture(folder))) {
            const std::string name = entry.path().filename().string();
            const bool answers = name.ends_with(".out.json") || name == "measured.json";
            if (entry.is_regular_file() && !answers)
                files.push_back(entry.path());
        }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace lacuna::test
