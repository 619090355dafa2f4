#include "app/help_dialog.h"

#include "app/sum_sandbox.h"
#include "widgets/text.h"
#include "widgets/theme/theme_palette.h"
#include "widgets/theme/widget_fonts.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

#include <vector>

namespace lacuna::ui {

namespace {

constexpr const char* kSums = "sums"; // the page with bars to move

// Markdown tables come without lines and air.
void dressTables(QTextDocument& document) {
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorder(0);
            format.setCellPadding(4);
            format.setCellSpacing(0);
            table->setFormat(format);
        }
}

} // namespace

const std::vector<HelpDialog::Page>& HelpDialog::pages() {
    static const std::vector<Page> kPages{
        {"keys", QT_TR_NOOP("Keys and mouse")},
        {"concepts", QT_TR_NOOP("Concepts")},
        {"numbers", QT_TR_NOOP("What does this number cover?")},
        {kSums, QT_TR_NOOP("Sum and busy: try it")},
    };
    return kPages;
}

HelpDialog::HelpDialog(QWidget* parent)
    : QDialog(parent), m_list(new QListWidget), m_text(new QTextBrowser), m_sandbox(new SumSandbox) {
    setWindowTitle(tr("Help"));
    m_list->setObjectName(u"helpPages"_s);
    m_list->setAccessibleName(tr("Pages"));
    m_text->setAccessibleName(tr("Page"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFixedWidth(210);
    m_text->setObjectName(u"helpText"_s);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->setSearchPaths({u":/lacuna/help"_s}); // pictures
    m_text->document()->setDocumentMargin(16);
    m_text->setFont(uiFont(Face::Regular, 13));
    for (const Page& page : pages())
        m_list->addItem(tr(page.title));
    connect(m_list, &QListWidget::currentRowChanged, this, &HelpDialog::load);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(12);
    middle->addWidget(m_list);
    auto* page = new QVBoxLayout;
    page->setSpacing(0);
    page->addWidget(m_sandbox);
    page->addWidget(m_text, 1);
    middle->addLayout(page, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addLayout(middle, 1);
    layout->addWidget(buttons);
    resize(1000, 720);
    m_list->setCurrentRow(0);
}

void HelpDialog::load(int row) {
    if (row < 0)
        return;
    m_sandbox->setVisible(QLatin1String(pages()[static_cast<std::size_t>(row)].file) == QLatin1String(kSums));
    QFile file(u":/lacuna/help/%1.md"_s.arg(QLatin1String(pages()[static_cast<std::size_t>(row)].file)));
    QString page = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    if (ThemePalette::systemTheme(palette()) == Theme::Dark) // pages name the pictures of the light theme
        page.replace(u"_light.png"_s, u"_dark.png"_s);
    m_text->setMarkdown(page);
    dressTables(*m_text->document());
}

void HelpDialog::showPage(const QString& file, const QString& heading) {
    for (std::size_t i = 0; i < pages().size(); ++i)
        if (file == QLatin1String(pages()[i].file))
            m_list->setCurrentRow(static_cast<int>(i));
    if (heading.isEmpty())
        return;
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && block.text() == heading) {
            // The end first, so that the heading comes to the top of the view.
            m_text->moveCursor(QTextCursor::End);
            m_text->setTextCursor(QTextCursor(block));
            return;
        }
}

} // namespace lacuna::ui
