#pragma once
// What tabs and windows call an open file.

#include "widgets/session/analysis_session.h"

namespace lacuna::ui {

// For people: the file's name, and in front of it that of the trace in an archive.
QString titleOf(const Document& document);

} // namespace lacuna::ui
