// The desktop's list of recent files: what Lacuna adds and takes away, and that nothing of others changes.

#include "app/desktop_recent.h"
#include "app/window_state.h"
#include "tests/support/test_main.h"
#include "widgets/text.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>
#include <QUrl>

namespace tst_desktop_recent {

using namespace lacuna;
using namespace lacuna::ui;

namespace {

const QDateTime kFirst(QDate(2026, 1, 2), QTime(3, 4, 5), Qt::UTC);
const QDateTime kSecond(QDate(2026, 1, 2), QTime(3, 4, 6), Qt::UTC);

// With ' for ".
QByteArray quoted(const char* text) {
    return QByteArray(text).replace('\'', '"');
}

// As GTK writes it: another program's file, and a trace that a text editor opened, with a name that is not
// ASCII.
const QByteArray kOthers =
    quoted("<?xml version='1.0' encoding='UTF-8'?>\n"
           "<xbel version='1.0'\n"
           "      xmlns:bookmark='http://www.freedesktop.org/standards/desktop-bookmarks'\n"
           "      xmlns:mime='http://www.freedesktop.org/standards/shared-mime-info'\n"
           ">\n"
           "  <bookmark href='file:///home/u/K%C3%A4se%20&amp;%20Brot.odt' added='2025-01-01T00:00:00Z' "
           "modified='2025-01-01T00:00:00Z' visited='2025-01-01T00:00:00Z'>\n"
           "    <title>Käse &amp; Brot – „1“</title>\n"
           "    <info>\n"
           "      <metadata owner='http://freedesktop.org'>\n"
           "        <mime:mime-type type='application/vnd.oasis.opendocument.text'/>\n"
           "        <bookmark:applications>\n"
           "          <bookmark:application name='Writer' exec='&apos;writer %u&apos;' "
           "modified='2025-01-01T00:00:00Z' count='3'/>\n"
           "        </bookmark:applications>\n"
           "        <bookmark:private/>\n"
           "      </metadata>\n"
           "    </info>\n"
           "  </bookmark>\n"
           "  <bookmark href='file:///tmp/trace.json' added='2025-01-01T00:00:00Z' "
           "modified='2025-01-01T00:00:00Z' visited='2025-01-01T00:00:00Z'>\n"
           "    <info>\n"
           "      <metadata owner='http://freedesktop.org'>\n"
           "        <mime:mime-type type='application/json'/>\n"
           "        <bookmark:applications>\n"
           "          <bookmark:application name='Editor' exec='&apos;editor %u&apos;' "
           "modified='2025-01-01T00:00:00Z' count='1'/>\n"
           "        </bookmark:applications>\n"
           "      </metadata>\n"
           "    </info>\n"
           "  </bookmark>\n"
           "</xbel>\n");

} // namespace

class TstDesktopRecent : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString list() const { return m_folder.filePath(u"recently-used.xbel"_s); }
    QByteArray content() const {
        QFile file(list());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void put(const QByteArray& bytes) const {
        QFile file(list());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(bytes), bytes.size());
    }

private Q_SLOTS:
    void init() { QFile::remove(list()); }

