// SPDX-License-Identifier: Apache-2.0
// Tests the keys that a person has for the actions of an environment.
#include "ui/models/play/play_keys.hpp"

#include <map>

#include <gtest/gtest.h>

namespace seedbed::ui {
namespace {

std::vector<PlayChoice> choicesOf(std::vector<std::string> labels) {
    ActionLeaf leaf;
    leaf.n = static_cast<int>(labels.size());
    leaf.labels = std::move(labels);
    return playChoices({leaf});
}

// The first key of each choice as text; keys are unique.
std::vector<std::string> keysOf(const std::vector<PlayChoice>& choices) {
    std::vector<std::string> texts;
    std::map<int, int> uses;
    for (const PlayChoice& choice : choices) {
        texts.push_back(choice.key_text.toStdString());
        for (const int key : choice.keys) EXPECT_EQ(++uses[key], 1) << choice.name.toStdString();
    }
    return texts;
}

using Texts = std::vector<std::string>;

TEST(PlayKeys, NamesWithADirectionOrASignGetArrows) {
    EXPECT_EQ(keysOf(choicesOf({"push left", "push right"})), (Texts{"←", "→"}));
    EXPECT_EQ(keysOf(choicesOf({"torque -1 N m", "no torque", "torque +1 N m"})), (Texts{"←", "1", "→"}));
    EXPECT_EQ(keysOf(choicesOf({"accelerate left", "coast", "accelerate right"})), (Texts{"←", "1", "→"}));
    EXPECT_EQ(keysOf(choicesOf({"no-op", "left", "up", "right", "down", "fire"})),
              (Texts{"0", "←", "↑", "→", "↓", "Space"}));
    EXPECT_EQ(keysOf(choicesOf({"left", "right", "forward", "pick up", "drop", "toggle", "done"})),
              (Texts{"←", "→", "↑", "3", "4", "Space", "6"}))
        << "to pick something up gives no direction";
    EXPECT_EQ(keysOf(choicesOf({"top left", "top right", "bottom left", "bottom right"})),
              (Texts{"0", "1", "2", "3"}))
        << "places on a board";
    EXPECT_EQ(keysOf(choicesOf({"right", "right fire", "left", "left fire", "fire"})),
              (Texts{"→", "1", "←", "3", "Space"}));
    EXPECT_EQ(keysOf(choicesOf({"column 1", "column 2", "column 3", "wait"})), (Texts{"1", "2", "3", ""}));
    EXPECT_EQ(keysOf(choicesOf({"door 1", "lamp 1"})), (Texts{"0", "1"})) << "not the same digit twice";
    const std::vector<PlayChoice> choices = choicesOf({"stay", "switch"});
    EXPECT_EQ(keysOf(choices), (Texts{"0", "1"}));
    EXPECT_EQ(choices[1].value, 1);
    EXPECT_EQ(choices[1].place, 1);
}

TEST(PlayKeys, AChoiceWithAnArrowHasItsDigitAndItsLetterToo) {
    const PlayChoice right = choicesOf({"left", "right"})[1];
    EXPECT_EQ(right.keys, (std::vector<int>{Qt::Key_Right, Qt::Key_D, Qt::Key_1}));
    // Beyond ten choices there are no digits.
    const std::vector<PlayChoice> many = choicesOf(Texts(12, ""));
    EXPECT_EQ(many[9].keys, (std::vector<int>{Qt::Key_9}));
    EXPECT_TRUE(many[10].keys.empty());
    EXPECT_EQ(many[10].name, QStringLiteral("10"));
}

TEST(PlayKeys, DimensionsHaveTheirEnds) {
    ActionLeaf choice, drive;
    choice.n = 2;
    drive.kind = ActionLeaf::Kind::box;
    drive.low = {-2, -1e38, 0};
    drive.high = {4, 1e38, 1};
    drive.labels = {"steering", "gas", "brake"};
    const std::vector<PlayChoice> all = playChoices({choice, drive});
    ASSERT_EQ(all.size(), 8U);
    EXPECT_EQ(keysOf(all), (Texts{"0", "1", "←", "→", "↓", "↑", "", ""}));
    EXPECT_EQ(all[2].value, -2);
    EXPECT_EQ(all[3].value, 4);
    EXPECT_EQ(all[3].name, QStringLiteral("steering 4"));
    EXPECT_EQ(all[5].value, 1) << "without bounds, the unit of the policy";
    EXPECT_EQ(all[7].word, 3U);
    EXPECT_EQ(all[7].place, -1);
}

}  // namespace
}  // namespace seedbed::ui
