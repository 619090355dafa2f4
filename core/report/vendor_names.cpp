#include "core/report/vendor_names.h"

#include <algorithm>

namespace lacuna {

std::string_view vendorApiName(std::string_view name) {
    constexpr std::size_t kTail = 6; // _vNNNN
    if (name.size() <= kTail)
        return name;
    const std::string_view tail = name.substr(name.size() - kTail);
    const bool isVersion = tail.starts_with("_v") && std::all_of(tail.begin() + 2, tail.end(),
                                                                 [](char c) { return c >= '0' && c <= '9'; });
    return isVersion ? name.substr(0, name.size() - kTail) : name;
}

} // namespace lacuna
