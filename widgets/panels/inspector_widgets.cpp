#include "widgets/panels/inspector_widgets.h"

#include "widgets/panels/wrapped_label.h"
#include "widgets/plain_tip.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>

#include <utility>

namespace lacuna::ui {

namespace {
constexpr int kRowHeight = 17;
constexpr int kSwatch = 10, kSwatchGap = 8;
constexpr int kFieldLabel = 112;
constexpr qsizetype kMaxShown = 4'000; // characters of one recorded value
} // namespace

// --- InspectorRow

InspectorRow::InspectorRow(Content content, const ThemePalette& palette, QWidget* parent)
    : RowButton(palette, parent), m_content(std::move(content)) {
    setActs(false);
    setFixedHeight(kRowHeight);
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
    return {200, kRowHeight};
}

void InspectorRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect all = rect();
    paintPointed(painter, all.adjusted(-4, 0, 4, 0));
    paintFocus(painter);
    if (m_content.swatch)
        paintKindSwatch(painter, QRectF(0, (kRowHeight - kSwatch) / 2.0, kSwatch, kSwatch), *m_content.swatch,
                        m_palette);
    const QFont regular = uiFont(m_content.strong ? Face::SemiBold : Face::Regular, 12);
    int right = all.right() + 1;
    painter.setFont(regular);
    for (std::size_t i = m_content.columns.size(); i-- > 0;) {
        const bool last = i + 1 == m_content.columns.size();
        const int width = last && m_content.columns.size() > 1 ? m_content.lastWidth : m_content.otherWidth;
        const bool strong = m_content.strong && !(last && m_content.columns.size() > 1);
        painter.setFont(uiFont(strong ? Face::SemiBold : Face::Regular, 12));
        painter.setPen(m_palette.color(
            strong || !last || m_content.columns.size() == 1 ? Ink::Text : Ink::TextSecondary));
        painter.drawText(QRect(right - width, 0, width, kRowHeight), Qt::AlignRight | Qt::AlignVCenter,
                         m_content.columns[i]);
        right -= m_content.columns[i].isEmpty() && !last ? 0 : width;
        if (m_content.lineAbove)
            painter.fillRect(QRect(right, 0, width, 1), m_palette.color(Ink::Border));
    }
    const QFont font = m_content.mono ? uiFont(Face::Mono, 11.5) : uiFont(Face::Regular, 12);
    painter.setFont(font);
    painter.setPen(m_palette.color(m_content.secondary ? Ink::TextSecondary : Ink::Text));
    const int left = kSwatch + kSwatchGap;
    const QString shown = QFontMetrics(font).elidedText(m_content.text, Qt::ElideRight, right - left - 6);
    painter.drawText(QRect(left, 0, right - left, kRowHeight), Qt::AlignLeft | Qt::AlignVCenter, shown);
}

// --- InspectorPage

InspectorPage::InspectorPage(const ThemePalette& palette, QWidget* parent)
    : QWidget(parent), m_palette(palette), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(kInspectorPadding, 8, kInspectorPadding, 8);
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
    addWidget(line, 6);
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 5, 0, 2);
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

void InspectorPage::addBullet(const QString& mark, const QString& plain, const QString& right,
                              std::function<void()> action) {
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 1, 0, 1);
    layout->setSpacing(8);
    const auto fill = [](QLabel* made, const QString& content, Face face) {
        made->setTextFormat(Qt::PlainText);
        made->setFont(uiFont(face, 12));
        made->setText(content);
        made->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        return made;
    };
    layout->addWidget(fill(new QLabel, mark, Face::Regular));
    if (action) {
        auto* row = new InspectorRow({{}, plain, false, false, false, false, {}, plain}, m_palette);
        row->setAction(std::move(action));
        layout->addWidget(row, 1);
    } else {
        QLabel* body = fill(new WrappedLabel, plain, Face::Regular);
        body->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        layout->addWidget(body, 1);
    }
    if (!right.isEmpty())
        layout->addWidget(fill(new QLabel, right, Face::SemiBold));
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
    auto* right = new WrappedLabel;
    right->setTextFormat(Qt::PlainText);
    right->setFont(uiFont(Face::Mono, 11.5));
    right->setText(value.size() <= kMaxShown
                       ? value
                       : tr("%1… (%2 characters in all)").arg(value.left(kMaxShown)).arg(value.size()));
    right->setToolTip(plainTip(value.left(kMaxShown))); // a long word does not wrap
    right->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    right->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    right->setFocusPolicy(Qt::ClickFocus);
    right->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    right->setAccessibleName(name);
    layout->addWidget(left);
    layout->addWidget(right, 1);
    addWidget(line);
}

void InspectorPage::finish() {
    m_layout->addStretch(1);
}

} // namespace lacuna::ui
