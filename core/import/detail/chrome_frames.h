#pragma once
// Call stacks of a Chrome trace: events name a frame of the root's stackFrames table (chrome_json.md 2.5),
// which stands before or after the events. Read from the file when the first such event is asked for.

#include "core/import/byte_source.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna::chrome {

class StackFrames {
public:
    // Names from the innermost frame outwards, "f; main"; none where the file has no such frame, or
    // isTooLarge().
    std::optional<std::string> stackOf(std::string_view frame, ByteSource& bytes);
    // After stackOf(): to be read again for the table, while somebody waits (64 MiB; packed 4 MiB).
    bool isTooLarge() const { return m_isTooLarge; }

private:
    struct Frame {
        std::string name, parent;
    };
    void read(ByteSource& bytes);

    std::map<std::string, Frame, std::less<>> m_frames;
    bool m_isRead = false, m_isTooLarge = false;
};

} // namespace lacuna::chrome
