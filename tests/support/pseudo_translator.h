#pragma once
// A language that is no language: every text that asks for a translation comes back in « », four tenths
// longer. What is seen without them never asked.

#include <QTranslator>

#include <set>
#include <utility>

namespace lacuna::test {

class PseudoTranslator final : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* comment, int n) const override;
    // Context and text of everything that was asked of it.
    const std::set<std::pair<QString, QString>>& asked() const { return m_asked; }

private:
    mutable std::set<std::pair<QString, QString>> m_asked;
};

// What of a text is outside of « », markup and entities removed. A text that was cut at its begin or end
// counts as inside there.
QString outsideOfMarks(const QString& text);

} // namespace lacuna::test
