#include "widgets/figure/pdf_canonical.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <vector>

namespace lacuna::ui {

namespace {

struct PdfObject {
    QByteArray head;   // dictionary or value: all before the stream
    QByteArray stream; // from the word "stream" on; empty: none
};

struct PdfFile {
    QByteArray prologue; // before the first object
    std::map<int, PdfObject> objects;
    int info = 0, root = 0;
};

Error malformed(const char* what) {
    return {Errc::Malformed, std::string("The PDF could not be put in order: ") + what, {}, {}};
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// End of the string "(...)" that begins at `at`.
qsizetype endOfString(const QByteArray& text, qsizetype at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '(')
            ++depth;
        else if (text[at] == ')' && --depth == 0)
            return at + 1;
    }
    return text.size();
}

// Calls `onReference` with each "N 0 R" of a head and puts the number that it returns in its place.
template <class OnReference> QByteArray rewritten(const QByteArray& head, OnReference onReference) {
    QByteArray out;
    out.reserve(head.size());
    for (qsizetype at = 0; at < head.size();) {
        qsizetype end = at + 1;
        if (head[at] == '(') {
            end = endOfString(head, at);
        } else if (isDigit(head[at])) {
            while (end < head.size() && (isDigit(head[end]) || head[end] == '.'))
                ++end;
            if (head.mid(end, 4) == " 0 R") {
                out += QByteArray::number(onReference(head.mid(at, end - at).toInt()));
                at = end;
                continue;
            }
        } else if (head[at] == '/') { // a name may hold digits: /F10
            while (end < head.size() && head[end] != ' ' && head[end] != '\n' && head[end] != '/' &&
                   head[end] != '>' && head[end] != '[' && head[end] != '(')
                ++end;
        }
        out += head.mid(at, end - at);
        at = end;
    }
    return out;
}

int numberAfter(const QByteArray& text, const char* key) {
    const qsizetype at = text.lastIndexOf(key);
    if (at < 0)
        return 0;
    qsizetype from = at + static_cast<qsizetype>(qstrlen(key)), end = from;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    return text.mid(from, end - from).toInt();
}

// "N 0 obj\n" HEAD [stream ... endstream\n] "endobj\n", as cut out between two offsets.
bool readObject(const QByteArray& bytes, int number, PdfObject& object) {
    const QByteArray start = QByteArray::number(number) + " 0 obj\n";
    const qsizetype end = bytes.lastIndexOf("endobj");
    if (!bytes.startsWith(start) || end < 0)
        return false;
    const QByteArray body = bytes.mid(start.size(), end - start.size());
    const qsizetype stream = body.indexOf("stream\n");
    const bool has = stream >= 0 && body.trimmed().endsWith("endstream");
    object.head = has ? body.first(stream) : body;
    object.stream = has ? body.mid(stream) : QByteArray();
    return true;
}

Result<PdfFile> readPdf(const QByteArray& pdf) {
    PdfFile file;
    const qsizetype table = numberAfter(pdf, "startxref\n");
    const qsizetype trailer = pdf.lastIndexOf("trailer");
    if (table <= 0 || trailer < table || pdf.mid(table, 7) != "xref\n0 ")
        return malformed("no table of objects");
    file.info = numberAfter(pdf.mid(trailer), "/Info ");
    file.root = numberAfter(pdf.mid(trailer), "/Root ");
    const qsizetype lines = pdf.indexOf('\n', table + 5) + 1;
    constexpr qsizetype kLine = 20;
    std::vector<std::pair<qsizetype, int>> places; // offset, number
    for (int number = 0; lines + (number + 1) * kLine <= trailer; ++number)
        if (const QByteArray line = pdf.mid(lines + number * kLine, kLine); line[17] == 'n')
            places.emplace_back(line.first(10).toLongLong(), number);
    std::sort(places.begin(), places.end());
    if (places.empty() || places.front().first <= 0 || places.back().first >= table)
        return malformed("no objects");
    file.prologue = pdf.first(places.front().first);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const qsizetype end = i + 1 < places.size() ? places[i + 1].first : table;
        if (!readObject(pdf.mid(places[i].first, end - places[i].first), places[i].second,
                        file.objects[places[i].second]))
            return malformed("an object without its end");
    }
    if (!file.objects.contains(file.info) || !file.objects.contains(file.root))
        return malformed("no catalogue");
    return file;
}

// UTF-16 in hexadecimal: needs no escapes.
QByteArray pdfText(const QString& text) {
    QByteArray bytes("\xfe\xff", 2);
    for (const QChar c : text) {
        bytes += static_cast<char>(c.unicode() >> 8);
        bytes += static_cast<char>(c.unicode() & 0xff);
    }
    return '<' + bytes.toHex().toUpper() + '>';
}

