#include "widgets/steps/timing_log_dialog.h"

#include "core/analysis/outside_step.h"
#include "core/base/text_format.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr qint64 kMostBytes = qint64{8} << 20; // of a file: more is no log of steps
constexpr QSize kDialogSize(620, 420);

QString lossText(const std::vector<LoggedStep>& steps) {
    const auto has = [](const LoggedStep& step) { return step.loss.has_value(); };
    const auto first = std::ranges::find_if(steps, has);
    if (first == steps.end())
        return {};
    const auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), has);
    return TimingLogDialog::tr("Loss %1 to %2.").arg(*first->loss).arg(*last->loss);
}

} // namespace

TimingLogDialog::TimingLogDialog(StepStudy& study, const ThemePalette& palette, QWidget* parent)
    : QDialog(parent), m_study(study), m_text(new QPlainTextEdit), m_reading(new QLabel), m_use(nullptr) {
    setObjectName(u"timingLog"_s);
    setWindowTitle(tr("Steps without the profiler"));
    resize(kDialogSize);
    auto* about =
        new QLabel(tr("Paste what the training script printed when it ran without a profiler: a line "
                      "a step, with its time and unit."));
    about->setWordWrap(true);
    about->setFont(uiFont(Face::Regular, 12.5));
    m_text->setObjectName(u"timingLogText"_s);
    m_text->setAccessibleName(tr("Lines that the script printed"));
    m_text->setPlaceholderText(
        u"[0]: iter 10.2 ms, fps 12549\nstep 12 | loss 2.31 | 18.0 ms\ntime (ms): 18.0"_s);
    m_text->setFont(uiFont(Face::Mono, 12));
    m_text->setTabChangesFocus(true);
    m_reading->setObjectName(u"timingLogReading"_s);
    m_reading->setTextFormat(Qt::PlainText);
    m_reading->setWordWrap(true);
    m_reading->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_reading->setFont(uiFont(Face::SemiBold, 12.5));
    m_reading->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::Text).name()));
    auto* buttons = new QDialogButtonBox;
    m_use = buttons->addButton(tr("&Use"), QDialogButtonBox::AcceptRole);
    m_use->setObjectName(u"timingLogUse"_s);
    if (!study.settings().values()->outsideLog.empty()) { // a box shows the buttons that it has
        auto* forget = buttons->addButton(tr("&Forget the log"), QDialogButtonBox::DestructiveRole);
        forget->setObjectName(u"timingLogForget"_s);
        connect(forget, &QPushButton::clicked, this, &TimingLogDialog::forget);
    }
    auto* open = buttons->addButton(tr("&Open a file..."), QDialogButtonBox::ActionRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_reading);
    layout->addWidget(buttons);
    connect(m_text, &QPlainTextEdit::textChanged, this, &TimingLogDialog::read);
    connect(&study, &StepStudy::changed, this, &TimingLogDialog::read);
    connect(open, &QPushButton::clicked, this, &TimingLogDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::accepted, this, &TimingLogDialog::use);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    read();
    m_text->setFocus();
}

QStringList TimingLogDialog::readingLines(const TimingLog& log, const StepFacts& facts) {
    QStringList lines{
        log.otherLines == 0
            ? tr("Steps with a time: %1.").arg(log.steps.size())
            : tr("Steps with a time: %1; other lines: %2.").arg(log.steps.size()).arg(log.otherLines)};
    if (log.steps.empty())
        return lines;
    if (const QString loss = lossText(log.steps); !loss.isEmpty())
        lines << loss;
    AnalysisSettings trial = *facts.settings;
    const bool isTyped = trial.outsideNs.has_value();
    trial.outsideNs.reset();
    trial.outsideLog = log.steps;
    const auto sentences = outsideSentences(*facts.trace, facts.times, trial);
    for (const std::string& sentence : sentences)
        lines << text(sentence);
    if (sentences.empty())
        lines << tr("Mean %1. The trace has no steps to compare it with.")
                     .arg(text(formatDuration({std::llround(outsideStep(trial)->meanNs)})));
    if (isTyped)
        lines << tr("It takes the place of the typed step without profiler.");
    return lines;
}

void TimingLogDialog::read() {
    m_log = readTimingLog(m_text->toPlainText().toStdString());
    m_use->setEnabled(!m_log.steps.empty() && m_study.facts() != nullptr);
    if (m_text->document()->isEmpty())
        m_reading->setText(tr("Nothing is read yet."));
    else if (m_study.facts() != nullptr)
        m_reading->setText(readingLines(m_log, *m_study.facts()).join(u'\n'));
}

bool TimingLogDialog::openFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostBytes) {
        m_reading->setText(file.isOpen() ? tr("%1 is larger than a log of steps.").arg(path)
                                         : tr("%1 cannot be read: %2").arg(path, file.errorString()));
        return false;
    }
    m_text->setPlainText(QString::fromUtf8(file.readAll()));
    return true;
}

void TimingLogDialog::chooseFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open what the script printed"), {},
                                                      tr("Text (*.txt *.log);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void TimingLogDialog::use() {
    SessionSettings& settings = m_study.settings();
    settings.setOfTrace("outside_steps", loggedStepsText(m_log.steps), tr("Use the timing log"));
    if (settings.values()->outsideNs)
        settings.setOfTrace("outside_step", std::string(), tr("Use the timing log"));
    accept();
}

void TimingLogDialog::forget() {
    m_study.settings().setOfTrace("outside_steps", std::nullopt, tr("Forget the timing log"));
    accept();
}

} // namespace lacuna::ui
