// SPDX-License-Identifier: Apache-2.0
// Tests the page of packs with the real program and the test's own package index.
#include <algorithm>

#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "tests/ui/fake_packs.hpp"
#include "tests/ui/program_fixture.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/packs/env_pictures.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/views/packs/own_env_link.hpp"

namespace seedbed::ui {
namespace {

class PacksTest : public ProgramTest {
protected:
    void SetUp() override {
        if (!testing::FakePacks::hasPip()) GTEST_SKIP() << "python3 has no pip";
        openStore();
        catalogue_ = std::make_unique<Catalogue>(*launcher_);
        packs_ = std::make_unique<PackList>(*launcher_);
        pictures_ = std::make_unique<EnvPictures>(*launcher_);
        services_.catalogue = catalogue_.get();
        services_.packs = packs_.get();
        services_.pictures = pictures_.get();
        for (const PageEntry& entry : pageRegistry())
            if (entry.id == QStringLiteral("packs")) page_.reset(entry.make(services_));
        page_->resize(900, 700);
        page_->show();
        page_->open({});
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return button("install") != nullptr && button("install")->isVisible(); }, kTimeoutMs));
        QTest::qWait(50);  // lets the new card be laid out
    }
    void TearDown() override { page_.reset(); }

    template <class Widget = QPushButton>
    Widget* button(const char* id) {
        return page_->findChild<Widget*>(QLatin1String(id) + QStringLiteral("-tiny"));
    }
    QString text(const char* id) { return button<QLabel>(id)->text(); }
    // Everything in the folder of packs, including hidden files.
    QStringList left() const {
        return QDir(dataFolder() + QStringLiteral("/packs"))
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }
    bool waitForState(PackInfo::State state) {
        return QTest::qWaitFor(
            [&] {
                const PackInfo* pack = packs_->find(QStringLiteral("tiny"));
                return pack != nullptr && pack->state == state && packs_->job(pack->name) == nullptr;
            },
            kTimeoutMs);
    }
    void installStalled() {
        index_.stall();
        QTest::mouseClick(button("install"), Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                const PackJob* job = packs_->job(QStringLiteral("tiny"));
                return job != nullptr && job->step.contains(QStringLiteral("tiny_corridor"));
            },
            kTimeoutMs))
            << text("note").toStdString();
        ASSERT_EQ(left().size(), 1) << "only a temporary folder";
    }

    testing::FakePacks index_{SEEDBED_SOURCE_DIR};
    std::unique_ptr<Catalogue> catalogue_;
    std::unique_ptr<PackList> packs_;
    std::unique_ptr<EnvPictures> pictures_;
    std::unique_ptr<Page> page_;
};

TEST_F(PacksTest, InstallsChecksAndRemovesAPack) {
    EXPECT_EQ(text("state"), QStringLiteral("not installed"));
    EXPECT_FALSE(button("remove")->isVisible());
    EXPECT_FALSE(button("check")->isVisible());
    savePicture(*page_, QStringLiteral("packs-before"));
    const auto* licences = page_->findChild<QLabel*>(QStringLiteral("licences-tiny"));
    // They are shown before a pack is installed.
    EXPECT_TRUE(licences->isVisible());
    QTest::mouseClick(button("details"), Qt::LeftButton);
    EXPECT_FALSE(licences->isVisible());
    QTest::mouseClick(button("details"), Qt::LeftButton);
    EXPECT_TRUE(licences->isVisible() && licences->text().startsWith(QStringLiteral("Licences: ")));
    QTest::mouseClick(button("install"), Qt::LeftButton);
    EXPECT_TRUE(button("cancel")->isVisible()) << "the button appears immediately";
    EXPECT_TRUE(button<QProgressBar>("progress")->isVisible());
    ASSERT_TRUE(waitForState(PackInfo::State::installed)) << text("note").toStdString();
    EXPECT_EQ(text("state"), QStringLiteral("installed"));
    EXPECT_EQ(left(), QStringList{QStringLiteral("tiny")});
    EXPECT_FALSE(button("install")->isVisible());
    EXPECT_TRUE(
        page_->findChild<QPushButton*>(QStringLiteral("watch-gym:tiny_corridor:Corridor"))->isVisible());
    savePicture(*page_, QStringLiteral("packs-installed"));

    QTest::mouseClick(button("check"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !text("note").isEmpty(); }, kTimeoutMs));
    EXPECT_TRUE(text("note").contains(QStringLiteral("No problem"))) << text("note").toStdString();

    QFile changed(dataFolder() + QStringLiteral("/packs/tiny/site/tiny_corridor/__init__.py"));
    ASSERT_TRUE(changed.open(QIODevice::Append));
    changed.write("# changed\n");
    changed.close();
    QTest::mouseClick(button("check"), Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return text("note").contains(QStringLiteral("has changed")); }, kTimeoutMs));
    EXPECT_TRUE(button("install")->isVisible()) << "installing again repairs the pack";
    QTest::mouseClick(button("install"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return packs_->job(QStringLiteral("tiny")) == nullptr; }, kTimeoutMs));
    QTest::mouseClick(button("check"), Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return text("note").contains(QStringLiteral("No problem")); }, kTimeoutMs));

    QTest::mouseClick(button("remove"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return button("confirm")->isEnabled(); }, kTimeoutMs));
    QTest::mouseClick(button("confirm"), Qt::LeftButton);
    ASSERT_TRUE(waitForState(PackInfo::State::not_installed));
    EXPECT_EQ(left(), QStringList());
}

