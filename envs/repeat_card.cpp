// SPDX-License-Identifier: Apache-2.0
// State and picture of the card memory tasks.
#include "envs/repeat_card.hpp"

#include <array>

namespace seedbed {
namespace {

constexpr Colour kRed{200, 40, 48}, kBlack{30, 32, 40};

// The symbol of a suit (0 clubs, 1 diamonds, 2 hearts, 3 spades), `size` high.
void drawSuit(Scene& scene, int suit, float x, float y, float size) {
    const float s = size / 2;
    const Colour colour = suit == 1 || suit == 2 ? kRed : kBlack;
    if (suit == 1) {
        scene.polygon({x, y + s, x + 0.75f * s, y, x, y - s, x - 0.75f * s, y}, colour);
        return;
    }
    if (suit == 2) {
        for (const float side : {-0.43f, 0.43f}) scene.circle(x + side * s, y + 0.4f * s, 0.5f * s, colour);
        scene.polygon({x - 0.87f * s, y + 0.16f * s, x + 0.87f * s, y + 0.16f * s, x, y - s}, colour);
        return;
    }
    if (suit == 3) {
        for (const float side : {-0.43f, 0.43f}) scene.circle(x + side * s, y - 0.2f * s, 0.48f * s, colour);
        scene.polygon({x - 0.86f * s, y, x + 0.86f * s, y, x, y + s}, colour);
    } else {
        for (const auto& [dx, dy] : {std::array{-0.45f, -0.15f}, {0.45f, -0.15f}, {0.0f, 0.5f}})
            scene.circle(x + dx * s, y + dy * s, 0.45f * s, colour);
        scene.circle(x, y + 0.1f * s, 0.25f * s, colour);
    }
    scene.polygon({x - 0.4f * s, y - s, x + 0.4f * s, y - s, x, y + 0.1f * s}, colour);
}

}  // namespace

// The latest card is face up; earlier cards are face down, and the queried one has a frame.
void RepeatCardEnv::draw(Scene& scene) const {
    constexpr int kShown = 9;
    scene.clear(-0.5f, -1.6f, 11.5f, 2.6f, {34, 110, 72});
    const int asked = queriedCard(seen_);
    const auto card = [&](float x, Colour colour) {
        scene.rectangle(x, 0.5f, 1.5f, 2.1f, {20, 60, 42});
        scene.rectangle(x, 0.5f, 1.4f, 2.0f, colour);
    };
    for (int back = kShown - 1; back >= 1; --back) {
        const int index = seen_ - 1 - back;
        if (index < 0) continue;
        const float x = 9.6f - 1.0f * static_cast<float>(back);
        card(x, index == asked ? Colour{250, 190, 60} : Colour{70, 96, 170});
        scene.rectangle(x, 0.5f, 1.1f, 1.7f, {92, 120, 200});
    }
    card(10.4f, {250, 250, 246});
    drawSuit(scene, suits_[static_cast<std::size_t>(seen_ - 1)], 10.4f, 0.5f, 1.0f);
    const auto cards = static_cast<float>(suits_.size());
    scene.rectangle(5.5f, -1.1f, 11, 0.3f, {24, 78, 52});
    scene.rectangle(5.5f * static_cast<float>(seen_) / cards, -1.1f, 11 * static_cast<float>(seen_) / cards,
                    0.3f, {230, 230, 220});
    if (reward_ != 0)
        scene.circle(10.4f, 1.95f, 0.3f, reward_ > 0 ? Colour{120, 230, 110} : Colour{235, 80, 70});
}

Result<> RepeatCardEnv::setState(const Json& state) {
    if (!state.is_object() || !state.contains("obs") || !state.contains("t"))
        return fail("the state of this task must have 'obs' and 't'");
    const Json &suits = state["obs"], &t = state["t"];
    if (!suits.is_array() || suits.size() != suits_.size())
        return fail("'obs' must have " + std::to_string(suits_.size()) + " suits");
    if (!t.is_number_integer() || t.get<std::int64_t>() < 0 ||
        t.get<std::int64_t>() >= static_cast<std::int64_t>(suits.size()))
        return fail("'t' must be a step of the episode");
    std::vector<std::uint8_t> order;
    for (const Json& suit : suits) {
        if (!suit.is_number_integer() || suit.get<std::int64_t>() < 0 || suit.get<std::int64_t>() > 3)
            return fail("each suit must be 0 to 3");
        order.push_back(suit.get<std::uint8_t>());
    }
    suits_ = std::move(order);
    seen_ = t.get<int>() + 1;
    reward_ = 0;
    return {};
}

EnvSpec repeatCardSpec() {
    EnvSpec spec;
    ObsLeaf suit;
    suit.name = "suit";
    suit.kind = ObsLeaf::Kind::discrete;
    suit.dtype = DType::i32;
    suit.shape = {1};
    suit.cardinality = 4;
    suit.labels = {"suit of the latest card"};
    spec.spaces.obs = {suit};
    ActionLeaf answer;
    answer.n = 4;
    answer.labels = {"clubs", "diamonds", "hearts", "spades"};
    spec.spaces.actions = {answer};
    spec.solved = 0.9;
    spec.random_return = -0.5;
    spec.references = {{"optimum", 1, 0, "exact"}, {"random", -0.5, 0, "exact: right one time in four"}};
    return spec;
}

}  // namespace seedbed
