#include "widgets/timeline/label_cache.h"

#include "core/view/short_name.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr qsizetype kMinChars = 3;    // of a whole form
constexpr qsizetype kMinCutChars = 5; // of a cut one, ellipsis not counted

// Hostile names may hold megabytes or control characters; neither reaches the text engine.
QString printable(std::string_view form) {
    constexpr std::size_t kMaxBytes = 400;
    QString text = QString::fromUtf8(form.data(), static_cast<qsizetype>(std::min(form.size(), kMaxBytes)));
    for (QChar& c : text)
        if (c.category() == QChar::Other_Control)
            c = QLatin1Char(' ');
    return text;
}

std::vector<std::string> formsOf(std::string_view name, EventKind kind, const EventLook* look) {
    if (look != nullptr)
        if (const auto given = look->names.find(name); given != look->names.end())
            return {given->second};
    std::vector<std::string> forms = shortNames(name, kind);
    if (look != nullptr && look->fullNames)
        forms.insert(forms.begin(), std::string(name));
    return forms;
}

} // namespace

void LabelCache::setLook(const EventLook* look) {
    static const EventLook kPlain;
    const EventLook& next = look == nullptr ? kPlain : *look;
    if (m_look.fullNames == next.fullNames && m_look.names == next.names)
        return;
    m_look = next;
    clear();
}

FittedLabel fitLabel(std::string_view name, EventKind kind, double widthPx, const TextStyle& style,
                     const EventLook* look) {
    const double smallest = style.pixelSize() * 0.25; // nothing is narrower: skips the measuring of slivers
    if (name.empty() || widthPx < smallest * static_cast<double>(kMinChars))
        return {};
    const std::vector<std::string> forms = formsOf(name, kind, look);
    QString last;
    for (const std::string& form : forms) {
        QString text = printable(form);
        const double width = style.width(text);
        if (width <= widthPx)
            return {std::move(text), width};
        last = std::move(text);
    }
    const QString cut = style.elided(last, widthPx);
    if (cut.size() - 1 < kMinCutChars)
        return {};
    return {cut, style.width(cut)};
}

const FittedLabel& LabelCache::fit(const Trace& trace, EventId event, double widthPx) {
    const auto bucket = static_cast<std::uint64_t>(std::clamp(widthPx / kBucketPx, 0.0, 1000.0));
    const EventKind kind = trace.events().kind[event.v];
    const std::uint64_t key = (static_cast<std::uint64_t>(trace.events().name[event.v].v) << 32) |
                              (bucket << 8) | static_cast<std::uint64_t>(kind);
    if (const auto at = m_labels.find(key); at != m_labels.end())
        return at->second;
    if (m_labels.size() >= kMaxLabels)
        m_labels.clear();
    ++m_misses;
    return m_labels[key] =
               fitLabel(trace.nameOf(event), kind, static_cast<double>(bucket) * kBucketPx, m_style, &m_look);
}

} // namespace lacuna::ui
