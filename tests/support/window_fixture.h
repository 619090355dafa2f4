#pragma once
// A main window with its own settings folder, shown on the offscreen platform.

#include "app/main_window.h"
#include "app/theme_control.h"
#include "tests/support/paths.h"

#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>

namespace lacuna::test {

// The smallest captured trace with a wait in every step.
inline std::filesystem::path itemSync() {
    return fixture("captured/torch/item_sync.pt.trace.json.gz");
}

class WindowFixture {
public:
    // The hints of a first run take a line of the window: only where they are meant.
    explicit WindowFixture(bool isFirstRun = false) {
        if (!isFirstRun)
            state().setHintsDone();
        m_window = std::make_unique<ui::MainWindow>(state(), m_theme);
        m_theme.choose(ui::ThemeChoice::Light);
        m_window->setLossQuestion([] { return true; });
        m_window->resize(1500, 1000);
        m_window->show();
        QApplication::setActiveWindow(m_window.get());
        (void)QTest::qWaitForWindowActive(m_window.get());
    }
    ui::MainWindow& window() { return *m_window; }
    ui::AnalysisSession& session() { return m_window->session(); }
    ui::TimelineViewModel& view() { return m_window->view(); }
    ui::ThemeControl& theme() { return m_theme; }
    QString folder() const { return m_folder.path(); }
    ui::WindowState state() const { return m_state; } // waits for what the window writes

    // Waits for the end of the load, whatever it is.
    bool open(const std::filesystem::path& file) {
        QSignalSpy ended(&session(), &ui::AnalysisSession::loadEnded);
        m_window->open(QString::fromStdString(file.string()));
        while (ended.isEmpty() && ended.wait(60'000)) {
        }
        // Painted in a turn of its own.
        return QTest::qWaitFor([this] { return m_window->updatesEnabled(); }) &&
               session().document() != nullptr && !session().failure();
    }
    // Brings a table of the bottom area to the front.
    void showTab(const QString& title) {
        auto* tabs = m_window->findChild<QWidget*>(QStringLiteral("bottomArea"))->findChild<QTabBar*>();
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == title)
                tabs->setCurrentIndex(i);
    }

private:
    QTemporaryDir m_folder;
    const ui::WindowState m_state = ui::WindowState::inFolder(m_folder.path());
    ui::ThemeControl m_theme;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace lacuna::test
