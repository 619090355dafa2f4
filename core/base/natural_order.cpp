#include "core/base/natural_order.h"

#include "core/base/ascii.h"

#include <cstddef>

namespace lacuna {

bool isNaturallyBefore(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        const auto number = [&](std::string_view text, std::size_t& at) {
            while (at < text.size() && text[at] == '0')
                ++at;
            const std::size_t begin = at;
            while (at < text.size() && isDigit(text[at]))
                ++at;
            return text.substr(begin, at - begin);
        };
        const std::string_view x = number(a, i), y = number(b, j);
        if (x.size() != y.size())
            return x.size() < y.size();
        if (x != y)
            return x < y;
    }
    return a.size() - i < b.size() - j || (a.size() - i == b.size() - j && a < b);
}

} // namespace lacuna
