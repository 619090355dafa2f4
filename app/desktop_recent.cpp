#include "app/desktop_recent.h"

#include "widgets/text.h"

#include <QFile>
#include <QFileInfo>
#include <QMimeDatabase>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUrl>
#include <QXmlStreamReader>

#include <algorithm>
#include <optional>
#include <vector>

namespace lacuna::ui {

namespace {

constexpr qint64 kMostBytes = qint64{16} << 20;
const QString kOurName = u"Lacuna"_s;
const QString kBookmarks = u"http://www.freedesktop.org/standards/desktop-bookmarks"_s;
const QString kEmptyList = u"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<xbel version=\"1.0\"\n"
                           "      xmlns:bookmark=\"http://www.freedesktop.org/standards/desktop-bookmarks\"\n"
                           "      xmlns:mime=\"http://www.freedesktop.org/standards/shared-mime-info\">\n"
                           "</xbel>\n"_s;

// Offsets into the text, half-open.
struct Span {
    qsizetype begin = 0, end = 0;
};

struct Bookmark {
    Span all, startTag;
    QXmlStreamAttributes attributes;
    std::optional<Span> ours;   // our application element
    int ourCount = 0;           // how often we opened the file
    std::size_t others = 0;     // applications beside us
    qsizetype applications = 0; // end of the start tag that holds them; 0: none
};

struct List {
    std::vector<Bookmark> bookmarks;
    qsizetype end = 0; // of the last bookmark's place: begin of </xbel>
};

std::optional<List> parse(const QString& text) {
    List list;
    QXmlStreamReader xml(text);
    qsizetype before = 0;
    while (!xml.atEnd()) {
        before = xml.characterOffset();
        const auto token = xml.readNext();
        // Text before a tag is read up to behind its "<": that is looked for.
        const auto end = static_cast<qsizetype>(xml.characterOffset());
        const Span span{end > 0 ? text.lastIndexOf(u'<', end - 1) : 0, end};
        const bool isOurs = xml.namespaceUri() == kBookmarks;
        if (token == QXmlStreamReader::StartElement && xml.name() == u"xbel" &&
            !text.sliced(span.begin, span.end - span.begin).contains(u"xmlns:bookmark="))
            return std::nullopt; // with prefixes that are not the usual ones
        if (token == QXmlStreamReader::StartElement && xml.name() == u"bookmark" && !isOurs) {
            list.bookmarks.push_back({{span.begin, span.end}, span, xml.attributes(), {}, 0, 0, 0});
        } else if (token == QXmlStreamReader::StartElement && isOurs && !list.bookmarks.empty()) {
            Bookmark& bookmark = list.bookmarks.back();
            if (xml.name() == u"applications")
                bookmark.applications = span.end;
            if (xml.name() == u"application" && xml.attributes().value(u"name"_s) == kOurName) {
                bookmark.ours = span;
                bookmark.ourCount = xml.attributes().value(u"count"_s).toInt();
            } else if (xml.name() == u"application") {
                ++bookmark.others;
            }
        } else if (token == QXmlStreamReader::EndElement && isOurs && xml.name() == u"application" &&
                   !list.bookmarks.empty() && list.bookmarks.back().ours &&
                   list.bookmarks.back().ours->end == before) {
            list.bookmarks.back().ours->end = span.end; // where it is not <application .../>
        } else if (token == QXmlStreamReader::EndElement && xml.name() == u"bookmark" && !isOurs &&
                   !list.bookmarks.empty()) {
            list.bookmarks.back().all.end = span.end;
        } else if (token == QXmlStreamReader::EndElement && xml.name() == u"xbel") {
            list.end = span.begin;
        }
    }
    return xml.hasError() || list.end == 0 ? std::nullopt : std::optional(list);
}

std::optional<QString> read(const QString& path) {
    QFile file(path);
    if (!file.exists())
        return kEmptyList;
    if (file.size() > kMostBytes || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return QString::fromUtf8(file.readAll());
}

bool write(const QString& path, const QString& text) {
    QSaveFile file(path);
    const QByteArray bytes = text.toUtf8();
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.setPermissions(QFile::ReadOwner |
                        QFile::WriteOwner); // what somebody opened is nobody else's business
    return file.write(bytes) == bytes.size() && file.commit();
}

QString application(int count, const QString& now) {
    return u"<bookmark:application name=\"%1\" exec=\"&apos;lacuna %f&apos;\" modified=\"%2\" count=\"%3\"/>"_s
        .arg(kOurName, now)
        .arg(count);
}

QString bookmark(const QString& href, const QString& type, const QString& now) {
    return u"  <bookmark href=\"%1\" added=\"%2\" modified=\"%2\" visited=\"%2\">\n"
           "    <info>\n"
           "      <metadata owner=\"http://freedesktop.org\">\n"
           "        <mime:mime-type type=\"%3\"/>\n"
           "        <bookmark:applications>\n"
           "          %4\n"
           "        </bookmark:applications>\n"
           "      </metadata>\n"
           "    </info>\n"
           "  </bookmark>\n"_s.arg(href.toHtmlEscaped(), now, type.toHtmlEscaped(), application(1, now));
}

// The start tag of a bookmark with other times.
QString startTag(const Bookmark& bookmark, const QString& now) {
    QString tag = u"<bookmark"_s;
    for (const QXmlStreamAttribute& one : bookmark.attributes) {
        const bool isTime = one.name() == u"modified" || one.name() == u"visited";
        tag += u" %1=\"%2\""_s.arg(one.qualifiedName().toString(),
                                   isTime ? now : one.value().toString().toHtmlEscaped());
    }
    return tag + u'>';
}

} // namespace

QString desktopRecentList() {
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/recently-used.xbel"_s;
#else
    return {};
#endif
}

bool addToDesktopRecent(const QString& path, const QString& file, const QDateTime& when) {
    auto text = read(path);
    const auto list = text ? parse(*text) : std::nullopt;
    if (!list)
        return false;
    const QString href =
        QString::fromLatin1(QUrl::fromLocalFile(QFileInfo(file).absoluteFilePath()).toEncoded());
    const QString now = when.toUTC().toString(u"yyyy-MM-dd'T'HH:mm:ss'Z'"_s);
    const auto old = std::ranges::find_if(
        list->bookmarks, [&href](const Bookmark& one) { return one.attributes.value(u"href"_s) == href; });
    if (old == list->bookmarks.end()) {
        const QString type = QMimeDatabase().mimeTypeForFile(file).name();
        text->insert(list->end, bookmark(href, type, now));
        return write(path, *text);
    }
    if (old->applications == 0)
        return false; // a bookmark without what the specification asks for is not ours to mend
    const QString ours = application(old->ourCount + 1, now); // from the back, so that offsets stay right
    if (old->ours)
        text->replace(old->ours->begin, old->ours->end - old->ours->begin, ours);
    else
        text->insert(old->applications, u"\n          "_s + ours);
    text->replace(old->startTag.begin, old->startTag.end - old->startTag.begin, startTag(*old, now));
    return write(path, *text);
}

bool removeFromDesktopRecent(const QString& path) {
    if (!QFile::exists(path))
        return true;
    auto text = read(path);
    const auto list = text ? parse(*text) : std::nullopt;
    if (!list)
        return false;
    bool isOther = false;
    for (auto one = list->bookmarks.rbegin(); one != list->bookmarks.rend(); ++one) {
        if (!one->ours)
            continue;
        Span gone = one->others == 0 ? one->all : *one->ours;
        while (gone.begin > 0 && text->at(gone.begin - 1).isSpace()) // with the line that it stood on
            --gone.begin;
        text->remove(gone.begin, gone.end - gone.begin);
        isOther = true;
    }
    return !isOther || write(path, *text);
}

} // namespace lacuna::ui
