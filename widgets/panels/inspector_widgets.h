#pragma once
// Building blocks of the inspector's pages. Text from a file is always shown as plain text.

#include "core/analysis/gap_cause.h"
#include "widgets/figure/figure_fonts.h"
#include "widgets/row_button.h"
#include "widgets/theme/theme_palette.h"

#include <QLabel>
#include <QVBoxLayout>

#include <functional>
#include <optional>
#include <vector>

namespace lacuna::ui {

inline constexpr int kInspectorPadding = 16;

// One line: swatch, text, right-aligned columns. With an action it is a button that mouse and keyboard reach.
class InspectorRow final : public RowButton {
    Q_OBJECT
public:
    struct Content {
        std::optional<Ink> swatch;
        QString text;
        bool mono = false, strong = false, secondary = false, lineAbove = false;
        std::vector<QString> columns;        // the last is the rightmost; a single one takes otherWidth
        QString tip;                         // plain text
        int lastWidth = 54, otherWidth = 92; // px of the columns
    };
    InspectorRow(Content content, const ThemePalette& palette, QWidget* parent = nullptr);
    void setAction(std::function<void()> action);
    QSize sizeHint() const override;
    int textWidth() const; // px that the text has before it is cut

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int columnWidth(std::size_t column) const;
    bool isStrong(std::size_t column) const;
    Content m_content;
};

// A word behind a sentence and what it does.
struct SentenceLink {
    QString word;
    std::function<void()> go;
};
std::vector<SentenceLink> showLink(std::function<void()> go); // "Show"; none without an action
// A plain sentence that wraps, with links behind it that mouse and keyboard reach; without any, plain text.
QLabel* linkedSentence(const QString& plain, const std::vector<SentenceLink>& links,
                       const ThemePalette& palette);

// A page of the inspector: a column of the blocks below, 352 px wide.
class InspectorPage : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPage(const ThemePalette& palette, QWidget* parent = nullptr);
    const ThemePalette& palette() const { return m_palette; }

    void addWidget(QWidget* widget, int spaceAbove = 0);
    // Heading with a line above; the note stands at the right end, in secondary colour.
    void addHeading(const QString& title, const QString& note = {});
    InspectorRow* addRow(InspectorRow::Content content, std::function<void()> action = {});
    // A paragraph of rich text made by us (escape what comes from the file) or plain text.
    QLabel* addText(const QString& text, Qt::TextFormat format, double pixelSize, bool secondary = false);
    void addBullet(const QString& mark, const QString& plain, const std::vector<SentenceLink>& links = {});
    // A name from the file, selectable, in as many lines as it needs.
    void addName(const QString& name, const QString& objectName);
    // Label left, selectable value right, both plain.
    void addField(const QString& label, const QString& value);
    void finish(); // the rest of the height stays empty
    // It is as high as its width asks for; a height for a width that it never gets would only cost time.
    QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemePalette m_palette;
    QVBoxLayout* m_layout;
};

} // namespace lacuna::ui
