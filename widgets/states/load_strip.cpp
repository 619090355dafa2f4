#include "widgets/states/load_strip.h"

#include "core/base/text_format.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace lacuna::ui {

namespace {
constexpr int kHeight = 42, kBar = 3;
constexpr double kMinSecondsForGuess = 1.0;
} // namespace

QString progressText(const LoadProgress& progress) {
    const QString name = displayName(progress.path);
    if (progress.phase == JobControl::Phase::Indexing)
        return LoadStrip::tr("Sorting %1 — %2 event(s)", nullptr, pluralOf(progress.events))
            .arg(name, text(formatCount(progress.events)));
    if (progress.phase != JobControl::Phase::Reading)
        return LoadStrip::tr("Looking for gaps in %1 — %2 event(s)", nullptr, pluralOf(progress.events))
            .arg(name, text(formatCount(progress.events)));
    QString line = LoadStrip::tr("Reading %1").arg(name);
    if (progress.bytesTotal > 0)
        line += u" — "_s +
                LoadStrip::tr("%1 of %2")
                    .arg(text(formatBytes(progress.bytesDone)), text(formatBytes(progress.bytesTotal)));
    else if (progress.bytesDone > 0) // a pipe does not tell its size
        line += u" — "_s + text(formatBytes(progress.bytesDone));
    if (progress.events > 0)
        line += u", "_s + LoadStrip::tr("%1 event(s)", nullptr, pluralOf(progress.events))
                              .arg(text(formatCount(progress.events)));
    if (progress.seconds >= kMinSecondsForGuess && progress.bytesDone > 0 &&
        progress.bytesDone < progress.bytesTotal) {
        const double left = progress.seconds * static_cast<double>(progress.bytesTotal - progress.bytesDone) /
                            static_cast<double>(progress.bytesDone);
        line +=
            u", "_s + LoadStrip::tr("about %1 s left").arg(std::max(1, static_cast<int>(std::lround(left))));
    }
    return line;
}

LoadStrip::LoadStrip(AnalysisSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_palette(ThemePalette::of(Theme::Light)), m_text(new QLabel),
      m_stop(new QPushButton(tr("Open what is read"))), m_cancel(new QPushButton(tr("Cancel"))) {
    setObjectName(u"loadStrip"_s);
    setFixedHeight(kHeight);
    setAccessibleName(tr("Reading a trace"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setObjectName(u"loadText"_s);
    m_stop->setObjectName(u"loadStop"_s);
    m_cancel->setObjectName(u"loadCancel"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, kBar);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_stop);
    layout->addWidget(m_cancel);
    connect(m_stop, &QPushButton::clicked, &session, &AnalysisSession::stopOpen);
    connect(m_cancel, &QPushButton::clicked, &session, &AnalysisSession::cancelOpen);
    connect(&session, &AnalysisSession::loadStarted, this, [this] {
        showProgress();
        show();
    });
    connect(&session, &AnalysisSession::loadProgress, this, &LoadStrip::showProgress);
    connect(&session, &AnalysisSession::loadEnded, this, &QWidget::hide);
    hide();
}

void LoadStrip::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

void LoadStrip::showProgress() {
    const LoadProgress progress = m_session.progress();
    m_text->setText(progressText(progress));
    m_stop->setVisible(progress.canStop);
    update();
}

void LoadStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_palette.color(Ink::Ground));
    const LoadProgress progress = m_session.progress();
    const double share = progress.phase != JobControl::Phase::Reading ? 1.0
                         : progress.bytesTotal == 0                   ? 0.0
                                                    : static_cast<double>(progress.bytesDone) /
                                                          static_cast<double>(progress.bytesTotal);
    painter.fillRect(QRectF(0, height() - kBar, width(), kBar), m_palette.color(Ink::InnerLine));
    painter.fillRect(QRectF(0, height() - kBar, width() * std::min(1.0, share), kBar),
                     m_palette.color(Ink::Selection));
}

void LoadingPage::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

// Empty lanes; they do not move, so there is nothing to reduce for people who ask for less motion.
void LoadingPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_palette.color(Ink::Ground));
    painter.fillRect(QRect(0, 0, Measures::kHeadWidth, height()), m_palette.color(Ink::Window));
    constexpr std::array kLanes{28, 28, 90, 76, 30, 58};
    int y = Measures::kRulerHeight;
    painter.fillRect(QRect(0, 0, width(), y), m_palette.color(Ink::Window));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const int height : kLanes) {
        painter.fillRect(QRect(0, y, width(), 1), m_palette.color(Ink::InnerLine));
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_palette.color(Ink::InnerLine));
        painter.drawRoundedRect(
            QRectF(Measures::kHeadWidth + 12, y + height / 2.0 - 3, width() - Measures::kHeadWidth - 24, 6),
            3, 3);
        y += height;
    }
    painter.fillRect(QRect(0, y, width(), 1), m_palette.color(Ink::InnerLine));
    painter.fillRect(QRect(Measures::kHeadWidth - 1, 0, 1, height()), m_palette.color(Ink::Border));
}

} // namespace lacuna::ui
