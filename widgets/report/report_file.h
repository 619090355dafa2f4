#pragma once
// A report (core/writeup) as the bytes of one file, with its figures painted by the code of figures and
// window. Equal input gives equal bytes; no time of day is in them.

#include "core/writeup/write_up.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace lacuna::ui {

enum class ReportFormat : std::uint8_t { Html, Pdf, Markdown };

// By the ending of a file's name, in any case; none when it is another one.
std::optional<ReportFormat> reportFormatOf(const QString& fileName);

// Needs a QGuiApplication; may run on any thread. Errors: Cancelled, those of makeWriteUp(), and of painting.
Result<QByteArray> reportBytes(const WriteUpInput& input, ReportFormat format, JobControl& job);

// report_pdf.cpp: pages of A4 with selectable text.
Result<QByteArray> reportPdf(const WriteUp& document);

} // namespace lacuna::ui
