// SPDX-License-Identifier: Apache-2.0
// Othello: two players place discs and turn over those that they enclose; more discs at the end win.
//
// Rules of the World Othello Federation (https://www.worldothello.org/about/about-othello/othello-rules). As
// in connect_four.cpp, both players are columns of one environment and step together, so there is a 65th
// action, waiting; which player begins is random; the leaf `turn` is 1 for the player to move. A player
// without a legal move is skipped: the other one moves again. An action outside the mask loses the game.
#include "envs/othello.hpp"

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "core/env/env_registry.hpp"

namespace seedbed::othello {
namespace {

constexpr int kWait = kCells;
constexpr Colour kDisc[] = {{24, 26, 30}, {244, 244, 238}};

// In the picture.
constexpr std::pair<float, float> centreOf(int cell) {
    return {static_cast<float>(cell % kSide) + 0.5F, static_cast<float>(kSide - 1 - cell / kSide) + 0.5F};
}

class Othello final : public Env {
public:
    struct Params {
        static const Description<Params>& describe() {
            static const Description<Params> description("othello", "Othello has no parameters.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec;
        spec.id = "othello";
        spec.title = "Othello";
        spec.sentence = "Two players place discs and turn over those that they enclose; more discs win.";
        spec.upstream =
            "rules of the World Othello Federation; both players step together, one waits; the starting "
            "player "
            "is random";
        spec.difficulty = "hard";
        ObsLeaf board;
        board.name = "board";
        board.kind = ObsLeaf::Kind::image;
        board.dtype = DType::u8;
        board.shape = {2, kSide, kSide};
        board.low = 0;
        board.high = 1;
        board.labels = {"own discs", "discs of the opponent"};
        ObsLeaf turn;
        turn.name = "turn";
        turn.kind = ObsLeaf::Kind::discrete;
        turn.dtype = DType::i32;
        turn.shape = {1};
        turn.cardinality = 2;
        turn.labels = {"0 wait, 1 move"};
        spec.spaces.obs = {board, turn};
        ActionLeaf move;
        move.n = kCells + 1;
        for (int cell = 0; cell < kCells; ++cell)
            move.labels.push_back(
                {static_cast<char>('a' + cell % kSide), static_cast<char>('1' + cell / kSide)});
        move.labels.push_back("wait");
        spec.spaces.actions = {move};
        spec.spaces.has_mask = true;
        spec.agents = 2;
        for (int cell = 0; cell < kCells; ++cell)
            spec.areas.push_back({cell, centreOf(cell).first, centreOf(cell).second, 1, 1});
        spec.seat_colours = {kDisc[0], kDisc[1]};
        spec.reward_low = -1;
        spec.reward_high = 1;
        spec.random_return = 0;
        spec.references = {
            {"random against random", 0, 0, "exact by symmetry, since the starting player is random"}};
        return spec;
    }

    explicit Othello(const Params&) {}

    void reset(Rng& rng) override {
        turn_ = static_cast<int>(rng.below(2));
        discs(turn_) = discAt(28) | discAt(35);  // e4 and d5
        discs(1 - turn_) = discAt(27) | discAt(36);
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        const int mover = turn_, cell = static_cast<int>(actions[mover]);
        const Discs turned = cell < kCells ? turnedBy(discs(mover), discs(1 - mover), cell) : 0;
        StepResult result;
        float earned = 0;
        if (turned == 0) {
            earned = -1;
            result.terminated = true;
        } else {
            discs(mover) ^= turned | discAt(cell);
            discs(1 - mover) ^= turned;
            if (moves(1 - mover) != 0) {
                turn_ = 1 - mover;
            } else if (moves(mover) == 0) {
                const int lead = std::popcount(discs(mover)) - std::popcount(discs(1 - mover));
                earned = lead > 0 ? 1.0F : lead < 0 ? -1.0F : 0.0F;
                result.terminated = true;
            }
        }
        rewards[mover] = earned;
        rewards[1 - mover] = -earned;
        result.reward = rewards[0];
        return result;
    }
    void observe(int agent, ObsOut out) const override {
        auto* plane = out.leaf<std::uint8_t>(0);
        for (const int player : {agent, 1 - agent})
            for (int cell = 0; cell < kCells; ++cell)
                *plane++ = static_cast<std::uint8_t>(discs(player) >> cell & 1);
        *out.leaf<std::int32_t>(1) = agent == turn_ ? 1 : 0;
        if (out.mask == nullptr) return;
        const Discs legal = agent == turn_ ? moves(agent) : 0;
        for (int cell = 0; cell < kCells; ++cell)
            out.mask[cell] = static_cast<std::uint8_t>(legal >> cell & 1);
        out.mask[kWait] = agent == turn_ ? 0 : 1;
    }
    void draw(Scene& scene) const override {
        constexpr Colour kTable = {236, 232, 220}, kCloth = {38, 120, 78}, kLine = {24, 84, 54};
        constexpr float kEnd = kSide;
        scene.clear(-0.5F, -0.5F, kEnd + 0.5F, kEnd + 1.3F, kTable);
        scene.rectangle(kEnd / 2, kEnd / 2, kEnd, kEnd, kCloth);
        for (int line = 0; line <= kSide; ++line) {
            const auto at = static_cast<float>(line);
            scene.line(at, 0, at, kEnd, 0.05F, kLine);
            scene.line(0, at, kEnd, at, 0.05F, kLine);
        }
        for (int cell = 0; cell < kCells; ++cell) {
            const auto [x, y] = centreOf(cell);
            for (int player = 0; player < 2; ++player)
                if ((discs(player) >> cell & 1) != 0) scene.circle(x, y, 0.4F, kDisc[player]);
            if ((moves(turn_) >> cell & 1) != 0) scene.circle(x, y, 0.08F, kDisc[turn_]);
        }
        scene.circle(kEnd / 2, kEnd + 0.65F, 0.35F, kDisc[turn_]);
    }
    void archive(Archive& archive) override {
        archive.any(discs_).field("turn", turn_, range(0, 1));
        archive.require(isUnfinished(), "the board is not that of an unfinished game");
    }
    // board[row][column] from the top: -1 if empty, otherwise the agent that owns the disc.
    Json state() const override {
        Json board = Json::array();
        for (int cell = 0; cell < kCells; ++cell) {
            if (cell % kSide == 0) board.push_back(Json::array());
            board.back().push_back((discs_[0] >> cell & 1) != 0 ? 0 : (discs_[1] >> cell & 1) != 0 ? 1 : -1);
        }
        return {{"board", std::move(board)}, {"turn", turn_}};
    }
    Result<> setState(const Json& state) override {
        if (!state.is_object() || !state.contains("board") || !state.contains("turn"))
            return fail("the state of othello must have board and turn");
        const Json &board = state["board"], &turn = state["turn"];
        if (turn != 0 && turn != 1) return fail("'turn' must be agent 0 or 1");
        if (!board.is_array() || board.size() != kSide) return fail("the board must have 8 rows");
        Othello read = *this;
        read.discs_ = {};
        read.turn_ = turn.get<int>();
        for (int cell = 0; cell < kCells; ++cell) {
            const Json& row = board[static_cast<std::size_t>(cell / kSide)];
            if (!row.is_array() || row.size() != kSide) return fail("the board must have 8 columns");
            const Json& owner = row[static_cast<std::size_t>(cell % kSide)];
            if (owner == -1) continue;
            if (owner != 0 && owner != 1) return fail("each cell must be -1, 0 or 1");
            read.discs(owner.get<int>()) |= discAt(cell);
        }
        if (!read.isUnfinished()) return fail("the board is not that of an unfinished game");
        *this = read;
        return {};
    }

private:
    Discs& discs(int player) { return discs_[static_cast<std::size_t>(player)]; }
    Discs discs(int player) const { return discs_[static_cast<std::size_t>(player)]; }
    Discs moves(int player) const { return movesOf(discs(player), discs(1 - player)); }
    bool isUnfinished() const { return (discs_[0] & discs_[1]) == 0 && moves(turn_) != 0; }

    std::array<Discs, 2> discs_{};  // of each agent
    int turn_ = 0;                  // the agent that moves next
};

}  // namespace
SEEDBED_REGISTER_ENV(othello, Othello, "reversi")
}  // namespace seedbed::othello
