// SPDX-License-Identifier: Apache-2.0
// Gathering from manually filled rings: order, pieces, stacks at episode starts, previous action and reward.
#include <cstring>

#include <gtest/gtest.h>

#include "core/rollout/gather.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {
namespace {

class Gather : public ::testing::Test {
protected:
    // Two rings of 3 columns and 12 rows. Element (group, t, column) is group * 100 + t * 3 + column.
    // Episodes of column 1 of group 0 begin at rows 0, 4 and 6; all others only at row 0.
    void SetUp() override {
        RingSpec spec;
        spec.spaces.obs = {ObsLeaf{.shape = {2}}, ObsLeaf{.kind = ObsLeaf::Kind::image,
                                                          .dtype = DType::u8,
                                                          .shape = {1, 1, 1},
                                                          .high = 255,
                                                          .stack = 3}};
        spec.spaces.actions = {ActionLeaf{.kind = ActionLeaf::Kind::box, .low = {-1, -1}, .high = {1, 1}}};
        spec.columns = 3;
        spec.rows = 12;
        for (int group = 0; group < 2; ++group) {
            rings_.push_back(std::move(*Ring::create(spec)));
            pointers_.push_back(rings_.back().get());
            for (std::uint64_t t = 0; t < 10; ++t) write(group, t);
            while (rings_.back()->head() < 9) rings_.back()->advance();
        }
    }

    static int number(int group, std::uint64_t t, int column) {
        return group * 100 + static_cast<int>(t) * 3 + column;
    }

    void write(int group, std::uint64_t t) {
        Ring& ring = *pointers_[static_cast<std::size_t>(group)];
        for (int column = 0; column < 3; ++column) {
            const auto value = static_cast<float>(number(group, t, column));
            float* obs = reinterpret_cast<float*>(ring.obs(0, t)) + column * 2;
            obs[0] = value;
            obs[1] = -value;
            ring.obs(1, t)[column] = static_cast<std::uint8_t>(value);
            ring.action(t)[column * 2] = value + 0.25F;
            ring.action(t)[column * 2 + 1] = value + 0.5F;
            ring.reward(t)[column] = value + 0.75F;
            ring.valid(t)[column] = column == 2 && t == 5 ? 0 : 1;
            ring.first(t)[column] = t == 0 || (group == 0 && column == 1 && (t == 4 || t == 6)) ? 1 : 0;
        }
    }

    std::vector<std::unique_ptr<Ring>> rings_;
    std::vector<Ring*> pointers_;
};

TEST_F(Gather, WindowsListTheirElementsInTimeMajorOrder) {
    std::vector<RowRef> rows;
    appendRows({.group = 1, .t0 = 4, .length = 2, .column = 1, .columns = 2}, rows);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].t, 4U);
    EXPECT_EQ(rows[1].column, 2);
    EXPECT_EQ(rows[2].t, 5U);
    EXPECT_EQ(rows[2].column, 1);
    EXPECT_EQ(rows[3].group, 1);
    EXPECT_EQ(validRows(pointers_, {.group = 0, .t0 = 4, .length = 2, .column = 1, .columns = 2}), 3U);
    EXPECT_EQ(validRows(pointers_, {.group = 0, .t0 = 4, .length = 2, .column = 0, .columns = 2}), 4U);
}

TEST_F(Gather, ObservationsAreInTheRequestedOrder) {
    // Whole rows and single elements, in reverse order, repeated, and from both rings.
    std::vector<RowRef> rows{{3, 0, 0}, {3, 1, 0}, {3, 2, 0}, {4, 0, 0}, {9, 2, 1},
                             {9, 1, 1}, {2, 1, 0}, {2, 1, 0}, {2, 2, 1}, {3, 0, 1}};
    std::vector<float> out(rows.size() * 2);
    gatherObs(pointers_, 0, rows.data(), rows.size(), reinterpret_cast<std::uint8_t*>(out.data()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto expected = static_cast<float>(number(rows[i].group, rows[i].t, rows[i].column));
        EXPECT_EQ(out[2 * i], expected) << i;
        EXPECT_EQ(out[2 * i + 1], -expected) << i;
    }
}

TEST_F(Gather, StacksNeverReachIntoAnotherEpisode) {
    const std::vector<std::pair<RowRef, std::vector<std::uint64_t>>> cases{
        {{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {0, 0, 1}}, {{2, 0, 0}, {0, 1, 2}}, {{8, 0, 0}, {6, 7, 8}},
        {{3, 1, 0}, {1, 2, 3}}, {{4, 1, 0}, {4, 4, 4}}, {{5, 1, 0}, {4, 4, 5}}, {{6, 1, 0}, {6, 6, 6}},
        {{8, 1, 0}, {6, 7, 8}}, {{5, 1, 1}, {3, 4, 5}}};
    std::vector<RowRef> rows;
    for (const auto& [row, frames] : cases) rows.push_back(row);
    std::vector<std::uint8_t> out(rows.size() * 3);
    gatherObs(pointers_, 1, rows.data(), rows.size(), out.data());
    for (std::size_t i = 0; i < cases.size(); ++i)
        for (std::size_t frame = 0; frame < 3; ++frame)
            EXPECT_EQ(out[3 * i + frame], number(rows[i].group, cases[i].second[frame], rows[i].column))
                << "case " << i << " frame " << frame;
}

TEST_F(Gather, PreviousActionAndRewardAreZeroAtEpisodeStarts) {
    const std::vector<RowRef> rows{{0, 0, 0}, {1, 0, 0}, {4, 1, 0}, {5, 1, 0},
                                   {6, 1, 0}, {6, 0, 0}, {9, 2, 1}};
    std::vector<float> actions(rows.size() * 2, -1), rewards(rows.size(), -1);
    gatherPrevious(pointers_, rows.data(), rows.size(), actions.data(), rewards.data());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool start = i == 0 || i == 2 || i == 4;
        const auto before =
            start ? 0.0F : static_cast<float>(number(rows[i].group, rows[i].t - 1, rows[i].column));
        EXPECT_EQ(actions[2 * i], start ? 0 : before + 0.25F) << i;
        EXPECT_EQ(actions[2 * i + 1], start ? 0 : before + 0.5F) << i;
        EXPECT_EQ(rewards[i], start ? 0 : before + 0.75F) << i;
    }
}

TEST_F(Gather, NothingIsGatheredForNoRows) {
    gatherObs(pointers_, 0, nullptr, 0, nullptr);
    gatherPrevious(pointers_, nullptr, 0, nullptr, nullptr);
}

}  // namespace
}  // namespace seedbed
