// The same trace through every container gives the same rows and details; archives of several traces are
// listed; damage gives a message or a partial trace.

#include "core/import/archive_members.h"
#include "core/import/byte_source.h"
#include "core/import/detail/spooled_bytes.h"
#include "core/import/detail/standard_input.h"
#include "tests/support/archives.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <fcntl.h>
#include <fstream>
#include <functional>
#include <random>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace tst_containers {

using namespace lacuna;
using namespace lacuna::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

Result<LoadedTrace> load(std::string bytes, const std::string& member = {}) {
    JobControl job;
    LoadOptions options;
    options.member = member;
    return loadTraceFromMemory(std::move(bytes), "t.bin", builtinImporters(), job, 0, options);
}

std::string messageOf(const Result<LoadedTrace>& loaded) {
    return loaded ? "it was opened" : loaded.error().detail + " | " + loaded.error().remedy;
}

// Details of 20 events, spread over the rows.
std::string someDetails(const LoadedTrace& loaded) {
    std::string text;
    const auto& source = loaded.trace->events().source;
    for (std::size_t i = 0; i < 20; ++i) {
        const auto details = loaded.details->read(SourceRef{source[i * (source.size() - 1) / 19]});
        text += "--\n";
        if (!details)
            text += details.error().detail + "\n";
        else
            for (const auto& [name, value] : details->fields)
                text += name + ": " + value + "\n";
    }
    return text;
}

std::string unpacked(const fs::path& gzip) {
    const auto source = openFile(gzip);
    std::string text, piece(1 << 16, '\0');
    for (;;) {
        const auto got = (*source)->read(std::as_writable_bytes(std::span(piece)));
        if (!got || *got == 0)
            return text;
        text.append(piece, 0, *got);
    }
}

const std::string& smallTrace() {
    static const std::string text = readFile(fixture("micro/M1.json"));
    return text;
}

struct Wrapping {
    const char* name;
    std::function<std::string(const std::string&)> wrap;
};

const std::vector<Wrapping>& wrappings() {
    static const std::vector<Wrapping> all{
        {"gzip", [](const auto& t) { return gzipped(t); }},
        {"gzip of two members",
         [](const auto& t) { return gzipped(t.substr(0, 99)) + gzipped(t.substr(99)); }},
        {"zlib", [](const auto& t) { return zlibOf(t); }},
        {"zstd", [](const auto& t) { return zstdOf(t); }},
        {"zstd of two frames", [](const auto& t) { return zstdOf(t.substr(0, 99)) + zstdOf(t.substr(99)); }},
        {"xz", [](const auto& t) { return xzOf(t); }},
        {"xz of two streams", [](const auto& t) { return xzOf(t.substr(0, 99)) + xzOf(t.substr(99)); }},
        {"zip",
         [](const auto& t) {
             return zipOf({{"a/t.json", t, {}}});
         }},
        {"zip, stored",
         [](const auto& t) {
             return zipOf({{"t.json", t, {}}}, false);
         }},
        {"tar",
         [](const auto& t) {
             return tarOf({{"t.json", t, {}}});
         }},
        {"tar.gz",
         [](const auto& t) {
             return gzipped(tarOf({{"t.json", t, {}}}));
         }},
        {"tar.xz",
         [](const auto& t) {
             return xzOf(tarOf({{"t.json", t, {}}}));
         }},
        {"tar.zst",
         [](const auto& t) {
             return zstdOf(tarOf({{"t.json", t, {}}}));
         }},
        {"gzip in tar",
         [](const auto& t) {
             return tarOf({{"t.json.gz", gzipped(t), {}}});
         }},
        {"gzip in zip",
         [](const auto& t) {
             return zipOf({{"t.json.gz", gzipped(t), {}}});
         }},
        {"gzip in tar.gz",
         [](const auto& t) {
             return gzipped(tarOf({{"t.json.gz", gzipped(t), {}}}));
         }},
        {"zstd in tar.zst",
         [](const auto& t) {
             return zstdOf(tarOf({{"t", zstdOf(t), {}}}));
         }},
        {"zip in tar.xz",
         [](const auto& t) {
             return xzOf(tarOf({{"z", zipOf({{"t", t, {}}}), {}}}));
         }},
        {"tar in zip",
         [](const auto& t) {
             return zipOf({{"t.tar", tarOf({{"t.json", t, {}}}), {}}});
         }},
        {"gzip of gzip", [](const auto& t) { return gzipped(gzipped(t)); }},
    };
    return all;
}

