// NVTX: ranges, marks and definitions. Push/pop ranges nest per thread and domain; start/end ranges may cross
// others and end on another thread, so they get a lane of their own.

#include "core/import/nsys/nsys_reader.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace lacuna::nsys {

namespace {

// nsys.md section 3.5; the second number of each pair is the imported text format's.
enum NvtxType : std::int64_t {
    kCategory = 33,
    kMark = 34,
    kThreadName = 39,
    kPushPop = 59,
    kStartEnd = 60,
    kDomain = 75,
    kTextCategory = 64,
    kTextMark = 65,
    kTextPushPop = 70,
    kTextStartEnd = 71,
};

constexpr std::string_view kStartEndTitle = "start/end ranges";

bool isRange(std::int64_t type) {
    return type == kPushPop || type == kStartEnd || type == kTextPushPop || type == kTextStartEnd;
}
bool isStartEnd(std::int64_t type) {
    return type == kStartEnd || type == kTextStartEnd;
}
bool isMark(std::int64_t type) {
    return type == kMark || type == kTextMark;
}

class NvtxReader {
public:
    NvtxReader(NsysReader& reader, std::string_view table)
        : m_reader(reader),
          m_rows(
              reader, table,
              {"start", "end", "eventType", "globalTid", {"text", true}, "textId", "domainId", "category"}) {}

    void load() {
        while (m_rows.next()) {
            // Third-party tables without the column hold ranges.
            const auto type =
                m_rows.has(EventType) ? m_rows.integer(EventType) : std::optional<std::int64_t>(kPushPop);
            if (!type)
                m_rows.drop("bad_event_type", "NVTX rows without event type were left out.");
            else if (isRange(*type))
                range(*type);
            else if (isMark(*type))
                mark();
            else
                definition(*type);
        }
        nameThreads();
        nameCategories();
        titleDomains();
    }

private:
    enum Column { Begin, End, EventType, Tid, Text, TextId, Domain, Category };

    using DomainLane =
        std::tuple<std::optional<std::int64_t>, std::int64_t, bool>;          // thread, domain, start/end
    using CategoryKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>; // process, domain, category

    void range(std::int64_t type) {
        std::optional<Interval> time;
        const bool open = m_rows.isNull(End);
        if (!open)
            time = m_rows.interval(false);
        else if (const auto begin = m_rows.time())
            time = Interval{*begin, *begin};
        if (!time)
            return;
        const auto tid = m_rows.integer(Tid);
        const LaneId lane = rangeLane(tid, isStartEnd(type));
        const std::uint32_t row = add(lane, *time, EventKind::Range);
        if (open) {
            m_reader.openRanges.push_back(row);
            m_reader.report.note("unfinished_range",
                                 "NVTX ranges without end are drawn up to the last event of the file.",
                                 m_rows.place());
        }
    }

    // Ranges nest per thread and domain. A domain's name may stand behind its ranges: titles are set last.
    LaneId rangeLane(std::optional<std::int64_t> tid, bool isStartEnd) {
        const std::int64_t domain = m_rows.integerOr(Domain, 0);
        if (domain == 0)
            return m_reader.hostLane(LaneKind::Range, tid, isStartEnd ? kStartEndTitle : std::string_view{});
        const DomainLane key{tid, domain, isStartEnd};
        if (!m_lastDomainLane || key != m_lastDomain) {
            LaneId& lane = m_domainLanes[key];
            if (!lane)
                lane = m_reader.hostLane(LaneKind::Range, tid,
                                         titleOf("domain " + std::to_string(domain), isStartEnd));
            m_lastDomain = key;
            m_lastDomainLane = lane;
        }
        return m_lastDomainLane;
    }

    static std::string titleOf(std::string_view domain, bool isStartEnd) {
        std::string title(domain);
        if (isStartEnd)
            title.append(", ").append(kStartEndTitle);
        return title;
    }

    void titleDomains() {
        for (const auto& [key, lane] : m_domainLanes) {
            const auto& [tid, domain, isStartEnd] = key;
            const auto at = m_domains.find({processKey(tid.value_or(0)), domain});
            if (at != m_domains.end() && !at->second.empty())
                m_reader.builder.setLaneTitle(lane, titleOf(at->second, isStartEnd));
        }
    }

    void mark() {
        if (const auto at = m_rows.time())
            add(m_reader.hostLane(LaneKind::Marks, m_rows.integer(Tid), "marks"), {*at, *at},
                EventKind::Instant);
    }

    void definition(std::int64_t type) {
        if (type == kThreadName) {
            if (const auto tid = m_rows.integer(Tid))
                m_threadNames.insert_or_assign(*tid, std::string(m_reader.builder.strings().view(name())));
        } else if (type == kDomain) {
            m_domains.insert_or_assign({processKey(m_rows.integerOr(Tid, 0)), m_rows.integerOr(Domain, 0)},
                                       std::string(m_reader.builder.strings().view(name())));
        } else if (type == kCategory || type == kTextCategory) {
            if (const auto key = categoryKey())
                m_categories.insert_or_assign(*key, name());
        }
        m_rows.keep(EventKind::Metadata);
    }

    std::uint32_t add(LaneId lane, Interval time, EventKind kind) {
        const bool nameless = m_rows.isNull(Text) && m_rows.isNull(TextId);
        const StringId text = name();
        const std::uint32_t row =
            m_reader.builder.add({lane, time.begin, time.end, text, kind, 0, m_rows.source()});
        m_rows.keep(kind);
        if (nameless)
            if (const auto key = categoryKey())
                m_nameless.emplace_back(row, *key);
        return row;
    }

    std::optional<CategoryKey> categoryKey() const {
        const auto category = m_rows.integer(Category);
        if (!category)
            return std::nullopt;
        return CategoryKey{processKey(m_rows.integerOr(Tid, 0)), m_rows.integerOr(Domain, 0), *category};
    }

    StringId name() {
        if (!m_rows.isNull(Text))
            return m_reader.builder.strings().intern(m_rows.text(Text));
        return m_reader.name(m_rows.integer(TextId), "(no name)", m_rows);
    }

    void nameThreads() {
        for (const auto& [tid, text] : m_threadNames)
            if (!text.empty()) {
                m_reader.threadNames.insert_or_assign(tid, text);
                m_reader.renameThread(tid);
            }
    }

    void nameCategories() {
        for (const auto& [row, key] : m_nameless)
            if (const auto at = m_categories.find(key); at != m_categories.end())
                m_reader.builder.setName(row, at->second);
    }

    NsysReader& m_reader;
    TableRows m_rows;
    std::vector<std::pair<std::uint32_t, CategoryKey>> m_nameless;
    std::map<CategoryKey, StringId> m_categories;
    std::map<std::int64_t, std::string> m_threadNames;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_domains; // by process and domain
    std::map<DomainLane, LaneId> m_domainLanes;
    DomainLane m_lastDomain;
    LaneId m_lastDomainLane;
};

} // namespace

void loadNvtx(NsysReader& reader) {
    for (const std::string_view table : {"NVTX_EVENTS", "NVTXT_EVENTS"}) // the second: imported text files
        NvtxReader(reader, table).load();
}

} // namespace lacuna::nsys
