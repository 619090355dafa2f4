#pragma once
// Who writes notes on this machine, and when: login name and UTC time.

#include "core/document/annotations.h"

#include <string>

namespace lacuna::ui {

// Of a new note. Nothing leaves the machine but in files that a person saves.
void sign(Callout& note);
// The same of other texts; an author that is there stays.
void sign(std::string& author, std::string& written);

} // namespace lacuna::ui
