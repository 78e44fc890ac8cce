// SPDX-License-Identifier: Apache-2.0
// Connect Four: two players drop discs into seven columns; four in a row win.
//
// Uses the rules, planes and rewards of https://github.com/Farama-Foundation/PettingZoo connect_four_v3.
// Differences: both players are columns of one environment and step together, so there is an eighth action,
// waiting. During a player's turn, the opponent can only wait, and its action is ignored. An action outside
// the mask loses the game. Which player begins is random, so each agent plays both sides; the leaf `turn` is
// 1 for the player to move.
#include <array>
#include <utility>

#include "core/env/env_registry.hpp"

namespace seedbed::connect_four {
namespace {

constexpr int kRows = 6, kColumns = 7, kWait = kColumns;

// Discs of one player: bit 7 * column + height, height 0 at the bottom; the seventh bit of each column is
// always 0.
using Discs = std::uint64_t;
constexpr Colour kDisc[] = {{226, 56, 48}, {250, 208, 50}};
constexpr Discs discAt(int column, int height) { return Discs{1} << (7 * column + height); }

constexpr bool hasFour(Discs discs) {
    for (const int direction : {1, 7, 6, 8}) {
        const Discs pairs = discs & (discs >> direction);
        if ((pairs & (pairs >> (2 * direction))) != 0) return true;
    }
    return false;
}

class ConnectFour final : public Env {
public:
    struct Params {
        static const Description<Params>& describe() {
            static const Description<Params> description("connect_four", "Connect Four has no parameters.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec;
        spec.id = "connect_four";
        spec.title = "Connect Four";
        spec.sentence = "Two players drop discs into seven columns; four in a row win.";
        spec.upstream =
            "https://github.com/Farama-Foundation/PettingZoo connect_four_v3; both players step together, "
            "one waits; the starting player is random";
        spec.difficulty = "hard";
        ObsLeaf board;
        board.name = "board";
        board.kind = ObsLeaf::Kind::image;
        board.dtype = DType::u8;
        board.shape = {2, kRows, kColumns};
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
        move.n = kColumns + 1;
        for (int column = 1; column <= kColumns; ++column)
            move.labels.push_back("column " + std::to_string(column));
        move.labels.push_back("wait");
        spec.spaces.actions = {move};
        spec.spaces.has_mask = true;
        spec.agents = 2;
        for (int column = 0; column < kColumns; ++column)
            spec.areas.push_back({column, static_cast<float>(column) + 0.5f, kRows / 2.0f, 1, kRows});
        spec.seat_colours = {kDisc[0], kDisc[1]};
        spec.reward_low = -1;
        spec.reward_high = 1;
        spec.random_return = 0;
        spec.references = {
            {"random against random", 0, 0,
             "exact; the starting player wins 55.2 %, measured over 60,000 games of the original"},
            {"perfect play by the starting player", 1, 0, "Allis 1988: the first player wins"}};
        return spec;
    }

    explicit ConnectFour(const Params&) {}

    void reset(Rng& rng) override {
        discs_ = {};
        turn_ = static_cast<int>(rng.below(2));
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        const int mover = turn_, column = static_cast<int>(actions[mover]);
        StepResult result;
        float earned = 0;
        if (column >= kColumns || height(column) == kRows) {
            earned = -1;
            result.terminated = true;
        } else {
            Discs& own = discs_[static_cast<std::size_t>(mover)];
            own |= discAt(column, height(column));
            if (hasFour(own)) {
                earned = 1;
                result.terminated = true;
            } else result.terminated = full();
        }
        turn_ = 1 - mover;
        rewards[mover] = earned;
        rewards[1 - mover] = -earned;
        result.reward = rewards[0];
        return result;
    }
    void observe(int agent, ObsOut out) const override {
        auto* plane = out.leaf<std::uint8_t>(0);
        for (const int player : {agent, 1 - agent})
            for (int row = 0; row < kRows; ++row)
                for (int column = 0; column < kColumns; ++column)
                    *plane++ =
                        (discs_[static_cast<std::size_t>(player)] & discAt(column, kRows - 1 - row)) != 0 ? 1
                                                                                                          : 0;
        *out.leaf<std::int32_t>(1) = agent == turn_ ? 1 : 0;
        if (out.mask == nullptr) return;
        for (int column = 0; column < kColumns; ++column)
            out.mask[column] = agent == turn_ && height(column) < kRows ? 1 : 0;
        out.mask[kWait] = agent == turn_ ? 0 : 1;
    }
    void draw(Scene& scene) const override {
        scene.clear(-0.7f, -0.7f, kColumns + 0.7f, kRows + 0.9f, {236, 240, 246});
        scene.rectangle(kColumns / 2.0f, kRows / 2.0f, kColumns + 0.3f, kRows + 0.3f, {36, 84, 190});
        for (const float side : {-0.25f, kColumns + 0.25f})
            scene.rectangle(side, kRows / 2.0f - 0.3f, 0.24f, kRows + 0.8f, {24, 58, 140});
        constexpr Colour kRim[] = {{180, 36, 32}, {212, 164, 24}};
        for (int column = 0; column < kColumns; ++column) {
            for (int row = 0; row < kRows; ++row) {
                const float x = static_cast<float>(column) + 0.5f, y = static_cast<float>(row) + 0.5f;
                scene.circle(x, y, 0.41f, {236, 240, 246});
                for (std::size_t player = 0; player < 2; ++player) {
                    if ((discs_[player] & discAt(column, row)) == 0) continue;
                    scene.circle(x, y, 0.41f, kRim[player]);
                    scene.circle(x, y, 0.31f, kDisc[player]);
                }
            }
        }
        scene.circle(kColumns / 2.0f, kRows + 0.5f, 0.24f, kDisc[turn_]);
    }
    void archive(Archive& archive) override {
        archive.any(discs_).field("turn", turn_, range(0, 1));
        archive.require(!full(), "the board is full");
    }
    // board[row][column] from the top: -1 if empty, otherwise the agent that owns the disc.
    Json state() const override {
        Json board = Json::array();
        for (int row = kRows - 1; row >= 0; --row) {
            board.push_back(Json::array());
            for (int column = 0; column < kColumns; ++column) {
                const Discs cell = discAt(column, row);
                board.back().push_back((discs_[0] & cell) != 0 ? 0 : (discs_[1] & cell) != 0 ? 1 : -1);
            }
        }
        return {{"board", std::move(board)}, {"turn", turn_}};
    }
    Result<> setState(const Json& state) override {
        if (!state.is_object() || !state.contains("board") || !state.contains("turn"))
            return fail("the state of connect_four must have board and turn");
        const Json &board = state["board"], &turn = state["turn"];
        if (turn != 0 && turn != 1) return fail("'turn' must be agent 0 or 1");
        if (!board.is_array() || board.size() != kRows) return fail("the board must have 6 rows");
        std::array<Discs, 2> discs{};
        for (int row = 0; row < kRows; ++row) {
            const Json& cells = board[static_cast<std::size_t>(kRows - 1 - row)];
            if (!cells.is_array() || cells.size() != kColumns) return fail("the board must have 7 columns");
            for (int column = 0; column < kColumns; ++column) {
                const Json& cell = cells[static_cast<std::size_t>(column)];
                if (cell == -1) continue;
                if (cell != 0 && cell != 1) return fail("each cell must be -1, 0 or 1");
                if (row > 0 && ((discs[0] | discs[1]) & discAt(column, row - 1)) == 0)
                    return fail("a disc is above an empty cell");
                discs[cell.get<std::size_t>()] |= discAt(column, row);
            }
        }
        if (hasFour(discs[0]) || hasFour(discs[1])) return fail("the game is over");
        discs_ = discs;
        turn_ = turn.get<int>();
        return {};
    }

private:
    int height(int column) const {
        const Discs stack = (discs_[0] | discs_[1]) >> (7 * column) & 0x3F;
        int discs = 0;
        while ((stack >> discs & 1) != 0) ++discs;
        return discs;
    }
    bool full() const {
        for (int column = 0; column < kColumns; ++column)
            if (((discs_[0] | discs_[1]) & discAt(column, kRows - 1)) == 0) return false;
        return true;
    }

    std::array<Discs, 2> discs_{};  // discs of each agent
    int turn_ = 0;                  // the agent that moves next
};

}  // namespace
SEEDBED_REGISTER_ENV(connect_four, ConnectFour, "connect_four_v3")
}  // namespace seedbed::connect_four
