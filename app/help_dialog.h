#pragma once
// The pages of resources/help: keys, concepts, what a number covers.

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace lacuna::ui {

class SumSandbox;

class HelpDialog : public QDialog {
    Q_OBJECT
public:
    struct Page {
        const char* file; // "concepts"
        const char* title;
    };
    static const std::vector<Page>& pages();

    explicit HelpDialog(QWidget* parent = nullptr);
    // A page, at the heading of that name where there is one.
    void showPage(const QString& file, const QString& heading = {});

private:
    void load(int row);
    QListWidget* m_list;
    QTextBrowser* m_text;
    SumSandbox* m_sandbox; // of its page alone
};

} // namespace lacuna::ui