    void aNewListIsMade() {
        QVERIFY(addToDesktopRecent(list(), u"/data/a <b> & c.json"_s, kFirst));
        QCOMPARE(
            content(),
            quoted(
                "<?xml version='1.0' encoding='UTF-8'?>\n"
                "<xbel version='1.0'\n"
                "      xmlns:bookmark='http://www.freedesktop.org/standards/desktop-bookmarks'\n"
                "      xmlns:mime='http://www.freedesktop.org/standards/shared-mime-info'>\n"
                "  <bookmark href='file:///data/a%20%3Cb%3E%20&amp;%20c.json' added='2026-01-02T03:04:05Z' "
                "modified='2026-01-02T03:04:05Z' visited='2026-01-02T03:04:05Z'>\n"
                "    <info>\n"
                "      <metadata owner='http://freedesktop.org'>\n"
                "        <mime:mime-type type='application/json'/>\n"
                "        <bookmark:applications>\n"
                "          <bookmark:application name='Lacuna' exec='&apos;lacuna %f&apos;' "
                "modified='2026-01-02T03:04:05Z' count='1'/>\n"
                "        </bookmark:applications>\n"
                "      </metadata>\n"
                "    </info>\n"
                "  </bookmark>\n"
                "</xbel>\n"));
        QCOMPARE(QFile::permissions(list()) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }

    void openingAgainCounts() {
        QVERIFY(addToDesktopRecent(list(), u"/data/a.json"_s, kFirst));
        QVERIFY(addToDesktopRecent(list(), u"/data/a.json"_s, kSecond));
        const QByteArray now = content();
        QCOMPARE(now.count("<bookmark "), 1);
        QVERIFY(now.contains("count=\"2\""));
        QVERIFY(now.contains("added=\"2026-01-02T03:04:05Z\" modified=\"2026-01-02T03:04:06Z\" "
                             "visited=\"2026-01-02T03:04:06Z\""));
    }

    void othersStayToTheLetter() {
        put(kOthers);
        QVERIFY(addToDesktopRecent(list(), u"/data/a.json"_s, kFirst));
        const QByteArray with = content();
        QVERIFY(with.startsWith(kOthers.chopped(qsizetype(sizeof("</xbel>\n") - 1))));
        QVERIFY(with.endsWith("  </bookmark>\n</xbel>\n"));
        QVERIFY(removeFromDesktopRecent(list()));
        QCOMPARE(content(), kOthers);
    }

    void aFileThatOthersKnow_staysTheirs() {
        put(kOthers);
        QVERIFY(addToDesktopRecent(list(), u"/tmp/trace.json"_s, kFirst));
        const QByteArray with = content();
        QCOMPARE(with.count("<bookmark "), 2);
        QCOMPARE(with.count("name=\"Editor\""), 1);
        QCOMPARE(with.count("name=\"Lacuna\""), 1);
        QVERIFY(with.contains("href=\"file:///tmp/trace.json\" added=\"2025-01-01T00:00:00Z\" "
                              "modified=\"2026-01-02T03:04:05Z\" visited=\"2026-01-02T03:04:05Z\">"));
        QVERIFY(removeFromDesktopRecent(list()));
        QByteArray left = content(); // but for the time of the last visit
        left.replace("2026-01-02T03:04:05Z", "2025-01-01T00:00:00Z");
        QCOMPARE(left, kOthers);
    }

    void whatCannotBeRead_isLeftAlone_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("cut") << kOthers.chopped(30);
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no list") << QByteArray("<html/>");
        QTest::newRow("other prefixes")
            << QByteArray("<xbel xmlns:b=\"http://www.freedesktop.org/standards/desktop-bookmarks\"></xbel>");
    }
    void whatCannotBeRead_isLeftAlone() {
        QFETCH(QByteArray, bytes);
        put(bytes);
        QVERIFY(!addToDesktopRecent(list(), u"/data/a.json"_s, kFirst));
        QCOMPARE(content(), bytes);
    }

    void theWindowTellsAndForgets() {
        const WindowState state = WindowState::inFolder(m_folder.path());
        const QString trace = m_folder.filePath(u"t.json"_s);
        QFile file(trace);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        state.addRecent({trace, kFirst, 0});
        QCOMPARE(state.recentFiles().size(), std::size_t{1}); // once it is written
        QVERIFY(content().contains(QUrl::fromLocalFile(trace).toEncoded()));
        // Not overtaken by what is still to be written.
        state.addRecent({trace, kFirst, 0});
        state.clearRecent();
        QVERIFY(!content().isEmpty() && !content().contains("<bookmark "));
        state.addRecent({trace, kFirst, 0});
        state.setRemembersRecent(false);
        QVERIFY(!content().contains("<bookmark "));
        QVERIFY(state.recentFiles().empty());
        state.addRecent({trace, kFirst, 0});
        QVERIFY(state.recentFiles().empty());
        QVERIFY(!content().contains("<bookmark "));
    }

    // Several at once, as those of an archive: none is lost, and a copy of the state that goes waits.
    void filesThatFollowAtOnce_areAllKept() {
        QTemporaryDir folder;
        constexpr int kFiles = 8;
        {
            const WindowState state = WindowState::inFolder(folder.path());
            for (int i = 0; i < kFiles; ++i) {
                QFile file(folder.filePath(QString::number(i)));
                QVERIFY(file.open(QIODevice::WriteOnly));
                WindowState(state).addRecent({file.fileName(), kFirst, i});
            }
        }
        const std::vector<RecentFile> files = WindowState::inFolder(folder.path()).recentFiles();
        QCOMPARE(files.size(), std::size_t{kFiles});
        QCOMPARE(files.front().notes, kFiles - 1); // the last one first
        QFile list(folder.filePath(u"recently-used.xbel"_s));
        QVERIFY(list.open(QIODevice::ReadOnly));
        QCOMPARE(list.readAll().count("<bookmark "), qsizetype{kFiles});
    }
};

LACUNA_TEST(TstDesktopRecent, "tst_desktop_recent")

} // namespace tst_desktop_recent

#include "tst_desktop_recent.moc"
