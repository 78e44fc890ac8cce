// SPDX-License-Identifier: Apache-2.0
// Third-party environments in the whole window: a pack from its installation to a moving agent, and a user's
// own environment from the file to a run.
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>

#include "tests/ui/fake_packs.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/models/packs/env_pictures.hpp"
#include "ui/models/packs/own_environments.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/packs/packs_link.hpp"
#include "ui/views/start/customize_view.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/watch_page.hpp"

namespace seedbed::ui {
namespace {

class PacksStory : public WindowTest {
protected:
    void SetUp() override {
        if (testing::FakePacks::packagesOfTests().isEmpty()) GTEST_SKIP() << "no Python with NumPy";
        if (!testing::FakePacks::hasPip()) GTEST_SKIP() << "python3 has no pip";
    }
    bool waitForSteps(RunId run) {
        return QTest::qWaitFor(
            [&] { return runs().find(run) != nullptr && runs().find(run)->progress.steps > 0; }, kTimeoutMs);
    }
    // Opens the page of packs and waits for the button of the pack.
    void openPacks() {
        window().open(PacksLink{});
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return find("install-tiny") != nullptr && find("install-tiny")->isVisible(); },
            kTimeoutMs));
        QTest::qWait(50);
    }
    QDialog* dialog() {
        for (QDialog* each : window().findChildren<QDialog*>())
            if (each->isVisible()) return each;
        return nullptr;
    }

    testing::FakePacks index_{SEEDBED_SOURCE_DIR};
};

TEST_F(PacksStory, TwoClicksFromAnInstallationToAMovingAgent) {
    openWindow();
    openPacks();
    click(find("install-tiny"));
    QPushButton* watch = find("watch-gym:tiny_corridor:Corridor");
    ASSERT_TRUE(QTest::qWaitFor([&] { return watch->isVisible(); }, kTimeoutMs))
        << find<QLabel>("note-tiny")->text().toStdString();
    EXPECT_EQ(find<QLabel>("state-tiny")->text(), QStringLiteral("installed"));
    QTest::qWait(50);
    click(watch);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return window().currentPage() == QStringLiteral("watch"); }, kTimeoutMs));
    const PlayerClient& player = dynamic_cast<WatchPage*>(window().page(QStringLiteral("watch")))->client();
    ASSERT_TRUE(QTest::qWaitFor([&] { return player.frame() != nullptr; }, kTimeoutMs))
        << player.problem().toStdString();
    const quint64 row = player.frame()->row;
    EXPECT_TRUE(QTest::qWaitFor([&] { return player.frame() && player.frame()->row > row + 10; }, kTimeoutMs))
        << "the player makes no progress";
    EXPECT_TRUE(waitForSteps(1)) << "the run makes no progress";
    EXPECT_EQ(runs().find(1)->env, "gym:tiny_corridor:Corridor");
    picture(QStringLiteral("packs-watch"));

    // The gallery shows the pack, with a picture made after the installation.
    window().open(StartLink{});
    window().openPage(QStringLiteral("start"));
    click(find("family-pack-tiny"));
    EXPECT_NE(find("customize-Corridor"), nullptr);
    const EnvChoice choice{.env = QStringLiteral("gym:tiny_corridor:Corridor")};
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return !app->services().pictures->file(choice).isEmpty(); }, kTimeoutMs))
        << app->services().pictures->problem(choice).toStdString();
    QTest::qWait(300);
    picture(QStringLiteral("packs-gallery"));
}

TEST_F(PacksStory, ClosingTheWindowRemovesAnIncompleteInstallation) {
    index_.stall();
    openWindow();
    openPacks();
    click(find("install-tiny"));
    const QDir packs(data.filePath(QStringLiteral("packs")));
    const auto left = [&] { return packs.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return !left().isEmpty(); }, kTimeoutMs));
    closeWindow();
    EXPECT_TRUE(QTest::qWaitFor([&] { return left().isEmpty(); }, kTimeoutMs))
        << left().join(u' ').toStdString();
}

