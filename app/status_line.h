#pragma once
// The status bar: time under the pointer, selection, events, step, range in view; hints or a message right.

#include "widgets/theme/theme_palette.h"
#include "widgets/timeline/frame_meter.h"

#include <QTimer>
#include <QWidget>

#include <optional>

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
    // Frames a second of the last movement, and in the tooltip what painting one took.
    void setFrameTimes(bool shown);
    bool hasFrameTimes() const { return m_hasFrameTimes; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void readMeter();
    QString hint() const; // what may be done, and why not more

    TimelineView& m_timeline;
    ThemePalette m_palette;
    QString m_message;
    QTimer m_messageTimer;
    bool m_hasFrameTimes = true;
    std::optional<FrameMeter::Facts> m_frames;
    QTimer m_meterTimer;
};

} // namespace lacuna::ui
