// What an installation tells the desktop: the desktop entry, the metainfo and the MIME types are valid, name
// one another, and everything they name is installed; and uninstalling leaves nothing. Tools that are not
// installed are skipped.

#include "tests/cli/cli_run.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFileInfo>
#include <QMimeDatabase>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace tst_desktop_files {

using namespace lacuna::test;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString kId = u"io.github.lacuna_viewer.Lacuna"_s;

QString packaging(const QString& name) {
    return QString::fromStdString(inSource("packaging").string()) + u'/' + name;
}

QString buildFolder() {
    return QFileInfo(QStringLiteral(LACUNA_BINARY)).dir().absoluteFilePath(u".."_s);
}

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

Ran runTool(const QString& tool, const QStringList& words, const QProcessEnvironment& environment) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(tool, words);
    process.waitForFinished(60'000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

// "Exec" of the main group, "Desktop Action new-window/Exec" of another.
QString entry(const QString& key) {
    const QString group = key.contains(u'/') ? key.section(u'/', 0, 0) : u"Desktop Entry"_s;
    QString current;
    for (const QString& line : read(packaging(kId + u".desktop"_s)).split(u'\n')) {
        if (line.startsWith(u'['))
            current = line.mid(1, line.size() - 2);
        else if (current == group && line.section(u'=', 0, 0) == key.section(u'/', -1))
            return line.section(u'=', 1);
    }
    return {};
}

// Attribute `name` of all elements `tag`, or their text where no attribute is asked for.
QStringList ofElements(const QString& path, const QString& tag, const QString& name = {}) {
    QStringList found;
    QXmlStreamReader xml(read(path));
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == tag)
            found << (name.isEmpty() ? xml.readElementText() : xml.attributes().value(name).toString());
    return found;
}

} // namespace

class TstDesktopFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void desktopEntry_isValid();
    void desktopEntry_namesTheProgram();
    void metainfo_isValid();
    void metainfo_agreesWithTheEntry();
    void metainfo_picturesAreThere();
    void releases_areTheChangeLog();
    void types_areThoseOfTheName_data();
    void types_areThoseOfTheName();
    void install_thenUninstall();
    void flatpak_isJson();

private:
    QTemporaryDir m_data;
};

void TstDesktopFiles::initTestCase() {
    // The MIME types are added to those of the system, for this process.
    QVERIFY(QDir(m_data.path()).mkpath(u"mime/packages"_s));
    QVERIFY(QFile::copy(packaging(u"mime.xml"_s), m_data.filePath(u"mime/packages/lacuna.xml"_s)));
    qputenv("XDG_DATA_HOME", m_data.path().toUtf8());
}

void TstDesktopFiles::desktopEntry_isValid() {
    const QString tool = QStandardPaths::findExecutable(u"desktop-file-validate"_s);
    if (tool.isEmpty())
        LACUNA_SKIP("desktop-file-validate is not installed");
    const Ran ran = runTool(tool, {packaging(kId + u".desktop"_s)}, QProcessEnvironment::systemEnvironment());
    QVERIFY2(ran.code == 0 && ran.out.isEmpty() && ran.err.isEmpty(), ran.out.constData());
}

void TstDesktopFiles::desktopEntry_namesTheProgram() {
    QCOMPARE(entry(u"Exec"_s), u"lacuna %F"_s);
    QCOMPARE(entry(u"Desktop Action new-window/Exec"_s), u"lacuna --new-window"_s);
    QCOMPARE(entry(u"Icon"_s), kId);
    QCOMPARE(entry(u"StartupWMClass"_s), kId);
}

