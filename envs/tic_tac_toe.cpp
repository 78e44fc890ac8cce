// SPDX-License-Identifier: Apache-2.0
// Tic-tac-toe: two players mark the cells of a three by three board; three in a row win.
//
// Uses the rules, planes and rewards of https://github.com/Farama-Foundation/PettingZoo tictactoe_v3.
// Differences: as in connect_four.cpp, both players are columns of one environment and step together, so
// there is a tenth action, waiting; which player begins is random; the leaf `turn` is 1 for the player to
// move. Cells are numbered by rows from the top left; the original numbers them by columns. An action outside
// the mask loses the game.
#include <array>
#include <bit>
#include <utility>

#include "core/env/env_registry.hpp"

namespace seedbed::tic_tac_toe {
namespace {

constexpr int kSide = 3, kCells = kSide * kSide, kWait = kCells;
constexpr Colour kMark[] = {{206, 60, 52}, {44, 92, 190}};
constexpr std::uint32_t kFull = (1U << kCells) - 1;

// Marks of one player: bit 3 * row + column.
using Marks = std::uint32_t;
constexpr std::array<Marks, 8> kLines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

constexpr bool hasLine(Marks marks) {
    for (const Marks line : kLines)
        if ((marks & line) == line) return true;
    return false;
}

// In the picture.
constexpr std::pair<float, float> centreOf(int cell) {
    return {static_cast<float>(cell % kSide) + 0.5F, static_cast<float>(kSide - 1 - cell / kSide) + 0.5F};
}

class TicTacToe final : public Env {
public:
    struct Params {
        static const Description<Params>& describe() {
            static const Description<Params> description("tic_tac_toe", "Tic-tac-toe has no parameters.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec;
        spec.id = "tic_tac_toe";
        spec.title = "Tic-tac-toe";
        spec.sentence = "Two players mark the cells of a small board; three in a row win.";
        spec.upstream =
            "https://github.com/Farama-Foundation/PettingZoo tictactoe_v3; both players step together, one "
            "waits; the starting player is random; cells are numbered by rows";
        spec.difficulty = "easy";
        ObsLeaf board;
        board.name = "board";
        board.kind = ObsLeaf::Kind::image;
        board.dtype = DType::u8;
        board.shape = {2, kSide, kSide};
        board.low = 0;
        board.high = 1;
        board.labels = {"own marks", "marks of the opponent"};
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
        for (const char* row : {"top", "middle", "bottom"})
            for (const char* column : {"left", "centre", "right"})
                move.labels.push_back(std::string(row) + " " + column);
        move.labels.push_back("wait");
        spec.spaces.actions = {move};
        spec.spaces.has_mask = true;
        spec.agents = 2;
        for (int cell = 0; cell < kCells; ++cell)
            spec.areas.push_back({cell, centreOf(cell).first, centreOf(cell).second, 1, 1});
        spec.seat_colours = {kMark[0], kMark[1]};
        spec.reward_low = -1;
        spec.reward_high = 1;
        spec.random_return = 0;
        spec.references = {
            {"random against random", 0, 0,
             "exact by symmetry; the starting player wins 58.5 % of the games and draws 12.7 %"},
            {"perfect play of both players", 0, 0, "exact: every game is a draw"}};
        return spec;
    }

    explicit TicTacToe(const Params&) {}

    void reset(Rng& rng) override {
        marks_ = {};
        turn_ = static_cast<int>(rng.below(2));
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        const int mover = turn_, cell = static_cast<int>(actions[mover]);
        StepResult result;
        float earned = 0;
        if (cell >= kCells || (taken() >> cell & 1) != 0) {
            earned = -1;
            result.terminated = true;
        } else {
            Marks& own = marks_[static_cast<std::size_t>(mover)];
            own |= Marks{1} << cell;
            earned = hasLine(own) ? 1.0F : 0.0F;
            result.terminated = earned > 0 || taken() == kFull;
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
            for (int cell = 0; cell < kCells; ++cell)
                *plane++ = static_cast<std::uint8_t>(marks_[static_cast<std::size_t>(player)] >> cell & 1);
        *out.leaf<std::int32_t>(1) = agent == turn_ ? 1 : 0;
        if (out.mask == nullptr) return;
        for (int cell = 0; cell < kCells; ++cell)
            out.mask[cell] = agent == turn_ && (taken() >> cell & 1) == 0 ? 1 : 0;
        out.mask[kWait] = agent == turn_ ? 0 : 1;
    }
    void draw(Scene& scene) const override {
        constexpr Colour kPaper = {246, 246, 240}, kLine = {120, 124, 132};
        scene.clear(-0.4F, -0.4F, kSide + 0.4F, kSide + 0.9F, kPaper);
        for (const float at : {1.0F, 2.0F}) {
            scene.line(at, 0.05F, at, kSide - 0.05F, 0.06F, kLine);
            scene.line(0.05F, at, kSide - 0.05F, at, 0.06F, kLine);
        }
        for (int cell = 0; cell < kCells; ++cell) {
            const auto [x, y] = centreOf(cell);
            if ((marks_[0] >> cell & 1) != 0) {
                scene.line(x - 0.28F, y - 0.28F, x + 0.28F, y + 0.28F, 0.12F, kMark[0]);
                scene.line(x - 0.28F, y + 0.28F, x + 0.28F, y - 0.28F, 0.12F, kMark[0]);
            } else if ((marks_[1] >> cell & 1) != 0) {
                scene.circle(x, y, 0.34F, kMark[1]);
                scene.circle(x, y, 0.22F, kPaper);
            }
        }
        scene.circle(kSide / 2.0F, kSide + 0.4F, 0.18F, kMark[turn_]);
    }
    void archive(Archive& archive) override {
        for (Marks& marks : marks_) archive.field("marks", marks, range(0U, kFull));
        archive.field("turn", turn_, range(0, 1));
        archive.require(legal(marks_), "the board is not that of an unfinished game");
    }
    // board[row][column] from the top: -1 if empty, otherwise the agent that owns the mark.
    Json state() const override {
        Json board = Json::array();
        for (int cell = 0; cell < kCells; ++cell) {
            if (cell % kSide == 0) board.push_back(Json::array());
            board.back().push_back((marks_[0] >> cell & 1) != 0 ? 0 : (marks_[1] >> cell & 1) != 0 ? 1 : -1);
        }
        return {{"board", std::move(board)}, {"turn", turn_}};
    }
    Result<> setState(const Json& state) override {
        if (!state.is_object() || !state.contains("board") || !state.contains("turn"))
            return fail("the state of tic_tac_toe must have board and turn");
        const Json &board = state["board"], &turn = state["turn"];
        if (turn != 0 && turn != 1) return fail("'turn' must be agent 0 or 1");
        if (!board.is_array() || board.size() != kSide) return fail("the board must have 3 rows");
        std::array<Marks, 2> marks{};
        for (int cell = 0; cell < kCells; ++cell) {
            const Json& row = board[static_cast<std::size_t>(cell / kSide)];
            if (!row.is_array() || row.size() != kSide) return fail("the board must have 3 columns");
            const Json& owner = row[static_cast<std::size_t>(cell % kSide)];
            if (owner == -1) continue;
            if (owner != 0 && owner != 1) return fail("each cell must be -1, 0 or 1");
            marks[owner.get<std::size_t>()] |= Marks{1} << cell;
        }
        if (!legal(marks)) return fail("the board is not that of an unfinished game");
        marks_ = marks;
        turn_ = turn.get<int>();
        return {};
    }

private:
    Marks taken() const { return marks_[0] | marks_[1]; }
    static bool legal(const std::array<Marks, 2>& marks) {
        return (marks[0] & marks[1]) == 0 && (marks[0] | marks[1]) != kFull && !hasLine(marks[0]) &&
               !hasLine(marks[1]);
    }

    std::array<Marks, 2> marks_{};  // marks of each agent
    int turn_ = 0;                  // the agent that moves next
};

}  // namespace
SEEDBED_REGISTER_ENV(tic_tac_toe, TicTacToe, "tictactoe_v3")
}  // namespace seedbed::tic_tac_toe
