#include "app/kernel_control.h"

#include "app/theme_control.h"
#include "widgets/command/command_registry.h"
#include "widgets/kernels/kernel_page.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>

namespace lacuna::ui {

namespace {
constexpr int kDockWidth = 520, kDockLeast = 400, kHeadHeight = 26;
} // namespace

KernelControl::KernelControl(QMainWindow& window, KernelsPanel& panel, const PanelContext& context,
                             ThemeControl& theme)
    : QObject(&window), m_window(window), m_panel(panel), m_study(panel.study()), m_context(context),
      m_theme(theme) {
    makeDock();
    addCommands();
    connect(&panel, &KernelsPanel::kernelPointed, this, &KernelControl::showKernel);
    connect(&context.session.selection(), &SelectionModel::changed, this, &KernelControl::followSelection);
    connect(&m_study, &KernelStudy::changed, this, [this] {
        m_bundle.reset();
        m_launch.reset();
        m_instance = {};
        computeIfShown();
        followSelection();
        rebuild();
    });
    connect(&m_study, &KernelStudy::started, this, [this] {
        if (m_study.facts() == nullptr) // says that it is counting
            rebuild();
    });
    connect(&m_study, &KernelStudy::workFound, this, &KernelControl::rebuild);
    connect(&m_study, &KernelStudy::ncuChanged, this, [this] {
        m_launch.reset();
        m_context.commands.refresh();
        rebuild();
        if (m_study.ncu() != nullptr)
            Q_EMIT said(tr("%1: %2 profiled launches")
                            .arg(text(m_study.ncu()->fileName))
                            .arg(m_study.ncu()->kernels.size()));
    });
    connect(&m_study, &KernelStudy::ncuFailed, this, &KernelControl::said);
    connect(&theme, &ThemeControl::changed, this, &KernelControl::rebuild);
}

KernelControl::~KernelControl() {
    disconnect(m_dock, nullptr, this, nullptr);
    delete m_dock;
}

void KernelControl::makeDock() {
    m_dock = new QDockWidget(tr("Kernel"), &m_window);
    m_dock->setObjectName(u"kernelDock"_s);
    m_dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    m_head = new QWidget;
    m_head->setObjectName(u"kernelHead"_s);
    m_head->setFixedHeight(kHeadHeight);
    auto* layout = new QHBoxLayout(m_head);
    layout->setContentsMargins(14, 0, 6, 0);
    auto* title = new QLabel(tr("Kernel"));
    title->setFont(uiFont(Face::SemiBold, 12.5));
    auto* close = new QToolButton;
    close->setText(u"✕"_s);
    close->setAccessibleName(tr("Close the page of the kernel"));
    close->setFixedSize(24, 24);
    layout->addWidget(title);
    layout->addStretch(1);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, m_dock, &QDockWidget::hide);
    m_dock->setTitleBarWidget(m_head);
    m_scroll = new QScrollArea;
    m_scroll->setObjectName(u"kernelPage"_s);
    m_scroll->setLayoutDirection(Qt::LeftToRight); // as all panels
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setMinimumWidth(kDockLeast);
    m_scroll->setAccessibleName(tr("Kernel"));
    m_dock->setWidget(m_scroll);
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_window.resizeDocks({m_dock}, {kDockWidth}, Qt::Horizontal);
    m_dock->hide();
    connect(m_dock, &QDockWidget::visibilityChanged, this, [this](bool) { m_context.commands.refresh(); });
}

void KernelControl::addCommands() {
    CommandRegistry& commands = m_context.commands;
    commands.add({u"view.kernel"_s,
                  tr("Window"),
                  tr("&Kernel page"),
                  {Qt::Key_K},
                  [this] {
                      m_dock->setVisible(!m_dock->isVisible());
                      if (m_dock->isVisible()) {
                          computeIfShown();
                          followSelection();
                          rebuild();
                      }
                  },
                  [this] { return m_context.session.document() != nullptr || m_study.ncu() != nullptr; },
                  nullptr,
                  false,
                  [this] { return m_dock->isVisible(); }});
    commands.add({u"file.openNcu"_s,
                  tr("File and edit"),
                  tr("Open &Nsight Compute file..."),
                  {},
                  [this] { chooseNcuFile(); },
                  {},
                  nullptr,
                  false,
                  {}});
}

// ---- Nsight Compute files

