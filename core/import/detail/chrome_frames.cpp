#include "core/import/detail/chrome_frames.h"

#include "core/import/detail/chrome_late.h"
#include "core/import/detail/json_events.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <utility>

namespace lacuna::chrome {

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20, kLargestPacked = std::uint64_t{4} << 20;
constexpr std::size_t kDeepest = 1000; // frames of one stack; a table may lead in circles

class TableSink final : public json::EventSink {
public:
    void event(const json::Event&) override {}
    void rootValue(std::string_view key, const json::Value& value) override {
        if (key == "stackFrames")
            table = value.text;
    }
    void trouble(json::Trouble, std::uint64_t) override {}
    std::string table;
};

std::string idText(const nlohmann::json& id) {
    return id.is_string() ? id.get<std::string>() : id.dump();
}

} // namespace

void StackFrames::read(ByteSource& bytes) {
    m_isRead = true;
    m_isTooLarge = bytes.storedSize() > (bytes.isCompressed() ? kLargestPacked : kLargestFile);
    if (m_isTooLarge)
        return;
    FromStart source(bytes);
    TableSink sink;
    JobControl job;
    if (const auto result = json::EventReader(source, sink, job).run(); !result)
        return;
    const auto table = nlohmann::json::parse(sink.table, nullptr, false);
    if (!table.is_object())
        return;
    for (const auto& [id, frame] : table.items()) {
        if (!frame.is_object() || !frame.contains("name") || !frame["name"].is_string())
            continue;
        Frame kept{frame["name"].get<std::string>(), {}};
        if (frame.contains("parent"))
            kept.parent = idText(frame["parent"]);
        m_frames.emplace(id, std::move(kept));
    }
}

std::optional<std::string> StackFrames::stackOf(std::string_view frame, ByteSource& bytes) {
    if (!m_isRead)
        read(bytes);
    std::string text;
    auto at = m_frames.find(frame);
    if (at == m_frames.end())
        return std::nullopt;
    for (std::size_t depth = 0; at != m_frames.end() && depth < kDeepest; ++depth) {
        text.append(text.empty() ? "" : "; ").append(at->second.name);
        at = m_frames.find(at->second.parent);
    }
    return text;
}

} // namespace lacuna::chrome
