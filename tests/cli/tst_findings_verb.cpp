// lacuna stats --report findings, and the settings that change it.

#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <map>

namespace tst_findings_verb {

using namespace lacuna::test;

namespace {

Ran findingsOf(const QStringList& words) {
    return runLacuna(QStringList{QStringLiteral("stats"), fixturePath("captured/nsys/stall.sqlite"),
                                 QStringLiteral("--report"), QStringLiteral("findings")} +
                     words);
}

// Code -> state.
std::map<std::string, std::string> statesOf(const Ran& ran) {
    std::map<std::string, std::string> states;
    const Json json = parsed(ran.out);
    for (const auto& row : json["rows"])
        states[row["Finding"].get<std::string>()] = row["State"].get<std::string>();
    return states;
}

} // namespace

class TstFindingsVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void json_hasOneRowAStatement();
    void text_isParagraphs();
    void settings_changeThresholds();
    void wrongSettings_exit2_data();
    void wrongSettings_exit2();
};

void TstFindingsVerb::json_hasOneRowAStatement() {
    const Ran ran = findingsOf({QStringLiteral("--format"), QStringLiteral("json")});
    QCOMPARE(ran.code, 0);
    const Json json = parsed(ran.out);
    QCOMPARE(json["rows"][0]["Finding"].get<std::string>(), std::string("gaps"));
    QCOMPARE(json["rows"][0]["Part"].get<std::string>(), std::string("suggests"));
    bool opens = false;
    for (const auto& row : json["rows"]) {
        QVERIFY(!row["Text"].get<std::string>().empty());
        opens = opens || (row["Part"] == "supports" && row["Start (ns)"].is_number() &&
                          row["Start (ns)"] < row["End (ns)"]);
    }
    QVERIFY(opens);
    const auto states = statesOf(ran);
    QCOMPARE(states.at("long_waits"), std::string("found"));
    QCOMPARE(states.at("allocations"), std::string("found"));
}

void TstFindingsVerb::text_isParagraphs() {
    const Ran ran = findingsOf({});
    QCOMPARE(ran.code, 0);
    QVERIFY2(ran.out.startsWith("! Gaps between kernels (found)\n  suggests        "),
             ran.out.left(200).constData());
    QVERIFY(ran.out.contains("\n  test it by      "));
    QVERIFY(ran.err.contains("none is a verdict"));
}

void TstFindingsVerb::settings_changeThresholds() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("ours.conf"));
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("# of our cluster\nlong_waits.length = 1s\ncopies_in_loop = 1\n");
    out.close();
    const QStringList json{QStringLiteral("--format"), QStringLiteral("json")};
    const Ran wrong = findingsOf(QStringList{QStringLiteral("--settings"), file} + json);
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("line 3: there is no setting 'copies_in_loop'"), wrong.err.constData());
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("long_waits.length = 1s\ngaps.share = 90%\n");
    out.close();
    auto states = statesOf(findingsOf(QStringList{QStringLiteral("--settings"), file} + json));
    QCOMPARE(states.at("long_waits"), std::string("clear"));
    QCOMPARE(states.at("gaps"), std::string("clear"));
    // What is set on the command line comes after the file.
    states = statesOf(findingsOf(QStringList{QStringLiteral("--set"), QStringLiteral("gaps.share=1%"),
                                             QStringLiteral("--set"), QStringLiteral("copies.per_step=1000"),
                                             QStringLiteral("--settings"), file} +
                                 json));
    QCOMPARE(states.at("gaps"), std::string("found"));
    QCOMPARE(states.at("copies_in_loop"), std::string("clear"));
    QCOMPARE(states.at("long_waits"), std::string("clear"));
}

void TstFindingsVerb::wrongSettings_exit2_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("key") << QStringLiteral("--set") << QStringLiteral("gap=1")
                         << QByteArray("there is no setting 'gap'");
    QTest::newRow("value") << QStringLiteral("--set") << QStringLiteral("gaps.share=x")
                           << QByteArray("a share such as 50%");
    QTest::newRow("file") << QStringLiteral("--settings") << QStringLiteral("/nowhere/at.all")
                          << QByteArray("cannot be read");
    QTest::newRow("folder") << QStringLiteral("--settings") << QStringLiteral("/")
                            << QByteArray("cannot be read");
}

void TstFindingsVerb::wrongSettings_exit2() {
    QFETCH(QString, option);
    QFETCH(QString, value);
    QFETCH(QByteArray, says);
    const Ran ran = findingsOf({option, value});
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.contains(says), ran.err.constData());
    QCOMPARE(ran.out, QByteArray());
}

LACUNA_TEST(TstFindingsVerb, "tst_findings_verb")

} // namespace tst_findings_verb

#include "tst_findings_verb.moc"