void TstDesktopFiles::metainfo_isValid() {
    const QString tool = QStandardPaths::findExecutable(u"appstreamcli"_s);
    if (tool.isEmpty())
        LACUNA_SKIP("appstreamcli is not installed");
    const QString made = buildFolder() + u"/packaging/"_s + kId + u".metainfo.xml"_s;
    const Ran ran = runTool(tool, {u"validate"_s, u"--pedantic"_s, u"--no-net"_s, u"--no-color"_s, made},
                            QProcessEnvironment::systemEnvironment());
    QVERIFY2(ran.code == 0, ran.out.constData());
    // The one remark that stays: the last word of the id is the name, with its capital.
    const QRegularExpression remark(u"^([EWIP]: .*)$"_s, QRegularExpression::MultilineOption);
    for (auto all = remark.globalMatch(QString::fromUtf8(ran.out)); all.hasNext();) {
        const QString text = all.next().captured(1);
        QVERIFY2(text.contains(u"cid-contains-uppercase-letter"_s), qPrintable(text));
    }
}

void TstDesktopFiles::metainfo_agreesWithTheEntry() {
    const QString metainfo = packaging(kId + u".metainfo.xml"_s);
    QCOMPARE(ofElements(metainfo, u"id"_s), QStringList{kId});
    QCOMPARE(ofElements(metainfo, u"launchable"_s), QStringList{kId + u".desktop"_s});
    QCOMPARE(ofElements(metainfo, u"summary"_s).first(), entry(u"Comment"_s));
    // Files that are rarely traces are opened, but an entry that lists their type would become its default.
    const QStringList able{u"application/json"_s, u"application/gzip"_s, u"application/vnd.sqlite3"_s};
    QCOMPARE(ofElements(metainfo, u"mediatype"_s),
             entry(u"MimeType"_s).split(u';', Qt::SkipEmptyParts) + able);
    QCOMPARE(ofElements(metainfo, u"keyword"_s), entry(u"Keywords"_s).split(u';', Qt::SkipEmptyParts));
}

void TstDesktopFiles::metainfo_picturesAreThere() {
    const QStringList urls = ofElements(packaging(kId + u".metainfo.xml"_s), u"image"_s);
    QCOMPARE(urls.size(), 4);
    for (const QString& url : urls) {
        const QString path = url.section(u"/main/"_s, 1);
        QVERIFY2(QFile::exists(QString::fromStdString(inSource(path.toUtf8().constData()).string())),
                 qPrintable(url));
    }
}

void TstDesktopFiles::releases_areTheChangeLog() {
    const QString made = buildFolder() + u"/packaging/"_s + kId + u".metainfo.xml"_s;
    const QString changes = read(packaging(u"CHANGELOG.md"_s));
    QCOMPARE(ofElements(made, u"release"_s, u"version"_s).size(), changes.count(u"\n## "_s));
    const QString releases = read(made).section(u"<releases>"_s, 1);
    QCOMPARE(releases.count(u"<li>"_s), changes.count(u"\n- "_s));
}

void TstDesktopFiles::types_areThoseOfTheName_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("parent");
    const auto row = [](const char* name, const char* type, const char* parent) {
        QTest::newRow(name) << QString::fromLatin1(type) << QString::fromLatin1(parent);
    };
    row("notes.lacuna", "application/x-lacuna-workspace+json", "application/json");
    row("run.nsys-rep", "application/vnd.nvidia.nsys-rep", "application/octet-stream");
    row("run.qdrep", "application/vnd.nvidia.nsys-rep", "application/octet-stream");
    row("kernels.ncu-rep", "application/vnd.nvidia.ncu-rep", "application/octet-stream");
    row("host_1.123.pt.trace.json", "application/x-pytorch-trace+json", "application/json");
    row("step.trace.json", "application/x-pytorch-trace+json", "application/json");
    row("host_1.123.pt.trace.json.gz", "application/x-pytorch-trace+gzip", "application/gzip");
    row("step.trace.json.gz", "application/x-pytorch-trace+gzip", "application/gzip");
    row("plain.json", "application/json", "text/plain");
    row("plain.json.gz", "application/gzip", "application/octet-stream");
}

