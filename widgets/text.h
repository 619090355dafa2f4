#pragma once
// Text in the widgets: UTF-8 of the core as QString, and literals.

#include <QString>

#include <string_view>

namespace lacuna::ui {

using namespace Qt::Literals::StringLiterals; // u"..."_s

inline QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace lacuna::ui
