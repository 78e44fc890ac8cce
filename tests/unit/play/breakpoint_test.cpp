// SPDX-License-Identifier: Apache-2.0
// Conditions of breakpoints, names of actions, and films.
#include "core/play/breakpoint.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/env/env_registry.hpp"
#include "core/env/picture_files.hpp"
#include "core/play/film.hpp"
#include "core/play/player_action.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

Spaces spacesOf(const std::string& env) {
    const EnvEntry* entry = findEnv(env).value();
    return entry->spec(entry->params->complete(Json::object(), "env").value()).value().spaces;
}

class Conditions : public ::testing::Test {
protected:
    bool holds(const std::string& text, const PlayerRecord* before, const PlayerRecord& now) const {
        const auto parsed = Breakpoint::parse(text, spaces_);
        EXPECT_TRUE(parsed) << parsed.error().text();
        return parsed && parsed->holds(before, now, [](std::size_t, std::size_t element) {
            return static_cast<double>(element) / 2;
        });
    }
    std::string problem(const std::string& text) const {
        const auto parsed = Breakpoint::parse(text, spaces_);
        return parsed ? "parsed" : parsed.error().text();
    }
    Spaces spaces_ = spacesOf("cartpole");
};

TEST_F(Conditions, CompareTheTermsOfARow) {
    PlayerRecord before, now;
    before.reward = 2;
    before.return_so_far = 10;
    now.value = 0.1F;
    now.entropy = 0.5F;
    now.step = 4;
    now.action = {1};
    EXPECT_TRUE(holds("value < 0.2", &before, now));
    EXPECT_FALSE(holds("value>0.2", &before, now));
    EXPECT_TRUE(holds("  entropy >= 0.5  ", &before, now));
    EXPECT_TRUE(holds("reward == 2", &before, now));
    EXPECT_TRUE(holds("return == 12", &before, now));
    EXPECT_TRUE(holds("action == push right", &before, now));
    EXPECT_FALSE(holds("action == 0", &before, now));
    EXPECT_TRUE(holds("action[0] != push left", &before, now));
    EXPECT_TRUE(holds("obs[3] == 1.5", &before, now));
    EXPECT_TRUE(holds("obs.obs[2] <= 1", &before, now));
    EXPECT_TRUE(holds("value > 5 or step == 4", &before, now));
    EXPECT_FALSE(holds("value > 5 or step == 4 and reward < 0", &before, now));
    EXPECT_TRUE(holds("action == push right and step > 3 or value > 5", &before, now));
    // Unknown numbers satisfy nothing.
    EXPECT_FALSE(holds("reward == 2", nullptr, now));
    EXPECT_FALSE(holds("reward != 2", nullptr, now));
    now.value = PlayerRecord::kUnknown;
    EXPECT_FALSE(holds("value < 1", &before, now));
    EXPECT_FALSE(holds("value >= 1", &before, now));
    EXPECT_FALSE(holds("end", &before, now));
    before.end = EpisodeMark::truncated;
    EXPECT_TRUE(holds("end", &before, now));
    EXPECT_TRUE(holds("reward > 5 or end and return == 12", &before, now));
    EXPECT_FALSE(holds("end", nullptr, now));
    before.decided = false;
    EXPECT_FALSE(holds("reward == 2", &before, now));
}

TEST_F(Conditions, MistakesNameTheirPlaceAndWhatIsPossible) {
    const auto names = [&](const std::string& text, const std::string& part) {
        EXPECT_NE(problem(text).find(part), std::string::npos) << text << ": " << problem(text);
    };
    names("", "the condition is empty");
    names("speed > 3", "at character 1: expected end, value, entropy");
    names("value", "at character 6: expected <, <=");
    names("value = 3", "at character 7: expected <, <=");
    names("value < ", "expected a number");
    names("value < 1 2", "at character 11: expected 'and', 'or' or the end");
    names("value < 1 and", "expected end, value, entropy");
    names("end > 1", "at character 5: expected 'and', 'or' or the end");
    names("value < nan", "expected a number");
    names("value < 1e999", "expected a number");
    names("obs > 1", "in brackets, as in obs[0]");
    names("obs[4] > 1", "a number from 0 to 3, because there are 4 elements");
    names("obs[-1] > 1", "expected a number from 0 to 3");
    names("obs[1 > 1", "expected ]");
    names("obs.sight[0] > 1", "there is no observation 'sight'; the observations are obs");
    names("action == jump", "expected a number or one of: push left, push right");
    names("action[1] == 0", "a number from 0 to 0");
    names(std::string(501, 'x'), "more than 500 characters");
    names("value < 1; reward > 0", "at character 9");
}

