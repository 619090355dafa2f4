#pragma once
// The pieces of a gap as one bar, from the end of the last operation to the start of the next. Adjacent
// pieces of one class are joined, more than twelve end as "n more"; all of them sum to the gap. Below it a
// bracket over the sync part and one over the rest.

#include "core/analysis/gap_analysis.h"
#include "widgets/theme/theme_palette.h"

#include <QWidget>

#include <vector>

namespace lacuna::ui {

struct AnatomyPiece { // joined
    TimeRange range;
    PieceClass cls = PieceClass::Unknown;
    EventId event;                     // of the longest of the joined pieces; none where nothing is recorded
    std::string name;                  // its name; empty for uncovered
    std::int64_t nameNs = 0;           // time of the joined pieces of that name
    std::size_t more = 0;              // above 0: stands for that many pieces of mixed class
    std::int64_t ns = 0;               // their time; for one piece the length of its range
    EventKind kind = EventKind::Other; // of the event
    QString label() const;             // "Python, sleep 2.084 ms"
};

inline constexpr std::size_t kMaxAnatomyPieces = 12; // of the bar
inline constexpr std::size_t kMaxAnatomyRows = 6;    // of the table below it
std::vector<AnatomyPiece> anatomyOf(const Trace& trace, const GapStory& story);
// The longest pieces in order of time, and one row for all others, so that the rows still sum to the gap.
std::vector<AnatomyPiece> anatomyRows(const std::vector<AnatomyPiece>& pieces);
Ink inkOfPiece(PieceClass cls);

class AnatomyBar : public QWidget {
    Q_OBJECT
public:
    // syncText and restText stand below their brackets; syncNs 0: no brackets.
    AnatomyBar(std::vector<AnatomyPiece> pieces, std::int64_t syncNs, QString syncText, QString restText,
               const ThemePalette& palette, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    // Left edge and right edge of a piece, in widget pixels.
    std::pair<double, double> edgesOf(std::size_t piece) const;

Q_SIGNALS:
    void pieceClicked(std::size_t piece);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::size_t pieceAt(double x) const; // size() when there is none
    double xOf(TimeNs t) const;
    void paintBrackets(QPainter& painter) const;

    std::vector<AnatomyPiece> m_pieces;
    std::int64_t m_syncNs;
    QString m_syncText, m_restText;
    ThemePalette m_palette;
    TimeRange m_gap;
};

} // namespace lacuna::ui
