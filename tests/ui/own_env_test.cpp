// SPDX-License-Identifier: Apache-2.0
// Tests the dialog for the user's own environments with the real program.
#include "ui/views/packs/own_env_page.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QMovie>
#include <QPushButton>
#include <QTableWidget>

#include "tests/ui/fake_packs.hpp"
#include "tests/ui/program_fixture.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/packs/env_pictures.hpp"
#include "ui/views/packs/own_env_link.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::ui {
namespace {

class OwnEnvTest : public ProgramTest {
protected:
    void SetUp() override {
        openStore();
        catalogue_ = std::make_unique<Catalogue>(*launcher_);
        own_ = std::make_unique<OwnEnvironments>(dataFolder());
        pictures_ = std::make_unique<EnvPictures>(*launcher_);
        services_.catalogue = catalogue_.get();
        services_.own = own_.get();
        services_.pictures = pictures_.get();
        makePage({});
    }
    void TearDown() override { page_.reset(); }
    void makePage(const std::any& link) {
        page_ = std::make_unique<OwnEnvPage>(services_);
        page_->open(link);
        page_->show();
    }
    // Whether the environments of this test can run; they need NumPy.
    bool hasPython() {
        if (testing::FakePacks::packagesOfTests().isEmpty()) return false;
        index_.set("SEEDBED_PYTHON", testing::FakePacks::pythonOfTests());
        return true;
    }

    template <class Widget>
    Widget* find(const char* id) {
        return page_->findChild<Widget*>(QLatin1String(id));
    }
    void click(const char* id) {
        ASSERT_TRUE(find<QPushButton>(id)->isEnabled()) << id;
        QTest::mouseClick(find<QPushButton>(id), Qt::LeftButton);
    }
    void enterCorridor() {
        find<QLineEdit>("own-file")->setText(corridor_);
        find<QComboBox>("own-class")->setCurrentText(QStringLiteral("Corridor"));
    }
    void setArgument(const QString& name, const QString& value) {
        auto* table = find<QTableWidget>("own-arguments");
        for (int row = 0; row < table->rowCount(); ++row) {
            if (table->item(row, 0)->text() == name) return table->item(row, 1)->setText(value);
        }
        table->item(table->rowCount() - 1, 1)->setText(value);
        table->item(table->rowCount() - 1, 0)->setText(name);
    }
    QString verdict() { return find<QLabel>("own-verdict")->text(); }
    bool waitForVerdict() {
        return QTest::qWaitFor([&] { return !verdict().isEmpty(); }, kTimeoutMs);
    }

    testing::FakePacks index_{SEEDBED_SOURCE_DIR};
    const QString corridor_ = QStringLiteral(SEEDBED_SOURCE_DIR "/tests/python/envs/corridor.py");
    std::unique_ptr<Catalogue> catalogue_;
    std::unique_ptr<OwnEnvironments> own_;
    std::unique_ptr<EnvPictures> pictures_;
    std::unique_ptr<OwnEnvPage> page_;
};

TEST_F(OwnEnvTest, AFileOffersItsClassesAndTheirArguments) {
    EXPECT_FALSE(find<QPushButton>("own-train")->isEnabled()) << "nothing has been entered yet";
    EXPECT_TRUE(find<QLabel>("own-note")->text().contains(QStringLiteral("Choose a file")));
    EXPECT_TRUE(find<QTableWidget>("own-arguments")->parentWidget()->isHidden());
    find<QLineEdit>("own-file")->setText(corridor_);
    auto* classes = find<QComboBox>("own-class");
    EXPECT_GE(classes->findText(QStringLiteral("Masked")), 0);
    EXPECT_LT(classes->findText(QStringLiteral("Box")), 0) << "Box is not an environment";
    classes->setCurrentText(QStringLiteral("Corridor"));
    auto* table = find<QTableWidget>("own-arguments");
    ASSERT_GE(table->rowCount(), 6) << "five arguments and an empty row";
    EXPECT_EQ(table->item(0, 0)->text(), QStringLiteral("length"));
    EXPECT_EQ(table->item(0, 2)->text(), QStringLiteral("8"));
    setArgument(QStringLiteral("length"), QStringLiteral("12"));
    setArgument(QStringLiteral("other"), QStringLiteral("1"));
    const OwnEnvironment own = page_->environment();
    EXPECT_EQ(own.title, QStringLiteral("Corridor"));
    EXPECT_EQ(own.choice.env, QStringLiteral("gym:%1:Corridor").arg(corridor_));
    EXPECT_EQ(own.choice.settings(),
              (QStringList{QStringLiteral("--env.length=12"), QStringLiteral("--env.other=1")}));
    classes->setCurrentText(QStringLiteral("Masked"));
    EXPECT_EQ(page_->environment().choice.settings(), own.choice.settings()) << "the values are kept";
    click("own-copy");
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("seedbed train gym:%1:Masked --steps 1000000 --env.length=12 --env.other=1")
                  .arg(corridor_));
}

