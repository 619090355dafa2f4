#pragma once
// Fixed words of the core (classes of gaps, kinds of events, titles of reports) in the language of the
// window. The core writes English, for command line, files and figures alike; sentences that it composes stay
// so.

#include <QString>

#include <span>
#include <string_view>

namespace lacuna::ui {

// The translation of a word of the core, or the word itself where there is none.
QString term(std::string_view english);
QString term(const QString& english);

// All words that are shown through term(), as they are handed to translators.
std::span<const char* const> allTerms();

} // namespace lacuna::ui
