#include "core/import/detail/sqlite_pages.h"

#include <array>
#include <fcntl.h>
#include <limits>
#include <unistd.h>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kFileHeader = 100;
constexpr std::size_t kSmallestPage = 512, kLargestPage = 65'536, kSmallestUsable = 480;
constexpr unsigned char kUtf8 = 1, kInnerTablePage = 5, kLeafTablePage = 13;
constexpr std::size_t kInnerHeader = 12, kLeafHeader = 8, kLeastCell = 6; // bytes; a cell with its pointer
constexpr unsigned kDeepestTree = 20;                                     // as SQLite itself allows
constexpr std::size_t kOverflowMargin = 35; // a record up to the usable size less this lies on one page

std::size_t bigEndian16(const unsigned char* p) {
    return std::size_t{p[0]} << 8 | p[1];
}
std::uint32_t bigEndian32OfPage(const unsigned char* p) {
    return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

bool readFully(int descriptor, std::uint64_t offset, std::span<unsigned char> into) {
    while (!into.empty()) {
        const ssize_t got = ::pread(descriptor, into.data(), into.size(), static_cast<off_t>(offset));
        if (got <= 0)
            return false;
        into = into.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    return true;
}

// Number of cells of a page whose header has `header` bytes; 0 when their pointers do not fit.
std::size_t cellsOf(SqliteBytes page, std::size_t header, std::size_t pageSize) {
    const std::size_t cells = bigEndian16(&page[3]);
    return cells <= (pageSize - kLeafHeader) / kLeastCell && header + 2 * cells <= page.size() ? cells : 0;
}

class LeafWalk {
public:
    LeafWalk(const SqlitePages& pages, const JobControl& job) : m_pages(pages), m_job(job) {}

    // Adds the leaves below a page whose rows lie in (m_before, last].
    bool walk(std::uint32_t number, std::int64_t last, unsigned depth) {
        if (number < 2 || number > m_pages.pageCount() || depth > kDeepestTree)
            return false;
        std::vector<unsigned char> bytes(m_pages.pageSize());
        if (!m_pages.read(number, bytes))
            return false;
        const SqliteBytes page = SqliteBytes(bytes).first(m_pages.usableSize());
        if (page[0] == kLeafTablePage) // only a root is looked at to learn this
            return addLeaf(number, last);
        const std::size_t cells = cellsOf(page, kInnerHeader, m_pages.pageSize());
        if (page[0] != kInnerTablePage || cells == 0 || m_job.cancelled())
            return false;
        bool leavesBelow = false;
        if (!isLeaf(bigEndian32OfPage(&page[8]), leavesBelow))
            return false;
        for (std::size_t i = 0; i < cells; ++i) {
            const std::size_t at = bigEndian16(&page[kInnerHeader + 2 * i]);
            if (at < kInnerHeader + 2 * cells || at + 4 >= page.size())
                return false;
            const unsigned char* key = &page[at + 4];
            std::uint64_t bound = 0;
            if (!readSqliteVarint(key, page.data() + page.size(), bound) ||
                static_cast<std::int64_t>(bound) > last ||
                !below(bigEndian32OfPage(&page[at]), static_cast<std::int64_t>(bound), depth, leavesBelow))
                return false;
        }
        return below(bigEndian32OfPage(&page[8]), last, depth, leavesBelow);
    }
    std::vector<SqliteLeaf> leaves;

private:
    // Trees are of even depth: the children of a page are all leaves or none.
    bool below(std::uint32_t number, std::int64_t last, unsigned depth, bool isLeafPage) {
        return isLeafPage ? addLeaf(number, last) : walk(number, last, depth + 1);
    }
    bool isLeaf(std::uint32_t number, bool& leaf) {
        if (number < 2 || number > m_pages.pageCount())
            return false;
        std::vector<unsigned char> bytes(m_pages.pageSize());
        if (!m_pages.read(number, bytes))
            return false;
        leaf = bytes[0] == kLeafTablePage;
        return true;
    }
    bool addLeaf(std::uint32_t number, std::int64_t last) {
        if (number < 2 || number > m_pages.pageCount() || leaves.size() >= m_pages.pageCount() ||
            (!leaves.empty() && last <= leaves.back().lastRow))
            return false;
        leaves.push_back({number, last});
        return true;
    }

    const SqlitePages& m_pages;
    const JobControl& m_job;
};

} // namespace

std::optional<SqlitePages> SqlitePages::open(const SqliteDb& db) {
    const auto file = db.plainFile();
    SqlitePages pages;
    if (!file || (pages.m_descriptor = ::open(file->c_str(), O_RDONLY | O_CLOEXEC)) < 0)
        return std::nullopt;
    std::array<unsigned char, kFileHeader> header{};
    if (!readFully(pages.m_descriptor, 0, header))
        return std::nullopt;
    const std::size_t stored = bigEndian16(&header[16]);
    pages.m_pageSize = stored == 1 ? kLargestPage : stored;
    const bool isPowerOfTwo = (pages.m_pageSize & (pages.m_pageSize - 1)) == 0;
    if (pages.m_pageSize < kSmallestPage || !isPowerOfTwo ||
        pages.m_pageSize - header[20] < kSmallestUsable || bigEndian32OfPage(&header[56]) != kUtf8)
        return std::nullopt;
    pages.m_usableSize = pages.m_pageSize - header[20];
    // The count of the header holds only where both of its change counters agree.
    std::uint64_t count = db.fileSize() / pages.m_pageSize;
    if (bigEndian32OfPage(&header[24]) == bigEndian32OfPage(&header[92]))
        count = std::min<std::uint64_t>(count, bigEndian32OfPage(&header[28]));
    pages.m_pageCount =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
    return pages;
}

SqlitePages::SqlitePages(SqlitePages&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_pageSize(other.m_pageSize),
      m_usableSize(other.m_usableSize), m_pageCount(other.m_pageCount) {}

SqlitePages::~SqlitePages() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

bool SqlitePages::read(std::uint32_t first, std::span<unsigned char> into) const {
    return readFully(m_descriptor, std::uint64_t{first - 1} * m_pageSize, into);
}

std::optional<std::vector<SqliteLeaf>> leavesOfTable(const SqlitePages& pages, std::uint32_t root,
                                                     const JobControl& job) {
    LeafWalk walk(pages, job);
    if (!walk.walk(root, std::numeric_limits<std::int64_t>::max(), 0))
        return std::nullopt;
    return std::move(walk.leaves);
}

bool SqliteLeafCells::open(SqliteBytes page, std::size_t pageSize) {
    m_page = page;
    m_size = cellsOf(page, kLeafHeader, pageSize);
    return page[0] == kLeafTablePage && m_size > 0;
}

bool SqliteLeafCells::cell(std::size_t index, SqliteCell& cell) const {
    const std::size_t at = bigEndian16(&m_page[kLeafHeader + 2 * index]);
    if (at < kLeafHeader + 2 * m_size || at >= m_page.size())
        return false;
    const unsigned char* p = m_page.data() + at;
    const unsigned char* const end = m_page.data() + m_page.size();
    std::uint64_t size = 0, rowid = 0;
    if (!readSqliteVarint(p, end, size) || !readSqliteVarint(p, end, rowid) ||
        size > m_page.size() - kOverflowMargin || size > static_cast<std::size_t>(end - p))
        return false;
    cell = {static_cast<std::int64_t>(rowid), {p, static_cast<std::size_t>(size)}};
    return true;
}

} // namespace lacuna
