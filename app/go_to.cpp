#include "app/go_to.h"

#include "app/run_window.h"
#include "core/base/text_format.h"
#include "widgets/text.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace lacuna::ui {

namespace {

constexpr std::string_view kStep = "step:", kGap = "gap:";

// A number from 1 after the prefix; none for anything else.
std::optional<std::size_t> numberAfter(std::string_view text, std::string_view prefix) {
    if (text.substr(0, prefix.size()) != prefix)
        return std::nullopt;
    text.remove_prefix(prefix.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number == 0)
        return std::nullopt;
    return number;
}

} // namespace

bool isGoTo(const std::string& text) {
    return numberAfter(text, kStep) || numberAfter(text, kGap) || parseRange(text) || parseTime(text);
}

QString goTo(const std::string& target, TimelineViewModel& view) {
    const Document* document = view.session().document();
    if (document == nullptr)
        return {};
    if (const auto step = numberAfter(target, kStep)) {
        if (*step > document->steps.events.size())
            return TimelineViewModel::tr("This trace has no step %1.").arg(*step);
        view.fit(document->trace().events().range(document->steps.events[*step - 1]),
                 TimelineViewModel::kFitMargin);
    } else if (const auto gap = numberAfter(target, kGap)) {
        if (*gap > document->gaps->byRank().size())
            return TimelineViewModel::tr("This trace has no gap %1.").arg(*gap);
        view.goTo(document->gaps->byRank()[*gap - 1], Origin::Command);
        if (const auto range = view.selectedTime())
            view.fit(*range, 1.0 / 3.0);
    } else if (const auto range = parseRange(target)) {
        view.fit(*range, 0.0);
    } else if (const auto time = parseTime(target)) {
        view.centre({{*time}, {*time}});
    }
    return {};
}

} // namespace lacuna::ui
