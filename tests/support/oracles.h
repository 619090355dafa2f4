#pragma once
// Expected values from an independent reference (tests/fixtures/oracles.json, semantics: analysis.md section
// 7) and the comparison of a loaded trace with them. Only rows in ns or counts: exact, tolerance 0. The
// traces may not be redistributed: they are read in place and found by their sha256.

#include "core/analysis/host_tree.h"
#include "core/trace/trace.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lacuna::test {

struct OracleRow {
    std::string id, file, sha256, analysis;
    nlohmann::json parameters, expected;
};

// All exact rows of the fixture.
std::vector<OracleRow> exactOracles();
// Stored files by sha256; empty where the folder is missing.
const std::map<std::string, std::filesystem::path>& oracleFiles();
bool haveOracleFiles();

// A trace and its host tree as the oracles see it: Python frames and OS rows are not in it.
struct OracleTrace {
    std::shared_ptr<const Trace> trace;
    std::optional<HostTree> tree;
    QString error; // why it could not be loaded
};
// Loads once per file and process; keeps the last file only, so ask in order of files.
const OracleTrace& oracleTrace(const std::filesystem::path& file);

// Collects differences: "name: 3 instead of 4".
class Differences {
public:
    void compare(const QString& name, std::int64_t actual, const nlohmann::json& expected);
    void compareText(const QString& name, std::string_view actual, const nlohmann::json& expected);
    void add(const QString& text);
    QString text() const { return m_texts.join(QStringLiteral("; ")); }
    bool isEmpty() const { return m_texts.isEmpty(); }

private:
    QStringList m_texts;
};

// The device with that ordinal; none.
DeviceId deviceOfOrdinal(const Trace& trace, std::int64_t ordinal);

// Each takes the `expected` member of one analysis.
void compareInventory(const OracleTrace& loaded, const nlohmann::json& expected, Differences& differences);
void compareHostThreads(const OracleTrace& loaded, const nlohmann::json& expected, Differences& differences);
enum class OperatorOrder { HostSelf, DeviceSelf };
void compareOperators(const OracleTrace& loaded, OperatorOrder order, const nlohmann::json& top,
                      Differences& differences);
void compareOperatorTotals(const OracleTrace& loaded, const nlohmann::json& totals, Differences& differences);
void compareOutsideOperators(const OracleTrace& loaded, const nlohmann::json& expected,
                             Differences& differences);
void compareLaunchPairs(const OracleTrace& loaded, const nlohmann::json& expected, Differences& differences);
void compareDeviceTimeline(const OracleTrace& loaded, DeviceId device, const nlohmann::json& expected,
                           Differences& differences);
void compareDeviceGaps(const OracleTrace& loaded, DeviceId device, const nlohmann::json& expected,
                       Differences& differences);
void compareStreams(const OracleTrace& loaded, DeviceId device, const nlohmann::json& expected,
                    Differences& differences);
void compareKernels(const OracleTrace& loaded, DeviceId device, const nlohmann::json& expected,
                    Differences& differences);

} // namespace lacuna::test
