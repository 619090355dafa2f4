#include "app/finder_control.h"

#include "app/go_to.h"
#include "app/run_window.h"
#include "core/base/fuzzy_match.h"
#include "core/base/text_format.h"
#include "widgets/command/command_registry.h"
#include "widgets/text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr int kWidest = 420, kNarrowest = 180, kCornerMargin = 12, kMenuSpare = 16;
constexpr qsizetype kRecent = 8;
constexpr int kRecentBonus = 12;

struct Ranked {
    int score = 0;
    PaletteEntry entry;
};

std::vector<PaletteEntry> bestFirst(std::vector<Ranked> ranked) {
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        return std::pair(a.entry.isEnabled, a.score) > std::pair(b.entry.isEnabled, b.score);
    });
    std::vector<PaletteEntry> entries;
    entries.reserve(ranked.size());
    for (Ranked& one : ranked)
        entries.push_back(std::move(one.entry));
    return entries;
}

std::optional<int> score(const QString& typed, const QString& title, const QString& group) {
    const std::string letters = typed.toStdString();
    if (const auto direct = fuzzyScore(letters, title.toStdString()))
        return *direct + 4; // better than with the help of the group
    return fuzzyScore(letters, (title + u' ' + group).toStdString());
}

// What goTo() takes, of what a person types after the colon: seconds where no unit is given.
std::string targetOf(const QString& typed) {
    static const QRegularExpression kCounted(u"^(step|gap)[ :]*([0-9]+)$"_s,
                                             QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression kNumber(u"^-?[0-9]+([.][0-9]*)?$"_s);
    const QString text = typed.trimmed();
    if (const auto counted = kCounted.match(text); counted.hasMatch())
        return (counted.captured(1).toLower() + u':' + counted.captured(2)).toStdString();
    QStringList ends = text.split(u".."_s);
    for (QString& end : ends) {
        end = end.trimmed().remove(u' ');
        if (kNumber.match(end).hasMatch())
            end += u's';
    }
    return ends.join(u".."_s).toStdString();
}

} // namespace

FinderControl::FinderControl(QMainWindow& window, SearchSession& search, TimelineViewModel& view,
                             CommandRegistry& commands, const ThemePalette& palette,
                             std::function<void()> showResults)
    : QObject(&window), m_window(window), m_search(search), m_view(view), m_commands(commands),
      m_showResults(std::move(showResults)), m_corner(new QWidget), m_field(new SearchField(palette)),
      m_list(new PaletteList(palette, &window)) {
    auto* layout = new QHBoxLayout(m_corner);
    layout->setContentsMargins(0, 3, kCornerMargin, 3);
    layout->addWidget(m_field);
    window.menuBar()->setCornerWidget(m_corner, Qt::TopRightCorner);
    window.installEventFilter(this);
    m_field->installEventFilter(this);
    registerCommands();
    m_field->setText(search.typed()); // of the widgets before these
    connect(m_field, &QLineEdit::textChanged, this, &FinderControl::typed);
    connect(m_field, &SearchField::entered, this, &FinderControl::enter);
    connect(m_field, &SearchField::left, this, &FinderControl::leave);
    connect(m_field, &SearchField::moved, m_list, &PaletteList::move);
    connect(m_list, &PaletteList::chosen, this, &FinderControl::run);
    connect(&search, &SearchSession::changed, this, [this] {
        showNote();
        m_commands.refresh();
    });
    connect(&search, &SearchSession::progress, this, &FinderControl::showNote);
    connect(&view.session().selection(), &SelectionModel::changed, this, &FinderControl::showNote);
    connect(&commands, &CommandRegistry::keysChanged, this, &FinderControl::showNote);
    showNote();
}

void FinderControl::setThemePalette(const ThemePalette& palette) {
    m_field->setThemePalette(palette);
    m_list->setThemePalette(palette);
}

