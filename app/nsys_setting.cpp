#include "app/nsys_setting.h"

#include "app/read_choice.h"
#include "core/cache/cached_load_as.h"
#include "core/import/nsys/report_export.h"
#include "widgets/text.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace lacuna::ui {

namespace {

QString found(const QString& asked) {
    const auto program = nsys::findNsys(asked.toStdString());
    return program ? QString::fromStdString(program->string()) : QString();
}

class NsysDialog : public QDialog {
    Q_OBJECT
public:
    NsysDialog(const QString& program, QWidget* parent) : QDialog(parent), m_program(new QLineEdit(program)) {
        setObjectName(u"nsysDialog"_s);
        setWindowTitle(tr("Nsight Systems program"));
        auto* about = new QLabel(tr("Lacuna runs this program to export Nsight Systems reports (.nsys-rep, "
                                    ".qdrep, .qdstrm) into its cache folder; the report is not changed."));
        about->setWordWrap(true);
        const QString automatic = found({});
        m_program->setObjectName(u"nsysProgram"_s);
        m_program->setMinimumWidth(420);
        m_program->setPlaceholderText(automatic.isEmpty() ? tr("no nsys was found") : automatic);
        auto* browse = new QPushButton(tr("&Browse..."));
        connect(browse, &QPushButton::clicked, this, [this] {
            const QString file = QFileDialog::getOpenFileName(this, tr("Nsight Systems program (nsys)"));
            if (!file.isEmpty())
                m_program->setText(file);
        });
        m_state->setObjectName(u"nsysState"_s);
        m_state->setWordWrap(true);
        m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
        connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
        connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
        connect(m_program, &QLineEdit::textChanged, this, &NsysDialog::showState);

        auto* line = new QHBoxLayout;
        line->addWidget(m_program, 1);
        line->addWidget(browse);
        auto* form = new QFormLayout(this);
        form->addRow(about);
        form->addRow(tr("&Program:"), line);
        form->addRow(QString(), m_state);
        form->addRow(m_buttons);
        if (auto* label = qobject_cast<QLabel*>(form->labelForField(line)))
            label->setBuddy(m_program);
        showState();
    }
    QString program() const { return m_program->text().trimmed(); }

private:
    void showState() {
        const QString now = found(program());
        const bool isFound = !now.isEmpty();
        m_state->setText(isFound               ? tr("Reports are exported with %1.").arg(now)
                         : program().isEmpty() ? tr("Reports cannot be opened until a program is named here.")
                                               : tr("This is no program that can be run."));
        m_buttons->button(QDialogButtonBox::Ok)->setEnabled(isFound || program().isEmpty());
    }

    QLineEdit* m_program;
    QLabel* m_state = new QLabel;
    QDialogButtonBox* m_buttons = nullptr;
};

} // namespace

NsysSetting::NsysSetting(AnalysisSession& session, CommandRegistry& commands, const WindowState& state,
                         QWidget* window)
    : QObject(window), m_session(session), m_state(state), m_window(window) {
    setObjectName(u"nsysSetting"_s);
    commands.add({u"file.nsys"_s,
                  tr("File and edit"),
                  tr("&Nsight Systems program..."),
                  {},
                  [this] { ask(); },
                  {},
                  nullptr,
                  false,
                  {}});
    apply(state.nsysProgram());
}

void NsysSetting::apply(const QString& program) {
    m_session.setLoader(
        [program = program.toStdString(), choice = ReadChoice::of(m_session).asked()](
            const QString& path, JobControl& job, const LoadOptions& options) -> Result<CachedLoad> {
            LoadOptions asked = options;
            asked.nsysProgram = program;
            return loadCachedAs(path.toStdString(), choice->of(path), job, asked);
        });
}

void NsysSetting::ask() {
    auto* dialog = new NsysDialog(m_state.nsysProgram(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowModality(Qt::WindowModal);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_state.setNsysProgram(dialog->program());
        apply(dialog->program());
        if (m_session.failure()) // perhaps of a report that may open now
            m_session.reload();
    });
    dialog->show();
}

} // namespace lacuna::ui

#include "nsys_setting.moc"
