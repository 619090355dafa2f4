#pragma once
// The page of one kernel as a dock of the window, what opens it, and Nsight Compute files.

#include "widgets/panels/kernels_panel.h"

#include <QDockWidget>
#include <QObject>

#include <optional>

class QLabel;
class QMainWindow;
class QScrollArea;

namespace lacuna::ui {

class ThemeControl;

class KernelControl : public QObject {
    Q_OBJECT
public:
    // Adds the dock, hidden, and the commands. All of it outlives this.
    KernelControl(QMainWindow& window, KernelsPanel& panel, const PanelContext& context, ThemeControl& theme);

    ~KernelControl() override;

    // Whether a file is one of Nsight Compute, by its ending or, for CSV, by what it holds.
    static bool isNcuFile(const QString& path);
    // Reads it; said() tells how that went.
    void openNcuFile(const QString& path);
    QDockWidget& dock() { return *m_dock; }
    // What the page shows; none: no kernel.
    std::optional<std::size_t> bundle() const { return m_bundle; }

Q_SIGNALS:
    void said(const QString& message);

private:
    void addCommands();
    void makeDock();
    void showKernel(std::size_t bundle);
    void goToKernel(std::size_t bundle);
    void computeIfShown();
    void followSelection();
    void rebuild();
    void chooseNcuFile();
    std::optional<std::size_t> launchToShow() const;

    QMainWindow& m_window;
    KernelsPanel& m_panel;
    KernelStudy& m_study;
    PanelContext m_context;
    ThemeControl& m_theme;
    QDockWidget* m_dock = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_head = nullptr;
    std::optional<std::size_t> m_bundle, m_launch; // launch: chosen by hand
    EventId m_instance;
    QString m_folder;
};

} // namespace lacuna::ui
