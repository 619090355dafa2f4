#pragma once
// Text in the widgets: UTF-8 of the core as QString, and literals.

#include <QString>

#include <cstdint>
#include <string_view>

namespace lacuna::ui {

using namespace Qt::Literals::StringLiterals; // u"..."_s

inline QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

// A count as tr() takes it to choose a plural form. Languages choose by the last digits: of what is beyond an
// int, some millions stand for all. The number itself is set with its groups of digits: "%1 event(s)".
inline int pluralOf(std::uint64_t count) {
    constexpr std::uint64_t kMillion = 1'000'000;
    return static_cast<int>(count < kMillion ? count : kMillion + count % kMillion);
}

} // namespace lacuna::ui
