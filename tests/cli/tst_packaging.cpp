// The package lists and what deps.sh does with them. dpkg-query, apt-get, id and sudo are stand-ins that the
// test puts first in PATH, so nothing is ever installed here.

#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <memory>

namespace tst_packaging {

namespace {

struct Ran {
    int code = -1;
    QByteArray out, err;
};

QString script(const char* name) {
    return QString::fromStdString(lacuna::test::inSource(name).string());
}

Ran runShell(const QStringList& words, const QString& stubs = {}) {
    QProcess shell;
    if (!stubs.isEmpty()) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), stubs + QStringLiteral(":/usr/bin:/bin"));
        shell.setProcessEnvironment(environment);
    }
    shell.setStandardInputFile(QProcess::nullDevice());
    shell.start(QStringLiteral("/bin/sh"), words);
    shell.waitForFinished(60'000);
    return {shell.exitStatus() == QProcess::NormalExit ? shell.exitCode() : -1, shell.readAllStandardOutput(),
            shell.readAllStandardError()};
}

} // namespace

class TstPackaging : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void scripts_parse_data();
    void scripts_parse();
    void lists_nameWhatEachCommandNeeds();
    void unknownGroup_isWrongUsage();
    void nothingMissing_callsNothing();
    void missing_asRoot_installsOnlyThat();
    void missing_throughSudo_installs();
    void missing_withoutRights_printsTheCommand();
    void build_configuresOnlyWhenSomethingChanged();

private:
    void stub(const char* name, const QByteArray& body);
    QByteArray called() const; // what the stand-ins were asked to do
    // dpkg-query that knows every package as installed but the given ones.
    void stubInstalled(const QByteArray& except);
    Ran deps() {
        return runShell({script("packaging/deps.sh"), QStringLiteral("run"), QStringLiteral("test")},
                        m_stubs->path());
    }

    std::unique_ptr<QTemporaryDir> m_stubs;
};

