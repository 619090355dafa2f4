#include "core/import/slice_details.h"

#include "core/import/detail/json_nanos.h"
#include "core/import/detail/json_text.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace lacuna {

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;
constexpr std::string_view kEnd = "end.", kArgs = "args.";

// Fields of the end, which stand behind all others and begin with its time.
Fields takeEnd(Fields& fields) {
    const auto time = std::find_if(fields.rbegin(), fields.rend(),
                                   [](const auto& field) { return field.first == "end.ts"; });
    if (time == fields.rend())
        return {};
    const auto first = std::prev(time.base());
    Fields end(std::make_move_iterator(first), std::make_move_iterator(fields.end()));
    fields.erase(first, fields.end());
    return end;
}

} // namespace

void mergeSliceEnd(EventDetails& details, std::int64_t endNs, bool timesAreNs) {
    Fields end = takeEnd(details.fields);
    if (end.empty())
        return;
    const std::string& time = end.front().second;
    if ((timesAreNs ? json::nanosAsNs(time) : json::microsAsNs(time)) != endNs)
        return;
    for (auto& [name, value] : end) {
        const std::string_view plain = std::string_view(name).substr(kEnd.size());
        if (!plain.starts_with(kArgs)) { // its time; args that are no object
            details.fields.emplace_back(name, std::move(value));
            continue;
        }
        const auto same = [plain](const auto& field) { return field.first == plain; };
        const auto known = std::find_if(details.fields.begin(), details.fields.end(), same);
        if (known != details.fields.end())
            known->second = std::move(value);
        else
            details.fields.emplace_back(std::string(plain), std::move(value));
    }
}

} // namespace lacuna
