// The file of the open trace changes on disk.

#include "app/change_watch.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/states/banner.h"
#include "widgets/text.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>

namespace tst_change_watch {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstChangeWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        m_file = m_fixture->folder() + u"/a.json"_s;
        write("[{\"ph\":\"X\",\"name\":\"one\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5}]");
        QVERIFY(m_fixture->open(m_file.toStdString()));
        QVERIFY(!bar().isVisible());
    }
    void cleanup() { m_fixture.reset(); }

    void reload_readsItAgain() {
        write("[{\"ph\":\"X\",\"name\":\"one\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5},"
              "{\"ph\":\"X\",\"name\":\"two\",\"pid\":1,\"tid\":1,\"ts\":9,\"dur\":5}]");
        QTRY_VERIFY(bar().isVisible());
        QCOMPARE(bar().findChild<QLabel*>(u"bannerMessage"_s)->text(),
                 u"The trace changed on disk since it was read."_s);
        QCOMPARE(events(), std::size_t{1}); // what is open is what was read
        button(u"Reload"_s).click();
        QTRY_COMPARE(events(), std::size_t{2});
        QVERIFY(!bar().isVisible());
    }

    void keep_isQuietUntilItChangesAgain() {
        write("[]");
        QTRY_VERIFY(bar().isVisible());
        button(u"Keep"_s).click();
        QVERIFY(!bar().isVisible());
        QTest::qWait(800);
        QVERIFY(!bar().isVisible());
        QCOMPARE(events(), std::size_t{1});
        write("[ ]");
        QTRY_VERIFY(bar().isVisible());
    }

    // As editors and profilers save: another file takes the name.
    void replacedFile_isSeen() {
        const QString other = m_fixture->folder() + u"/b.json"_s;
        QFile::copy(m_file, other);
        QFile grown(other);
        QVERIFY(grown.open(QIODevice::Append) && grown.write("\n\n") == 2);
        grown.close();
        QVERIFY(::rename(other.toLocal8Bit().constData(), m_file.toLocal8Bit().constData()) == 0);
        QTRY_VERIFY(bar().isVisible());
    }

    void removedFile_isNoChange() {
        QVERIFY(QFile::remove(m_file));
        QTest::qWait(800);
        QVERIFY(!bar().isVisible());
    }

private:
    void write(const QByteArray& bytes) {
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    Banner& bar() { return *m_fixture->window().findChild<Banner*>(u"changedBar"_s); }
    QPushButton& button(const QString& title) {
        for (auto* one : bar().findChildren<QPushButton*>())
            if (one->text() == title)
                return *one;
        qFatal("no such button");
    }
    std::size_t events() {
        const Document* document = m_fixture->session().document();
        return document == nullptr ? 0 : document->trace().events().size();
    }

    std::unique_ptr<WindowFixture> m_fixture;
    QString m_file;
};

LACUNA_TEST(TstChangeWatch, "tst_change_watch")

} // namespace tst_change_watch

#include "tst_change_watch.moc"
