#pragma once
// What a Chrome trace says about itself: values of the root object, and signs of the writer and its version
// (chrome_json.md sections 3.1 and 6). Claims nothing that the file does not show.

#include "core/import/detail/json_scan.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna::chrome {

// Seen among the events.
struct Signs {
    bool kinetoCategory = false, oldCategory = false, operatorRow = false;
    bool asyncGpuFlow = false, asyncCpuToGpuFlow = false, ac2gFlow = false;
    bool driverOrSync = false, cudaEvent = false, graphNode = false, occupancyObject = false;
    bool fractionalTime = false;
};

class Facts {
public:
    explicit Facts(TraceBuilder& builder) : m_builder(builder) {}
    void rootValue(std::string_view key, const json::Value& value, bool afterEvents);
    // After the last row. `earliestNs`: smallest start of a row with a duration, else the smallest time.
    void apply(const Signs& signs, std::optional<std::int64_t> earliestNs);

private:
    void keep(std::string key, std::string_view text);
    void keepTree(const std::string& key, const json::Value& value);
    void readDevices(const json::Value& list);
    void noteNotShown(std::string_view key, const json::Value& value);
    void noteLog(std::string_view level, const json::Value& lines);
    std::string writer(const Signs& signs, bool isKineto) const;
    bool has(std::string_view key) const;

    TraceBuilder& m_builder;
    std::optional<std::int64_t> m_baseNs;
    bool m_baseAfterEvents = false;
    bool m_hasSchema = false;
    std::map<std::int64_t, std::string> m_deviceNames;
};

} // namespace lacuna::chrome
