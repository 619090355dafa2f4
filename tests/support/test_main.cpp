#include "tests/support/test_main.h"

#include <QCoreApplication>

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>

namespace lacuna::test {

namespace {

std::map<std::string, std::function<QObject*()>>& registry() {
    static std::map<std::string, std::function<QObject*()>> tests;
    return tests;
}
int skips = 0;

} // namespace

bool registerTest(const char* name, std::function<QObject*()> make) {
    registry()[name] = std::move(make);
    return true;
}

void countSkip() {
    ++skips;
}

// Tests of widgets need a QApplication: their folder supplies its own makeApplication.
std::unique_ptr<QCoreApplication> makeApplication(int& argc, char** argv);
#if !defined(LACUNA_WIDGET_TESTS)
__attribute__((weak)) std::unique_ptr<QCoreApplication> makeApplication(int& argc, char** argv) {
    return std::make_unique<QCoreApplication>(argc, argv);
}
#endif

} // namespace lacuna::test

int main(int argc, char** argv) {
    using namespace lacuna::test;
    if (argc < 2 || registry().count(argv[1]) == 0) {
        for (const auto& [name, make] : registry())
            std::printf("%s\n", name.c_str());
        return 2;
    }
    qputenv("LACUNA_CACHE", "off"); // tests of the cache bring a folder of their own
    const std::string name = argv[1];
    int rest = argc - 1; // argv[1] takes the place of the program name
    const auto application = makeApplication(rest, argv + 1);
    const std::unique_ptr<QObject> test(registry()[name]());
    const int failures = QTest::qExec(test.get(), rest, argv + 1);
    if (failures != 0)
        return 1;
    return skips > 0 ? 77 : 0;
}
