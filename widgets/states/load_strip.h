#pragma once
// What is being read, how far it is, Cancel, and Open what is read where the format can be stopped. Nothing
// modal: an open document stays usable below it.

#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lacuna::ui {

// "Reading decode.json.gz — 412 MiB of 1.9 GiB, 3 104 220 events, about 9 s left"
QString progressText(const LoadProgress& progress);

class LoadStrip : public QWidget {
    Q_OBJECT
public:
    LoadStrip(AnalysisSession& session, QWidget* parent = nullptr); // shows itself while the session loads
    void setThemePalette(const ThemePalette& palette);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showProgress();

    AnalysisSession& m_session;
    ThemePalette m_palette;
    QLabel* m_text;
    QPushButton *m_stop, *m_cancel;
};

// The place of the lanes while the first trace is read.
class LoadingPage : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    void setThemePalette(const ThemePalette& palette);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemePalette m_palette = ThemePalette::of(Theme::Light);
};

} // namespace lacuna::ui
