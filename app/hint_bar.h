#pragma once
// The first run: five moves, one at a time, in a line above the status bar. Each goes when it was made; after
// the last one, or Skip, the line never comes again.

#include "widgets/theme/theme_palette.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QWidget>

#include <functional>

class QLabel;

namespace lacuna::ui {

class CommandRegistry;

class HintBar : public QWidget {
    Q_OBJECT
public:
    // `done` is called once, when the hints are over for good.
    HintBar(AnalysisSession& session, TimelineViewModel& view, const CommandRegistry& commands,
            std::function<void()> done);

    void setThemePalette(const ThemePalette& palette);
    // The move that is shown, from 0; kMoves: over.
    static constexpr int kMoves = 5;
    int move() const { return m_move; }
    void finish(); // as Skip

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void made(int move);
    void showMove();
    void viewMoved();

    AnalysisSession& m_session;
    TimelineViewModel& m_view;
    const CommandRegistry& m_commands;
    std::function<void()> m_done;
    ThemePalette m_palette;
    QLabel *m_count, *m_text;
    int m_move = 0;
    double m_nsPerPx = 0; // when the second move was shown
};

} // namespace lacuna::ui