TEST(Actions, AreNamedByLabelsAndChecked) {
    const Spaces breakout = spacesOf("minatar_breakout"), pendulum = spacesOf("pendulum");
    EXPECT_EQ(defaultIdleRule(breakout, 1), IdleRule::do_nothing);
    EXPECT_EQ(defaultIdleRule(pendulum, 1), IdleRule::do_nothing);
    EXPECT_EQ(defaultIdleRule(spacesOf("cartpole"), 1), IdleRule::wait);
    EXPECT_EQ(defaultIdleRule(spacesOf("connect_four"), 2), IdleRule::wait);
    EXPECT_EQ(defaultIdleRule(spacesOf("pong"), 2), IdleRule::do_nothing);
    const auto left = parseAction("left", breakout);
    ASSERT_TRUE(left) << left.error().text();
    EXPECT_EQ(actionText(*left, breakout), "left");
    EXPECT_EQ(actionText({0.25F}, pendulum), "torque (N m) 0.25");
    const Spaces columns = spacesOf("connect_four");
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(columns.maskBytes()), 0);
    mask[2] = 1;
    EXPECT_EQ(forcedAction(mask.data(), columns), std::vector<float>{2});
    mask[3] = 1;
    EXPECT_FALSE(forcedAction(mask.data(), columns));
    const auto refused = checkAllowed({0}, mask.data(), columns);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("allowed: 2 column 3, 3 column 4"), std::string::npos)
        << refused.error().text();
    EXPECT_TRUE(checkAllowed({3}, mask.data(), columns));
}

std::vector<FilmFrame> frames(int count) {
    std::vector<FilmFrame> made(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        FilmFrame& frame = made[static_cast<std::size_t>(i)];
        frame.scene.clear(0, 0, 2, 1);
        frame.scene.circle(0.1F * static_cast<float>(i), 0.5F, 0.1F, {200, 30, 30, 255});
        frame.now.value = static_cast<float>(i);
        frame.now.shown = {0.25F, 0.75F};
        frame.now.action = {1};
    }
    return made;
}

TEST(Films, HaveTheRequestedSizeAndOptionalThoughts) {
    const Spaces spaces = spacesOf("cartpole");
    const FilmFrame frame = frames(3)[2];
    const Picture plain = filmPicture(frame, {0, 1, 2}, spaces, {.size = 64});
    EXPECT_EQ(plain.width, 64);
    EXPECT_EQ(plain.height, 32);
    const Picture wide = filmPicture(frame, {0, 1, 2}, spaces, {.size = 160, .thoughts = true});
    EXPECT_GT(wide.width, 160);
    EXPECT_EQ(wide.height, 120);
    const Picture other = filmPicture(frame, {2, 1, 0}, spaces, {.size = 160, .thoughts = true});
    EXPECT_NE(wide.rgb, other.rgb) << "the curve of the value is drawn";
}

TEST(Films, AreWrittenOrRefusedWithTheReason) {
    std::signal(SIGPIPE, SIG_IGN);  // as in the program
    testing::TemporaryFolder folder;
    RealFileSystem files;
    const Spaces spaces = spacesOf("cartpole");
    const auto problem = [&](const std::string& name, const std::vector<FilmFrame>& rows,
                             FilmOptions options) {
        const auto written = writeFilm(files, folder.path() / name, rows, spaces, options);
        return written ? "" : written.error().text();
    };
    EXPECT_EQ(problem("a.gif", frames(4), {.size = 64}), "");
    EXPECT_GT(std::filesystem::file_size(folder.path() / "a.gif"), 100u);
    EXPECT_NE(problem("a.png", frames(4), {}).find("must end with .gif or .mp4"), std::string::npos);
    EXPECT_NE(problem("b.gif", {}, {}).find("no rows"), std::string::npos);
    EXPECT_NE(problem("b.gif", frames(200), {.size = 2048}).find("too many for a GIF"), std::string::npos);
    EXPECT_NE(problem("a.mp4", frames(4), {.ffmpeg = "no-such-ffmpeg"}).find("needs ffmpeg"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.mp4"));
    // A program that reads nothing and fails.
    EXPECT_NE(problem("a.mp4", frames(4), {.ffmpeg = "false"}).find("ffmpeg could not write"),
              std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = writeFilm(files, folder.path() / "c.gif", frames(4), spaces, {}, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    if (std::system("command -v ffmpeg > /dev/null") != 0) GTEST_SKIP() << "ffmpeg is not installed";
    EXPECT_EQ(problem("a.mp4", frames(20), {.size = 64}), "");
    EXPECT_GT(std::filesystem::file_size(folder.path() / "a.mp4"), 500u);
    EXPECT_NE(problem("none/a.mp4", frames(2), {.size = 64}).find("ffmpeg could not write"),
              std::string::npos);
}

}  // namespace
}  // namespace seedbed