TEST_F(OwnEnvTest, AnIdNeedsNoFile) {
    find<QComboBox>("own-source")->setCurrentIndex(1);
    find<QLineEdit>("own-id")->setText(QStringLiteral("CartPole-v1"));
    EXPECT_EQ(page_->environment().choice.env, QStringLiteral("gym:CartPole-v1"));
    find<QLineEdit>("own-id")->setText(QStringLiteral("gym:my.module:Id-v0"));
    EXPECT_EQ(page_->environment().choice.env, QStringLiteral("gym:my.module:Id-v0"));
    EXPECT_EQ(page_->environment().title, QStringLiteral("Id-v0"));
    find<QLineEdit>("own-id")->setText(QStringLiteral("my.module:Id-v0"));
    EXPECT_EQ(page_->environment().choice.env, QStringLiteral("gym:my.module:Id-v0"))
        << "same form as in gymnasium.make";
    find<QLineEdit>("own-id")->setText(QStringLiteral("atari:pong"));
    EXPECT_EQ(page_->environment().choice.env, QStringLiteral("atari:pong"));
    EXPECT_FALSE(find<QLineEdit>("own-file")->isVisible());
}

TEST_F(OwnEnvTest, AMissingFileIsReported) {
    find<QLineEdit>("own-file")->setText(QStringLiteral("/nowhere/my_env.py"));
    find<QComboBox>("own-class")->setCurrentText(QStringLiteral("MyEnv"));
    EXPECT_TRUE(find<QLabel>("own-note")->text().contains(QStringLiteral("does not exist")));
    EXPECT_FALSE(find<QPushButton>("own-check")->isEnabled());
}

TEST_F(OwnEnvTest, TheCheckShowsItsFindingsAndRemembersTheEnvironment) {
    if (!hasPython()) GTEST_SKIP() << "no Python with NumPy";
    enterCorridor();
    setArgument(QStringLiteral("length"), QStringLiteral("12"));
    click("own-check");
    ASSERT_TRUE(waitForVerdict());
    EXPECT_TRUE(verdict().contains(QStringLiteral("follows the rules"))) << verdict().toStdString();
    EXPECT_GE(find<QTableWidget>("own-findings")->rowCount(), 5);
    ASSERT_EQ(own_->all().size(), 1);
    EXPECT_EQ(own_->all().front().choice, page_->environment().choice);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !pictures_->file(own_->all().front().choice).isEmpty(); }, kTimeoutMs))
        << pictures_->problem(own_->all().front().choice).toStdString();
    QTest::qWait(300);
    savePicture(*page_, QStringLiteral("own-checked"));
    const auto* shown = find<QLabel>("own-picture");
    ASSERT_NE(shown->movie(), nullptr);
    const QSize drawn = QImageReader(pictures_->file(own_->all().front().choice)).size();
    EXPECT_EQ(shown->movie()->currentImage().size(),
              drawn.scaled(shown->contentsRect().size(), Qt::KeepAspectRatio));

    // The same with another value.
    makePage(OwnEnvLink{.title = QStringLiteral("Corridor")});
    EXPECT_EQ(page_->environment().choice, own_->all().front().choice);
    setArgument(QStringLiteral("length"), QStringLiteral("20"));
    click("own-train");
    const auto* link = navigator_.opened<StartLink>();
    ASSERT_NE(link, nullptr);
    const std::vector<std::pair<QString, QString>> settings{
        {QStringLiteral("run.steps"), QLatin1String(kStepsWithoutPreset)},
        {QStringLiteral("env.length"), QStringLiteral("20")}};
    EXPECT_EQ(link->new_run->settings, settings);
    ASSERT_EQ(own_->all().size(), 1) << "the environment was changed, not added";
    EXPECT_EQ(own_->all().front().choice.values.front().second, QStringLiteral("20"));
}

