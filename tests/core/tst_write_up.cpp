// The document of `lacuna report`: its sections, what is not stated, escapes, and that it is equal twice.

#include "core/import/load_trace.h"
#include "core/writeup/write_up.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>

namespace tst_write_up {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Sample {
    Result<LoadedTrace> loaded = Error{};
    std::shared_ptr<const GapAnalysis> gaps;

    explicit Sample(const char* file) {
        JobControl job;
        loaded = loadTrace(fixture(file), builtinImporters(), job);
        if (loaded)
            if (auto analysis = GapAnalysis::run(loaded->trace, {}, job))
                gaps = *analysis;
    }
    WriteUp write(const StatedSetup& setup = {}) const {
        JobControl job;
        auto document = makeWriteUp({*loaded, gaps, "00ff", setup, "Lacuna test"}, job);
        return document ? std::move(*document) : WriteUp{};
    }
};

const WriteUpBlock* after(const WriteUp& document, std::string_view heading, WriteUpBlock::Kind kind) {
    const auto at = std::find_if(document.blocks.begin(), document.blocks.end(), [&](const WriteUpBlock& b) {
        return b.kind == WriteUpBlock::Kind::Heading && b.text == heading;
    });
    const auto found =
        std::find_if(at, document.blocks.end(), [&](const WriteUpBlock& b) { return b.kind == kind; });
    return found == document.blocks.end() ? nullptr : &*found;
}

std::string html(const WriteUp& document) {
    StringSink sink;
    writeUpHtml(document, sink);
    return sink.text();
}

WriteUp oneParagraph(const char* text) {
    WriteUp document;
    document.title = text;
    document.blocks.emplace_back().text = text;
    return document;
}

} // namespace

