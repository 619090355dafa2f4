#pragma once
// A name or value from the file in as many lines as it needs: kernel names have no blanks, so lines also end
// after ::, commas, opening brackets, underscores and slashes, and at worst anywhere. What is selected,
// dragged or copied is the text as it is.

#include <QTextEdit>

namespace lacuna::ui {

class NameLabel final : public QTextEdit {
    Q_OBJECT
public:
    NameLabel(const QString& name, const QFont& font, QWidget* parent = nullptr);
    const QString& name() const { return m_name; }
    // Whether a label that breaks lines at blanks only could cut it.
    static bool isNeededFor(const QString& name);

protected:
    QMimeData* createMimeDataFromSelection() const override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QString m_name;
};

} // namespace lacuna::ui
