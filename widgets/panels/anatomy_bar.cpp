#include "widgets/panels/anatomy_bar.h"

#include "core/base/text_format.h"
#include "core/view/short_name.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <map>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr int kBarHeight = 24, kBracketTop = 28, kBracketHeight = 5, kTextHeight = 16;

std::string shortestName(std::string_view name, EventKind kind) {
    const std::vector<std::string> forms = shortNames(name, kind);
    return forms.empty() ? std::string(name) : forms.back();
}

AnatomyPiece joined(std::span<const GapPiece> run) {
    AnatomyPiece piece;
    piece.range = {run.front().range.begin, run.back().range.end};
    piece.ns = piece.range.length().v;
    piece.cls = run.front().cls;
    std::map<std::string_view, std::int64_t> byName;
    std::int64_t longest = -1;
    for (const GapPiece& part : run) {
        const std::int64_t sum = byName[part.name] += part.range.length().v;
        if (sum > longest) {
            longest = sum;
            piece.name = part.name;
        }
    }
    piece.nameNs = longest;
    std::int64_t longestPiece = -1;
    for (const GapPiece& part : run)
        if (part.name == piece.name && part.range.length().v > longestPiece) {
            longestPiece = part.range.length().v;
            piece.event = part.event;
        }
    return piece;
}

} // namespace

QString AnatomyPiece::label() const {
    if (more > 0)
        return AnatomyBar::tr("%1 more pieces").arg(more);
    QString label = term(pieceTitle(cls));
    if (name.empty())
        return label;
    label += u", "_s + text(shortestName(name, kind));
    if (nameNs != ns)
        label += u' ' + text(formatDuration({nameNs}));
    return label;
}

std::vector<AnatomyPiece> anatomyRows(const std::vector<AnatomyPiece>& pieces) {
    if (pieces.size() <= kMaxAnatomyRows)
        return pieces;
    std::vector<std::size_t> byLength;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (pieces[i].more == 0)
            byLength.push_back(i);
    std::stable_sort(byLength.begin(), byLength.end(),
                     [&](std::size_t a, std::size_t b) { return pieces[a].ns > pieces[b].ns; });
    byLength.resize(std::min(byLength.size(), kMaxAnatomyRows - 1));
    std::vector<AnatomyPiece> rows;
    AnatomyPiece rest;
    rest.range = {pieces.front().range.begin, pieces.back().range.end};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (std::find(byLength.begin(), byLength.end(), i) != byLength.end()) {
            rows.push_back(pieces[i]);
            continue;
        }
        rest.more += std::max<std::size_t>(1, pieces[i].more);
        rest.ns += pieces[i].ns;
    }
    rows.push_back(std::move(rest));
    return rows;
}

std::vector<AnatomyPiece> anatomyOf(const Trace& trace, const GapStory& story) {
    std::vector<AnatomyPiece> pieces;
    const auto& all = story.pieces;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i + 1;
        while (end < all.size() && all[end].cls == all[i].cls)
            ++end;
        pieces.push_back(joined(std::span(all).subspan(i, end - i)));
        if (const EventId event = pieces.back().event)
            pieces.back().kind = trace.events().kind[event.v];
        i = end;
    }
    if (pieces.size() <= kMaxAnatomyPieces)
        return pieces;
    AnatomyPiece rest;
    rest.range = {pieces[kMaxAnatomyPieces - 1].range.begin, pieces.back().range.end};
    rest.ns = rest.range.length().v;
    rest.more = pieces.size() - (kMaxAnatomyPieces - 1);
    pieces.resize(kMaxAnatomyPieces - 1);
    pieces.push_back(std::move(rest));
    return pieces;
}

Ink inkOfPiece(PieceClass cls) {
    switch (cls) {
    case PieceClass::SyncApi:
    case PieceClass::OsWait:
        return Ink::Wait;
    case PieceClass::BlockingCopy:
        return Ink::Memcpy;
    case PieceClass::Allocation:
    case PieceClass::Module:
    case PieceClass::Launch:
    case PieceClass::Api:
    case PieceClass::Inside:
        return Ink::Api;
    case PieceClass::Operator:
    case PieceClass::DataLoading:
    case PieceClass::Python:
        return Ink::Operator;
    case PieceClass::Range:
        return Ink::Range;
    case PieceClass::After:
        return Ink::Kernel;
    case PieceClass::Overhead:
        return Ink::NoteMark;
    case PieceClass::Uncovered:
    case PieceClass::Unknown:
        return Ink::Border;
    }
    return Ink::Border;
}

AnatomyBar::AnatomyBar(std::vector<AnatomyPiece> pieces, std::int64_t syncNs, QString syncText,
                       QString restText, const ThemePalette& palette, QWidget* parent)
    : QWidget(parent), m_pieces(std::move(pieces)), m_syncNs(syncNs), m_syncText(std::move(syncText)),
      m_restText(std::move(restText)), m_palette(palette) {
    if (!m_pieces.empty())
        m_gap = {m_pieces.front().range.begin, m_pieces.back().range.end};
    setFixedHeight(sizeHint().height());
    setMouseTracking(true);
    setAccessibleName(tr("Anatomy of the gap; the rows below list the same pieces"));
}

