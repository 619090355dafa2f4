#pragma once
// One line over everything: step time, how busy the devices are, idle time by class, and the button with how
// many notes there are. All figures are those of the verbs `summary` and `gaps`.

#include "core/analysis/gap_cause.h"
#include "core/view/time_axis.h"
#include "widgets/session/analysis_session.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <vector>

class QPushButton;

namespace lacuna::ui {

class SummaryStrip : public QWidget {
    Q_OBJECT
public:
    explicit SummaryStrip(AnalysisSession& session, QWidget* parent = nullptr);
    void setThemePalette(const ThemePalette& palette);
    void setAxis(const TimeAxis& axis); // what the begin of a range counts from
    QString plainText() const;          // what is painted, as one line

Q_SIGNALS:
    void notesRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString text;
        bool strong = false, gap = false, separator = false;
        std::optional<GapClass> swatch;
    };
    void rebuild();
    void showMark();
    void addDevices(const Document& document);

    AnalysisSession& m_session;
    ThemePalette m_palette;
    std::optional<TimeRange> m_range; // that the figures are of; none: the whole trace
    TimeAxis m_axis;
    std::vector<Part> m_parts;
    QPushButton* m_notes;
};

} // namespace lacuna::ui