std::string fourRanks() {
    return tarOf({{"run/rank10.json", smallTrace(), {}},
                  {"run/rank2.json.gz", gzipped(smallTrace()), {}},
                  {"README.md", "Four ranks of one run.", {}},
                  {"run/rank0.json", smallTrace(), {}},
                  {"run/config.json", "{\"lr\": 0.1}", {}},
                  {"other/rank0.json", smallTrace(), {}}});
}

class Folder {
public:
    fs::path file(const std::string& name) const { return fs::path(m_folder.path().toStdString()) / name; }
    fs::path with(const std::string& name, const std::string& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
        return file(name);
    }

private:
    QTemporaryDir m_folder;
};

// Does something to the file between two reads.
class DisturbedSource final : public ByteSource {
public:
    DisturbedSource(ByteSource& source, std::function<void()> disturb)
        : m_source(source), m_disturb(std::move(disturb)) {}
    Result<std::size_t> read(std::span<std::byte> buffer) override {
        auto got = m_source.read(buffer.first(std::min<std::size_t>(buffer.size(), 64 << 10)));
        if (m_disturb)
            m_disturb();
        m_disturb = nullptr;
        return got;
    }
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) override {
        return m_source.readAt(offset, buffer);
    }
    std::uint64_t storedSize() const override { return m_source.storedSize(); }
    std::uint64_t storedDone() const override { return m_source.storedDone(); }
    const std::string& damage() const override { return m_source.damage(); }
    bool isCut() const override { return m_source.isCut(); }
    bool isCompressed() const override { return m_source.isCompressed(); }

private:
    ByteSource& m_source;
    std::function<void()> m_disturb;
};

std::string manyEvents(int count) {
    std::string events;
    for (int i = 0; i < count; ++i)
        events += (i != 0 ? ",\n" : "") + q("{'ph':'X','name':'k','pid':1,'tid':1,'dur':1,'ts':") +
                  std::to_string(2 * i) + "}";
    return objectForm(events);
}

} // namespace

