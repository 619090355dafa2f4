#pragma once
// Test classes register themselves by a static in their own executable; main() runs the class named by the
// first argument (with Qt Test's options after it), or lists the names.

#include <QObject>
#include <QTest>

#include <functional>

namespace lacuna::test {

bool registerTest(const char* name, std::function<QObject*()> make);
void countSkip();

} // namespace lacuna::test

#define LACUNA_TEST(Class, name)                                                                             \
    static const bool registered##Class = lacuna::test::registerTest(name, [] { return new Class; });

// Use instead of QSKIP: the class then counts as skipped in ctest (unless something fails).
#define LACUNA_SKIP(text)                                                                                    \
    do {                                                                                                     \
        lacuna::test::countSkip();                                                                           \
        QSKIP(text);                                                                                         \
    } while (false)
