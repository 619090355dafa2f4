// Every public JSON trace: it opens, or is refused with a reason; its elements are all counted.

#include "core/import/byte_source.h"
#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace tst_public_json {

using namespace lacuna;
using namespace lacuna::test;

namespace {

// Elements of the event array by another reader; none where the file is no valid JSON or holds no such array.
std::optional<std::size_t> elementsOf(const std::filesystem::path& file) {
    auto source = openFile(file);
    if (!source)
        return std::nullopt;
    std::string text, piece(std::size_t{1} << 20, '\0');
    for (;;) {
        const auto got = (*source)->read(std::as_writable_bytes(std::span(piece)));
        if (!got || *got == 0)
            break;
        text.append(piece, 0, *got);
    }
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (document.is_array())
        return document.size();
    if (document.is_object() && document.contains("traceEvents") && document["traceEvents"].is_array())
        return document["traceEvents"].size();
    return std::nullopt;
}

} // namespace

class TstPublicJson : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFile_opensWithAllItsElements_orSaysWhyNot() {
        const auto files = sharedFiles("traces/public/json");
        if (files.empty())
            LACUNA_SKIP("the public traces are not here");
        int opened = 0, counted = 0;
        for (const auto& file : files) {
            const std::string name = file.filename().string();
            JobControl job;
            const auto loaded = loadTrace(file, builtinImporters(), job);
            QVERIFY(job.maxBytesBetweenPolls() <= (1u << 20));
            QVERIFY(job.maxEventsBetweenPolls() <= 4096);
            if (!loaded) {
                QVERIFY2(loaded.error().code != Errc::Io && !loaded.error().detail.empty() &&
                             !loaded.error().remedy.empty() && loaded.error().place.starts_with(name),
                         name.c_str());
                continue;
            }
            ++opened;
            const ImportReport& report = loaded->trace->report();
            QVERIFY2(report.rowsRead() == report.rowsKept() + report.rowsDropped(), name.c_str());
            QVERIFY2(!report.isPartial(), name.c_str());
            if (const auto elements = elementsOf(file)) {
                ++counted;
                QVERIFY2(report.rowsRead() == *elements, name.c_str());
            }
        }
        QVERIFY2(opened >= 77, std::to_string(opened).c_str());
        QVERIFY2(counted >= 73, std::to_string(counted).c_str());
    }
};
LACUNA_TEST(TstPublicJson, "tst_public_json")

} // namespace tst_public_json

#include "tst_public_json.moc"