bool KernelControl::isNcuFile(const QString& path) {
    if (QFileInfo(path).fileName().contains(u".ncu-rep"_s, Qt::CaseInsensitive)) // packed or not
        return true;
    constexpr qint64 kHead = 65'536;
    QFile file(path);
    if (!path.endsWith(u".csv"_s, Qt::CaseInsensitive) || !file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray head = file.read(kHead); // the header stands behind the lines of the program itself
    return head.contains("\"ID\",") && head.contains("Kernel Name");
}

void KernelControl::openNcuFile(const QString& path) {
    m_folder = QFileInfo(path).absolutePath();
    m_study.readNcuFile(path);
    m_dock->show();
    if (m_context.session.document() != nullptr && m_study.facts() == nullptr)
        m_study.compute();
}

void KernelControl::chooseNcuFile() {
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open an Nsight Compute file"), m_folder,
                                                      tr("Nsight Compute (*.ncu-rep *.csv);;All files (*)"));
    if (!path.isEmpty())
        openNcuFile(path);
}

// ---- which kernel

// The list to choose from, and the page, need the kernels counted.
void KernelControl::computeIfShown() {
    if (m_dock->isVisible() && m_context.session.document() != nullptr && m_study.facts() == nullptr &&
        !m_study.isComputing())
        m_study.compute();
}

// Chosen on the page: its first launch is selected, as a click in the panel does.
void KernelControl::goToKernel(std::size_t bundle) {
    if (m_study.facts() == nullptr || bundle >= m_study.facts()->bundles.size())
        return;
    const EventId first = m_study.facts()->bundles[bundle].instances.front();
    showKernel(bundle);
    m_context.view.goTo(first, Origin::Table);
}

void KernelControl::showKernel(std::size_t bundle) {
    m_dock->show();
    if (m_bundle == bundle)
        return;
    m_bundle = bundle;
    m_launch.reset();
    const std::vector<EventId>& instances = m_study.facts()->bundles[bundle].instances;
    m_instance = m_context.session.selection().event();
    if (std::find(instances.begin(), instances.end(), m_instance) == instances.end())
        m_instance = instances.front();
    m_study.findWork(m_instance);
    rebuild();
}

// A kernel that is selected anywhere is the one that is shown, as long as the page is.
void KernelControl::followSelection() {
    const EventId event = m_context.session.selection().event();
    if (!event || m_context.session.document() == nullptr || m_dock->isHidden() || event == m_instance)
        return;
    const auto bundle = m_study.bundleOf(event);
    if (!bundle)
        return;
    if (m_bundle != bundle)
        m_launch.reset();
    m_bundle = bundle;
    m_instance = event;
    m_study.findWork(event);
    rebuild();
}

std::optional<std::size_t> KernelControl::launchToShow() const {
    if (m_study.ncu() == nullptr || m_study.ncu()->kernels.empty())
        return std::nullopt;
    if (m_launch)
        return m_launch;
    if (!m_bundle || m_study.facts() == nullptr)
        return 0;
    const auto joined = m_study.profiledOf(m_study.facts()->bundles[*m_bundle]);
    return joined.empty() ? std::nullopt : std::optional(joined.front());
}

void KernelControl::rebuild() {
    const ThemePalette& palette = m_theme.palette();
    m_head->setStyleSheet(
        u"#kernelHead { background: %1; border-bottom: 1px solid %2; border-left: 1px solid %2; }"_s.arg(
            palette.color(Ink::Window).name(), palette.color(Ink::Border).name()));
    if (m_dock->isHidden())
        return;
    const bool isKnown = m_bundle && m_study.facts() != nullptr;
    const KernelPageInput input{m_study,
                                palette,
                                isKnown ? m_bundle : std::nullopt,
                                m_instance,
                                launchToShow(),
                                [this] { m_context.commands.run(u"instances.next"_s); },
                                [this](const QString& what) {
                                    QApplication::clipboard()->setText(what);
                                    Q_EMIT said(tr("The command is copied."));
                                },
                                [this](std::size_t launch) {
                                    m_launch = launch;
                                    rebuild();
                                },
                                [this] { chooseNcuFile(); },
                                [this](std::size_t bundle) { goToKernel(bundle); },
                                m_context.session.document() != nullptr};
    QWidget* page = makeKernelPage(input);
    if (QWidget* old = m_scroll->takeWidget()) { // it may be the sender of the signal that replaces it
        old->hide();
        old->deleteLater();
    }
    m_scroll->setWidget(page);
}

} // namespace lacuna::ui
