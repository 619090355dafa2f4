#include "app/about_dialog.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace lacuna::ui {

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About Lacuna"));
    auto* name = new QLabel(tr("Lacuna %1").arg(QStringLiteral(LACUNA_VERSION)));
    name->setFont(uiFont(Face::SemiBold, 20));
    auto* what = new QLabel(
        tr("A timeline viewer that explains why a GPU is idle. It opens PyTorch and Chrome traces and "
           "Nsight Systems exports, never writes to them, and uses no network."));
    what->setWordWrap(true);
    auto* parts = new QPlainTextEdit;
    parts->setReadOnly(true);
    parts->setAccessibleName(tr("Components and licences"));
    parts->setFont(uiFont(Face::Mono, 11.5));
    QFile fonts(u":/lacuna/fonts/OFL.txt"_s);
    const QString licence = fonts.open(QIODevice::ReadOnly) ? QString::fromUtf8(fonts.readAll()) : QString();
    parts->setPlainText(tr("Lacuna: MIT licence\n"
                           "Qt %1: LGPL 3\n"
                           "SQLite: public domain\n"
                           "zlib: zlib licence\n"
                           "ISA-L: BSD 3-clause\n"
                           "Zstandard: BSD 3-clause\n"
                           "liblzma (XZ Utils): public domain\n"
                           "libarchive: BSD 2-clause\n"
                           "OpenSSL (libcrypto): Apache 2.0\n"
                           "nlohmann/json: MIT licence\n"
                           "CLI11: BSD 3-clause\n"
                           "Fonts Lacuna Sans (from Inter) and Lacuna Mono (from JetBrains Mono): SIL Open "
                           "Font License 1.1\n\n%2")
                            .arg(QString::fromLatin1(qVersion()), licence));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 14);
    layout->setSpacing(10);
    layout->addWidget(name);
    layout->addWidget(what);
    layout->addWidget(parts, 1);
    layout->addWidget(buttons);
    resize(560, 460);
}

} // namespace lacuna::ui
