#include "widgets/figure/figure_hidden.h"

#include "core/view/short_name.h"
#include "widgets/text.h"
#include "widgets/timeline/annotation_painter.h"

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr qsizetype kShortestWord = 3;

// Names that the traced program chose. The profiler's own steps are none.
bool isFromUser(EventKind kind, std::string_view name) {
    switch (kind) {
    case EventKind::Range:
    case EventKind::GpuRange:
        return !name.starts_with("ProfilerStep#");
    case EventKind::Async:
    case EventKind::Instant:
    case EventKind::Python:
        return true;
    default:
        return false;
    }
}

std::set<StringId> userNames(const Trace& trace) {
    const EventTable& events = trace.events();
    std::vector<bool> isUsed(trace.strings().size(), false); // a few names stand in millions of rows
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        const StringId name = events.name[i];
        if (!isUsed[name.v] && isFromUser(events.kind[i], trace.strings().view(name)))
            isUsed[name.v] = true;
    }
    std::set<StringId> names;
    for (std::uint32_t id = 0; id < isUsed.size(); ++id)
        if (isUsed[id])
            names.insert(names.end(), StringId{id});
    return names;
}

std::vector<QString> wordsOf(const Trace& trace, const std::set<StringId>& names) {
    std::set<QString> words;
    for (const StringId name : names) {
        const std::string_view full = trace.strings().view(name);
        words.insert(text(full));
        for (const EventKind kind : {EventKind::Range, EventKind::Python})
            for (const std::string& form : shortNames(full, kind))
                words.insert(text(form));
    }
    std::vector<QString> sorted(words.begin(), words.end());
    std::erase_if(sorted, [](const QString& word) { return word.size() < kShortestWord; });
    std::ranges::stable_sort(sorted, std::greater<>{}, [](const QString& word) { return word.size(); });
    return sorted;
}

bool isInWord(const QString& text, qsizetype at) {
    return at >= 0 && at < text.size() && (text[at].isLetterOrNumber() || text[at] == u'_');
}

void replaceWord(QString& in, const QString& word, const QString& block) {
    for (qsizetype at = in.indexOf(word); at >= 0; at = in.indexOf(word, at)) {
        const qsizetype end = at + word.size();
        const bool isWhole =
            !(isInWord(in, at - 1) && isInWord(in, at)) && !(isInWord(in, end) && isInWord(in, end - 1));
        if (isWhole)
            in.replace(at, word.size(), block);
        at += isWhole ? block.size() : 1;
    }
}

} // namespace

HiddenNames::HiddenNames(const FigureInput& input) : m_input(input) {
    if (input.annotations != nullptr)
        m_redacted = redactedNames(*input.trace, *input.annotations);
    m_names = m_redacted;
    if (!input.hideUserNames)
        return;
    const std::set<StringId> user = userNames(*input.trace);
    m_words = wordsOf(*input.trace, user);
    const auto addGiven = [this](const auto& given) {
        for (const auto& [name, shown] : given)
            if (text(shown).size() >= kShortestWord)
                m_words.push_back(text(shown));
    };
    addGiven(input.look.names);
    addGiven(input.layout.plan.names);
    m_names.insert(user.begin(), user.end());
}

QString HiddenNames::in(const QString& said) const {
    QString shown = inOurs(said);
    for (const QString& word : m_words)
        replaceWord(shown, word, QString::fromUtf8(kRedactedText));
    return shown;
}

QString HiddenNames::inOurs(const QString& said) const {
    return m_redacted.empty() ? said : redacted(said, *m_input.trace, m_redacted);
}

AnnotationSet HiddenNames::in(const AnnotationSet& notes) const {
    AnnotationSet hidden = notes;
    if (m_names.empty() && !m_input.hideUserNames)
        return hidden;
    for (const Callout& note : notes.callouts()) {
        Callout one = note;
        one.title = in(QString::fromStdString(note.title)).toStdString();
        one.text = in(QString::fromStdString(note.text)).toStdString();
        if (m_input.hideUserNames)
            one.author.clear();
        hidden.apply(AnnotationEdit::replace(std::move(one)));
    }
    return hidden;
}

EventLook HiddenNames::look() const {
    EventLook look = m_input.look;
    if (m_input.hideUserNames)
        look.names.clear();
    for (const StringId name : m_names)
        look.names[std::string(m_input.trace->strings().view(name))] = kRedactedText;
    return look;
}

} // namespace lacuna::ui
