// A report on pages: Qt lays out the text, the bytes are put into a canonical order afterwards.

#include "widgets/figure/figure_fonts.h"
#include "widgets/figure/pdf_canonical.h"
#include "widgets/report/report_file.h"
#include "widgets/text.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QImage>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>

#include <algorithm>

namespace lacuna::ui {

namespace {

// Points of A4; the document is laid out in them, the writer counts in hundredths. Pictures keep their own
// pixels that way: laid out in hundredths they would be blown up.
constexpr QSizeF kPage(595.28, 841.89);
constexpr double kMargin = 48, kFooter = 24;
constexpr int kUnitsPerPoint = 100, kPointsPerInch = 72;
constexpr int kBodySize = 10, kSmallSize = 8; // points: fonts have whole sizes

class PageMaker {
public:
    explicit PageMaker(QTextDocument& document) : m_document(document), m_cursor(&document) {}

    void add(const WriteUpBlock& block) {
        switch (block.kind) {
        case WriteUpBlock::Kind::Heading:
            addHeading(block);
            break;
        case WriteUpBlock::Kind::Text:
            beginBlock(4, 2);
            m_cursor.insertText(text(block.text), body());
            break;
        case WriteUpBlock::Kind::List:
            for (const auto& row : block.rows) {
                beginBlock(0, 1, 12);
                m_cursor.insertText(u"•  "_s + text(row.front()), body());
            }
            break;
        case WriteUpBlock::Kind::Fields:
            addTable(block.rows, {}, {false, false}, kBodySize);
            break;
        case WriteUpBlock::Kind::Table:
            beginBlock(8, 2);
            m_cursor.insertText(text(block.text), style(Face::Medium, kBodySize, true));
            addTable(block.rows, block.columns, block.isNumber, kSmallSize);
            break;
        case WriteUpBlock::Kind::Figure:
            addFigure(block);
            break;
        }
    }

private:
    static QTextCharFormat style(Face face, int size, bool quiet = false) {
        QTextCharFormat format;
        format.setFont(FigureFonts::load().font(face, size));
        format.setForeground(quiet ? QColor(0x57, 0x60, 0x6a) : QColor(0x1b, 0x1f, 0x24));
        return format;
    }
    static QTextCharFormat body() { return style(Face::Regular, kBodySize); }

    void beginBlock(double above, double below, double left = 0) {
        QTextBlockFormat format;
        format.setTopMargin(above);
        format.setBottomMargin(below);
        format.setLeftMargin(left);
        if (m_isFirst)
            m_cursor.setBlockFormat(format);
        else
            m_cursor.insertBlock(format);
        m_isFirst = false;
    }

    void addHeading(const WriteUpBlock& block) {
        constexpr int kSizes[] = {10, 17, 13, 11};
        beginBlock(block.level == 1 ? 0 : block.level == 2 ? 18 : 12, 4);
        QTextBlockFormat format = m_cursor.blockFormat();
        format.setHeadingLevel(block.level);
        format.setPageBreakPolicy(QTextFormat::PageBreak_Auto);
        m_cursor.setBlockFormat(format);
        m_cursor.insertText(text(block.text), style(Face::SemiBold, kSizes[std::clamp(block.level, 0, 3)]));
    }

    void addTable(const std::vector<std::vector<std::string>>& rows, const std::vector<std::string>& titles,
                  const std::vector<bool>& isNumber, int size) {
        if (rows.empty())
            return;
        const int head = titles.empty() ? 0 : 1;
        const auto columns = static_cast<int>(isNumber.size());
        QTextTableFormat format;
        format.setBorder(0);
        format.setCellPadding(1.5);
        format.setCellSpacing(0);
        format.setHeaderRowCount(head);
        format.setTopMargin(2);
        format.setBottomMargin(6);
        QTextTable* table = m_cursor.insertTable(static_cast<int>(rows.size()) + head, columns, format);
        const auto fill = [&](int row, int column, const std::string& cell, bool isHead) {
            QTextCursor at = table->cellAt(row, column).firstCursorPosition();
            QTextBlockFormat block;
            block.setAlignment(isNumber[static_cast<std::size_t>(column)] ? Qt::AlignRight : Qt::AlignLeft);
            at.setBlockFormat(block);
            const bool quiet = isHead || (head == 0 && column == 0);
            at.insertText(text(cell), style(isHead ? Face::Medium : Face::Regular, size, quiet));
        };
        for (int c = 0; c < columns; ++c) {
            if (head == 1)
                fill(0, c, titles[static_cast<std::size_t>(c)], true);
            for (std::size_t r = 0; r < rows.size(); ++r)
                fill(static_cast<int>(r) + head, c, rows[r][static_cast<std::size_t>(c)], false);
        }
        m_cursor.movePosition(QTextCursor::End);
    }

    void addFigure(const WriteUpBlock& block) {
        // Without alpha: a picture of a page has none, and half the bytes.
        const QImage image =
            QImage::fromData(QByteArray::fromStdString(block.image)).convertToFormat(QImage::Format_RGB32);
        if (image.isNull())
            return;
        const QUrl name(u"figure-%1.png"_s.arg(++m_figures));
        m_document.addResource(QTextDocument::ImageResource, name, image);
        QTextImageFormat format;
        format.setName(name.toString());
        double width = kPage.width() - 2 * kMargin;
        double height = width * image.height() / image.width();
        if (const double most = (kPage.height() - 2 * kMargin) * 0.6; height > most) {
            width *= most / height;
            height = most;
        }
        format.setWidth(width);
        format.setHeight(height);
        beginBlock(6, 0);
        m_cursor.insertImage(format);
        beginBlock(0, 4);
        m_cursor.insertText(text(block.text), style(Face::Regular, kSmallSize, true));
    }

    QTextDocument& m_document;
    QTextCursor m_cursor;
    bool m_isFirst = true;
    int m_figures = 0;
};

void paintPages(QTextDocument& document, const QString& title, QPdfWriter& writer) {
    QPainter painter(&writer);
    painter.scale(kUnitsPerPoint, kUnitsPerPoint);
    const QSizeF inner = document.pageSize();
    for (int page = 0; page < document.pageCount(); ++page) {
        if (page > 0)
            writer.newPage();
        painter.save();
        painter.translate(kMargin, kMargin - page * inner.height());
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF(0, page * inner.height(), inner.width(), inner.height());
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(FigureFonts::load().font(Face::Regular, kSmallSize));
        painter.setPen(QColor(0x57, 0x60, 0x6a));
        const QRectF footer(kMargin, kPage.height() - kMargin, inner.width(), kFooter);
        painter.drawText(footer, Qt::AlignLeft | Qt::AlignBottom, title);
        painter.drawText(footer, Qt::AlignRight | Qt::AlignBottom,
                         u"%1 / %2"_s.arg(page + 1).arg(document.pageCount()));
    }
}

} // namespace

Result<QByteArray> reportPdf(const WriteUp& document) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(kPointsPerInch * kUnitsPerPoint);
        writer.setPageMargins(QMarginsF());
        writer.setPageSize(QPageSize(kPage, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setTitle(text(document.title));
        writer.setCreator(u"Lacuna"_s);
        QTextDocument pages;
        pages.setUndoRedoEnabled(false);
        pages.setDocumentMargin(0);
        pages.setPageSize(kPage - QSizeF(2 * kMargin, 2 * kMargin));
        PageMaker maker(pages);
        for (const WriteUpBlock& block : document.blocks)
            maker.add(block);
        paintPages(pages, text(document.title), writer);
    }
    return canonicalPdf(buffer.data(), {kPage, {}});
}

} // namespace lacuna::ui
