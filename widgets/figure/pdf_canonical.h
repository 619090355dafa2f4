#pragma once
// Qt's PDF writer numbers its objects in the order of a hash table with a random seed, writes the time of day
// and rounds the page to whole points. The rewriting puts the objects in the order in which the page names
// them, so that equal figures are equal files, without a time, on a page of the exact size.

#include "core/base/result.h"

#include <QByteArray>
#include <QSizeF>
#include <QString>

namespace lacuna::ui {

struct PdfTouches {
    QSizeF page;     // points
    QString subject; // of the document information; empty: none
};

// Malformed when the bytes are not of the plain form that Qt writes (one table of objects, generation 0).
Result<QByteArray> canonicalPdf(const QByteArray& pdf, const PdfTouches& touches);
// Contents of an attached file of a PDF of that form; empty when there is none, or one of more than a
// mebibyte (packed).
QByteArray pdfAttachment(const QByteArray& pdf, const QString& name);

} // namespace lacuna::ui
