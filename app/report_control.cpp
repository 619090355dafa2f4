#include "app/report_control.h"

#include "core/import/open_details.h"
#include "widgets/command/command_registry.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/report/report_file.h"
#include "widgets/session/session_settings.h"
#include "widgets/text.h"

#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace lacuna::ui {

namespace {

// What a report needs, taken on the window's thread; the job owns it.
struct Order {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const GapAnalysis> gaps;
    std::string file, member;
    StatedSetup setup;
    ReportFormat format = ReportFormat::Html;
    std::shared_ptr<const AnalysisSettings> settings;
};

Result<QByteArray> makeReport(const Order& order, JobControl& job) {
    LoadedTrace loaded{order.trace, nullptr};
    std::string hash;
    if (order.file != "-") {
        // A reader of its own: that of the document serves the inspector meanwhile.
        LoadOptions options;
        options.member = order.member;
        auto reader = openDetails(order.file, builtinImporters(), options);
        if (!reader)
            return reader.error();
        loaded.details = std::move(*reader);
        auto read = sha256OfFile(order.file, job);
        if (!read)
            return read.error();
        hash = std::move(*read);
    }
    return reportBytes({loaded, order.gaps, hash, order.setup, "Lacuna " LACUNA_VERSION, order.settings},
                       order.format, job);
}

} // namespace

ReportControl::ReportControl(QWidget& window, AnalysisSession& session, WorkspaceControl& workspace,
                             CommandRegistry& commands, std::function<void(const QString&)> say)
    : QObject(&window), m_window(window), m_session(session), m_workspace(workspace) {
    commands.add({u"file.report"_s,
                  tr("File and edit"),
                  tr("&Report..."),
                  {},
                  [this] { ask(); },
                  [this] { return m_session.document() != nullptr; },
                  nullptr,
                  false,
                  {}});
    connect(this, &ReportControl::written, this,
            [say](const QString& file) { say(tr("%1 is written.").arg(file)); });
    connect(this, &ReportControl::failed, this, say);
}

void ReportControl::ask() {
    const QFileInfo trace(m_session.document()->path);
    const QString start = trace.absolutePath() + u'/' + trace.fileName().section(u'.', 0, 0) + u".html"_s;
    const QString file = QFileDialog::getSaveFileName(&m_window, tr("Write a report"), start,
                                                      tr("Web page (*.html);;PDF (*.pdf);;Markdown (*.md)"));
    if (!file.isEmpty())
        write(file);
}

void ReportControl::write(const QString& file) {
    const Document* document = m_session.document();
    const auto format = reportFormatOf(file);
    if (document == nullptr)
        return;
    if (!format) {
        Q_EMIT failed(tr("The name of a report ends in .html, .pdf or .md."));
        return;
    }
    const Order order{document->loaded.trace,
                      document->gaps,
                      document->path.toStdString(),
                      document->member.toStdString(),
                      m_workspace.current({}, {}).statedSetup(),
                      *format,
                      SessionSettings::of(m_session).values()};
    m_job.start<QByteArray>([order](JobControl& job) { return makeReport(order, job); },
                            [this, file](const Result<QByteArray>& bytes) {
                                const Status done = bytes ? writeBytes(*bytes, file) : Status(bytes.error());
                                if (done)
                                    Q_EMIT written(file);
                                else
                                    Q_EMIT failed(
                                        tr("%1 could not be written: %2 %3")
                                            .arg(file, text(done.error().detail), text(done.error().remedy)));
                            });
}

} // namespace lacuna::ui
