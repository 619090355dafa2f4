#pragma once
// Who writes notes on this machine, and when: login name and UTC time.

#include "core/document/annotations.h"

namespace lacuna::ui {

// Of a new note. Nothing leaves the machine but in files that a person saves.
void sign(Callout& note);

} // namespace lacuna::ui
