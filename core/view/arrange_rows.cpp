#include "core/view/arrange_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna {

namespace {

// A row and those that belong to it.
struct RowBlock {
    std::size_t head = 0;
    std::vector<std::size_t> children;
};

std::vector<std::string> keysOf(const std::vector<TimelineRow>& rows, const std::vector<std::size_t>& which) {
    std::vector<std::string> keys;
    keys.reserve(which.size());
    for (const std::size_t row : which)
        keys.push_back(rows[row].key);
    return keys;
}

std::vector<std::size_t> reordered(const std::vector<TimelineRow>& rows,
                                   const std::vector<std::size_t>& which,
                                   const std::vector<std::string>& wanted) {
    std::vector<std::size_t> order;
    order.reserve(which.size());
    for (const std::size_t place : orderedLike(keysOf(rows, which), wanted))
        order.push_back(which[place]);
    return order;
}

// Pinned blocks, then the others, then notes; every level in the wanted order.
std::vector<std::size_t> orderOf(const std::vector<TimelineRow>& rows,
                                 const std::vector<std::string>& wanted) {
    std::vector<std::size_t> pinned, others, notes;
    std::vector<RowBlock> blockAt(rows.size()); // by the index of its head
    std::size_t head = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].kind != RowKind::Note && rows[i].indent > 0) {
            blockAt[head].children.push_back(i);
            continue;
        }
        head = i;
        blockAt[i].head = i;
        (rows[i].kind == RowKind::Note ? notes : rows[i].pinned ? pinned : others).push_back(i);
    }
    std::vector<std::size_t> order;
    order.reserve(rows.size());
    for (const auto& level : {reordered(rows, pinned, wanted), reordered(rows, others, wanted), notes})
        for (const std::size_t row : level) {
            order.push_back(row);
            for (const std::size_t child : reordered(rows, blockAt[row].children, wanted))
                order.push_back(child);
        }
    return order;
}

// Everything but what stands around the strips grows.
void resize(TimelineRow& row, int percent) {
    if (row.kind != RowKind::Lane || row.stripCount == 0 || percent == 100)
        return;
    const double factor = std::clamp(percent, kLeastPercent, kMostPercent) / 100.0;
    const std::uint32_t last = row.stripCount - 1;
    const std::int32_t below = row.height - row.stripY(last) - row.heightOf(last);
    const auto scaled = [factor](std::int32_t v) {
        return std::max<std::int32_t>(2, static_cast<std::int32_t>(std::lround(v * factor)));
    };
    const std::int32_t air = row.stripPitch - row.stripHeight, subAir = row.subPitch - row.subHeight;
    row.stripHeight = scaled(row.stripHeight);
    row.subHeight = scaled(row.subHeight);
    row.stripPitch = row.stripHeight + air;
    row.subPitch = row.subHeight + subAir;
    row.height = row.stripY(last) + row.heightOf(last) + below;
}

} // namespace

std::vector<TimelineRow> arrangedRows(std::vector<TimelineRow> rows, const LanePlan& plan,
                                      std::vector<std::size_t>& oldIndex) {
    oldIndex = orderOf(rows, plan.order);
    std::vector<TimelineRow> arranged;
    arranged.reserve(rows.size());
    std::int32_t y = 0;
    for (const std::size_t index : oldIndex) {
        TimelineRow row = std::move(rows[index]);
        if (const auto percent = plan.percent.find(row.key); percent != plan.percent.end())
            resize(row, percent->second);
        if (const auto name = plan.names.find(row.key); name != plan.names.end()) {
            row.recordedTitle = std::move(row.title);
            row.title = name->second;
        }
        row.y = y;
        y += row.height;
        arranged.push_back(std::move(row));
    }
    return arranged;
}

} // namespace lacuna
