#include "widgets/export/export_dialog.h"

#include "core/base/text_format.h"
#include "widgets/figure/contact_sheet.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDrag>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QMouseEvent>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace lacuna::ui {

namespace {
constexpr int kSoonMs = 120;
constexpr int kOptionsWidth = 330;
constexpr int kLaneListHeight = 132;
enum RangeChoice { kView, kSelection, kStep, kSheet };

// Two in a line, from left to right.
QWidget* pairs(std::initializer_list<QCheckBox*> checks) {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    int i = 0;
    for (QCheckBox* check : checks) {
        grid->addWidget(check, i / 2, i % 2);
        ++i;
    }
    return box;
}

// 1-based number of the step that a time lies in or that begins last before it.
int stepAt(const Document& document, TimeNs time) {
    int number = 1;
    for (std::size_t i = 0; i < document.steps.events.size(); ++i)
        if (document.trace().events().range(document.steps.events[i]).begin <= time)
            number = static_cast<int>(i) + 1;
    return number;
}
} // namespace

ExportDialog::ExportDialog(TimelineViewModel& model, Theme theme, QWidget* parent)
    : QDialog(parent), m_model(model),
      m_fonts(FigureFonts::load()), m_formats{new QRadioButton(tr("PNG")), new QRadioButton(tr("SVG")),
                                              new QRadioButton(tr("PDF"))},
      m_title(new QLineEdit), m_subtitle(new QLineEdit), m_range(new QComboBox), m_lanes(new QComboBox),
      m_theme(new QComboBox), m_step(new QSpinBox), m_width(new QSpinBox), m_height(new QSpinBox),
      m_laneList(new QListWidget), m_autoHeight(new QCheckBox(tr("as high as the lanes need"))),
      m_scale(new QDoubleSpinBox), m_showTitle(new QCheckBox(tr("title"))),
      m_showAxis(new QCheckBox(tr("axis"))), m_showLegend(new QCheckBox(tr("legend"))),
      m_showCallouts(new QCheckBox(tr("callouts"))), m_showProvenance(new QCheckBox(tr("provenance"))),
      m_altText(new QCheckBox(tr("alt text"))), m_embed(new QCheckBox(tr("view, to open it again"))),
      m_hideNames(new QCheckBox(tr("hide user names"))), m_preview(new QLabel), m_message(new QLabel),
      m_save(new QPushButton(tr("Save..."))), m_copy(new QPushButton(tr("Copy to clipboard"))) {
    setWindowTitle(tr("Export figure"));
    setObjectName(u"exportDialog"_s);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(420, 300);
    m_preview->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_preview->setAccessibleName(tr("Preview, exactly what is written"));
    m_preview->setToolTip(tr("What is written; drag it to another program"));
    m_preview->setCursor(Qt::OpenHandCursor);
    m_preview->installEventFilter(this);
    m_theme->addItem(tr("Light"), static_cast<int>(Theme::Light));
    m_theme->addItem(tr("Dark"), static_cast<int>(Theme::Dark));
    m_theme->addItem(tr("Print"), static_cast<int>(Theme::Print));
    m_theme->setCurrentIndex(theme == Theme::Dark ? 1 : 0);
    auto* top = new QHBoxLayout;
    top->setSpacing(16);
    top->addWidget(makeOptions());
    top->addWidget(m_preview, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->addLayout(top, 1);
    layout->addWidget(makeButtons());
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &ExportDialog::showPreview);
    const QSize wanted(1180, 640);
    resize(parent == nullptr ? wanted : wanted.boundedTo(parent->size() - QSize(40, 60)));
    readProvenance();
    changed();
}

ExportDialog::~ExportDialog() = default;

