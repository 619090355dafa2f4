#pragma once
// The elements of a JSON array, one after the other.

#include "core/import/detail/json_scan.h"

#include <string_view>

namespace lacuna::json {

class Items {
public:
    // `array` must be followed by kPadding readable bytes.
    explicit Items(std::string_view array)
        : m_scanner(array.data() + array.size()), m_at(array.empty() ? nullptr : array.data() + 1) {}

    bool next(Value& value) {
        if (m_at == nullptr)
            return false;
        do
            m_at = m_scanner.space(m_at);
        while (*m_at == ',' && ++m_at != nullptr);
        if (*m_at == ']')
            return false;
        value = {};
        m_at = m_scanner.value(m_at, value);
        return m_at != nullptr;
    }

private:
    Scanner m_scanner;
    const char* m_at;
};

} // namespace lacuna::json
