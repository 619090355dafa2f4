#include "widgets/timeline/callout_text.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

// A sign opens at the begin of a word and closes at the end of one.
bool mayOpen(const QString& text, qsizetype at, qsizetype length) {
    const qsizetype after = at + length;
    return after < text.size() && !text[after].isSpace() && (at == 0 || !text[at - 1].isLetterOrNumber());
}

qsizetype closing(const QString& text, const QString& sign, qsizetype from) {
    for (qsizetype at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
        const qsizetype after = at + sign.size();
        const bool isLonger = sign == QLatin1String("*") &&
                              ((after < text.size() && text[after] == u'*') || text[at - 1] == u'*');
        if (at > from && !isLonger && text[at - 1] != u'\\' && !text[at - 1].isSpace() &&
            (after == text.size() || !text[after].isLetterOrNumber()))
            return at;
    }
    return -1;
}

QString unescaped(QString text) {
    for (const char16_t sign : {u'*', u'`', u'\\'})
        text.replace(QString(u'\\') + QChar(sign), QString(QChar(sign)));
    return text;
}

void append(std::vector<TextSpan>& spans, TextSpan span) {
    if (span.text.isEmpty())
        return;
    const TextSpan look{{}, span.bold, span.italic, span.code};
    if (!spans.empty() && TextSpan{{}, spans.back().bold, spans.back().italic, spans.back().code} == look)
        spans.back().text += span.text;
    else
        spans.push_back(std::move(span));
}

void parse(const QString& text, const TextSpan& look, std::vector<TextSpan>& spans) {
    qsizetype plainFrom = 0;
    const auto plain = [&](qsizetype to) {
        append(spans, {unescaped(text.mid(plainFrom, to - plainFrom)), look.bold, look.italic, look.code});
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'\\') {
            ++i;
            continue;
        }
        for (const QString& sign : {QStringLiteral("`"), QStringLiteral("**"), QStringLiteral("*")}) {
            if (!QStringView(text).sliced(i).startsWith(sign) || !mayOpen(text, i, sign.size()))
                continue;
            const qsizetype end = closing(text, sign, i + sign.size());
            if (end < 0)
                continue;
            plain(i);
            const QString inner = text.mid(i + sign.size(), end - i - sign.size());
            TextSpan within = look;
            if (sign == QLatin1String("`")) { // what is code holds no signs
                within.code = true;
                within.text = inner;
                append(spans, within);
            } else {
                (sign.size() == 2 ? within.bold : within.italic) = true;
                parse(inner, within, spans);
            }
            i = end + sign.size() - 1;
            plainFrom = end + sign.size();
            break;
        }
    }
    plain(text.size());
}

} // namespace

std::vector<TextSpan> calloutSpans(const QString& paragraph) {
    std::vector<TextSpan> spans;
    parse(paragraph, {}, spans);
    return spans;
}

QString plainCalloutText(const QString& text) {
    QStringList paragraphs;
    for (const QString& paragraph : text.split(u'\n')) {
        QString line;
        for (const TextSpan& span : calloutSpans(paragraph))
            line += span.text;
        paragraphs << line;
    }
    return paragraphs.join(u'\n');
}

CalloutLines::CalloutLines(const QString& text, bool isPlain, const FigureFonts& fonts, double pixelSize,
                           double width, std::size_t mostLines)
    : m_fonts(fonts), m_pixelSize(pixelSize) {
    for (const QString& paragraph : text.split(u'\n'))
        wrap(isPlain ? std::vector<TextSpan>{{paragraph, false, false, false}} : calloutSpans(paragraph),
             width);
    while (!m_lines.empty() && m_lines.back().empty())
        m_lines.pop_back();
    if (m_lines.size() > mostLines) {
        m_lines.resize(mostLines);
        append(m_lines.back(), {QString(QChar(0x2026)), false, false, false});
    }
}

TextStyle CalloutLines::styleOf(const TextSpan& span) const {
    constexpr double kMonoShare = 0.94; // of the same height as the letters around it
    if (span.code)
        return m_fonts.style(Face::Mono, m_pixelSize * kMonoShare);
    const TextStyle upright = m_fonts.style(span.bold ? Face::SemiBold : Face::Regular, m_pixelSize);
    return span.italic ? upright.slanted() : upright;
}

double CalloutLines::widthOf(const std::vector<TextSpan>& line) const {
    double width = 0;
    for (const TextSpan& span : line)
        width += styleOf(span).width(span.text);
    return width;
}

// Greedy; a word may be made of several spans ("**a**b").
void CalloutLines::wrap(const std::vector<TextSpan>& spans, double width) {
    std::vector<std::vector<TextSpan>> words;
    bool isNew = true;
    for (const TextSpan& span : spans) {
        const QStringList parts = span.text.split(u' ');
        for (qsizetype i = 0; i < parts.size(); ++i) {
            if (i > 0)
                isNew = true;
            if (parts[i].isEmpty())
                continue;
            if (isNew)
                words.emplace_back();
            isNew = false;
            words.back().push_back({parts[i], span.bold, span.italic, span.code});
        }
    }
    std::vector<TextSpan> line;
    for (const std::vector<TextSpan>& word : words) {
        std::vector<TextSpan> longer = line;
        if (!line.empty()) {
            const TextSpan& last = line.back(); // the space looks like what it joins
            const bool isSame = TextSpan{{}, last.bold, last.italic, last.code} ==
                                TextSpan{{}, word[0].bold, word[0].italic, word[0].code};
            append(longer, isSame ? TextSpan{QStringLiteral(" "), last.bold, last.italic, last.code}
                                  : TextSpan{QStringLiteral(" "), false, false, false});
        }
        for (const TextSpan& span : word)
            append(longer, span);
        if (widthOf(longer) <= width) {
            line = std::move(longer);
            continue;
        }
        if (!line.empty())
            m_lines.push_back(std::move(line));
        line.clear();
        double left = width;
        for (const TextSpan& span : word) {
            TextSpan cut = span;
            cut.text = styleOf(span).elided(span.text, left);
            left -= styleOf(span).width(cut.text);
            append(line, cut);
        }
    }
    m_lines.push_back(std::move(line));
}

double CalloutLines::width() const {
    double width = 0;
    for (const std::vector<TextSpan>& line : m_lines)
        width = std::max(width, widthOf(line));
    return width;
}

QString CalloutLines::plainLine(std::size_t line) const {
    QString text;
    for (const TextSpan& span : m_lines[line])
        text += span.text;
    return text;
}

void CalloutLines::draw(QPainter& painter, std::size_t line, double x, double y, QRgb colour) const {
    const double baseline = m_fonts.style(Face::Regular, m_pixelSize).baselineCentredOn(y);
    for (const TextSpan& span : m_lines[line]) {
        const TextStyle style = styleOf(span);
        style.draw(painter, {x, baseline}, span.text, colour);
        x += style.width(span.text);
    }
}

} // namespace lacuna::ui