QWidget* ExportDialog::makeOptions() {
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(8);
    m_width->setObjectName(u"exportWidth"_s);
    m_height->setObjectName(u"exportHeight"_s);
    m_width->setRange(320, kMaxFigureSide);
    m_width->setValue(kFirstFigureSize.width());
    m_width->setSuffix(tr(" px"));
    m_height->setRange(200, kMaxFigureSide);
    m_height->setValue(900);
    m_height->setSuffix(tr(" px"));
    m_autoHeight->setChecked(true);
    m_height->setEnabled(false);
    m_scale->setRange(0.5, 8.0);
    m_scale->setSingleStep(0.5);
    m_scale->setDecimals(2);
    m_scale->setValue(kFirstFigureScale);
    m_scale->setSuffix(u" ×"_s);
    for (QCheckBox* check :
         {m_showTitle, m_showAxis, m_showLegend, m_showCallouts, m_showProvenance, m_altText, m_embed})
        check->setChecked(true);
    m_altText->setObjectName(u"exportAltText"_s);
    m_embed->setObjectName(u"exportEmbed"_s);
    m_embed->setToolTip(tr("Range, lanes and callouts, and the trace's name and hash; none of its data"));
    form->addRow(tr("Title"), m_title);
    form->addRow(tr("Subtitle"), m_subtitle);
    form->addRow(tr("Format"), makeFormats());
    form->addRow(tr("Range"), makeRange());
    addLanes(*form);
    form->addRow(tr("Width"), m_width);
    form->addRow(tr("Height"), m_height);
    form->addRow({}, m_autoHeight);
    form->addRow(tr("Scale"), m_scale);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("Show"),
                 pairs({m_showTitle, m_showAxis, m_showLegend, m_showCallouts, m_showProvenance}));
    form->addRow(tr("In the file"), pairs({m_altText, m_embed}));
    m_hideNames->setObjectName(u"exportHideNames"_s);
    m_hideNames->setToolTip(tr("Blocks out the names of ranges, marks and Python frames, and leaves out the "
                               "names that you gave, the name of the file, authors of notes and the view"));
    form->addRow(tr("Privacy"), m_hideNames);
    connect(m_hideNames, &QCheckBox::toggled, m_embed,
            [this](bool on) { m_embed->setDisabled(on || m_range->currentData() == kSheet); });
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setObjectName(u"exportMessage"_s);
    form->addRow(m_message);
    const FigureInput now = input();
    m_title->setPlaceholderText(defaultFigureTitle(now));
    m_subtitle->setPlaceholderText(defaultFigureSubtitle(now));
    for (QLineEdit* edit : {m_title, m_subtitle})
        connect(edit, &QLineEdit::textChanged, this, &ExportDialog::changed);
    for (QComboBox* combo : {m_range, m_lanes, m_theme})
        connect(combo, &QComboBox::currentIndexChanged, this, &ExportDialog::changed);
    for (QSpinBox* spin : {m_step, m_width, m_height})
        connect(spin, &QSpinBox::valueChanged, this, &ExportDialog::changed);
    connect(m_scale, &QDoubleSpinBox::valueChanged, this, &ExportDialog::changed);
    for (QCheckBox* check :
         {m_showTitle, m_showAxis, m_showLegend, m_showCallouts, m_showProvenance, m_autoHeight, m_hideNames})
        connect(check, &QCheckBox::toggled, this, &ExportDialog::changed);
    connect(m_autoHeight, &QCheckBox::toggled, m_height, &QWidget::setDisabled);
    box->setFixedWidth(std::max(kOptionsWidth, form->sizeHint().width())); // texts may be longer elsewhere
    return box;
}

