#pragma once
// Text as it is for a tool tip: Qt guesses whether a tip is marked up, and takes "a -&gt; b" for plain.

#include "widgets/text.h"

namespace lacuna::ui {

inline QString plainTip(const QString& text) {
    return text.isEmpty() ? QString()
                          : u"<span>"_s + text.toHtmlEscaped().replace(u'\n', u"<br>"_s) + u"</span>"_s;
}

} // namespace lacuna::ui
