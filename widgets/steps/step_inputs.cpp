#include "widgets/steps/step_inputs.h"

#include "core/analysis/outside_step.h"
#include "core/analysis/sample_statistics.h"
#include "core/analysis/throughput.h"
#include "core/base/text_format.h"
#include "core/settings/number_text.h"
#include "widgets/session/settings_store.h"
#include "widgets/steps/timing_log_dialog.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>
#include <string_view>

namespace lacuna::ui {

namespace {

constexpr const char* kPeak = "peak_flops";

double meanOf(std::vector<std::int64_t> values) {
    return sampleStatistics(std::move(values)).mean;
}

double meanIteration(const StepTimes& times) {
    std::vector<std::int64_t> iterations;
    for (const StepTime& step : times.measured())
        iterations.push_back(step.iterationNs);
    return meanOf(std::move(iterations));
}

double meanDuration(const StepTimes& times) {
    std::vector<std::int64_t> durations;
    for (const StepTime& step : times.measured())
        durations.push_back(step.range.length().v);
    return meanOf(std::move(durations));
}

QString grouped(double value, int digits) {
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(value, 'f', digits);
}

} // namespace

QStringList throughputLines(const AnalysisSettings& settings, const StepTimes& times) {
    QStringList lines;
    const Throughput speed = throughputOf(settings, meanIteration(times));
    if (speed.samplesPerSecond)
        lines
            << StepInputs::tr("%1 samples/s by the mean iteration").arg(grouped(*speed.samplesPerSecond, 2));
    lines << (speed.utilisation
                  ? StepInputs::tr("MFU %1 % (derived)").arg(grouped(*speed.utilisation * 100, 1))
                  : StepInputs::tr("MFU: %1").arg(text(speed.missing)));
    const double mean = meanDuration(times);
    if (const auto outside = outsideStep(settings); outside && mean > 0) {
        const double share = mean / outside->meanNs - 1;
        lines << StepInputs::tr("the capture adds %1%2 %")
                     .arg(share < 0 ? u"−"_s : u"+"_s, grouped(std::fabs(share) * 100, 1));
    }
    return lines;
}

StepInputs::StepInputs(StepStudy& study, QWidget* parent)
    : QWidget(parent), m_study(study), m_palette(ThemePalette::of(Theme::Light)),
      m_warmUp(new QCheckBox(tr("Statistics with the warm-up"))),
      m_startUp(new QCheckBox(tr("Start-up is my target"))), m_log(new QPushButton), m_results(new QLabel),
      m_problem(new QLabel) {
    m_warmUp->setObjectName(u"includeWarmUp"_s);
    m_startUp->setObjectName(u"startUpIsTarget"_s);
    m_startUp->setToolTip(tr("Findings come from what lies before the first measured step"));
    m_log->setObjectName(u"stepLog"_s);
    m_log->setToolTip(tr("What the training script printed without a profiler: step times and loss"));
    connect(m_log, &QPushButton::clicked, this, &StepInputs::askForLog);
    m_results->setObjectName(u"stepResults"_s);
    m_results->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setObjectName(u"stepProblem"_s);
    for (QLabel* label : {m_results, m_problem}) {
        label->setFont(uiFont(label == m_results ? Face::SemiBold : Face::Regular, 12));
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_problem->hide();
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(3);
    addField(*form, "samples_per_step", tr("Samples per step"), u"128"_s);
    addField(*form, "flops_per_sample", tr("FLOP per sample"), u"3e11"_s);
    addField(*form, "flops_per_step", tr("FLOP per step"), u"1.2e13"_s);
    addField(*form, kPeak, tr("Peak FLOP/s"), u"9.89e14"_s);
    addField(*form, "outside_step", tr("Step without profiler"), u"11.4ms"_s);
    form->addRow(QString(), m_log);
    addField(*form, "schedule", tr("Profiler schedule"), u"wait=1,warmup=1,active=3"_s);
    addField(*form, "steps.range", tr("Ranges that are steps"), u"train_step#"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 6);
    layout->setSpacing(4);
    layout->addWidget(m_results);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    layout->addWidget(m_warmUp);
    layout->addWidget(m_startUp);
    layout->addStretch(1);
    connect(m_warmUp, &QCheckBox::clicked, this, [this](bool on) {
        m_study.settings().setOfTrace("warm_up", on ? "include" : "exclude",
                                      on ? tr("Include the warm-up") : tr("Leave the warm-up out"));
    });
    connect(m_startUp, &QCheckBox::clicked, this, [this](bool on) {
        m_study.settings().setOfTrace("start_up", on ? "target" : "leave-out",
                                      on ? tr("Start-up is the target") : tr("Start-up is left out"));
    });
    connect(&study, &StepStudy::changed, this, &StepInputs::refresh);
    connect(&study.settings(), &SessionSettings::changed, this, &StepInputs::refresh);
    refresh();
}

void StepInputs::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    m_problem->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::Gap).name()));
    for (const Field& field : m_fields)
        field.label->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
}