QWidget* ExportDialog::makeRange() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_range->setObjectName(u"exportRange"_s);
    m_range->setAccessibleName(tr("Range"));
    m_range->addItem(tr("what the window shows"), kView);
    if (m_model.selectedTime())
        m_range->addItem(tr("the selection, with a margin"), kSelection);
    const Document& document = *m_model.session().document();
    m_step->setObjectName(u"exportStep"_s);
    m_step->setAccessibleName(tr("Number of the step"));
    m_step->setVisible(false);
    if (const auto steps = static_cast<int>(document.steps.events.size()); steps > 0) {
        m_range->addItem(tr("a step"), kStep);
        m_step->setRange(1, steps);
        m_step->setSuffix(tr(" of %1").arg(steps));
        const TimeRange shown = m_model.selectedTime().value_or(m_model.viewport().range());
        m_step->setValue(stepAt(document, {shown.begin.v + shown.length().v / 2}));
    }
    if (document.gaps != nullptr && !gapsOfSheet(*document.gaps).empty())
        m_range->addItem(tr("the worst gaps, a picture each"), kSheet);
    layout->addWidget(m_range, 1);
    layout->addWidget(m_step);
    connect(m_range, &QComboBox::currentIndexChanged, m_step,
            [this] { m_step->setVisible(m_range->currentData() == kStep); });
    // A sheet is a picture in pixels of several views.
    connect(m_range, &QComboBox::currentIndexChanged, this, [this] {
        const bool isSheet = m_range->currentData() == kSheet;
        if (isSheet)
            m_formats.front()->setChecked(true);
        for (QWidget* widget : {static_cast<QWidget*>(m_formats[1]), static_cast<QWidget*>(m_formats[2]),
                                static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_subtitle)})
            widget->setDisabled(isSheet);
        m_embed->setDisabled(isSheet || m_hideNames->isChecked());
    });
    return row;
}

// As in the window, or those that are ticked in a list: one line a lane, with what its group is called.
void ExportDialog::addLanes(QFormLayout& form) {
    m_lanes->setObjectName(u"exportLanes"_s);
    m_lanes->addItem(tr("as in the window"));
    m_lanes->addItem(tr("chosen"));
    m_laneList->setObjectName(u"exportLaneList"_s);
    m_laneList->setAccessibleName(tr("Lanes of the figure"));
    m_laneList->setFixedHeight(kLaneListHeight);
    m_laneList->setVisible(false);
    LayoutOptions all = m_model.layoutOptions(); // folded groups are taken apart here
    all.folded.clear();
    const RowLayout layout = RowLayout::build(m_model.session().document()->trace(), all);
    QString group;
    for (const TimelineRow& row : layout.rows()) {
        if (row.kind == RowKind::GroupHead)
            group = text(row.title);
        if (row.kind != RowKind::Lane)
            continue;
        const bool hasGroup = row.thread || row.device;
        auto* item = new QListWidgetItem(
            hasGroup && !group.isEmpty() ? group + u" \u203a "_s + text(row.title) : text(row.title),
            m_laneList);
        item->setData(Qt::UserRole, text(row.key));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(Qt::Checked);
        item->setToolTip(item->text());
    }
    form.addRow(tr("Lanes"), m_lanes);
    form.addRow({}, m_laneList);
    connect(m_lanes, &QComboBox::currentIndexChanged, m_laneList,
            [this](int way) { m_laneList->setVisible(way == 1); });
    connect(m_laneList, &QListWidget::itemChanged, this, &ExportDialog::changed);
}

std::set<std::string> ExportDialog::leftOutLanes() const {
    std::set<std::string> keys;
    for (int i = 0; i < m_laneList->count() && m_lanes->currentIndex() == 1; ++i)
        if (m_laneList->item(i)->checkState() == Qt::Unchecked)
            keys.insert(m_laneList->item(i)->data(Qt::UserRole).toString().toStdString());
    return keys;
}

QWidget* ExportDialog::makeFormats() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    for (QRadioButton* button : m_formats) {
        layout->addWidget(button);
        connect(button, &QRadioButton::toggled, this, [this] { m_soon.start(); });
    }
    layout->addStretch(1);
    m_formats.front()->setChecked(true);
    m_formats[1]->setToolTip(tr("Drawing with real text, for editing and for pages"));
    m_formats[2]->setToolTip(tr("Drawing on a page of its size, fonts embedded"));
    m_scale->setToolTip(tr("Pixels per logical pixel; in SVG and PDF, how fine bars are drawn"));
    return row;
}