void TstPackaging::stub(const char* name, const QByteArray& body) {
    QFile file(m_stubs->filePath(QString::fromLatin1(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + body + '\n');
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QByteArray TstPackaging::called() const {
    QFile log(m_stubs->filePath(QStringLiteral("log")));
    return log.open(QIODevice::ReadOnly) ? log.readAll() : QByteArray();
}

void TstPackaging::stubInstalled(const QByteArray& except) {
    m_stubs = std::make_unique<QTemporaryDir>();
    stub("dpkg-query", "shift 2\nfor p in \"$@\"; do case \" " + except +
                           " \" in *\" $p \"*) ;; *) echo \"ii $p\" ;; esac; done");
    stub("apt-get", "echo \"apt-get $*\" >>" + m_stubs->path().toUtf8() + "/log; echo installing");
}

void TstPackaging::scripts_parse_data() {
    QTest::addColumn<QString>("path");
    for (const char* name :
         {"packaging/run.sh", "packaging/test.sh", "packaging/build.sh", "packaging/deps.sh",
          "packaging/appimage.sh", "packaging/check_deb.sh", ".ci/run"})
        QTest::newRow(name) << script(name);
}

void TstPackaging::scripts_parse() {
    QFETCH(QString, path);
    const Ran ran = runShell({QStringLiteral("-n"), path});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY(QFile::permissions(path) & QFile::ExeUser);
}

void TstPackaging::lists_nameWhatEachCommandNeeds() {
    const auto list = [](const char* group) {
        return runShell({script("packaging/deps.sh"), QStringLiteral("--list"), QString::fromLatin1(group)})
            .out.split('\n');
    };
    QVERIFY(list("run").contains("qt6-base-dev"));
    QVERIFY(list("run").contains("libsqlite3-dev"));
    QVERIFY(!list("run").contains("git"));
    QVERIFY(list("test").contains("xvfb"));
    QVERIFY(list("test").contains("xauth"));
    QVERIFY(list("checks").contains("clang-tidy-14"));
}

void TstPackaging::unknownGroup_isWrongUsage() {
    QCOMPARE(runShell({script("packaging/deps.sh"), QStringLiteral("games")}).code, 2);
}

void TstPackaging::nothingMissing_callsNothing() {
    stubInstalled({});
    const Ran ran = deps();
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.out, QByteArray());
    QCOMPARE(ran.err, QByteArray());
    QCOMPARE(called(), QByteArray());
}

void TstPackaging::missing_asRoot_installsOnlyThat() {
    stubInstalled("cmake xauth");
    stub("id", "echo 0");
    const Ran ran = deps();
    QVERIFY2(ran.code == 0, ran.err.constData());
    QCOMPARE(ran.out, QByteArray()); // apt-get's chatter goes to standard error
    QVERIFY2(ran.err.contains("Installing: cmake xauth"), ran.err.constData());
    const QList<QByteArray> calls = called().trimmed().split('\n');
    QCOMPARE(calls.size(), 2);
    QVERIFY2(calls[0].contains("update"), calls[0].constData());
    QVERIFY2(calls[1].contains("--no-install-recommends cmake xauth"), calls[1].constData());
    QVERIFY2(calls[1].endsWith(" cmake xauth"), calls[1].constData());
}

void TstPackaging::missing_throughSudo_installs() {
    stubInstalled("cmake");
    stub("id", "echo 1000");
    stub("sudo", "[ \"$1\" = -n ] && exit 0\nexec \"$@\"");
    const Ran ran = deps();
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY2(called().contains(" cmake\n"), called().constData());
}

void TstPackaging::missing_withoutRights_printsTheCommand() {
    stubInstalled("cmake xauth");
    stub("id", "echo 1000");
    stub("sudo", "exit 1"); // and no terminal to ask on
    const Ran ran = deps();
    QCOMPARE(ran.code, 1);
    QCOMPARE(ran.out, QByteArray());
    QVERIFY2(ran.err.contains("apt-get install -y --no-install-recommends cmake xauth\n"),
             ran.err.constData());
    QCOMPARE(called(), QByteArray());
}

// build.sh in a folder of its own, with stand-ins for cmake and ninja.
void TstPackaging::build_configuresOnlyWhenSomethingChanged() {
    m_stubs = std::make_unique<QTemporaryDir>();
    const QByteArray log = m_stubs->path().toUtf8() + "/log";
    stub("cmake", "[ \"$1\" = --version ] && echo cmake version 3.25 && exit 0\necho configure >>" + log +
                      "\ntouch build/release/build.ninja; echo chatter");
    stub("ninja", "echo build \"$3\" >>" + log + "; echo chatter");
    const QTemporaryDir root;
    QVERIFY(QDir(root.path()).mkdir(QStringLiteral("packaging")));
    const QString build = root.filePath(QStringLiteral("packaging/build.sh"));
    QVERIFY(QFile::copy(script("packaging/build.sh"), build));
    QFile presets(root.filePath(QStringLiteral("CMakePresets.json")));
    QVERIFY(presets.open(QIODevice::WriteOnly));
    presets.write("{}");
    presets.flush();
    const auto run = [&] {
        QFile::remove(QString::fromUtf8(log));
        const Ran ran = runShell({build, QStringLiteral("lacuna")}, m_stubs->path());
        return ran.code == 0 && ran.out.isEmpty() ? called() : "failed: " + ran.out + ran.err;
    };
    QCOMPARE(run(), QByteArray("configure\nbuild lacuna\n"));
    QCOMPARE(run(), QByteArray("build lacuna\n"));
    presets.write("\n");
    presets.flush();
    QCOMPARE(run(), QByteArray("configure\nbuild lacuna\n"));
    QCOMPARE(run(), QByteArray("build lacuna\n"));
}

LACUNA_TEST(TstPackaging, "tst_packaging")

} // namespace tst_packaging

#include "tst_packaging.moc"