TEST_F(OwnEnvTest, AnEnvironmentThatRaisesShowsItsTraceback) {
    if (!hasPython()) GTEST_SKIP() << "no Python with NumPy";
    enterCorridor();
    setArgument(QStringLiteral("colour"), QStringLiteral("red"));
    click("own-check");
    ASSERT_TRUE(waitForVerdict());
    EXPECT_TRUE(verdict().contains(QStringLiteral("colour"))) << verdict().toStdString();
    EXPECT_TRUE(own_->all().isEmpty());
    savePicture(*page_, QStringLiteral("own-failed"));
}

TEST_F(OwnEnvTest, AResultIsThatOfTheEnvironmentThatWasChecked) {
    if (!hasPython()) GTEST_SKIP() << "no Python with NumPy";
    enterCorridor();
    click("own-check");
    setArgument(QStringLiteral("length"), QStringLiteral("12"));
    EXPECT_EQ(find<QPushButton>("own-check")->text(), QStringLiteral("Check"))
        << "the previous check was cancelled";
    QTest::qWait(3000);
    EXPECT_EQ(verdict(), QString());
    EXPECT_TRUE(own_->all().isEmpty());
    click("own-check");
    ASSERT_TRUE(waitForVerdict());
    EXPECT_TRUE(find<QTableWidget>("own-findings")->isVisible());
    find<QLineEdit>("own-title")->setText(QStringLiteral("Twelve"));
    EXPECT_NE(verdict(), QString()) << "a title does not change the environment";
    setArgument(QStringLiteral("length"), QStringLiteral("13"));
    EXPECT_EQ(verdict(), QString());
    EXPECT_FALSE(find<QTableWidget>("own-findings")->isVisible());
}

TEST_F(OwnEnvTest, ClassesWithTheSameNameDoNotReplaceEachOther) {
    QList<EnvChoice> choices;
    const auto enter = [&](const QString& name) {
        const QString file = folder_.filePath(name);
        QFile::copy(corridor_, file);
        find<QLineEdit>("own-file")->setText(file);
        find<QComboBox>("own-class")->setCurrentText(QStringLiteral("Corridor"));
        choices += page_->environment().choice;
        click("own-watch");
    };
    enter(QStringLiteral("a.py"));
    makePage({});
    enter(QStringLiteral("b.py"));
    EXPECT_EQ(find<QLineEdit>("own-title")->text(), QStringLiteral("Corridor (2)"))
        << "the new title is shown";
    enter(QStringLiteral("c.py"));  // in the same dialog
    ASSERT_EQ(own_->all().size(), 3);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(own_->all()[i].title,
                  i == 0 ? QStringLiteral("Corridor") : QStringLiteral("Corridor (%1)").arg(i + 1));
        EXPECT_EQ(own_->all()[i].choice, choices[i]);
    }
    // Editing an environment replaces it, even if another file is selected.
    makePage(OwnEnvLink{.title = QStringLiteral("Corridor (2)")});
    enter(QStringLiteral("d.py"));
    ASSERT_EQ(own_->all().size(), 3);
    EXPECT_EQ(own_->find(QStringLiteral("Corridor (2)"))->choice, choices[3]);
}

TEST_F(OwnEnvTest, ArgumentsWithNamesOfSettingsCannotBeSet) {
    const QString file = folder_.filePath(QStringLiteral("named.py"));
    QFile python(file);
    ASSERT_TRUE(python.open(QIODevice::WriteOnly));
    python.write(
        "class Named:\n    def __init__(self, id=3, size=4): pass\n"
        "    def reset(self, seed=None): pass\n    def step(self, action): pass\n");
    python.close();
    find<QLineEdit>("own-file")->setText(file);
    const auto* table = find<QTableWidget>("own-arguments");
    ASSERT_EQ(table->item(0, 0)->text(), QStringLiteral("id"));
    EXPECT_FALSE(table->item(0, 1)->flags() & Qt::ItemIsEditable);
    EXPECT_TRUE(table->item(0, 2)->text().contains(QStringLiteral("cannot be set")));
    EXPECT_TRUE(table->item(1, 1)->flags() & Qt::ItemIsEditable);
}

TEST_F(OwnEnvTest, ACheckCanBeCancelled) {
    if (!hasPython()) GTEST_SKIP() << "no Python with NumPy";
    enterCorridor();
    click("own-check");
    EXPECT_TRUE(find<QPushButton>("own-check")->text().contains(QStringLiteral("Cancel")));
    click("own-check");
    QTest::qWait(1500);
    EXPECT_EQ(verdict(), QString());
    EXPECT_TRUE(own_->all().isEmpty());
}