QWidget* ExportDialog::makeButtons() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 8, 0, 0);
    auto* cancel = new QPushButton(tr("Cancel"));
    m_save->setObjectName(u"exportSave"_s);
    m_save->setDefault(true);
    m_copy->setObjectName(u"exportCopy"_s);
    m_copy->setAutoDefault(false);
    cancel->setAutoDefault(false);
    layout->addStretch(1);
    layout->addWidget(m_copy);
    layout->addWidget(m_save);
    layout->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ExportDialog::save);
    connect(m_copy, &QPushButton::clicked, this, &ExportDialog::copy);
    return row;
}

// The provenance line names the file by its hash; a big file takes a moment.
void ExportDialog::readProvenance() {
    m_provenance.read(m_model, [this](const QString& problem) {
        if (!problem.isEmpty())
            m_message->setText(problem);
        changed();
        Q_EMIT ready();
    });
}

bool ExportDialog::isReady() const {
    return !m_provenance.isReading();
}

FigureInput ExportDialog::input() const {
    FigureInput input = figureOfView(m_model);
    const Document& document = *m_model.session().document();
    if (m_range->currentData() == kStep)
        input.range =
            input.trace->events().range(document.steps.events[static_cast<std::size_t>(m_step->value() - 1)]);
    if (m_range->currentData() == kSelection)
        input.range = withMargin(*m_model.selectedTime());
    input.layout.plan.hidden.merge(leftOutLanes());
    input.title = m_title->text().trimmed();
    input.subtitle = m_subtitle->text().trimmed();
    m_provenance.addTo(input);
    input.size = QSize(m_width->value(), m_autoHeight->isChecked() ? 0 : m_height->value());
    input.scale = m_scale->value();
    input.theme = static_cast<Theme>(m_theme->currentData().toInt());
    input.showTitle = m_showTitle->isChecked();
    input.showAxis = m_showAxis->isChecked();
    input.showLegend = m_showLegend->isChecked();
    input.showCallouts = m_showCallouts->isChecked();
    input.showProvenance = m_showProvenance->isChecked();
    input.altText = m_altText->isChecked();
    input.embedView = m_embed->isChecked();
    input.hideUserNames = m_hideNames->isChecked();
    return input;
}

void ExportDialog::changed() {
    m_picture.reset();
    m_save->setEnabled(isReady());
    m_copy->setEnabled(isReady());
    m_soon.start();
}

std::vector<GapId> ExportDialog::sheet() const {
    return m_range->currentData() == kSheet ? gapsOfSheet(*m_model.session().document()->gaps)
                                            : std::vector<GapId>();
}

Status ExportDialog::check() const {
    const std::vector<GapId> gaps = sheet();
    return gaps.empty() ? checkFigure(input()) : checkSheet(input(), gaps);
}

const QImage& ExportDialog::picture() {
    if (!m_picture) {
        const std::vector<GapId> gaps = sheet();
        m_picture = !check()       ? QImage()
                    : gaps.empty() ? paintFigure(input(), m_fonts)
                                   : paintSheet(input(), gaps, m_fonts);
    }
    return *m_picture;
}

Result<QByteArray> ExportDialog::png() {
    const std::vector<GapId> gaps = sheet();
    return gaps.empty() ? pngBytes(picture(), input()) : sheetBytes(picture(), input(), gaps);
}

void ExportDialog::showPreview() {
    const Status status = check();
    const QImage& image = picture();
    m_save->setEnabled(isReady() && !image.isNull());
    m_copy->setEnabled(isReady() && !image.isNull());
    m_message->setText(!status      ? text(status.error().detail)
                       : !isReady() ? tr("Reading the file for its hash...")
                       : format() == FigureFormat::Png
                           ? tr("%1 × %2 pixels").arg(image.width()).arg(image.height())
                           : tr("%1 × %2 pixels at 96 to the inch")
                                 .arg(qRound(image.width() / image.devicePixelRatio()))
                                 .arg(qRound(image.height() / image.devicePixelRatio())));
    if (image.isNull()) {
        m_preview->clear();
        return;
    }
    const double ratio = devicePixelRatioF();
    QImage shown = image.scaled(m_preview->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    shown.setDevicePixelRatio(ratio);
    m_preview->setPixmap(QPixmap::fromImage(shown));
}

void ExportDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    m_soon.start();
}

