#include "widgets/states/start_page.h"

#include "core/base/text_format.h"
#include "widgets/plain_tip.h"
#include "widgets/row_button.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr int kContentWidth = 720;
constexpr std::size_t kMaxRecent = 8; // shown here; the menu has all

QString dayText(const QDateTime& when) {
    const qint64 days = when.date().daysTo(QDate::currentDate());
    const QString time = when.toString(u"HH:mm"_s);
    if (days == 0)
        return QCoreApplication::translate("StartPage", "today %1").arg(time);
    if (days == 1)
        return QCoreApplication::translate("StartPage", "yesterday %1").arg(time);
    return QLocale(QLocale::English).toString(when.date(), u"d MMMM yyyy"_s);
}

// A row of the list: name, size, day, notes.
class RecentRow final : public RowButton {
public:
    RecentRow(const RecentFile& file, const ThemePalette& palette) : RowButton(palette) {
        const QFileInfo info(file.path);
        const bool there = info.exists();
        m_columns = {info.fileName(),
                     there ? ui::text(formatBytes(static_cast<std::uint64_t>(info.size()))) : QString(),
                     dayText(file.opened),
                     !there            ? StartPage::tr("missing")
                     : file.notes < 0  ? QString()
                     : file.notes == 0 ? StartPage::tr("no notes")
                                       : StartPage::tr("%n note(s)", nullptr, file.notes)};
        setEnabled(there);
        setToolTip(plainTip(file.path));
        setAccessibleName(m_columns.join(u", "_s));
        setFixedHeight(30);
        setFocusPolicy(Qt::TabFocus);
        if (there)
            setCursor(Qt::PointingHandCursor);
    }
    QSize sizeHint() const override { return {kContentWidth, 30}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setLayoutDirection(layoutDirection());
        paintPointed(painter, rect());
        painter.fillRect(QRect(0, height() - 1, width(), 1), m_palette.color(Ink::InnerLine));
        paintFocus(painter);
        painter.setFont(uiFont(Face::Regular, 12.5));
        painter.setPen(m_palette.color(isEnabled() ? Ink::Text : Ink::TextSecondary));
        const int w = width();
        painter.drawText(QRect(4, 0, w - 330, 30), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(m_columns[0], Qt::ElideMiddle, w - 340));
        painter.setPen(m_palette.color(Ink::TextSecondary));
        painter.drawText(QRect(w - 320, 0, 90, 30), Qt::AlignRight | Qt::AlignVCenter, m_columns[1]);
        painter.drawText(QRect(w - 210, 0, 140, 30), Qt::AlignLeft | Qt::AlignVCenter, m_columns[2]);
        painter.drawText(QRect(w - 80, 0, 76, 30), Qt::AlignRight | Qt::AlignVCenter, m_columns[3]);
    }

private:
    QStringList m_columns;
};

QLabel* plainLabel(const QString& content, Face face, double size) {
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setFont(uiFont(face, size));
    label->setText(content);
    return label;
}

} // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent), m_palette(ThemePalette::of(Theme::Light)) {
    setObjectName(u"startPage"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
}

void StartPage::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    rebuild();
}

void StartPage::show(const std::optional<OpenFailure>& failure, const std::vector<RecentFile>& recent,
                     const std::vector<SampleTrace>& samples) {
    m_failure = failure;
    m_recent = recent;
    m_samples = samples;
    rebuild();
}

void StartPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    painter.fillRect(rect(), m_palette.color(Ink::Ground));
}

void StartPage::rebuild() {
    if (m_content != nullptr) {
        m_content->hide();
        m_content->deleteLater();
    }
    m_content = new QWidget;
    auto* outer = new QHBoxLayout(m_content);
    auto* column = new QWidget;
    column->setMinimumWidth(kContentWidth);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 64, 0, 24);
    layout->setSpacing(0);
    layout->addWidget(m_failure ? makeFailure() : makeHead());
    layout->addSpacing(18);
    layout->addWidget(makeButtons());
    if (!m_recent.empty()) {
        layout->addSpacing(28);
        layout->addWidget(makeRecent());
    }
    layout->addStretch(1);
    outer->addStretch(2);
    outer->addWidget(column);
    outer->addStretch(3);
    this->layout()->addWidget(m_content);
}

QWidget* StartPage::makeHead() {
    auto* head = new QWidget;
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(plainLabel(tr("Open a trace."), Face::SemiBold, 23));
    QLabel* hint = plainLabel(
        tr("Drop a PyTorch or Chrome trace (.json, .json.gz) or an Nsight Systems export (.sqlite) here."),
        Face::Regular, 13);
    hint->setWordWrap(true);
    hint->setStyleSheet(u"color: %1"_s.arg(m_palette.color(Ink::TextSecondary).name()));
    layout->addWidget(hint);
    return head;
}