void TstDesktopFiles::types_areThoseOfTheName() {
    QFETCH(QString, type);
    QFETCH(QString, parent);
    const QMimeType found = QMimeDatabase().mimeTypeForFile(QString::fromLatin1(QTest::currentDataTag()),
                                                            QMimeDatabase::MatchExtension);
    QCOMPARE(found.name(), type);
    QVERIFY2(found.inherits(parent), qPrintable(found.parentMimeTypes().join(u' ')));
}

void TstDesktopFiles::install_thenUninstall() {
    const QString cmake = QStandardPaths::findExecutable(u"cmake"_s);
    if (cmake.isEmpty() || !QFileInfo(buildFolder()).isWritable())
        LACUNA_SKIP("the build folder cannot be written, or there is no cmake");
    QTemporaryDir root;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"DESTDIR"_s, root.path());
    // A component has a list of installed files of its own: that of a real installation is left alone.
    const Ran installed = runTool(
        cmake, {u"--install"_s, buildFolder(), u"--prefix"_s, u"/usr"_s, u"--component"_s, u"Unspecified"_s},
        environment);
    QVERIFY2(installed.code == 0, installed.err.constData());

    const QString share = u"usr/share/"_s, icons = share + u"icons/hicolor/"_s;
    QStringList expected{u"usr/bin/lacuna"_s,
                         share + u"applications/"_s + kId + u".desktop"_s,
                         share + u"bash-completion/completions/lacuna"_s,
                         share + u"doc/lacuna/changelog.gz"_s,
                         share + u"doc/lacuna/copyright"_s,
                         share + u"fish/vendor_completions.d/lacuna.fish"_s,
                         icons + u"scalable/apps/"_s + kId + u".svg"_s,
                         icons + u"symbolic/apps/"_s + kId + u"-symbolic.svg"_s,
                         share + u"metainfo/"_s + kId + u".metainfo.xml"_s,
                         share + u"mime/packages/"_s + kId + u".xml"_s};
    for (const int size : {16, 24, 32, 48, 64, 128, 256, 512})
        expected << icons + u"%1x%1/apps/"_s.arg(size) + kId + u".png"_s;
    for (const QString& name : ofElements(packaging(u"mime.xml"_s), u"icon"_s, u"name"_s))
        if (const QString path = icons + u"scalable/mimetypes/"_s + name + u".svg"_s;
            !expected.contains(path))
            expected << path;
    if (QFile::exists(buildFolder() + u"/packaging/lacuna.1.gz"_s))
        expected << share + u"man/man1/lacuna.1.gz"_s;
    QStringList found = filesBelow(root.path());
    found.removeIf(
        [](const QString& path) { return path.contains(u"/zsh/"_s) && path.endsWith(u"/_lacuna"_s); });
    expected.sort();
    QCOMPARE(found, expected);
    QVERIFY(QFileInfo(root.filePath(u"usr/bin/lacuna"_s)).isExecutable());

    const Ran removed = runTool(cmake,
                                {u"-DMANIFEST="_s + buildFolder() + u"/install_manifest_Unspecified.txt"_s,
                                 u"-P"_s, packaging(u"uninstall.cmake"_s)},
                                environment);
    QVERIFY2(removed.code == 0, removed.err.constData());
    QCOMPARE(filesBelow(root.path()), QStringList());
    QVERIFY(!QFile::exists(root.filePath(u"usr/share/doc/lacuna"_s)));
}

void TstDesktopFiles::flatpak_isJson() {
    const Json manifest = parsed(read(packaging(kId + u".json"_s)).toUtf8());
    QVERIFY(manifest.is_object());
    QCOMPARE(QString::fromStdString(manifest["app-id"]), kId);
    QCOMPARE(QString::fromStdString(manifest["command"]), u"lacuna"_s);
    for (const auto& argument : manifest["finish-args"]) // nothing is ever sent anywhere
        QVERIFY(argument != "--share=network");
}

LACUNA_TEST(TstDesktopFiles, "tst_desktop_files")

} // namespace tst_desktop_files

#include "tst_desktop_files.moc"
