#pragma once
// Opens a trace in a session and waits for the end of the load.

#include "widgets/session/analysis_session.h"

#include <QSignalSpy>
#include <QTest>

#include <filesystem>

namespace lacuna::test {

// True when the document is open; the caller looks at failure() otherwise.
inline bool openAndWait(ui::AnalysisSession& session, const std::filesystem::path& file) {
    QSignalSpy ended(&session, &ui::AnalysisSession::loadEnded);
    session.open(QString::fromStdString(file.string()));
    while (ended.isEmpty() && ended.wait(60'000)) {
    }
    return session.document() != nullptr && !session.failure();
}

} // namespace lacuna::test