QWidget* StartPage::makeFailure() {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    const Error& error = m_failure->error;
    const QString name = displayName(m_failure->path);
    const auto add = [&](const QString& content, Face face, double size, Ink ink, const QString& id) {
        if (content.isEmpty())
            return;
        QLabel* label = plainLabel(content, face, size);
        label->setObjectName(id);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setFocusPolicy(Qt::ClickFocus);
        label->setStyleSheet(u"color: %1"_s.arg(m_palette.color(ink).name()));
        layout->addWidget(label);
    };
    add((m_failure->lacksMemory ? tr("%1 is large.") : tr("%1 could not be opened.")).arg(name),
        Face::SemiBold, 20, Ink::Text, u"failureTitle"_s);
    const QString question = m_failure->lacksMemory ? u' ' + tr("Open a part?") : QString();
    add(text(error.detail) + question, Face::Medium, 13, Ink::Gap, u"failureReason"_s);
    add(text(error.place) == name ? QString() : text(error.place), Face::Regular, 12.5, Ink::TextSecondary,
        u"failurePlace"_s);
    add(text(error.remedy), Face::Regular, 13, Ink::Text, u"failureRemedy"_s);
    add(m_failure->path, Face::Mono, 11.5, Ink::TextSecondary, u"failurePath"_s);
    if (m_failure->lacksMemory)
        layout->addWidget(makeMemoryButtons());
    return box;
}

QWidget* StartPage::makeMemoryButtons() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 4, 0, 0);
    const auto add = [&](const QString& title, const QString& id, OpenHow how) {
        auto* button = new QPushButton(title);
        button->setObjectName(id);
        connect(button, &QPushButton::clicked, this, [this, how] { Q_EMIT againRequested(how); });
        layout->addWidget(button);
    };
    if (m_failure->mayBePart)
        add(tr("Open a part"), u"startPart"_s, OpenHow::Part);
    auto* steps = new QPushButton(tr("Choose steps..."));
    steps->setObjectName(u"startSteps"_s);
    connect(steps, &QPushButton::clicked, this, &StartPage::stepsRequested);
    layout->addWidget(steps);
    add(tr("Try anyway"), u"startAnyway"_s, OpenHow::Anyway);
    layout->addStretch(1);
    return row;
}

QWidget* StartPage::makeButtons() {
    auto* rows = new QWidget;
    auto* column = new QVBoxLayout(rows);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* layout = new QHBoxLayout;
    auto* open = new QPushButton(m_failure ? tr("Open another...") : tr("Open..."));
    open->setObjectName(u"startOpen"_s);
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    layout->addWidget(open);
    auto* folder = new QPushButton(tr("Open a folder..."));
    folder->setObjectName(u"startFolder"_s);
    connect(folder, &QPushButton::clicked, this, &StartPage::folderRequested);
    layout->addWidget(folder);
    layout->addStretch(1);
    column->addLayout(layout);
    // On a line of their own: a window of 960 px has no room for all.
    layout = new QHBoxLayout;
    for (const SampleTrace& sample : m_samples) {
        auto* button = new QPushButton(tr("Example: %1").arg(sample.title));
        connect(button, &QPushButton::clicked, this,
                [this, resource = sample.resource] { Q_EMIT sampleRequested(resource); });
        layout->addWidget(button);
    }
    layout->addStretch(1);
    column->addLayout(layout);
    return rows;
}

QWidget* StartPage::makeRecent() {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->addWidget(plainLabel(tr("Recent"), Face::SemiBold, 12.5));
    head->addStretch(1);
    auto* clear = new QPushButton(tr("Clear"));
    clear->setFlat(true);
    clear->setAccessibleName(tr("Clear the list of recent files"));
    connect(clear, &QPushButton::clicked, this, &StartPage::clearRecentRequested);
    head->addWidget(clear);
    layout->addLayout(head);
    layout->addSpacing(4);
    for (std::size_t i = 0; i < std::min(kMaxRecent, m_recent.size()); ++i)
        layout->addWidget(makeRecentRow(m_recent[i]));
    return box;
}

QWidget* StartPage::makeRecentRow(const RecentFile& file) {
    auto* row = new RecentRow(file, m_palette);
    connect(row, &QAbstractButton::clicked, this, [this, path = file.path] { Q_EMIT fileRequested(path); });
    return row;
}

} // namespace lacuna::ui