QSize AnatomyBar::sizeHint() const {
    return {200, m_syncNs > 0 ? kBracketTop + kBracketHeight + kTextHeight : kBarHeight + 4};
}

double AnatomyBar::xOf(TimeNs t) const {
    const std::int64_t length = m_gap.length().v;
    return length <= 0 ? 0.0
                       : width() * static_cast<double>((t - m_gap.begin).v) / static_cast<double>(length);
}

std::pair<double, double> AnatomyBar::edgesOf(std::size_t piece) const {
    return {xOf(m_pieces[piece].range.begin), xOf(m_pieces[piece].range.end)};
}

void AnatomyBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    const QFont font = uiFont(Face::Medium, 12);
    painter.setFont(font);
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const AnatomyPiece& piece = m_pieces[i];
        const auto [left, right] = edgesOf(i);
        const Ink ink = piece.more > 0 ? Ink::Border : inkOfPiece(piece.cls);
        // A piece of less than a pixel still shows as one.
        const QRectF rect(left, 0, std::max(1.0, right - left), kBarHeight);
        if (ink == Ink::Wait)
            paintKindSwatch(painter, rect, ink, m_palette);
        else
            painter.fillRect(rect, m_palette.color(ink));
        if (i > 0 && rect.width() > 3)
            painter.fillRect(QRectF(left, 0, 1, kBarHeight), m_palette.color(Ink::Ground));
        const QString title = piece.more > 0 ? piece.label() : term(pieceTitle(piece.cls));
        const QString full = title + u' ' + text(formatDuration(piece.range.length()));
        const QFontMetricsF metrics(font);
        const QString shown = metrics.horizontalAdvance(full) + 16 <= rect.width()    ? full
                              : metrics.horizontalAdvance(title) + 12 <= rect.width() ? title
                                                                                      : QString();
        painter.setPen(piece.more > 0 ? m_palette.color(Ink::Text) : QColor::fromRgb(m_palette.labelOn(ink)));
        painter.drawText(rect.adjusted(10, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter, shown);
    }
    if (m_syncNs > 0)
        paintBrackets(painter);
}

void AnatomyBar::paintBrackets(QPainter& painter) const {
    const double split = xOf(m_gap.begin + DurationNs{m_syncNs});
    const auto bracket = [&](double left, double right, QColor colour) {
        if (right - left < 2)
            return;
        painter.fillRect(QRectF(left, kBracketTop + kBracketHeight - 1, right - left, 1), colour);
        painter.fillRect(QRectF(left, kBracketTop, 1, kBracketHeight), colour);
        painter.fillRect(QRectF(right - 1, kBracketTop, 1, kBracketHeight), colour);
    };
    bracket(0, split - 1, m_palette.color(Ink::Gap));
    bracket(split + 1, width(), m_palette.color(Ink::TextSecondary));
    painter.setFont(uiFont(Face::Regular, 11.5));
    const QFontMetricsF metrics(painter.font());
    const double syncWidth = metrics.horizontalAdvance(m_syncText),
                 restWidth = metrics.horizontalAdvance(m_restText);
    const double y = kBracketTop + kBracketHeight;
    // Each text under its bracket, moved only as far as the edges and the other text demand.
    constexpr double kAir = 10;
    double syncX = std::clamp((split - syncWidth) / 2, 0.0, std::max(0.0, width() - syncWidth));
    double restX =
        std::clamp(split + (width() - split - restWidth) / 2, 0.0, std::max(0.0, width() - restWidth));
    if (syncX + syncWidth + kAir > restX) {
        syncX = std::max(0.0, std::min(syncX, width() - restWidth - kAir - syncWidth));
        restX = width() - restWidth;
    }
    painter.setPen(m_palette.color(Ink::Gap));
    painter.drawText(QRectF(syncX, y, syncWidth + 2, kTextHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     m_syncText);
    if (syncX + syncWidth + kAir <= restX) {
        painter.setPen(m_palette.color(Ink::TextSecondary));
        painter.drawText(QRectF(restX, y, restWidth + 2, kTextHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         m_restText);
    }
}

std::size_t AnatomyBar::pieceAt(double x) const {
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const auto [left, right] = edgesOf(i);
        if (left <= x && x < std::max(right, left + 1))
            return i;
    }
    return m_pieces.size();
}

void AnatomyBar::mousePressEvent(QMouseEvent* event) {
    const std::size_t piece = pieceAt(event->position().x());
    if (piece < m_pieces.size() && event->position().y() < kBarHeight)
        Q_EMIT pieceClicked(piece);
}

bool AnatomyBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::size_t piece = pieceAt(help->pos().x());
    if (piece >= m_pieces.size())
        return true;
    const QString tip = m_pieces[piece].label() + u"\n"_s + text(formatExact(m_pieces[piece].range.length()));
    QToolTip::showText(help->globalPos(), tip.toHtmlEscaped().replace(u'\n', u"<br>"_s), this);
    return true;
}

} // namespace lacuna::ui