TEST_F(OwnEnvTest, APictureThatFailedIsDrawnAgainAfterTheFileHasChanged) {
    index_.set("SEEDBED_PYTHON", QStringLiteral("/nowhere/python"));
    const QString file = folder_.filePath(QStringLiteral("mine.py"));
    ASSERT_TRUE(QFile::copy(corridor_, file));
    const EnvChoice choice{.env = QStringLiteral("gym:%1:Corridor").arg(file)};
    pictures_->request(choice);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !pictures_->isDrawing(choice); }, kTimeoutMs));
    ASSERT_FALSE(pictures_->problem(choice).isEmpty());
    pictures_->request(choice);
    EXPECT_FALSE(pictures_->isDrawing(choice)) << "a failed picture is not drawn again";
    QFile changed(file);
    ASSERT_TRUE(changed.open(QIODevice::Append));
    ASSERT_TRUE(
        changed.setFileTime(QDateTime::currentDateTime().addSecs(5), QFileDevice::FileModificationTime));
    changed.close();
    pictures_->request(choice);
    EXPECT_TRUE(pictures_->isDrawing(choice));
}

TEST_F(OwnEnvTest, OldPicturesAreDeleted) {
    const QDir pictures(dataFolder() + QStringLiteral("/pictures"));
    ASSERT_TRUE(QDir().mkpath(pictures.path()));
    const QDateTime now = QDateTime::currentDateTime();
    for (int i = 0; i < EnvPictures::kMost + 20; ++i) {
        QFile old(pictures.filePath(QStringLiteral("%1.gif").arg(i)));
        ASSERT_TRUE(old.open(QIODevice::WriteOnly));
        ASSERT_TRUE(old.setFileTime(now.addSecs(-100 - i), QFileDevice::FileModificationTime));
        QFile frame(pictures.filePath(QStringLiteral("%1.png").arg(i)));
        ASSERT_TRUE(frame.open(QIODevice::WriteOnly));
    }
    const EnvChoice choice{.env = QStringLiteral("cartpole")};
    pictures_->request(choice);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !pictures_->isDrawing(choice); }, kTimeoutMs));
    EXPECT_FALSE(pictures_->file(choice).isEmpty()) << pictures_->problem(choice).toStdString();
    EXPECT_EQ(pictures.entryList({QStringLiteral("*.gif")}, QDir::Files).size(), EnvPictures::kMost);
    EXPECT_EQ(pictures.entryList({QStringLiteral("*.png")}, QDir::Files).size(), EnvPictures::kMost);
    EXPECT_TRUE(pictures.exists(QStringLiteral("0.gif")));
    EXPECT_FALSE(pictures.exists(QStringLiteral("%1.gif").arg(EnvPictures::kMost + 19)));
}

TEST_F(OwnEnvTest, APictureIsDrawnOnceAndAgainAfterTheFileHasChanged) {
    if (!hasPython()) GTEST_SKIP() << "no Python with NumPy";
    const QString file = folder_.filePath(QStringLiteral("mine.py"));
    ASSERT_TRUE(QFile::copy(corridor_, file));
    const EnvChoice choice{.env = QStringLiteral("gym:%1:Corridor").arg(file)};
    EXPECT_EQ(pictures_->file(choice), QString());
    pictures_->request(choice);
    EXPECT_TRUE(pictures_->isDrawing(choice));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !pictures_->isDrawing(choice); }, kTimeoutMs));
    const QString picture = pictures_->file(choice);
    ASSERT_FALSE(picture.isEmpty()) << pictures_->problem(choice).toStdString();
    pictures_->request(choice);
    EXPECT_FALSE(pictures_->isDrawing(choice)) << "the picture already exists";
    QFile changed(file);
    ASSERT_TRUE(changed.open(QIODevice::Append));
    ASSERT_TRUE(
        changed.setFileTime(QDateTime::currentDateTime().addSecs(5), QFileDevice::FileModificationTime));
    changed.close();
    EXPECT_EQ(pictures_->file(choice), QString());
    pictures_->request({.env = QStringLiteral("gym:%1:Nothing").arg(file)});
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return !pictures_->problem({.env = QStringLiteral("gym:%1:Nothing").arg(file)}).isEmpty(); },
        kTimeoutMs));
}

}  // namespace
}  // namespace seedbed::ui
