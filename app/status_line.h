#pragma once
// The status bar: time under the pointer, selection, events, step, range in view; hints or a message right.

#include "widgets/theme/theme_palette.h"

#include <QTimer>
#include <QWidget>

namespace lacuna::ui {

class TimelineView;

class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(TimelineView& timeline, QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);
    void showMessage(const QString& message); // in place of the hints, for some seconds
    QStringList parts() const;
    QString message() const { return m_message; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    QString hint() const; // what may be done, and why not more

    TimelineView& m_timeline;
    ThemePalette m_palette;
    QString m_message;
    QTimer m_messageTimer;
};

} // namespace lacuna::ui