TEST_F(PacksTest, RemovingAPackAsksAndNamesTheRunsThatNeedIt) {
    QTest::mouseClick(button("install"), Qt::LeftButton);
    ASSERT_TRUE(waitForState(PackInfo::State::installed)) << text("note").toStdString();
    NewRun run;
    run.env = "gym:tiny_corridor:Corridor";
    run.algo = "ppo";
    const testing::LiveRun live = testing::beginRun(dataFolder().toStdString(), run);
    EXPECT_FALSE(button<QLabel>("question")->isVisible());
    QTest::mouseClick(button("remove"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return button("confirm")->isEnabled(); }, kTimeoutMs));
    const QString question = text("question");
    EXPECT_TRUE(question.contains(QStringLiteral("need it and will fail: %1.").arg(live.owned.id)))
        << question.toStdString();
    savePicture(*page_, QStringLiteral("packs-remove"));
    QTest::mouseClick(button("keep"), Qt::LeftButton);
    EXPECT_FALSE(button<QLabel>("question")->isVisible());
    QTest::qWait(300);
    EXPECT_EQ(left(), QStringList{QStringLiteral("tiny")});
    QTest::mouseClick(button("remove"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return button("confirm")->isEnabled(); }, kTimeoutMs));
    QTest::mouseClick(button("confirm"), Qt::LeftButton);
    EXPECT_TRUE(waitForState(PackInfo::State::not_installed));
}

TEST_F(PacksTest, ACancelledInstallationLeavesNothing) {
    installStalled();
    savePicture(*page_, QStringLiteral("packs-installing"));
    QTest::mouseClick(button("cancel"), Qt::LeftButton);
    EXPECT_FALSE(button("cancel")->isEnabled()) << "a second click must not be possible";
    ASSERT_TRUE(QTest::qWaitFor([&] { return packs_->job(QStringLiteral("tiny")) == nullptr; }, kTimeoutMs));
    EXPECT_EQ(left(), QStringList());
    EXPECT_TRUE(text("note").contains(QStringLiteral("Nothing was installed"))) << text("note").toStdString();
    index_.useWheels();
    QTest::mouseClick(button("install"), Qt::LeftButton);
    EXPECT_TRUE(waitForState(PackInfo::State::installed));
}

TEST_F(PacksTest, AWindowThatClosesDuringAnInstallationLeavesNothing) {
    installStalled();
    page_.reset();
    QElapsedTimer time;
    time.start();
    packs_.reset();
    // The destructor of a QProcess waits up to 30 s.
    EXPECT_LT(static_cast<double>(time.elapsed()), 1000 * std::min(20.0, test::measuredLimit(0.5)))
        << "closing must not wait for the process";
    EXPECT_TRUE(QTest::qWaitFor([&] { return left().isEmpty(); }, kTimeoutMs));
}

TEST_F(PacksTest, AFailureIsReportedWithItsRemedy) {
    index_.disconnect();
    QTest::mouseClick(button("install"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !text("note").isEmpty(); }, kTimeoutMs));
    EXPECT_TRUE(text("note").contains(QStringLiteral("could not be reached"))) << text("note").toStdString();
    EXPECT_EQ(text("state"), QStringLiteral("not installed"));
    EXPECT_EQ(left(), QStringList());
    EXPECT_TRUE(button("install")->isVisible());
    savePicture(*page_, QStringLiteral("packs-failed"));
}

TEST_F(PacksTest, TheRestrictionsOfWorkersAreShown) {
    const auto* label = page_->findChild<QLabel*>(QStringLiteral("restrictions"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !label->text().isEmpty(); }, kTimeoutMs));
    EXPECT_TRUE(label->text().contains(QStringLiteral("network"), Qt::CaseInsensitive))
        << label->text().toStdString();
}

TEST_F(PacksTest, AnOwnEnvironmentIsADialogAway) {
    QTest::mouseClick(page_->findChild<QPushButton*>(QStringLiteral("own-environment")), Qt::LeftButton);
    EXPECT_NE(navigator_.opened<OwnEnvLink>(), nullptr);
}

}  // namespace
}  // namespace seedbed::ui
