#include "app/document_tabs.h"

#include "app/main_window.h"
#include "app/open_work.h"
#include "widgets/session/document_title.h"
#include "widgets/session/open_traces.h"
#include "widgets/text.h"
#include "widgets/timeline/timeline_view.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {
constexpr QSize kDefaultWindow(1440, 900);
constexpr int kWhole = 100; // percent

QString nameOf(const MainWindow& page) {
    const Document* shown = const_cast<MainWindow&>(page).session().shown();
    return shown == nullptr ? DocumentTabs::tr("Start") : titleOf(*shown);
}
} // namespace

DocumentTabs::DocumentTabs(WindowState state, ThemeControl& theme, Work work, QWidget* parent)
    : QMainWindow(parent), m_state(std::move(state)), m_theme(theme), m_bar(new QTabBar),
      m_stack(new QStackedWidget), m_textPercent(m_state.layout().textPercent) {
    setObjectName(u"documentTabs"_s);
    setMinimumSize(leastWindowSize(m_textPercent));
    m_bar->setObjectName(u"documentTabBar"_s);
    m_bar->setAccessibleName(tr("Open files"));
    m_bar->setTabsClosable(true);
    m_bar->setMovable(true);
    m_bar->setExpanding(false);
    m_bar->setDrawBase(false);
    m_bar->setElideMode(Qt::ElideMiddle);
    m_bar->setDocumentMode(true);
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_stack, 1);
    setCentralWidget(central);
    connect(m_bar, &QTabBar::currentChanged, this, [this](int index) {
        m_stack->setCurrentIndex(index);
        refresh();
        if (MainWindow* now = current(); now != nullptr && now->session().shown() != nullptr)
            now->timeline().setFocus();
    });
    connect(m_bar, &QTabBar::tabMoved, this, [this](int from, int to) {
        QWidget* moved = m_stack->widget(from);
        m_stack->removeWidget(moved);
        m_stack->insertWidget(to, moved);
        m_stack->setCurrentIndex(m_bar->currentIndex());
    });
    connect(m_bar, &QTabBar::tabCloseRequested, this, &DocumentTabs::closeTab);
    resize(kDefaultWindow);
    if (const QByteArray geometry = m_state.layout().geometry; !geometry.isEmpty())
        restoreGeometry(geometry);
    if (work.size.isValid())
        resize(work.size * kWhole / m_textPercent);
    if (work.pages.empty())
        work.pages.push_back(nullptr);
    for (auto& page : work.pages)
        addPage(std::move(page));
    show(work.shown);
    refresh();
}

DocumentTabs::~DocumentTabs() {
    delete takeCentralWidget(); // pages read the theme: they go first
}

int DocumentTabs::count() const {
    return m_stack->count();
}

MainWindow* DocumentTabs::page(int index) const {
    return static_cast<MainWindow*>(m_stack->widget(index));
}

MainWindow* DocumentTabs::current() const {
    return page(m_stack->currentIndex());
}

DocumentTabs::Work DocumentTabs::takeWork() {
    Work work;
    work.shown = m_bar->currentIndex();
    if (!isMaximized() && !isFullScreen())
        work.size = size() * m_textPercent / kWhole;
    for (int i = 0; i < count(); ++i)
        work.pages.push_back(page(i)->takeWork());
    WindowLayout layout = m_state.layout();
    layout.geometry = saveGeometry();
    m_state.saveLayout(layout);
    return work;
}

MainWindow* DocumentTabs::addPage(std::unique_ptr<OpenWork> work) {
    auto* added = new MainWindow(m_state, m_theme, m_stack, std::move(work));
    added->setTextSizeChanged([this] { Q_EMIT textSizeChanged(); });
    added->setWindowState(Qt::WindowNoState); // the state of the window is ours
    added->setWindowFlags(Qt::Widget);
    added->setOpenElsewhere([this](const QString& path, const std::string& goTo, const QString& member) {
        open(path, goTo, member);
    });
    CommandRegistry& commands = added->commands();
    const auto several = [this] { return count() > 1; };
    const QString group = tr("Window");
    commands.add({u"window.nextTab"_s,
                  group,
                  tr("Next file"),
                  {QKeySequence(Qt::CTRL | Qt::Key_PageDown)},
                  [this] { step(1); },
                  several,
                  nullptr,
                  true,
                  {}});
    commands.add({u"window.previousTab"_s,
                  group,
                  tr("Previous file"),
                  {QKeySequence(Qt::CTRL | Qt::Key_PageUp)},
                  [this] { step(-1); },
                  several,
                  nullptr,
                  true,
                  {}});
    // Close empties a page; with others open the page goes as well.
    connect(commands.action(u"file.close"_s), &QAction::triggered, this, [this, added] {
        if (count() > 1 && added->session().shown() == nullptr && !added->session().isLoading())
            QMetaObject::invokeMethod(
                this, [this, added] { closeTab(m_stack->indexOf(added)); }, Qt::QueuedConnection);
    });
    connect(added, &QWidget::windowTitleChanged, this, &DocumentTabs::refresh);
    connect(&added->session(), &AnalysisSession::documentChanged, this, &DocumentTabs::tellOthers);
    connect(&OpenTraces::of(added->session()), &OpenTraces::showRequested, this,
            [this](const QString& path, const QString& member) { open(path, {}, member); });
    m_stack->addWidget(added);
    m_bar->addTab(nameOf(*added));
    return added;
}

