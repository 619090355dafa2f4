#include "widgets/session/session_settings.h"

#include "core/analysis/profiler_schedule.h"
#include "widgets/session/settings_store.h"
#include "widgets/session/user_settings.h"
#include "widgets/text.h"

#include <QFileInfo>
#include <QUndoCommand>

#include <utility>

namespace lacuna::ui {

class ChangeTraceSettings final : public QUndoCommand {
public:
    ChangeTraceSettings(SessionSettings& settings, SettingTexts after, const QString& what)
        : QUndoCommand(what), m_settings(settings), m_other(std::move(after)) {}
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap() {
        SettingTexts before = m_settings.ofTrace();
        m_settings.put(std::exchange(m_other, std::move(before)));
    }
    SessionSettings& m_settings;
    SettingTexts m_other;
};

SessionSettings& SessionSettings::of(AnalysisSession& session) {
    if (auto* made = session.findChild<SessionSettings*>(QString(), Qt::FindDirectChildrenOnly))
        return *made;
    return *new SessionSettings(session);
}

SessionSettings::SessionSettings(AnalysisSession& session)
    : QObject(&session), m_session(session), m_values(std::make_shared<const AnalysisSettings>()) {
    connect(&session, &AnalysisSession::documentChanged, this, &SessionSettings::documentChanged);
    for (const auto signal : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(&m_watcher, signal, this, [this] { reload(); });
    reload();
}

// A reload of the same file keeps what was said of it.
void SessionSettings::documentChanged() {
    const Document* document = m_session.document();
    const QString path = document == nullptr ? QString() : document->path + u'\n' + document->member;
    m_gpuName.clear();
    m_gpuCount = 0;
    if (document != nullptr) {
        bool isOneName = true;
        for (std::size_t d = 0; d < document->busy.size(); ++d) {
            if (document->busy[d].ops == 0)
                continue;
            const std::string& name = document->trace().devices()[d].name;
            isOneName = isOneName && (m_gpuCount == 0 || name == m_gpuName);
            m_gpuName = name;
            ++m_gpuCount;
        }
        if (!isOneName)
            m_gpuName.clear();
    }
    if (std::exchange(m_path, path) != path)
        m_ofTrace.clear();
    update();
}

QString SessionSettings::refusal(std::string_view key, std::string_view value) {
    AnalysisSettings trial;
    if (const Status set = changeSetting(trial, key, value); !set)
        return text(set.error().detail);
    if (key == "schedule" && !value.empty())
        if (const auto parsed = parseSchedule(value); !parsed)
            return text(parsed.error().detail);
    return {};
}

bool SessionSettings::setOfTrace(std::string_view key, const std::optional<std::string>& value,
                                 const QString& what) {
    if (value && !refusal(key, *value).isEmpty())
        return false;
    SettingTexts after = m_ofTrace;
    if (const auto at = after.find(key); at != after.end())
        after.erase(at);
    if (value)
        after.emplace(key, *value);
    if (after != m_ofTrace)
        m_session.undoStack().push(new ChangeTraceSettings(*this, std::move(after), what));
    return true;
}

void SessionSettings::adoptOfTrace(SettingTexts texts) {
    put(std::move(texts));
}

void SessionSettings::put(SettingTexts texts) {
    m_ofTrace = std::move(texts);
    update();
}

Status SessionSettings::setForUser(std::string_view key, const std::optional<std::string>& value) {
    reload(); // it may have been edited meanwhile
    if (!m_problem.isEmpty())
        return Error{Errc::Malformed, m_problem.toStdString(), {}, "Mend that line first."};
    if (value)
        if (const QString why = refusal(key, *value); !why.isEmpty())
            return Error{Errc::Unsupported, why.toStdString(), {}, {}};
    const Status written = changeConfig(userSettingsFile(), key, value);
    reload();
    return written;
}

Status SessionSettings::setGpuPeak(std::optional<double> flops) {
    const Status written = rememberGpuPeak(m_gpuName, flops);
    update();
    return written;
}

void SessionSettings::reload() {
    const UserSettings read = readUserSettings();
    const bool isOther = read.problem != m_problem;
    m_user = *read.values;
    m_problem = read.problem;
    watch();
    const auto before = m_values;
    update();
    if (isOther && m_values == before)
        Q_EMIT changed();
}

// A file that is replaced is another one: both it and its folder are watched.
void SessionSettings::watch() {
    const QString file = userSettingsFile(), folder = QFileInfo(file).absolutePath();
    for (const QString& path : {file, folder})
        if (QFileInfo::exists(path) && !m_watcher.files().contains(path) &&
            !m_watcher.directories().contains(path))
            m_watcher.addPath(path);
}

void SessionSettings::update() {
    AnalysisSettings values = withSettingTexts(m_user, m_ofTrace);
    if (!values.peakFlops && m_gpuCount != 0 && !m_gpuName.empty())
        if (const auto peak = gpuPeak(m_gpuName))
            values.peakFlops = *peak * static_cast<double>(m_gpuCount);
    if (values == *m_values)
        return;
    m_values = std::make_shared<const AnalysisSettings>(std::move(values));
    Q_EMIT changed();
}

} // namespace lacuna::ui