void touch(PdfFile& file, const PdfTouches& touches) {
    static const QRegularExpression tag(QStringLiteral("/FontName /[A-Z]{6}\\+"));
    for (auto& [number, object] : file.objects) {
        // The tag of a subset is made from the object's old number; BaseFont has none either.
        if (object.head.contains("/FontName /"))
            object.head =
                QString::fromLatin1(object.head).replace(tag, QStringLiteral("/FontName /")).toLatin1();
        // Qt names the glyph of the space after the tab, which shares it; of equal length.
        if (object.stream.contains("beginbfrange"))
            object.stream.replace("<0009>", "<0020>");
        const qsizetype box = object.head.indexOf("/MediaBox [0 0 ");
        if (box < 0)
            continue;
        // The writer's rounded page hangs at its upper edge.
        const qsizetype end = object.head.indexOf(']', box);
        const QByteArray old = object.head.mid(box + 15, end - box - 15);
        const double top = old.split(' ').value(1).toDouble();
        const auto real = [](double v) { return QByteArray::number(v, 'f', 4); };
        object.head.replace(box, end - box,
                            "/MediaBox [0 " + real(top - touches.page.height()) + ' ' +
                                real(touches.page.width()) + ' ' + real(top));
    }
    QByteArray& info = file.objects[file.info].head;
    if (const qsizetype date = info.indexOf("/CreationDate ("); date >= 0)
        info.remove(date, info.indexOf('\n', date) + 1 - date);
    if (const qsizetype end = info.lastIndexOf(">>"); end >= 0 && !touches.subject.isEmpty())
        info.insert(end, "/Subject " + pdfText(touches.subject) + '\n');
}

// Of "stream\n" BYTES "\nendstream".
QByteArray unpacked(const QByteArray& stream) {
    constexpr qsizetype kStart = 7, kMostPacked = qsizetype{1} << 20;
    const qsizetype size = stream.lastIndexOf("\nendstream") - kStart;
    if (size <= 0 || size > kMostPacked)
        return {};
    return qUncompress(QByteArray("\0\1\0\0", 4) + stream.mid(kStart, size)); // the length is a hint
}

} // namespace

QByteArray pdfAttachment(const QByteArray& pdf, const QString& name) {
    const auto file = readPdf(pdf);
    if (!file)
        return {};
    static const QRegularExpression reference(QStringLiteral("/EF <</F (\\d+) 0 R>>"));
    for (const auto& [number, object] : file->objects) {
        if (!object.head.contains("/F (" + name.toLatin1() + ')'))
            continue;
        const auto held =
            file->objects.find(reference.match(QString::fromLatin1(object.head)).captured(1).toInt());
        if (held != file->objects.end())
            return unpacked(held->second.stream);
    }
    return {};
}

Result<QByteArray> canonicalPdf(const QByteArray& pdf, const PdfTouches& touches) {
    auto read = readPdf(pdf);
    if (!read)
        return read.error();
    PdfFile& file = *read;
    touch(file, touches);
    std::vector<int> order; // old numbers; the new one is the place plus 1
    std::map<int, int> renumbered;
    const auto numberOf = [&](int old) {
        const auto [at, isNew] = renumbered.try_emplace(old, static_cast<int>(order.size()) + 1);
        if (isNew)
            order.push_back(old);
        return at->second;
    };
    const int root = numberOf(file.root), info = numberOf(file.info);
    QByteArray out = file.prologue;
    std::vector<qsizetype> offsets;
    for (std::size_t i = 0; i < order.size(); ++i) { // grows while it goes
        const auto object = file.objects.find(order[i]);
        if (object == file.objects.end())
            return malformed("a reference to nothing");
        offsets.push_back(out.size());
        out += QByteArray::number(qulonglong{i} + 1) + " 0 obj\n" + rewritten(object->second.head, numberOf) +
               object->second.stream + "endobj\n";
    }
    const qsizetype table = out.size();
    const QByteArray size = QByteArray::number(qulonglong{order.size()} + 1);
    out += "xref\n0 " + size + "\n0000000000 65535 f \n";
    for (const qsizetype offset : offsets)
        out += QByteArray::number(offset).rightJustified(10, '0') + " 00000 n \n";
    out += "trailer\n<<\n/Size " + size + "\n/Info " + QByteArray::number(info) + " 0 R\n/Root " +
           QByteArray::number(root) + " 0 R\n>>\nstartxref\n" + QByteArray::number(table) + "\n%%EOF\n";
    return out;
}

} // namespace lacuna::ui
