// SPDX-License-Identifier: Apache-2.0
// Common parts of all MiniGrid environments: cells, the agent and its seven actions, the partial view, the
// picture and the state.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/minigrid_env.py and core/grid.py.
// Differences: a different random stream; the 7 x 7 view is three planes [channel][y][x] (type, colour,
// state) instead of [x][y][channel]; the mission is an index into the sentences below instead of text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/env/env.hpp"

namespace seedbed::minigrid {

// The original's object types, except that closed and locked doors are separate kinds (in the original a door
// has a state).
enum class Kind : std::uint8_t {
    unseen = 0,
    empty = 1,
    wall = 2,
    floor = 3,
    open_door = 4,
    key = 5,
    ball = 6,
    box = 7,
    goal = 8,
    lava = 9,
    closed_door = 11,
    locked_door = 12,
};
enum class Paint : std::uint8_t { red, green, blue, purple, yellow, grey };

// A cell is one byte, so that eight form a word: kind in bits 0-3, paint in bits 4-6; bit 7 is set for opaque
// cells.
using Cell = std::uint8_t;
inline constexpr unsigned kOpaque = 0x80;
constexpr Cell cellOf(Kind kind, Paint paint = Paint::red) {
    const bool opaque = kind == Kind::wall || kind == Kind::closed_door || kind == Kind::locked_door;
    return static_cast<Cell>(static_cast<unsigned>(kind) | static_cast<unsigned>(paint) << 4 |
                             (opaque ? kOpaque : 0));
}
constexpr Kind kindOf(Cell cell) { return static_cast<Kind>(cell & 15); }
constexpr Paint paintOf(Cell cell) { return static_cast<Paint>(cell >> 4 & 7); }
inline constexpr Cell kEmptyCell = cellOf(Kind::empty);
inline constexpr Cell kWallCell = cellOf(Kind::wall, Paint::grey);
inline constexpr Cell kGoalCell = cellOf(Kind::goal, Paint::green);

inline constexpr int kView =
    7;  // the agent sees a square of this width, with itself in the middle of the lowest row
inline constexpr int kMaxSize = 19;  // maximum size of a grid
inline constexpr const char* kVersion = "https://github.com/Farama-Foundation/Minigrid 3.2.0 ";

enum class Mission { green_goal, key_and_door, reach_goal, matching_object, avoid_lava };

enum Move { kLeft, kRight, kForward, kPickup, kDrop, kToggle, kDone };

struct Point {
    int x = 0, y = 0;  // y downwards, as in the original
    bool operator==(const Point&) const = default;
};

// A square map with a margin of walls, wide enough to contain every view.
class Grid {
public:
    // Clears the map and surrounds it with walls.
    void clear(int size);
    int size() const { return size_; }
    Cell get(Point p) const { return cells_[index(p)]; }
    void set(Point p, Cell cell) { cells_[index(p)] = cell; }
    // Places `length` walls downwards or to the right.
    void verticalWall(int x, int y, int length);
    void horizontalWall(int x, int y, int length);

    static constexpr int kStride = 32, kMargin = kView - 1;
    // Cells by index; rows are kStride apart.
    Cell* data() { return cells_.data(); }
    const Cell* data() const { return cells_.data(); }
    static std::size_t index(Point p) {
        return static_cast<std::size_t>((p.y + kMargin) * kStride + p.x + kMargin);
    }
    static constexpr int kCells = kStride * kStride;
    // Whether the cell with this index is within the surrounding walls.
    bool isInside(std::size_t number) const;
    // Saves or loads a grid of this size; a loaded grid is surrounded by walls.
    void archive(Archive& archive, int size);

private:
    int size_ = 0;
    std::array<Cell, static_cast<std::size_t>(kCells)> cells_{};
};
static_assert(kMaxSize + 2 * Grid::kMargin <= Grid::kStride);

// Constants of an environment.
struct Rules {
    int size = 8;
    int max_steps = 100;
    bool see_through_walls = false;
    bool one_hot = false;  // the image has a plane per type, colour and door state
};

inline constexpr const char* kOneHotHelp =
    "Observe the view as a plane of zeros and ones per type, colour and door state "
    "(OneHotPartialObsWrapper), "
    "which small networks learn from more easily.";

class GridEnv : public Env {
public:
    void reset(Rng& rng) final;
    StepResult step(const float* actions, float* rewards, Rng& rng) final;
    void observe(int agent, ObsOut out) const final;
    void draw(Scene& scene) const final;
    void archive(Archive& archive) override;
    Json state() const final;
    Result<> setState(const Json& state) final;

protected:
    GridEnv(Rules rules, Mission mission) : rules_(rules), mission_(mission) { grid_.clear(rules.size); }

    // Fills the cleared grid and places the agent.
    virtual void generate(Rng& rng) = 0;
    // One decision. `move` is the original's MiniGridEnv.step.
    virtual StepResult act(int action, Rng& rng);
    // Called by setState() after it has set grid and agent: derives the remaining state.
    // error: this is not a state of this environment.
    virtual Result<> derive() { return {}; }

    StepResult move(int action);
    float successReward() const;
    Point front() const;
    // A uniformly random empty cell without the agent, in the columns left of `right`. There must be one.
    Point freeCell(Rng& rng, int right) const;
    void placeAgent(Rng& rng, int right);

    Rules rules_;
    Grid grid_;
    Point agent_{1, 1};
    int direction_ = 0;  // 0 right, 1 down, 2 left, 3 up
    Cell carried_ = 0;   // 0: nothing
    int steps_ = 0;

private:
    // The view as cells [y][x]; invisible cells are Kind::unseen.
    using View = std::array<Cell, static_cast<std::size_t>(kView) * kView>;
    View look() const;
    // The position on the grid of cell (x, y) of the view.
    Point onGrid(int x, int y) const;

    Mission mission_;
};

// "6x6"
std::string gridSize(int size);

// The common part of the spec for the environment whose original is MiniGrid-<name>-v0; `actions` is 7, or 3
// for left, right, forward.
EnvSpec gridSpec(const std::string& name, const std::string& title, const std::string& sentence,
                 const Rules& rules, Mission mission, int actions = 7);

// The visible cells of the view: bit x of visible[y], given the transparent cells. Equivalent to
// the original's Grid.process_vis.
void spreadLight(const std::array<std::uint8_t, kView>& transparent,
                 std::array<std::uint8_t, kView>& visible);

// A grid of cells [y][x] = (type, colour, state) as in traces. error: names the invalid part.
Result<Grid> gridFromJson(const Json& json, int size);

}  // namespace seedbed::minigrid
