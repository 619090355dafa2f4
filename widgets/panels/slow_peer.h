#pragma once
// The end of a gap's sentence where the gap follows a collective: which rank this one waited for there, told
// from the ranks that are open in tabs.

#include "core/base/ids.h"

#include <QString>

class QLabel;

namespace lacuna::ui {

class AnalysisSession;

// Adds to `verdict`, whose text is `html`, as soon as it is known, and again when other ranks are open. The
// rank is a link to its tab. The label owns what does so; nothing is added where no rank came last.
void tellSlowPeer(QLabel& verdict, const QString& html, AnalysisSession& session, EventId collective);

} // namespace lacuna::ui
