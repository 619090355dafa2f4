#pragma once
// A paragraph that remembers how high it is. A layout asks for the same few widths many times over, and a
// plain label breaks its text into lines, twice, for each answer: on a page of many paragraphs that is most
// of the time until it is shown.

#include <QLabel>

#include <array>
#include <cstddef>

namespace lacuna::ui {

// Wraps words. Format, margins and indentation are set before it is first laid out; text and font may change.
class WrappedLabel final : public QLabel {
public:
    explicit WrappedLabel(QWidget* parent = nullptr);
    int heightForWidth(int width) const override;
    // One line. Text that takes any width asks for none, so that no line has to be broken to tell.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    struct Height {
        int width = -1, height = 0; // -1: not known
    };
    mutable std::array<Height, 4> m_heights; // of m_heightsOf, the oldest replaced first
    mutable std::size_t m_next = 0;
    mutable QString m_heightsOf;
};

} // namespace lacuna::ui