void FinderControl::registerCommands() {
    const QString group = tr("Find");
    const auto open = [this] { return m_view.session().shown() != nullptr; };
    const auto add = [&](const QString& id, const QString& title, QList<QKeySequence> keys,
                         std::function<void()> run, std::function<bool()> available) {
        m_commands.add(
            {id, group, title, std::move(keys), std::move(run), std::move(available), nullptr, false, {}});
    };
    const auto found = [this] { return m_search.hits() != nullptr && !m_search.hits()->isEmpty(); };
    add(
        u"find.search"_s, tr("&Find..."), {QKeySequence(Qt::CTRL | Qt::Key_F), Qt::Key_Slash},
        [this] { begin(m_search.typed()); }, open);
    add(
        u"find.next"_s, tr("Next &hit"), {Qt::Key_F3}, [this] { m_search.step(1); }, found);
    add(
        u"find.previous"_s, tr("Previous h&it"), {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
        [this] { m_search.step(-1); }, found);
    add(u"find.results"_s, tr("List of hi&ts"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
        m_showResults, open);
    add(u"find.commands"_s, tr("&Command..."), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
        [this] { begin(u">"_s); }, {});
    add(
        u"find.lane"_s, tr("&Lane..."), {QKeySequence(Qt::CTRL | Qt::Key_P)}, [this] { begin(u"@"_s); },
        open);
    add(
        u"find.place"_s, tr("Ti&me or step..."), {Qt::Key_Colon}, [this] { begin(u":"_s); }, open);
    add(
        u"find.compiled"_s, tr("Compiled c&ode"), {}, [this] { begin(u"cat:compiled"_s); }, open);
}

void FinderControl::begin(const QString& typed) {
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->setText(typed);
    const bool isPrefix = typed.size() == 1 && u">:@"_s.contains(typed);
    if (!isPrefix)
        m_field->selectAll();
    this->typed(typed);
}

void FinderControl::typed(const QString& text) {
    const QString rest = text.mid(1);
    if (text.startsWith(u'>'))
        showCommands(rest);
    else if (text.startsWith(u'@'))
        showLanes(rest);
    else if (text.startsWith(u':'))
        showPlaces(rest);
    else {
        m_list->hide();
        m_search.setTyped(text);
    }
    showNote();
}

// --- lists

void FinderControl::showEntries(std::vector<PaletteEntry> entries, const QString& ifNone) {
    m_list->showEntries(std::move(entries), QRect(m_field->mapTo(&m_window, QPoint(0, 0)), m_field->size()),
                        ifNone);
}

void FinderControl::showCommands(const QString& typed) {
    std::vector<Ranked> ranked;
    for (const Command& command : m_commands.commands()) {
        const QString title = CommandRegistry::plainTitle(command);
        const auto fits = score(typed, title, command.group);
        if (!fits)
            continue;
        const qsizetype recent = m_recent.indexOf(command.id);
        const int bonus = recent < 0 ? 0 : kRecentBonus - int(recent);
        const auto run = [this, id = command.id] {
            m_recent.removeAll(id);
            m_recent.prepend(id);
            if (m_recent.size() > kRecent)
                m_recent.removeLast();
            m_commands.run(id);
        };
        ranked.push_back({*fits + bonus,
                          {title, command.group, m_commands.keyText(command.id),
                           m_commands.action(command.id)->isEnabled(), run}});
    }
    showEntries(bestFirst(std::move(ranked)), tr("No command of this name."));
}

void FinderControl::showLanes(const QString& typed) {
    const Document* document = m_view.session().shown();
    if (document == nullptr) {
        showEntries({}, tr("No trace is open."));
        return;
    }
    LayoutOptions all; // folded ones too
    all.facts = &document->facts;
    const RowLayout layout = RowLayout::build(document->trace(), all);
    std::vector<Ranked> ranked;
    QString group;
    for (const TimelineRow& row : layout.rows()) {
        const QString title = text(row.title);
        if (row.kind == RowKind::GroupHead)
            group = title;
        if (row.kind != RowKind::Lane)
            continue;
        const QString inGroup = row.indent > 0 ? group : QString();
        if (const auto fits = score(typed, title, inGroup))
            ranked.push_back({*fits, {title, inGroup, text(row.detail), true, [this, lane = row.lane] {
                                          m_view.revealLane(lane);
                                          m_view.session().selection().set(lane, Origin::Command);
                                      }}});
    }
    showEntries(bestFirst(std::move(ranked)), tr("No lane of this name."));
}

void FinderControl::showPlaces(const QString& typed) {
    if (m_view.session().document() == nullptr) {
        showEntries({}, tr("No trace is open."));
        return;
    }
    if (typed.trimmed().isEmpty()) {
        showEntries({}, tr("A time (1.1104, 3.5ms), a range (1ms..2ms), step 3 or gap 2"));
        return;
    }
    const std::string target = targetOf(typed);
    if (!isGoTo(target)) {
        showEntries({}, tr("This is no time, range, step or gap."));
        return;
    }
    QString what = tr("Go to %1").arg(text(target));
    if (const auto time = parseTime(target))
        what = tr("Go to %1").arg(text(formatExact({*time})));
    showEntries({{what,
                  {},
                  {},
                  true,
                  [this, target] {
                      if (const QString message = goTo(target, m_view); !message.isEmpty())
                          m_field->setNote(message, true);
                  }}},
                {});
}

// --- what is done

void FinderControl::run() {
    const bool isSearch = m_list->isHidden();
    if (isSearch || m_list->current() < 0)
        return;
    // The field shows the search again, and the keyboard is back where a command works on something.
    const QSignalBlocker quiet(m_field);
    m_field->setText(m_search.typed());
    m_window.findChild<QWidget*>(u"timeline"_s)->setFocus(Qt::OtherFocusReason);
    m_list->runCurrent();
    if (!m_field->hasFocus())
        m_list->hide();
}

void FinderControl::enter(bool backwards) {
    if (!m_list->isHidden()) {
        run();
        return;
    }
    if (m_search.typed().trimmed().isEmpty())
        return;
    m_showResults();
    if (m_search.args() == SearchSession::Args::Waiting)
        m_search.readArgs();
    else
        m_search.step(backwards ? -1 : 1);
}

void FinderControl::leave() {
    const bool wasList = !m_list->isHidden();
    m_list->hide();
    m_field->setText(wasList ? m_search.typed() : QString());
    m_window.findChild<QWidget*>(u"timeline"_s)->setFocus(Qt::OtherFocusReason);
}

void FinderControl::showNote() {
    const SearchHits* hits = m_search.hits();
    if (m_field->text().isEmpty()) {
        const QAction* find = m_commands.action(u"find.search"_s);
        m_field->setNote(find->shortcut().toString(QKeySequence::NativeText));
    } else if (!m_list->isHidden()) {
        m_field->setNote({});
    } else if (!m_search.problem().isEmpty()) {
        m_field->setNote(tr("not understood"), true);
    } else if (m_search.args() == SearchSession::Args::Reading) {
        const ArgSearchState& state = m_search.argState();
        const double total = static_cast<double>(std::max<std::uint64_t>(1, state.rowsTotal));
        m_field->setNote(tr("%1, %2 read")
                             .arg(text(formatCount(state.found)),
                                  text(formatPercent(static_cast<double>(state.rowsRead) / total))));
    } else if (m_search.args() == SearchSession::Args::Waiting) {
        m_field->setNote(tr("Enter reads the file"));
    } else if (hits != nullptr) {
        const auto place = m_search.place();
        const QString count = text(formatCount(hits->size()));
        m_field->setNote(hits->isEmpty() ? tr("no hits")
                         : place         ? tr("%1 of %2").arg(text(formatCount(*place)), count)
                                         : tr("%1 hit(s)", nullptr, pluralOf(hits->size())).arg(count),
                         hits->isEmpty());
    } else {
        m_field->setNote({});
    }
    m_field->setToolTip(m_search.problem());
}

// As wide as the menus leave room.
void FinderControl::placeField() {
    int menus = 0;
    for (const QAction* action : m_window.menuBar()->actions())
        menus += m_window.menuBar()->actionGeometry(const_cast<QAction*>(action)).width();
    const int room = m_window.width() - menus - kCornerMargin - kMenuSpare;
    m_field->setFixedWidth(std::clamp(room, kNarrowest, kWidest));
    m_corner->adjustSize();
}

bool FinderControl::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::FocusOut) {
        if (!m_list->isHidden()) {
            m_list->hide();
            const QSignalBlocker quiet(m_field);
            m_field->setText(m_search.typed());
        }
        showNote();
    } else if (watched == &m_window && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) {
        m_list->hide();
        placeField();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lacuna::ui
