// SPDX-License-Identifier: Apache-2.0
// Tests the data of packs and of the user's own environments.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "ui/models/packs/own_environments.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/models/packs/python_classes.hpp"

namespace seedbed::ui {
namespace {

QStringList namesOf(const QList<PythonClass>& classes) {
    QStringList names;
    for (const PythonClass& found : classes) names += found.name;
    return names;
}

TEST(EnvChoice, ItsArgumentsAreSettingsAndItsFileIsFound) {
    const EnvChoice own{.env = QStringLiteral("gym:/home/me/a b/my_env.py:MyEnv"),
                        .values = {{QStringLiteral("length"), QStringLiteral("12")}}};
    EXPECT_EQ(own.settings(), QStringList{QStringLiteral("--env.length=12")});
    EXPECT_EQ(own.file(), QStringLiteral("/home/me/a b/my_env.py"));
    EXPECT_EQ(shortTitle(own.env), QStringLiteral("MyEnv"));
    const EnvChoice pong{.env = QStringLiteral("atari:space_invaders")};
    EXPECT_EQ(pong.file(), QString());
    EXPECT_EQ(shortTitle(pong.env), QStringLiteral("Space invaders"));
    EXPECT_EQ(shortTitle(QStringLiteral("gym:ALE/Pong-v5")), QStringLiteral("ALE/Pong-v5"));
    EXPECT_EQ(shortId(own.env), QStringLiteral("gym:my_env.py:MyEnv"));
    EXPECT_EQ(shortId(QStringLiteral("gym:./my_env.py:MyEnv")), QStringLiteral("gym:my_env.py:MyEnv"));
    EXPECT_EQ(shortId(QStringLiteral("godot:/games/Game.x86_64")), QStringLiteral("godot:Game.x86_64"));
    for (const char* kept : {"gym:ALE/Pong-v5", "atari:pong", "cartpole"})
        EXPECT_EQ(shortId(QLatin1String(kept)), QLatin1String(kept));
    EnvChoice other = own;
    other.values.front().second = QStringLiteral("13");
    EXPECT_NE(own.key(), other.key());
    EXPECT_EQ(own.key(), EnvChoice(own).key());
}

TEST(EnvChoice, GymnasiumsOwnIdsGetTheSchemeGym) {
    const auto id = [](const char* input) { return envIdFromInput(QLatin1String(input)).toStdString(); };
    EXPECT_EQ(id("CartPole-v1"), "gym:CartPole-v1");
    EXPECT_EQ(id("ALE/Pong-v5"), "gym:ALE/Pong-v5");
    EXPECT_EQ(id("gymnasium.envs.classic_control:CartPole-v1"),
              "gym:gymnasium.envs.classic_control:CartPole-v1");
    EXPECT_EQ(id("my_module:My-v0"), "gym:my_module:My-v0");
    for (const char* kept :
         {"gym:CartPole-v1", "gym:my_module:My-v0", "atari:pong", "godot:127.0.0.1:11008", ""})
        EXPECT_EQ(id(kept), kept);
}

TEST(EnvChoice, ARunWithoutAPresetGetsANumberOfSteps) {
    const EnvChoice pong{.env = QStringLiteral("atari:pong")};
    EXPECT_FALSE(startArguments(pong, true).contains(QStringLiteral("--steps")));
    EXPECT_EQ(startArguments(pong, false).last(), QLatin1String(kStepsWithoutPreset));
}

TEST(Packs, TheListOfTheProgramIsRead) {
    const auto json = QJsonDocument::fromJson(R"([
        {"name": "atari", "title": "Atari games", "sentence": "Games.", "state": "installed", "problem": "",
         "installed": {"folder": "/d", "bytes": 2000}, "envs": ["atari:pong"],
         "licences": [{"part": "ale-py", "licence": "GPL-2.0-only"}],
         "platforms": {"x86_64": ["3.11", "3.12"], "aarch64": ["3.11"]}, "packages": [{"name": "a"}, {"name": "b"}],
         "system_packages": ["libgl1"], "instructions": "", "download_bytes": 10, "installed_bytes": 20,
         "runs": [3, 5]},
        {"name": "dmlab", "state": "not_installed", "installed": null, "instructions": "Build it."},
        {"name": "broken", "state": "damaged", "problem": "pack.json is damaged", "installed": null}])");
    const QList<PackInfo> packs = packsFromJson(json.array());
    ASSERT_EQ(packs.size(), 3);
    EXPECT_TRUE(packs[0].isUsable());
    EXPECT_EQ(packs[0].packages, 2);
    EXPECT_EQ(packs[0].installed_bytes, 2000) << "the measured size";
    EXPECT_EQ(packs[0].pythons, (QStringList{QStringLiteral("3.11"), QStringLiteral("3.12")}));
    EXPECT_EQ(packs[0].licences.front().second, QStringLiteral("GPL-2.0-only"));
    EXPECT_EQ(packs[0].runs, (QList<RunId>{3, 5}));
    EXPECT_TRUE(packs[1].runs.isEmpty());
    EXPECT_FALSE(packs[1].isUsable());
    EXPECT_FALSE(packs[1].instructions.isEmpty());
    EXPECT_EQ(packs[2].state, PackInfo::State::damaged);
    EXPECT_EQ(packs[2].problem, QStringLiteral("pack.json is damaged"));
}

TEST(PythonClasses, TheEnvironmentsOfAFileAreFoundWithTheirArguments) {
    const QList<PythonClass> found = environmentClasses(QStringLiteral(R"(
import gymnasium as gym


class Box:
    def __init__(self, low, high):
        pass


class Corridor(gym.Env):
    """Walk to the right end of a corridor.

    More words.
    """

    def __init__(
        self,
        length: int = 8,  # cells
        names=("a", "b"),
        *,
        text: str = "x=1, y",
        render_mode=None,
        **more,
    ):
        self.length = length

    def reset(self, seed=None, options=None):
        pass

    def step(self, action):
        pass


class Longer(Corridor):
    pass


class Duck:
    def reset(self, seed=None):
        pass

    def step(self, action):
        pass


class _Hidden(gym.Env):
    pass


class OnlyStep:
    def step(self, action):
        pass
)"));
    EXPECT_EQ(namesOf(found),
              (QStringList{QStringLiteral("Corridor"), QStringLiteral("Longer"), QStringLiteral("Duck")}));
    EXPECT_EQ(found[0].sentence, QStringLiteral("Walk to the right end of a corridor."));
    const QList<PythonArgument> arguments{{QStringLiteral("length"), QStringLiteral("8")},
                                          {QStringLiteral("names"), QStringLiteral(R"(("a", "b"))")},
                                          {QStringLiteral("text"), QStringLiteral(R"("x=1, y")")}};
    EXPECT_EQ(found[0].arguments, arguments);
    EXPECT_EQ(found[1].arguments, arguments) << "the arguments of its base class";
    EXPECT_TRUE(found[2].arguments.isEmpty());
}

TEST(PythonClasses, TextThatIsNotPythonHasNone) {
    EXPECT_TRUE(environmentClasses(QString()).isEmpty());
    EXPECT_TRUE(environmentClasses(QStringLiteral("class (((:\n def step(")).isEmpty());
    EXPECT_TRUE(environmentClasses(QString(100'000, QLatin1Char('('))).isEmpty());
    EXPECT_EQ(namesOf(environmentClasses(QStringLiteral("class A(Env):\n def __init__(self, a=(1"))),
              QStringList{QStringLiteral("A")});
}

class OwnEnvironmentsTest : public ::testing::Test {
protected:
    QString file() const { return folder_.filePath(QStringLiteral("data/environments.json")); }

    QTemporaryDir folder_;
    const OwnEnvironment corridor_{.title = QStringLiteral("Corridor"),
                                   .choice = {.env = QStringLiteral("gym:/a.py:Corridor"),
                                              .values = {{QStringLiteral("length"), QStringLiteral("12")},
                                                         {QStringLiteral("name"), QStringLiteral("\"ü\"")}}}};
};

TEST_F(OwnEnvironmentsTest, TheyAreStoredInTheDataFolder) {
    {
        OwnEnvironments own(folder_.filePath(QStringLiteral("data")));
        EXPECT_EQ(own.load(), QString()) << "the folder does not exist yet";
        int changes = 0;
        QObject::connect(&own, &OwnEnvironments::changed, [&] { ++changes; });
        EXPECT_EQ(own.put(corridor_), QString());
        EXPECT_EQ(own.put(corridor_), QString());
        EXPECT_EQ(changes, 1) << "the second call changes nothing";
    }
    OwnEnvironments again(folder_.filePath(QStringLiteral("data")));
    EXPECT_EQ(again.load(), QString());
    ASSERT_EQ(again.all().size(), 1);
    EXPECT_EQ(again.find(QStringLiteral("Corridor"))->choice, corridor_.choice);
    OwnEnvironment longer = corridor_;
    longer.choice.values.front().second = QStringLiteral("20");
    EXPECT_EQ(again.put(longer), QString());
    ASSERT_EQ(again.all().size(), 1) << "the environment was replaced, not added";
    EXPECT_EQ(again.all().front().choice, longer.choice);
    EXPECT_EQ(again.remove(QStringLiteral("Corridor")), QString());
    EXPECT_TRUE(again.all().isEmpty());
}

TEST_F(OwnEnvironmentsTest, ATitleThatIsTakenGetsANumber) {
    OwnEnvironments own(folder_.filePath(QStringLiteral("data")));
    const QString title = corridor_.title;
    EXPECT_EQ(own.freeTitle(title), title);
    ASSERT_EQ(own.put(corridor_), QString());
    EXPECT_EQ(own.freeTitle(title), QStringLiteral("Corridor (2)"));
    EXPECT_EQ(own.freeTitle(title, title), title) << "an environment may keep its own title";
    ASSERT_EQ(own.put({.title = QStringLiteral("Corridor (2)"), .choice = corridor_.choice}), QString());
    EXPECT_EQ(own.freeTitle(title), QStringLiteral("Corridor (3)"));
    EXPECT_EQ(own.freeTitle(title, QStringLiteral("Corridor (2)")), QStringLiteral("Corridor (2)"));
}

TEST_F(OwnEnvironmentsTest, ADamagedFileIsReportedAndNotOverwritten) {
    QDir().mkpath(folder_.filePath(QStringLiteral("data")));
    QFile damaged(file());
    ASSERT_TRUE(damaged.open(QIODevice::WriteOnly));
    damaged.write("[{\"title\": ");
    damaged.close();
    OwnEnvironments own(folder_.filePath(QStringLiteral("data")));
    EXPECT_TRUE(own.load().contains(file()));
    EXPECT_FALSE(own.put(corridor_).isEmpty());
    ASSERT_TRUE(damaged.open(QIODevice::ReadOnly));
    EXPECT_EQ(damaged.readAll(), "[{\"title\": ");
}

TEST_F(OwnEnvironmentsTest, APipeInPlaceOfTheFileIsReportedAndNotWaitedFor) {
    QDir().mkpath(folder_.filePath(QStringLiteral("data")));
    ASSERT_EQ(mkfifo(file().toLocal8Bit().constData(), 0600), 0);
    OwnEnvironments own(folder_.filePath(QStringLiteral("data")));
    EXPECT_TRUE(own.load().contains(QStringLiteral("is not a regular file")));
    EXPECT_FALSE(own.put(corridor_).isEmpty());
}

TEST_F(OwnEnvironmentsTest, AFolderThatCannotBeWrittenIsReported) {
    OwnEnvironments own(QStringLiteral("/proc/nothing"));
    EXPECT_EQ(own.load(), QString());
    EXPECT_TRUE(own.put(corridor_).contains(QStringLiteral("/proc/nothing")));
    EXPECT_TRUE(own.all().isEmpty());
}

}  // namespace
}  // namespace seedbed::ui