class TstWriteUp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c60_eightFieldsAndWhatIsNotStated() {
        const Sample sample("captured/torch/item_sync.pt.trace.json.gz");
        QVERIFY(sample.gaps);
        const auto fieldsOf = [&](const StatedSetup& setup) {
            const WriteUp document = sample.write(setup);
            const WriteUpBlock* block = after(document, "Set-up", WriteUpBlock::Kind::Fields);
            return block == nullptr ? std::vector<std::vector<std::string>>{} : block->rows;
        };
        const auto fields = fieldsOf({});
        QCOMPARE(fields.size(), std::size_t{8});
        const std::vector<std::string> names{"warm-up", "iterations", "shapes",   "batch",
                                             "dtype",   "hardware",   "software", "boundaries"};
        for (std::size_t i = 0; i < names.size(); ++i)
            QCOMPARE(fields[i][0], names[i]);
        for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{4}})
            QCOMPARE(fields[i][1], std::string("not stated"));
        QVERIFY(fields[1][1].starts_with("4 steps"));
        QVERIFY(fields[5][1].find("NVIDIA H200") != std::string::npos);
        const auto stated =
            fieldsOf({{"batch", "32"}, {"warm-up", "3 steps"}, {"iterations", "20"}, {"other", "x"}});
        QCOMPARE(stated.size(), std::size_t{8});
        QCOMPARE(stated[0][1], std::string("3 steps"));
        QCOMPARE(stated[1][1], std::string("20")); // what a person states goes before
        QCOMPARE(stated[3][1], std::string("32"));
    }

    void e21_everyFindingListsItsEvidence() {
        const Sample sample("captured/torch/item_sync.pt.trace.json.gz");
        const WriteUp document = sample.write();
        std::size_t findings = 0, evidence = 0, figures = 0;
        for (std::size_t i = 0; i < document.blocks.size(); ++i) {
            const WriteUpBlock& block = document.blocks[i];
            findings += block.kind == WriteUpBlock::Kind::Heading && block.level == 3;
            figures += block.kind == WriteUpBlock::Kind::Figure;
            if (block.kind == WriteUpBlock::Kind::Text && block.text == "Evidence") {
                ++evidence;
                QVERIFY(document.blocks[i + 1].kind == WriteUpBlock::Kind::List);
                QVERIFY(!document.blocks[i + 1].rows.empty());
            }
        }
        QVERIFY(findings >= 3);
        QCOMPARE(evidence, findings);
        QCOMPARE(figures, findings);
        // The worst group is the first one, in the analysis' own words.
        const GapGroup& worst = sample.gaps->groups().front();
        const auto first = std::find_if(document.blocks.begin(), document.blocks.end(),
                                        [](const WriteUpBlock& b) { return b.level == 3; });
        QVERIFY(first->text.starts_with("1. "));
        QVERIFY((first + 1)->text == sample.gaps->explain(sample.gaps->gap(worst.members.front())).verdict);
    }

    void sectionsAndNumbers() {
        const Sample sample("captured/torch/item_sync.pt.trace.json.gz");
        const WriteUp document = sample.write();
        std::vector<std::string> sections;
        for (const WriteUpBlock& block : document.blocks)
            if (block.kind == WriteUpBlock::Kind::Heading && block.level == 2)
                sections.push_back(block.text.substr(0, block.text.find(" of GPU")));
        QCOMPARE(sections, (std::vector<std::string>{"Summary", "Idle time", "Tables", "Set-up",
                                                     "Limits of this report", "Where this comes from"}));
        const std::string page = html(document);
        // As summary, gaps and kernels print them (mock-up: 69.1 % busy, 7.885 ms idle in 303 gaps).
        for (const char* fact :
             {"busy 69.1 %", "idle 7.885 ms in 303 gaps", "00ff", "Lacuna test", "4 steps"})
            QVERIFY2(page.find(fact) != std::string::npos, fact);
        for (const WriteUpBlock& block : document.blocks)
            if (block.kind == WriteUpBlock::Kind::Table) {
                QCOMPARE(block.columns.size(), block.isNumber.size());
                QVERIFY(block.rows.size() <= 12);
                for (const auto& row : block.rows)
                    QCOMPARE(row.size(), block.columns.size());
            }
    }

    void equalTwice() {
        const Sample first("captured/nsys/stall.sqlite"), second("captured/nsys/stall.sqlite");
        QCOMPARE(html(first.write()), html(second.write()));
    }

    void aTraceWithoutGpuSaysSo() {
        const Sample sample("micro/M1.json");
        QVERIFY(sample.loaded);
        QVERIFY(!html(sample.write()).empty());
    }

    void namesCannotBreakThePage() {
        const std::string page = html(oneParagraph("<script>\"&|"));
        QVERIFY(page.find("<script>") == std::string::npos);
        QVERIFY(page.find("&lt;script&gt;&quot;&amp;|") != std::string::npos);
        StringSink sink;
        writeUpMarkdown(oneParagraph("# a|b *c* <d>"), sink);
        QCOMPARE(sink.text(), std::string("\\# a\\|b \\*c\\* \\<d\\>\n\n"));
    }

    // RFC 4648, section 10.
    void base64OfTheStandard() {
        QCOMPARE(base64(""), std::string());
        QCOMPARE(base64("f"), std::string("Zg=="));
        QCOMPARE(base64("fo"), std::string("Zm8="));
        QCOMPARE(base64("foo"), std::string("Zm9v"));
        QCOMPARE(base64("foob"), std::string("Zm9vYg=="));
        QCOMPARE(base64("foobar"), std::string("Zm9vYmFy"));
        QCOMPARE(base64("\xff\xfe\xfd"), std::string("//79"));
    }

    void cancelled() {
        const Sample sample("captured/torch/item_sync.pt.trace.json.gz");
        JobControl job;
        job.requestCancel();
        const auto document = makeWriteUp({*sample.loaded, sample.gaps, {}, {}, {}}, job);
        QVERIFY(!document && document.error().code == Errc::Cancelled);
    }
};

LACUNA_TEST(TstWriteUp, "tst_write_up")

} // namespace tst_write_up

#include "tst_write_up.moc"