void StepInputs::askForLog() {
    auto* dialog = new TimingLogDialog(m_study, m_palette, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void StepInputs::takeFocus() {
    m_fields.front().edit->setFocus(Qt::TabFocusReason);
}

void StepInputs::addField(QFormLayout& form, const char* key, const QString& label, const QString& example) {
    auto* edit = new QLineEdit;
    edit->setObjectName(u"step."_s + QString::fromLatin1(key));
    edit->setPlaceholderText(example);
    edit->setAccessibleName(label);
    auto* name = new QLabel(label);
    name->setFont(uiFont(Face::Regular, 12));
    name->setBuddy(edit);
    form.addRow(name, edit);
    m_fields.push_back({key, edit, name});
    const Field field = m_fields.back();
    connect(edit, &QLineEdit::textEdited, this, [this, field] { typed(field); });
    connect(edit, &QLineEdit::editingFinished, this, [this, field] { commit(field); });
}

// Remembered by the name of the GPU, for every trace of it.
bool StepInputs::isGpuPeak(const Field& field) const {
    return std::string_view(field.key) == kPeak && !m_study.settings().gpuName().empty();
}

void StepInputs::refresh() {
    const SessionSettings& settings = m_study.settings();
    const bool isOpen = m_study.view().session().document() != nullptr;
    for (const Field& field : m_fields) {
        field.edit->setEnabled(isOpen);
        std::string now = settingText(*settings.values(), field.key);
        if (isGpuPeak(field)) {
            const auto peak = gpuPeak(settings.gpuName());
            now = peak ? numberText(*peak) : std::string();
            field.label->setText(tr("Peak FLOP/s, one GPU"));
            field.edit->setToolTip(tr("Of one %1, dense, in the number format that is used; remembered for "
                                      "this name")
                                       .arg(text(settings.gpuName()))
                                       .toHtmlEscaped());
        } else if (std::string_view(field.key) == kPeak) {
            field.label->setText(tr("Peak FLOP/s, all GPUs"));
            field.edit->setToolTip({});
        }
        if (!(field.edit->hasFocus() && field.edit->isModified()))
            field.edit->setText(text(now));
    }
    m_log->setEnabled(isOpen);
    const std::size_t logged = settings.values()->outsideLog.size();
    m_log->setText(logged == 0 ? tr("From a timing log...")
                               : tr("Timing log: %n step(s)...", nullptr, pluralOf(logged)));
    m_warmUp->setEnabled(isOpen);
    m_startUp->setEnabled(isOpen);
    m_warmUp->setChecked(settings.values()->includeWarmUp);
    m_startUp->setChecked(settings.values()->startUpIsTarget);
    showResults(*settings.values());
}

void StepInputs::showResults(const AnalysisSettings& settings) {
    const StepFacts* facts = m_study.facts();
    m_results->setText(facts == nullptr ? QString() : throughputLines(settings, facts->times).join(u'\n'));
}

void StepInputs::refuse(const Field& field, const QString& why) {
    field.edit->setStyleSheet(
        why.isEmpty() ? QString()
                      : u"QLineEdit { border: 1px solid %1; }"_s.arg(m_palette.color(Ink::Gap).name()));
    field.edit->setAccessibleDescription(why);
    m_problem->setText(why);
    m_problem->setVisible(!why.isEmpty());
}

// What would follow from it, before it is entered.
void StepInputs::typed(const Field& field) {
    const std::string value = field.edit->text().trimmed().toStdString();
    const QString why = SessionSettings::refusal(field.key, value);
    refuse(field, why);
    if (!why.isEmpty())
        return;
    AnalysisSettings trial = *m_study.settings().values();
    if (!changeSetting(trial, field.key, value))
        return;
    if (isGpuPeak(field) && trial.peakFlops)
        *trial.peakFlops *= static_cast<double>(m_study.settings().gpuCount());
    showResults(trial);
}

void StepInputs::commit(const Field& field) {
    SessionSettings& settings = m_study.settings();
    if (!field.edit->isModified())
        return;
    const std::string value = field.edit->text().trimmed().toStdString();
    if (const QString why = SessionSettings::refusal(field.key, value); !why.isEmpty())
        return refuse(field, why);
    field.edit->setModified(false);
    refuse(field, {});
    const auto wanted = value.empty() ? std::nullopt : std::optional(value);
    if (!isGpuPeak(field)) {
        settings.setOfTrace(field.key, wanted, tr("Set %1").arg(field.label->text()));
    } else if (const Status done = settings.setGpuPeak(parseNumber(value)); !done) {
        refuse(field, text(done.error().detail));
    }
    refresh();
}

} // namespace lacuna::ui