TEST_F(PacksStory, AnOwnEnvironmentFromItsFileToARun) {
    index_.set("SEEDBED_PYTHON", testing::FakePacks::pythonOfTests());
    const QString file = data.filePath(QStringLiteral("my env.py"));
    ASSERT_TRUE(QFile::copy(QStringLiteral(SEEDBED_SOURCE_DIR "/tests/python/envs/corridor.py"), file));
    openWindow();
    click(find("gallery-own"));
    ASSERT_NE(dialog(), nullptr);
    dialog()->findChild<QLineEdit*>(QStringLiteral("own-file"))->setText(file);
    dialog()->findChild<QComboBox*>(QStringLiteral("own-class"))->setCurrentText(QStringLiteral("Corridor"));
    auto* arguments = dialog()->findChild<QTableWidget*>(QStringLiteral("own-arguments"));
    ASSERT_EQ(arguments->item(0, 0)->text(), QStringLiteral("length"));
    arguments->item(0, 1)->setText(QStringLiteral("12"));
    click(dialog()->findChild<QPushButton*>(QStringLiteral("own-check")));
    auto* verdict = dialog()->findChild<QLabel*>(QStringLiteral("own-verdict"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !verdict->text().isEmpty(); }, kTimeoutMs));
    EXPECT_TRUE(verdict->text().contains(QStringLiteral("follows the rules")))
        << verdict->text().toStdString();
    picture(QStringLiteral("own-dialog"), dialog());
    click(dialog()->findChild<QPushButton*>(QStringLiteral("own-train")));

    // The form contains the argument, and the run gets it.
    auto* form = window().findChild<CustomizeView*>();
    ASSERT_NE(form, nullptr);
    const auto fieldText = [&](const char* key) {
        const FormField* field = form->form().field(QLatin1String(key));
        return field == nullptr ? QString() : field->text;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return !fieldText("env.length").isEmpty(); }, kTimeoutMs));
    EXPECT_EQ(fieldText("env.length"), QStringLiteral("12"));
    EXPECT_EQ(fieldText("run.steps"), QLatin1String(kStepsWithoutPreset));
    auto* train = form->findChild<QPushButton*>(QStringLiteral("train"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return train->isEnabled(); }, kTimeoutMs));
    picture(QStringLiteral("own-form"));
    click(train);
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().find(1) != nullptr; }, kTimeoutMs));
    ASSERT_TRUE(waitForSteps(1)) << runs().find(1)->status_text;
    const auto details = StoreReader::open(data.path().toStdString())->details(1);
    EXPECT_EQ(details->config["env"]["length"], Json(12));
    EXPECT_EQ(details->auto_settings["environment_file"]["path"], file.toStdString());
    seedbed({QStringLiteral("stop"), QStringLiteral("1")});

    // The policy can be exported, by default into a folder without the path of the file.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !isLive(runs().find(1)->status); }, kTimeoutMs));
    window().open(ExportLink{.run = 1});
    ASSERT_NE(dialog(), nullptr);
    auto* folder = dialog()->findChild<QLineEdit*>(QStringLiteral("export-folder"));
    EXPECT_EQ(folder->text(), QDir::home().filePath(QStringLiteral("Corridor-run-1")));
    folder->setText(data.filePath(QStringLiteral("exported")));
    click(dialog()->findChild<QPushButton*>(QStringLiteral("export-start")));
    const auto* exported = dialog()->findChild<QLabel*>(QStringLiteral("export-verdict"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !exported->text().isEmpty(); }, kTimeoutMs));
    EXPECT_TRUE(exported->text().contains(QStringLiteral("Verified and written")))
        << exported->text().toStdString();
    EXPECT_TRUE(QFile::exists(data.filePath(QStringLiteral("exported/parity.json"))));
    dialog()->close();

    // The environment is remembered, and opening the window starts no process for it.
    closeWindow();
    ASSERT_TRUE(QDir(data.filePath(QStringLiteral("pictures"))).removeRecursively());
    openWindow();
    window().openPage(QStringLiteral("start"));
    click(find("family-own"));
    ASSERT_NE(find("edit-Corridor"), nullptr);
    QTest::qWait(2500);
    EXPECT_FALSE(QDir(data.filePath(QStringLiteral("pictures"))).exists());
    picture(QStringLiteral("own-gallery"));
    click(find("train-Corridor"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return runs().find(2) != nullptr; }, kTimeoutMs));
}

// Saves pictures of the page at two sizes for visual inspection, with the packs of the program.
TEST_F(PacksStory, ThePageFitsIntoNarrowWindows) {
    index_.set("SEEDBED_RESOURCES", {});
    openWindow();
    for (const auto mode : {Theme::Mode::light, Theme::Mode::dark}) {
        app->services().theme->setMode(mode);
        for (const QSize size : {QSize(1280, 800), QSize(800, 600)}) {
            window().resize(size);
            window().open(PacksLink{});
            ASSERT_TRUE(QTest::qWaitFor([&] { return find("install-atari") != nullptr; }, kTimeoutMs));
            ASSERT_TRUE(QTest::qWaitFor([&] { return !app->services().packs->restrictions().isEmpty(); },
                                        kTimeoutMs));
            QTest::qWait(400);
            EXPECT_LE(window().page(QStringLiteral("packs"))->minimumSizeHint().width(), 600)
                << "the page does not force a larger window";
            for (const char* id : {"install-atari", "install-unity"}) {
                const QWidget* button = find(id);
                const QRect place(button->mapTo(&window(), QPoint()), button->size());
                EXPECT_LE(place.right(), window().width()) << id;
                EXPECT_GE(button->width(), button->sizeHint().width()) << id;
            }
            picture(QStringLiteral("packs-%1-%2")
                        .arg(size.width())
                        .arg(mode == Theme::Mode::light ? QStringLiteral("light") : QStringLiteral("dark")));
            window().open(PacksLink{.pack = QStringLiteral("vizdoom")});
            QTest::qWait(400);
            EXPECT_FALSE(find("install-vizdoom")->visibleRegion().isEmpty());
            if (mode == Theme::Mode::light) picture(QStringLiteral("packs-end-%1").arg(size.width()));
        }
    }
}

}  // namespace
}  // namespace seedbed::ui
