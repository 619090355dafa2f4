#include "widgets/tables/column_look.h"

#include "core/trace/row_poll.h"
#include "widgets/text.h"

#include <algorithm>
#include <limits>

namespace lacuna::ui {

namespace {

// Times to the microsecond at least, so that starts of a long trace can be told apart.
int decimalsOf(TimeUnit unit) {
    return unit == TimeUnit::Ns ? 0 : unit == TimeUnit::S ? 6 : 3;
}

bool isTimeColumn(const ReportColumn& column) {
    return column.type == ReportColumn::Type::Ns ||
           (column.type == ReportColumn::Type::Decimal && column.title.ends_with("(ns)"));
}

std::int64_t wholeNs(const ReportColumn& column, std::int64_t value) {
    std::int64_t scale = 1;
    for (unsigned i = 0; i < column.decimals; ++i)
        scale *= 10;
    return (value + (value < 0 ? -scale / 2 : scale / 2)) / scale;
}

// The title without its unit: "Total Time (ns)" and "self_host_ns" have theirs in the same place.
QString bareTitle(const ReportColumn& column) {
    QString title = text(column.title);
    if (title == title.toLower() && title.contains(u'_'))
        title.replace(u'_', u' ');
    if (!isTimeColumn(column))
        return title;
    for (const QString& unit : {u" (ns)"_s, u" ns"_s})
        if (title.endsWith(unit))
            title.chop(unit.size());
    return title;
}

// Thin spaces between groups of three in front of the point.
QString grouped(QString number) {
    static constexpr QChar kThinSpace(0x2009);
    const qsizetype point = number.indexOf(u'.');
    const qsizetype first = number.startsWith(u'-') ? 1 : 0;
    for (qsizetype at = (point < 0 ? number.size() : point) - 3; at > first; at -= 3)
        number.insert(at, kThinSpace);
    return number;
}

// isZero: of the value itself; ns is rounded.
QString shownTime(std::int64_t ns, bool isZero, bool isNegative, TimeUnit unit) {
    const int decimals = decimalsOf(unit);
    QString number = text(formatIn({ns}, unit, decimals));
    if (isZero || std::any_of(number.begin(), number.end(), [](QChar c) { return c >= u'1' && c <= u'9'; }))
        return number;
    const QString least = decimals == 0 ? u"1"_s : u"0."_s + QString(decimals - 1, u'0') + u'1';
    return (isNegative ? u"> -"_s : u"< "_s) + least;
}

} // namespace

std::optional<std::vector<ColumnLook>> columnLooks(const ReportTable& table, JobControl& job) {
    RowPoll poll(job);
    std::vector<ColumnLook> looks;
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
        const ReportColumn& column = table.columns()[c];
        ColumnLook look{bareTitle(column), column.type != ReportColumn::Type::Text, isTimeColumn(column),
                        TimeUnit::Ns};
        if (look.isTime) {
            std::int64_t most = 0;
            for (std::size_t row = 0; row < table.rows(); ++row) {
                if (!poll.tick())
                    return std::nullopt;
                if (table.isEmpty(row, c))
                    continue;
                const std::int64_t ns = wholeNs(column, table.number(row, c));
                most = std::max(most, ns < 0 ? -ns : ns);
            }
            look.unit = unitFor({most});
            look.title += u", "_s + text(unitName(look.unit));
        }
        looks.push_back(look);
    }
    return looks;
}

QString shownCell(const ReportTable& table, const ColumnLook& look, std::size_t row, std::size_t column) {
    if (table.isEmpty(row, column))
        return {};
    if (const std::int64_t value = table.number(row, column); look.isTime)
        return shownTime(wholeNs(table.columns()[column], value), value == 0, value < 0, look.unit);
    switch (table.columns()[column].type) {
    case ReportColumn::Type::Ns:
    case ReportColumn::Type::Integer:
    case ReportColumn::Type::Decimal:
        return grouped(text(table.cellText(row, column)));
    case ReportColumn::Type::Text:
        break;
    }
    return text(table.text(row, column)).simplified();
}

QString exactCell(const ReportTable& table, std::size_t row, std::size_t column) {
    if (table.isEmpty(row, column))
        return {};
    switch (table.columns()[column].type) {
    case ReportColumn::Type::Ns:
        return text(formatExact({table.number(row, column)}));
    case ReportColumn::Type::Text:
        return text(table.text(row, column));
    default:
        return grouped(text(table.cellText(row, column))) +
               (isTimeColumn(table.columns()[column]) ? u" ns"_s : QString());
    }
}

} // namespace lacuna::ui
