#pragma once
// What the analyses of the window are told beside the trace: the user's file (user_settings.h), and over it
// what was said of the open trace alone, such as what its repeats are. The latter is undone and redone, and
// lives in the workspace. Everything that computes with settings takes values() and starts again on
// changed().

#include "core/settings/settings_file.h"
#include "widgets/session/analysis_session.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna::ui {

class SessionSettings : public QObject {
    Q_OBJECT
public:
    // The one of a session, made when it is first asked for; the session owns it and knows nothing of it.
    static SessionSettings& of(AnalysisSession& session);

    // Never null. The peak rate is that of all GPUs that work in the trace: as set, else as remembered for
    // their names.
    const std::shared_ptr<const AnalysisSettings>& values() const { return m_values; }
    const AnalysisSettings& userValues() const { return m_user; }
    const SettingTexts& ofTrace() const { return m_ofTrace; }
    // What is wrong with the user's file; then the defaults hold. Empty: nothing.
    const QString& problem() const { return m_problem; }
    // Name of the GPUs that work in the trace, where it is one; and how many there are.
    const std::string& gpuName() const { return m_gpuName; }
    std::size_t gpuCount() const { return m_gpuCount; }

    // Why a value is refused, for people; empty: it is one. An empty value means: not set.
    static QString refusal(std::string_view key, std::string_view value);

    // Of this trace; none: as the user's file says. A step of the undo stack named `what`. False when the
    // value is refused.
    bool setOfTrace(std::string_view key, const std::optional<std::string>& value, const QString& what);
    // In place of all that was said of this trace, without undo: from a workspace.
    void adoptOfTrace(SettingTexts texts);
    // Of the user's file; none: the default. Errors: a refused value, a file that is wrong already or cannot
    // be written.
    Status setForUser(std::string_view key, const std::optional<std::string>& value);
    Status setGpuPeak(std::optional<double> flops); // of one GPU of this name

    void reload(); // of the user's file

Q_SIGNALS:
    void changed();

private:
    friend class ChangeTraceSettings;
    explicit SessionSettings(AnalysisSession& session);
    void documentChanged();
    void put(SettingTexts texts);
    void update();
    void watch();

    AnalysisSession& m_session;
    AnalysisSettings m_user;
    QString m_problem, m_path;
    SettingTexts m_ofTrace;
    std::shared_ptr<const AnalysisSettings> m_values;
    std::string m_gpuName;
    std::size_t m_gpuCount = 0;
    QFileSystemWatcher m_watcher;
};

} // namespace lacuna::ui
