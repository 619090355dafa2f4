#include "tests/support/oracles.h"

#include "core/import/load_trace.h"
#include "tests/support/paths.h"

#include <QCryptographicHash>

#include <fstream>

namespace lacuna::test {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<OracleRow> exactOracles() {
    const json all = json::parse(readFile(fixture("oracles.json")));
    std::vector<OracleRow> rows;
    for (const json& row : all.at("rows")) {
        const std::string unit = row.at("unit");
        if (unit == "ns" || unit == "counts / ns")
            rows.push_back({row.at("id"), row.at("file"), row.at("sha256"), row.at("analysis"),
                            row.at("parameters"), row.at("expected")});
    }
    return rows;
}

const std::map<std::string, fs::path>& oracleFiles() {
    static const std::map<std::string, fs::path> files = [] {
        std::map<std::string, fs::path> bySha;
        for (const fs::path& file : sharedFiles("traces/public/json")) {
            const std::string bytes = readFile(file);
            const QByteArray view =
                QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
            bySha[QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex().toStdString()] = file;
        }
        return bySha;
    }();
    return files;
}

bool haveOracleFiles() {
    return shared("traces/public/json").has_value();
}

const OracleTrace& oracleTrace(const fs::path& file) {
    static fs::path loadedFile;
    static OracleTrace loaded;
    if (loadedFile == file)
        return loaded;
    loadedFile = file;
    loaded = {};
    JobControl job;
    const auto trace = loadTrace(file, builtinImporters(), job);
    if (!trace) {
        loaded.error = QString::fromStdString(trace.error().detail + " " + trace.error().place);
        return loaded;
    }
    loaded.trace = trace->trace;
    auto tree = HostTree::build(*loaded.trace, {false, false}, job);
    if (tree)
        loaded.tree = *std::move(tree);
    return loaded;
}

void Differences::compare(const QString& name, std::int64_t actual, const json& expected) {
    if (!expected.is_number_integer() || expected.get<std::int64_t>() != actual)
        m_texts << QStringLiteral("%1: %2 instead of %3")
                       .arg(name)
                       .arg(actual)
                       .arg(QString::fromStdString(expected.dump()));
}

void Differences::compareText(const QString& name, std::string_view actual, const json& expected) {
    if (!expected.is_string() || expected.get<std::string>() != actual)
        m_texts << QStringLiteral("%1: '%2' instead of %3")
                       .arg(name, QString::fromUtf8(actual.data(), static_cast<qsizetype>(actual.size())),
                            QString::fromStdString(expected.dump()));
}

void Differences::add(const QString& text) {
    m_texts << text;
}

DeviceId deviceOfOrdinal(const Trace& trace, std::int64_t ordinal) {
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d)
        if (trace.devices()[d].ordinal == ordinal)
            return {d};
    return {};
}

} // namespace lacuna::test
