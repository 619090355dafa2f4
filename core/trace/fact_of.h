#pragma once

#include "core/trace/trace.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace lacuna {

// What the file records under a key of its metadata; null without. The first where there are several.
inline const std::string* factOf(const TraceFacts& facts, std::string_view key) {
    const auto at = std::find_if(facts.metadata.begin(), facts.metadata.end(),
                                 [key](const auto& entry) { return entry.first == key; });
    return at == facts.metadata.end() ? nullptr : &at->second;
}

} // namespace lacuna