MainWindow* DocumentTabs::emptyPage() {
    MainWindow* now = current();
    if (now != nullptr && now->session().shown() == nullptr && !now->session().isLoading())
        return now;
    MainWindow* added = addPage();
    show(count() - 1);
    return added;
}

void DocumentTabs::open(const QString& path, const std::string& goTo, const QString& member) {
    // A file that is open already is shown, not read again.
    for (int i = 0; i < count() && path != u"-"_s; ++i)
        if (const Document* shown = page(i)->session().shown();
            shown != nullptr && shown->member == member && QFileInfo(shown->path) == QFileInfo(path)) {
            show(i);
            if (!goTo.empty())
                page(i)->goToPlace(goTo);
            return;
        }
    if (WorkspaceControl::isWorkspace(path)) // to the tab of its trace, if there is one
        for (int i = 0; i < count(); ++i)
            if (page(i)->workspace().isOfOpenTrace(path)) {
                show(i);
                page(i)->open(path, goTo, member);
                return;
            }
    emptyPage()->open(path, goTo, member);
}

void DocumentTabs::take(const Handover& handover) {
    const std::string goTo = handover.goTo.toStdString();
    if (!handover.workspace.isEmpty())
        emptyPage()->openWorkspace(handover.workspace, handover.files.value(0), goTo, handover.member);
    for (qsizetype i = handover.workspace.isEmpty() ? 0 : 1; i < handover.files.size(); ++i)
        open(handover.files[i], i == 0 ? goTo : std::string(), i == 0 ? handover.member : QString());
    setWindowState(windowState() & ~Qt::WindowMinimized);
    QWidget::show();
    raise();
    activateWindow();
}

void DocumentTabs::show(int index) {
    m_bar->setCurrentIndex(index);
}

void DocumentTabs::step(int direction) {
    show((m_bar->currentIndex() + direction + count()) % count());
}

bool DocumentTabs::closeTab(int index) {
    MainWindow* closed = page(index);
    if (closed == nullptr || !closed->close())
        return false;
    if (count() == 1) {
        closed->session().close();
        closed->QWidget::show();
        return true;
    }
    m_stack->removeWidget(closed);
    m_bar->removeTab(index);
    closed->deleteLater();
    m_stack->setCurrentIndex(m_bar->currentIndex());
    refresh();
    return true;
}

void DocumentTabs::refresh() {
    for (int i = 0; i < count() && i < m_bar->count(); ++i) {
        m_bar->setTabText(i, nameOf(*page(i)).replace(u'&', u"&&"_s));
        const Document* shown = page(i)->session().shown();
        m_bar->setTabToolTip(i, shown == nullptr ? QString() : shown->path);
        page(i)->commands().refresh();
    }
    tellOthers();
    m_bar->setVisible(count() > 1);
    if (MainWindow* now = current())
        setWindowTitle(now->windowTitle());
}

// Each page, of what the other ones have open.
void DocumentTabs::tellOthers() {
    std::vector<std::pair<MainWindow*, OpenTrace>> all;
    for (int i = 0; i < count(); ++i)
        if (const Document* document = page(i)->session().document(); document != nullptr)
            all.emplace_back(page(i), OpenTrace{document->path, document->member, titleOf(*document),
                                                document->loaded.trace});
    for (int i = 0; i < count(); ++i) {
        std::vector<OpenTrace> others;
        for (const auto& [window, trace] : all)
            if (window != page(i))
                others.push_back(trace);
        OpenTraces::of(page(i)->session()).setOthers(std::move(others));
    }
}

void DocumentTabs::leave() {
    for (int i = 0; i < count(); ++i)
        page(i)->leave();
    WindowLayout layout = m_state.layout(); // as the last page has left it
    layout.geometry = saveGeometry();
    m_state.saveLayout(layout);
}

void DocumentTabs::closeEvent(QCloseEvent* event) {
    for (int i = count() - 1; i >= 0; --i) {
        show(i);
        if (!page(i)->close()) {
            event->ignore();
            return;
        }
    }
    WindowLayout layout = m_state.layout(); // as the last page has left it
    layout.geometry = saveGeometry();
    m_state.saveLayout(layout);
    event->accept();
}

} // namespace lacuna::ui