class TstContainers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void json_inEveryContainer_isTheSameTrace_data() {
        QTest::addColumn<int>("wrapping");
        for (std::size_t i = 0; i < wrappings().size(); ++i)
            QTest::newRow(wrappings()[i].name) << static_cast<int>(i);
    }
    void json_inEveryContainer_isTheSameTrace() {
        QFETCH(int, wrapping);
        static const std::string text = unpacked(fixture("captured/torch/item_sync.pt.trace.json.gz"));
        static const auto plain = load(text);
        QVERIFY(plain);
        static const std::string rows = dumpTrace(*plain->trace), details = someDetails(*plain);
        const std::string packed = wrappings()[static_cast<std::size_t>(wrapping)].wrap(text);
        const auto loaded = load(packed);
        QVERIFY2(loaded, messageOf(loaded).c_str());
        QVERIFY(dumpTrace(*loaded->trace) == rows);
        QCOMPARE(someDetails(*loaded), details);
        QCOMPARE(loaded->trace->facts().fileSize, std::uint64_t{packed.size()});
        QVERIFY(!loaded->trace->report().isPartial());
    }

    void sqlite_inEveryContainer_isTheSameTrace_data() { json_inEveryContainer_isTheSameTrace_data(); }
    void sqlite_inEveryContainer_isTheSameTrace() {
        QFETCH(int, wrapping);
        static const std::string bytes = readFile(fixture("captured/nsys/stall.sqlite"));
        static const auto plain = load(bytes);
        QVERIFY(plain);
        static const std::string rows = dumpTrace(*plain->trace), details = someDetails(*plain);
        const auto loaded = load(wrappings()[static_cast<std::size_t>(wrapping)].wrap(bytes));
        QVERIFY2(loaded, messageOf(loaded).c_str());
        QVERIFY(dumpTrace(*loaded->trace) == rows);
        QCOMPARE(someDetails(*loaded), details);
    }

    void utf16_bothOrders_areTheSameTrace() {
        const auto plain = load(smallTrace());
        QVERIFY(plain);
        for (const bool isBig : {false, true}) {
            const std::string text = utf16Of(smallTrace(), isBig), withoutMark = text.substr(2);
            for (const std::string& packed :
                 {text, gzipped(text), zipOf({{"t.json", text, {}}}), withoutMark, gzipped(withoutMark)}) {
                const auto loaded = load(packed);
                QVERIFY2(loaded, messageOf(loaded).c_str());
                QCOMPARE(dumpTrace(*loaded->trace), dumpTrace(*plain->trace));
                QCOMPARE(someDetails(*loaded), someDetails(*plain));
            }
        }
    }
    void utf16_surrogates_becomeUtf8() {
        // A pair (U+1F600), a lone low one, a lone high one before a letter, U+00E9, half a unit at the end.
        const std::string text = "\xFF\xFE\x3D\xD8\x00\xDE\x00\xDC\x3D\xD8\x41\x00\xE9\x00\x41"s;
        const auto source = openMemory(text);
        std::string got(64, '\0');
        const auto count = source->read(std::as_writable_bytes(std::span(got)));
        QVERIFY(count);
        got.resize(*count);
        QCOMPARE(got, std::string("\xF0\x9F\x98\x80\xEF\xBF\xBD\xEF\xBF\xBD"
                                  "A\xC3\xA9\xEF\xBF\xBD"));
    }
    void utf8Mark_isIgnored() {
        const auto loaded = load("\xEF\xBB\xBF" + smallTrace());
        QVERIFY2(loaded, messageOf(loaded).c_str());
        QVERIFY(load(gzipped("\xEF\xBB\xBF" + smallTrace())));
    }

    // --- archives

    void archive_ofSeveralTraces_listsThem() {
        const auto loaded = load(fourRanks());
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Unsupported);
        const std::string size = "  " + std::to_string(smallTrace().size());
        const std::string& text = loaded.error().detail;
        QVERIFY2(text.starts_with("The tar archive holds 4 traces and one is shown at a time:\n    "
                                  "other/rank0.json"),
                 text.c_str());
        const auto at = [&](const char* name) { return text.find(name); };
        QVERIFY(at("run/rank0.json") < at("run/rank2.json.gz"));
        QVERIFY(at("run/rank2.json.gz") < at("run/rank10.json"));
        QVERIFY(at("run/rank10.json") != std::string::npos);
        QCOMPARE(at("README"), std::string::npos);
        QCOMPARE(at("config.json"), std::string::npos);
        QCOMPARE(loaded.error().remedy, std::string("Choose one with --member NAME."));
    }
    void archive_ofManyTraces_listsFiftyAndACount() {
        std::vector<PackedFile> files;
        for (int i = 0; i < 60; ++i)
            files.push_back({"rank" + std::to_string(i) + ".json", smallTrace(), {}});
        const std::string text = load(zipOf(files)).error().detail;
        QVERIFY(text.find("rank49.json") != std::string::npos);
        QVERIFY(text.find("rank50.json") == std::string::npos);
        QVERIFY(text.ends_with("and 10 more"));
    }
    void member_isChosenByAnyUniqueEnd_data() {
        QTest::addColumn<QByteArray>("wanted");
        QTest::addColumn<QByteArray>("shown"); // empty: an error
        QTest::newRow("whole name") << QByteArray("run/rank0.json") << QByteArray("run/rank0.json");
        QTest::newRow("base name") << QByteArray("rank2.json.gz") << QByteArray("run/rank2.json.gz");
        QTest::newRow("end of a name") << QByteArray("10.json") << QByteArray("run/rank10.json");
        QTest::newRow("no trace by its looks") << QByteArray("config.json") << QByteArray();
        QTest::newRow("two of that name") << QByteArray("rank0.json") << QByteArray();
        QTest::newRow("none") << QByteArray("rank7.json") << QByteArray();
    }
    void member_isChosenByAnyUniqueEnd() {
        QFETCH(QByteArray, wanted);
        QFETCH(QByteArray, shown);
        const auto loaded = load(fourRanks(), wanted.toStdString());
        QCOMPARE(bool(loaded), !shown.isEmpty());
        if (shown.isEmpty()) {
            QVERIFY(!loaded.error().detail.empty() && !loaded.error().remedy.empty());
            return;
        }
        const Issue* note = loaded->trace->report().find("archive_member");
        QVERIFY(note != nullptr);
        QVERIFY2(note->message.starts_with("Shown is " + shown.toStdString() +
                                           " of the tar archive. Its other "
                                           "traces: "),
                 note->message.c_str());
        QVERIFY(note->message.ends_with("Not taken for traces: README.md, run/config.json."));
        QCOMPARE(note->count, std::uint64_t{5});
        QCOMPARE(note->severity, Severity::Info);
    }
    void member_ofAnArchiveInAnArchive_isFound() {
        const std::string two = tarOf({{"a.json", smallTrace(), {}}, {"b.json", smallTrace(), {}}});
        QVERIFY(load(zipOf({{"r.tar", two, {}}}), "b.json"));
        QVERIFY(load(zipOf({{"r.tar", two, {}}, {"s.tar", two, {}}}), "s.tar/b.json"));
        QVERIFY(!load(zipOf({{"r.tar", two, {}}, {"s.tar", two, {}}}), "b.json"));
    }
    void member_ofWhatIsNoArchive_isRefused() {
        QVERIFY(messageOf(load(smallTrace(), "a.json")).find("no archive") != std::string::npos);
        QVERIFY(messageOf(load(gzipped(smallTrace()), "a.json")).find("no archive") != std::string::npos);
    }
    void listMembers_givesNamesAndSizes() {
        const Folder folder;
        JobControl job;
        const auto members = listMembers(folder.with("t", gzipped(fourRanks())), job);
        QVERIFY(members);
        QCOMPARE(members->size(), std::size_t{4});
        QCOMPARE((*members)[0].name, std::string("other/rank0.json"));
        QCOMPARE((*members)[2].name, std::string("run/rank2.json.gz"));
        QCOMPARE((*members)[2].size, std::optional<std::uint64_t>(gzipped(smallTrace()).size()));
        const auto none = listMembers(folder.with("j", smallTrace()), job);
        QVERIFY(none && none->empty());
        QVERIFY(!listMembers(folder.with("z", zipOf({{"a.txt", "text", {}}})), job));
    }
    void archive_withoutTraces_saysWhatItHolds() {
        const std::string message = messageOf(load(zipOf({{"a.txt", "text", {}}, {"b.md", "more", {}}})));
        QVERIFY2(message.starts_with("The zip archive holds no trace: a.txt, b.md."), message.c_str());
        QVERIFY(messageOf(load(tarOf({{"link.json", {}, "/etc/passwd"}})))
                    .starts_with("The tar archive holds "
                                 "no files."));
        QVERIFY(messageOf(load("PK\x05\x06"s + std::string(18, '\0'))).find("holds no files") !=
                std::string::npos);
    }
    // Names that point elsewhere are text: nothing is written anywhere, links are not followed.
    void archive_withHostileNames_opensAndWritesNothing() {
        const Folder folder;
        const fs::path trap = folder.file("trap.json");
        const std::string packed = tarOf({{"../../trap.json", smallTrace(), {}},
                                          {trap.string(), "no trace", {}},
                                          {"link.json", {}, "../../etc/passwd"}});
        const auto loaded = load(packed);
        QVERIFY2(loaded, messageOf(loaded).c_str());
        QVERIFY(!fs::exists(trap));
        const std::string note = loaded->trace->report().find("archive_member")->message;
        QVERIFY2(note.find("Shown is ../../trap.json") != std::string::npos, note.c_str());
        QVERIFY(note.ends_with("which are never followed: 1."));
        const std::string escapes = messageOf(load(zipOf({{"a\x1B[31m.txt", "text", {}}})));
        QCOMPARE(escapes.find('\x1B'), std::string::npos);
    }
    void zip_thatIsEncrypted_saysSo() {
        std::string packed = zipOf({{"t.json", smallTrace(), {}}});
        packed[6] = static_cast<char>(packed[6] | 1); // flag of the local header, then of the list
        const std::size_t central = packed.find("PK\x01\x02");
        packed[central + 8] = static_cast<char>(packed[central + 8] | 1);
        const std::string message = messageOf(load(packed));
        QVERIFY2(message.starts_with("The zip archive is encrypted: t.json."), message.c_str());
    }
    void zip_ofAnUnknownMethod_saysSo() {
        std::string packed = zipOf({{"t.json", smallTrace(), {}}});
        packed[8] = 77;
        packed[packed.find("PK\x01\x02") + 10] = 77;
        const auto loaded = load(packed);
        QVERIFY(!loaded);
        QVERIFY2(loaded.error().detail.find("cannot be unpacked: t.json") != std::string::npos,
                 loaded.error().detail.c_str());
    }
    void zip_withADamagedList_opensByItsLocalHeadersOrSaysWhy() {
        std::string packed = zipOf({{"t.json", smallTrace(), {}}});
        const std::size_t central = packed.find("PK\x01\x02");
        std::fill(packed.begin() + static_cast<std::ptrdiff_t>(central), packed.end(), '\x55');
        const auto loaded = load(packed);
        if (loaded)
            QVERIFY(loaded->trace->events().size() > 0);
        else
            QVERIFY(!loaded.error().remedy.empty());
    }
    void layers_moreThanFour_areRefused() {
        std::string packed = smallTrace();
        for (int i = 0; i < 4; ++i)
            packed = gzipped(packed);
        QVERIFY(load(packed));
        const auto loaded = load(gzipped(packed));
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::TooLarge);
    }

    // --- damage

    void containers_cutAnywhere_giveAMessageOrAPart_data() { json_inEveryContainer_isTheSameTrace_data(); }
    void containers_cutAnywhere_giveAMessageOrAPart() {
        QFETCH(int, wrapping);
        const std::string packed = wrappings()[static_cast<std::size_t>(wrapping)].wrap(smallTrace());
        const auto whole = load(smallTrace());
        for (std::size_t i = 0; i < 200; ++i) {
            const auto loaded = load(packed.substr(0, packed.size() * i / 200));
            if (loaded) {
                QVERIFY(loaded->trace->events().size() <= whole->trace->events().size());
            } else {
                QVERIFY(!loaded.error().detail.empty());
                QVERIFY(!loaded.error().remedy.empty());
                QVERIFY(!loaded.error().place.empty());
            }
        }
    }
    void containers_withWrongBytes_giveAMessageOrAPart_data() { json_inEveryContainer_isTheSameTrace_data(); }
    void containers_withWrongBytes_giveAMessageOrAPart() {
        QFETCH(int, wrapping);
        const std::string packed = wrappings()[static_cast<std::size_t>(wrapping)].wrap(smallTrace());
        std::mt19937_64 random(11);
        for (int i = 0; i < 100; ++i) {
            std::string damaged = packed;
            for (int k = 0; k < 3; ++k)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto loaded = load(damaged);
            if (!loaded)
                QVERIFY(!loaded.error().detail.empty());
        }
    }
    void zstdAndXz_cutInTheMiddle_keepWhatCameBefore() {
        const std::string text = unpacked(fixture("captured/torch/item_sync.pt.trace.json.gz"));
        for (const std::string& packed : {zstdOf(text), xzOf(text), zlibOf(text)}) {
            const auto loaded = load(packed.substr(0, packed.size() * 3 / 4));
            QVERIFY2(loaded, messageOf(loaded).c_str());
            QVERIFY(loaded->trace->report().isPartial());
            const Issue* note = loaded->trace->report().find("damaged_compression");
            QVERIFY(note != nullptr);
            QVERIFY2(note->message.find("data ends early at byte") != std::string::npos,
                     note->message.c_str());
        }
    }
    void garbageBehindCompressedData_isIgnoredWithANote() {
        for (const std::string& packed :
             {zstdOf(smallTrace()) + "garbage", xzOf(smallTrace()) + "garbage!"}) {
            const auto loaded = load(packed);
            QVERIFY2(loaded, messageOf(loaded).c_str());
            QVERIFY(!loaded->trace->report().isPartial());
            QVERIFY(loaded->trace->report().find("compression_warning") != nullptr);
        }
    }

    // --- files that are none, and files that change

    void whatIsNoFile_saysWhatItIs_data() {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("word");
        for (const auto& [kind, word] :
             {std::pair{"folder", "folder"}, std::pair{"device", "a device"}, std::pair{"pipe", "a pipe"},
              std::pair{"socket", "a socket"}, std::pair{"loop", "symbolic links"},
              std::pair{"missing", "No such file"}, std::pair{"empty", "empty (0 bytes)"},
              std::pair{"locked", "denied"}})
            QTest::newRow(kind) << QByteArray(kind) << QByteArray(word);
    }
    void whatIsNoFile_saysWhatItIs() {
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, word);
        const Folder folder;
        fs::path file = folder.file(kind.toStdString());
        if (kind == "folder")
            fs::create_directory(file);
        if (kind == "device")
            file = "/dev/null";
        if (kind == "pipe")
            QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
        if (kind == "loop")
            fs::create_symlink(file, file);
        if (kind == "empty" || kind == "locked")
            folder.with(kind.toStdString(), kind == "locked" ? smallTrace() : std::string());
        if (kind == "locked") {
            fs::permissions(file, fs::perms::none);
            if (::geteuid() == 0)
                LACUNA_SKIP("root may read every file");
        }
        const int socket = kind == "socket" ? ::socket(AF_UNIX, SOCK_STREAM, 0) : -1;
        if (socket >= 0) {
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            QVERIFY(file.string().size() < sizeof(address.sun_path));
            file.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
            QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        }
        JobControl job;
        const auto loaded = loadTrace(file, builtinImporters(), job);
        QVERIFY(!loaded);
        QVERIFY2(loaded.error().detail.find(word.toStdString()) != std::string::npos,
                 loaded.error().detail.c_str());
        QVERIFY(!loaded.error().remedy.empty());
        if (socket >= 0)
            ::close(socket);
    }

    void file_thatShrinksWhileItIsRead_isPartlyRead() {
        const Folder folder;
        const fs::path file = folder.with("t.json", manyEvents(20'000));
        auto source = openFile(file);
        QVERIFY(source);
        DisturbedSource disturbed(**source, [&] { fs::resize_file(file, 100'000); });
        TraceBuilder builder;
        JobControl job;
        for (const auto& importer : builtinImporters())
            if (importer->id() == "chrome-json")
                QVERIFY(importer->load(disturbed, file, builder, job, {}));
        QVERIFY(builder.report().isPartial());
        QVERIFY(builder.report().find("file_became_shorter") != nullptr);
        QVERIFY(builder.size() > 500 && builder.size() < 2'000);
        QCOMPARE((*source)->notes().size(), std::size_t{1});
        QCOMPARE((*source)->notes()[0].code, std::string("file_changed"));
    }
    void file_thatIsLeftAlone_hasNoNotes() {
        const Folder folder;
        auto source = openFile(folder.with("t.json", smallTrace()));
        QVERIFY(source && (*source)->notes().empty());
    }

    // --- standard input and the temporary file

    void pipe_isReadToItsEndAndCanBeReadAgain() {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const std::string text = manyEvents(10'000);
        std::thread writer([&] {
            for (std::size_t at = 0; at < text.size();) // in small pieces
                at += static_cast<std::size_t>(
                    ::write(ends[1], text.data() + at, std::min<std::size_t>(text.size() - at, 7'001)));
            ::close(ends[1]);
        });
        const StandardInput input(ends[0]);
        QCOMPARE(input.size(), std::uint64_t{0});
        std::string got(text.size() + 10, '\0');
        const auto count = input.readAt(0, std::as_writable_bytes(std::span(got)));
        writer.join();
        QVERIFY(count);
        QCOMPARE(*count, text.size());
        got.resize(*count);
        QVERIFY(got == text);
        QCOMPARE(input.size(), std::uint64_t{text.size()});
        got.resize(100);
        QVERIFY(input.readAt(text.size() / 2, std::as_writable_bytes(std::span(got))));
        QCOMPARE(got, text.substr(text.size() / 2, 100));
    }
    void pipe_thatWaits_canBeCancelledAndReadOn() {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const StandardInput input(ends[0]);
        JobControl job;
        std::thread user([&job] { job.requestCancel(); });
        std::string got(5, '\0');
        const auto cancelled = input.readAt(0, std::as_writable_bytes(std::span(got)), &job);
        user.join();
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, Errc::Cancelled);
        QCOMPARE(::write(ends[1], "trace", 5), ssize_t{5});
        ::close(ends[1]);
        const auto count = input.readAt(0, std::as_writable_bytes(std::span(got)));
        QVERIFY(count && *count == 5);
        QCOMPARE(got, std::string("trace"));
    }
    void fullDisk_stillPassesAllAndSaysWhatIsMissing() {
        const std::string text = manyEvents(20'000);
        const auto stream = [&text] {
            return std::make_unique<StoredStream>(std::shared_ptr<const StoredBytes>(storedMemory(text)));
        };
        const auto readAll = [&text](const SpooledBytes& bytes) {
            std::string got(text.size() + 1, '\0');
            for (std::size_t at = 0;;) {
                const auto piece = std::span(got).subspan(at, std::min<std::size_t>(got.size() - at, 50'000));
                const auto count = bytes.readAt(at, std::as_writable_bytes(piece));
                if (!count || *count == 0)
                    return got.substr(0, at) == text;
                at += *count;
            }
        };
        std::string got(100, '\0');
        const auto buffer = std::as_writable_bytes(std::span(got));
        const std::size_t late = text.size() - 1'000;
        const SpooledBytes once(stream(), {}, 200'000);
        QVERIFY(readAll(once));
        QVERIFY(once.readAt(150'000, buffer) && got == text.substr(150'000, 100));
        QVERIFY(!once.readAt(late, buffer));
        const SpooledBytes again(
            stream(), [&]() -> Result<StreamPtr> { return StreamPtr(stream()); }, 200'000);
        QVERIFY(readAll(again));
        QVERIFY(again.readAt(late, buffer) && got == text.substr(late, 100));
        QVERIFY(again.readAt(300'000, buffer) && got == text.substr(300'000, 100));
    }
};
LACUNA_TEST(TstContainers, "tst_containers")

} // namespace tst_containers

#include "tst_containers.moc"
