#pragma once
// Before any trace is open: open one, try an example, or come back to a recent one. After a failed open the
// same page tells what happened.

#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"

#include <QDateTime>
#include <QWidget>

#include <optional>
#include <vector>

namespace lacuna::ui {

struct RecentFile {
    QString path;
    QDateTime opened;
    int notes = -1; // noted while reading; -1: not known
};

struct SampleTrace {
    QString title;    // "item_sync: a training step that waits for loss.item()"
    QString resource; // ":/lacuna/samples/..."
};

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);
    void show(const std::optional<OpenFailure>& failure, const std::vector<RecentFile>& recent,
              const std::vector<SampleTrace>& samples);

Q_SIGNALS:
    void openRequested();
    void folderRequested();
    void fileRequested(const QString& path);
    void sampleRequested(const QString& resource);
    void clearRecentRequested();
    void againRequested(OpenHow how); // what was not read for lack of memory
    void stepsRequested();            // of the same

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void rebuild();
    QWidget* makeHead();
    QWidget* makeFailure();
    QWidget* makeMemoryButtons();
    QWidget* makeButtons();
    QWidget* makeRecent();
    QWidget* makeRecentRow(const RecentFile& file);

    ThemePalette m_palette;
    std::optional<OpenFailure> m_failure;
    std::vector<RecentFile> m_recent;
    std::vector<SampleTrace> m_samples;
    QWidget* m_content = nullptr;
};

} // namespace lacuna::ui
