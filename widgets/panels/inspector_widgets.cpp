#include "widgets/panels/inspector_widgets.h"

#include "widgets/panels/name_label.h"
#include "widgets/panels/wrapped_label.h"
#include "widgets/plain_tip.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {
constexpr int kInspectorRowHeight = 17;
constexpr int kSwatch = 10, kSwatchGap = 8;
constexpr int kFieldLabel = 128;
constexpr int kBeforeColumns = 10;     // px between name and figures
constexpr qsizetype kMaxShown = 4'000; // characters of one recorded value

QWidget* valueLabel(const QString& value, const QFont& font) {
    if (NameLabel::isNeededFor(value))
        return new NameLabel(value, font);
    auto* label = new WrappedLabel;
    label->setTextFormat(Qt::PlainText);
    label->setFont(font);
    label->setText(value);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}
} // namespace

// --- InspectorRow

InspectorRow::InspectorRow(Content content, const ThemePalette& palette, QWidget* parent)
    : RowButton(palette, parent), m_content(std::move(content)) {
    setActs(false);
    setFixedHeight(kInspectorRowHeight);
    setFocusPolicy(Qt::NoFocus);
    QString spoken = m_content.text;
    for (const QString& column : m_content.columns)
        spoken += u", "_s + column;
    setAccessibleName(spoken);
    if (!m_content.tip.isEmpty())
        setToolTip(plainTip(m_content.tip));
}

void InspectorRow::setAction(std::function<void()> action) {
    setActs(true);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(this, &QAbstractButton::clicked, this, [run = std::move(action)] { run(); });
}

QSize InspectorRow::sizeHint() const {
    return {200, kInspectorRowHeight};
}

void InspectorRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection()); // a painter has that of the program
    const QRect all = rect();
    paintPointed(painter, all.adjusted(-4, 0, 4, 0));
    paintFocus(painter);
    if (m_content.swatch)
        paintKindSwatch(painter, QRectF(0, (kInspectorRowHeight - kSwatch) / 2.0, kSwatch, kSwatch),
                        *m_content.swatch, m_palette);
    int right = all.right() + 1;
    for (std::size_t i = m_content.columns.size(); i-- > 0;) {
        const bool last = i + 1 == m_content.columns.size();
        const int width = columnWidth(i);
        const bool strong = isStrong(i);
        painter.setFont(uiFont(strong ? Face::SemiBold : Face::Regular, 12));
        painter.setPen(m_palette.color(
            strong || !last || m_content.columns.size() == 1 ? Ink::Text : Ink::TextSecondary));
        painter.drawText(QRect(right - width, 0, width, kInspectorRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, m_content.columns[i]);
        right -= width;
        if (m_content.lineAbove)
            painter.fillRect(QRect(right, 0, width, 1), m_palette.color(Ink::Border));
    }
    const QFont font = m_content.mono ? uiFont(Face::Mono, 11.5) : uiFont(Face::Regular, 12);
    painter.setFont(font);
    painter.setPen(m_palette.color(m_content.secondary ? Ink::TextSecondary : Ink::Text));
    const int left = kSwatch + kSwatchGap;
    const QString shown = QFontMetrics(font).elidedText(m_content.text, Qt::ElideRight, textWidth());
    painter.drawText(QRect(left, 0, textWidth(), kInspectorRowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     shown);
}

int InspectorRow::columnWidth(std::size_t column) const {
    const bool last = column + 1 == m_content.columns.size(), single = m_content.columns.size() == 1;
    if (m_content.columns[column].isEmpty() && !last)
        return 0;
    return last && !single ? m_content.lastWidth : m_content.otherWidth;
}

bool InspectorRow::isStrong(std::size_t column) const {
    return m_content.strong && (column + 1 < m_content.columns.size() || m_content.columns.size() == 1);
}

// Figures stand at the right of their columns: the name has what they leave.
int InspectorRow::textWidth() const {
    int right = width(), end = right;
    for (std::size_t i = m_content.columns.size(); i-- > 0;) {
        const QFontMetrics metrics(uiFont(isStrong(i) ? Face::SemiBold : Face::Regular, 12));
        if (!m_content.columns[i].isEmpty())
            end = right - metrics.horizontalAdvance(m_content.columns[i]) - kBeforeColumns;
        right -= columnWidth(i);
    }
    return std::max(0, end - kSwatch - kSwatchGap);
}

std::vector<SentenceLink> showLink(std::function<void()> go) {
    return go ? std::vector{SentenceLink{InspectorPage::tr("Show"), std::move(go)}}
              : std::vector<SentenceLink>{};
}

QLabel* linkedSentence(const QString& plain, const std::vector<SentenceLink>& links,
                       const ThemePalette& palette) {
    auto* label = new WrappedLabel;
    label->setFont(uiFont(Face::Regular, 12));
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    if (links.empty()) {
        label->setTextFormat(Qt::PlainText);
        label->setText(plain);
        return label;
    }
    QString html = plain.toHtmlEscaped();
    for (std::size_t i = 0; i < links.size(); ++i)
        html += u" <a href=\"#%1\" style=\"color: %2\">%3</a>"_s.arg(i).arg(
            palette.color(Ink::Selection).name(),
            links[i].word.toHtmlEscaped().replace(u' ', QChar::Nbsp)); // a link stays in its line
    label->setTextFormat(Qt::RichText);
    label->setText(html);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setFocusPolicy(Qt::TabFocus);
    QObject::connect(label, &QLabel::linkActivated, label, [links](const QString& which) {
        if (const auto at = which.mid(1).toUInt(); at < links.size())
            links[at].go();
    });
    return label;
}

// --- InspectorPage

InspectorPage::InspectorPage(const ThemePalette& palette, QWidget* parent)
    : QWidget(parent), m_palette(palette), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(kInspectorPadding, 6, kInspectorPadding, 8);
    m_layout->setSpacing(0);
}

void InspectorPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_palette.color(Ink::Ground));
}

void InspectorPage::addWidget(QWidget* widget, int spaceAbove) {
    if (spaceAbove > 0)
        m_layout->addSpacing(spaceAbove);
    m_layout->addWidget(widget);
}

void InspectorPage::addHeading(const QString& title, const QString& note) {
    auto* line = new QFrame;
    line->setFixedHeight(1);
    line->setStyleSheet(u"background: %1"_s.arg(m_palette.color(Ink::InnerLine).name()));
    addWidget(line, 5);
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 4, 0, 1);
    auto* label = new QLabel(title);
    label->setFont(uiFont(Face::SemiBold, 12.5));
    layout->addWidget(label, 0, Qt::AlignTop);
    auto* right = new WrappedLabel; // as many lines as it needs: it never makes the page wider
    right->setText(note);
    right->setFont(uiFont(Face::Regular, 11.5));
    right->setStyleSheet(u"color: %1"_s.arg(m_palette.color(Ink::TextSecondary).name()));
    right->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(right, 1);
    addWidget(head);
}

InspectorRow* InspectorPage::addRow(InspectorRow::Content content, std::function<void()> action) {
    auto* row = new InspectorRow(std::move(content), m_palette);
    if (action)
        row->setAction(std::move(action));
    addWidget(row);
    return row;
}

QLabel* InspectorPage::addText(const QString& content, Qt::TextFormat format, double pixelSize,
                               bool secondary) {
    auto* label = new WrappedLabel;
    label->setTextFormat(format);
    label->setFont(uiFont(Face::Regular, pixelSize));
    label->setText(content);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    if (secondary)
        label->setStyleSheet(u"color: %1"_s.arg(m_palette.color(Ink::TextSecondary).name()));
    // Long names without blanks must not widen the page.
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    addWidget(label);
    return label;
}

void InspectorPage::addBullet(const QString& mark, const QString& plain,
                              const std::vector<SentenceLink>& links) {
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 1);
    layout->setSpacing(8);
    auto* left = new QLabel(mark);
    left->setFont(uiFont(Face::Regular, 12));
    left->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(left);
    QLabel* body = linkedSentence(plain, links, m_palette);
    body->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(body, 1);
    addWidget(line);
}

void InspectorPage::addField(const QString& name, const QString& value) {
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 1, 0, 1);
    layout->setSpacing(8);
    auto* left = new QLabel;
    left->setTextFormat(Qt::PlainText);
    left->setFont(uiFont(Face::Regular, 12));
    left->setText(QFontMetrics(left->font()).elidedText(name, Qt::ElideMiddle, kFieldLabel));
    left->setToolTip(plainTip(name));
    left->setFixedWidth(kFieldLabel);
    left->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    left->setStyleSheet(u"color: %1"_s.arg(m_palette.color(Ink::TextSecondary).name()));
    QWidget* right =
        valueLabel(value.size() <= kMaxShown
                       ? value
                       : tr("%1… (%2 characters in all)").arg(value.left(kMaxShown)).arg(value.size()),
                   uiFont(Face::Mono, 11.5));
    right->setAccessibleName(name);
    layout->addWidget(left, 0, Qt::AlignTop);
    layout->addWidget(right, 1, Qt::AlignTop);
    addWidget(line);
}

void InspectorPage::addName(const QString& name, const QString& objectName) {
    QWidget* label = valueLabel(name, uiFont(Face::Mono, 12.5));
    label->setObjectName(objectName);
    label->setAccessibleName(name);
    addWidget(label);
}

void InspectorPage::finish() {
    m_layout->addStretch(1);
}

} // namespace lacuna::ui