FigureFormat ExportDialog::format() const {
    return m_formats[2]->isChecked()   ? FigureFormat::Pdf
           : m_formats[1]->isChecked() ? FigureFormat::Svg
                                       : FigureFormat::Png;
}

Status ExportDialog::writeTo(const QString& path) {
    const FigureInput wanted = input();
    if (const Status status = check(); !status)
        return status;
    const FigureFormat as = figureFormatOf(path).value_or(format());
    if (as != FigureFormat::Png && !sheet().empty())
        return Error{Errc::Unsupported, "Several pictures in one are a PNG.", {}, "End the name in .png."};
    const auto bytes = as == FigureFormat::Png ? png() : figureBytes(wanted, m_fonts, as);
    return bytes ? writeBytes(*bytes, path) : Status(bytes.error());
}

QString ExportDialog::suggestedName() const {
    return figureName(m_model.session().document()->path, format());
}

void ExportDialog::save() {
    const QString ending = endingOf(format());
    const QString start = QDir::homePath() + u'/' + suggestedName();
    const QString kinds = format() == FigureFormat::Pdf   ? tr("PDF document (*.pdf)")
                          : format() == FigureFormat::Svg ? tr("SVG drawing (*.svg)")
                                                          : tr("PNG picture (*.png)");
    QString path = QFileDialog::getSaveFileName(this, tr("Save figure"), start, kinds);
    if (path.isEmpty())
        return;
    if (!figureFormatOf(path))
        path += ending;
    if (const Status status = writeTo(path); !status) {
        m_message->setText(tr("%1 could not be written: %2 %3")
                               .arg(path, text(status.error().detail), text(status.error().remedy)));
        return;
    }
    Q_EMIT saved(path);
    accept();
}

std::unique_ptr<QMimeData> ExportDialog::clipboardData() {
    const FigureInput wanted = input();
    if (!check())
        return nullptr;
    const std::vector<GapId> gaps = sheet();
    const auto pixels = png();
    if (!pixels)
        return nullptr;
    if (gaps.empty())
        return figureMime(wanted, m_fonts, picture(), *pixels);
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(picture());
    mime->setData(u"image/png"_s, *pixels);
    mime->setText(sheetAltText(wanted, gaps));
    return mime;
}

std::unique_ptr<QMimeData> ExportDialog::dragData() {
    const QString file = m_dragged.filePath(suggestedName());
    if (!isReady() || !m_dragged.isValid() || !writeTo(file))
        return nullptr;
    auto mime = clipboardData();
    if (mime != nullptr)
        mime->setUrls({QUrl::fromLocalFile(file)});
    return mime;
}

bool ExportDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_preview)
        return QDialog::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        m_pressed = mouse->button() == Qt::LeftButton ? std::optional(mouse->pos()) : std::nullopt;
    } else if (event->type() == QEvent::MouseButtonRelease) {
        m_pressed.reset();
    } else if (event->type() == QEvent::MouseMove && m_pressed &&
               (static_cast<QMouseEvent*>(event)->pos() - *m_pressed).manhattanLength() >=
                   QApplication::startDragDistance()) {
        m_pressed.reset();
        if (std::unique_ptr<QMimeData> mime = dragData()) {
            constexpr int kDragWidth = 240;
            auto* drag = new QDrag(this); // Qt deletes it when it ends
            drag->setMimeData(mime.release());
            drag->setPixmap(m_preview->pixmap().scaledToWidth(kDragWidth, Qt::SmoothTransformation));
            drag->exec(Qt::CopyAction);
        }
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

void ExportDialog::copy() {
    if (std::unique_ptr<QMimeData> mime = clipboardData()) {
        QGuiApplication::clipboard()->setMimeData(mime.release()); // the clipboard owns it now
        m_message->setText(sheet().empty()
                               ? tr("The figure is on the clipboard as picture, drawing and text.")
                               : tr("The pictures are on the clipboard as one picture and text."));
    }
}

} // namespace lacuna::ui
