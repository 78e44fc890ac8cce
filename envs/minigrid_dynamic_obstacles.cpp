// SPDX-License-Identifier: Apache-2.0
// MiniGrid Dynamic-Obstacles: reach the goal between moving balls; bumping into anything ends the episode
// with -1.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/envs/dynamicobstacles.py;
// envs/minigrid.hpp lists the differences; in addition, a ball with a single free neighbour always moves
// there (the original gives up after 101 attempts, one time in 100,000).
#include <algorithm>

#include "core/env/env_registry.hpp"
#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

constexpr Cell kBallCell = cellOf(Kind::ball, Paint::blue);
constexpr std::size_t kMaxBalls = 8;

// Offsets of the neighbours of a cell, for Grid::index.
using Neighbours = std::array<std::uint16_t, 9>;

// The balls in the order in which they move.
struct Balls {
    std::size_t count = 0;
    std::array<std::uint16_t, kMaxBalls> at{};  // indices of their cells
};

class DynamicObstacles final : public GridEnv {
public:
    struct Params {
        int size = 8;
        int obstacles = 4;
        bool random_start = false;
        bool one_hot = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("minigrid_dynamic_obstacles", "Parameters of MiniGrid Dynamic-Obstacles.")
                    .field(&Params::size, "size", "Width and height of the map, including walls.",
                           {.unit = "cells", .min = 5, .max = kMaxSize})
                    .field(&Params::obstacles, "obstacles",
                           "Number of moving balls; more than size / 2 + 1 count as size / 2.",
                           {.min = 0, .max = kMaxBalls})
                    .field(&Params::random_start, "random_start",
                           "Start at a random position instead of the corner.")
                    .field(&Params::one_hot, "one_hot", kOneHotHelp);
            return description;
        }
    };
    static Rules rules(const Params& params) {
        return {params.size, 4 * params.size * params.size, true, params.one_hot};
    }
    static EnvSpec spec(const Params& params) {
        const std::string name = std::string("Dynamic-Obstacles-") + (params.random_start ? "Random-" : "") +
                                 gridSize(params.size);
        const std::string title =
            "Moving balls, " + gridSize(params.size) + (params.random_start ? ", random start" : "");
        EnvSpec spec = gridSpec(name, title, "Reach the green goal without bumping into the wandering balls.",
                                rules(params), Mission::green_goal, kForward + 1);
        spec.upstream += "; a ball with one free neighbour always moves there";
        spec.difficulty = "medium";
        spec.reward_low = -1;
        const int published = params.size == 5 ? 2 : params.size == 6 ? 3 : params.size == 8 ? 4 : 8;
        if (params.obstacles != published) {
            spec.random_return.reset();
            spec.random_return_error = 0;
        }
        return spec;
    }

    explicit DynamicObstacles(const Params& params)
        : GridEnv(rules(params), Mission::green_goal), random_start_(params.random_start) {
        wanted_ = static_cast<std::size_t>(2 * params.obstacles <= params.size + 2 ? params.obstacles
                                                                                   : params.size / 2);
    }

    void archive(Archive& archive) override {
        GridEnv::archive(archive);
        archive.field("balls", balls_.count, range(std::size_t{0}, kMaxBalls));
        for (std::size_t i = 0; i < kMaxBalls; ++i) {
            archive.field("ball", balls_.at[i], range(std::uint16_t{0}, Grid::kCells - 1));
            archive.require(i >= balls_.count || grid_.isInside(balls_.at[i]), "a ball is outside the walls");
        }
    }

    // Accepts the recorded positions of the balls if they can be reached by moves in some order.
    Result<> adoptOutcome(const Json& before, const float* action, const Json& after) override {
        SEEDBED_TRY(setState(before));
        SEEDBED_ASSIGN(const Grid successor, gridFromJson(after.value("grid", Json()), rules_.size));
        std::vector<std::uint16_t> targets;
        for (int y = 0; y < rules_.size; ++y)
            for (int x = 0; x < rules_.size; ++x)
                if (successor.get({x, y}) == kBallCell)
                    targets.push_back(static_cast<std::uint16_t>(Grid::index({x, y})));
        std::vector<std::uint16_t> waiting(balls_.at.begin(),
                                           balls_.at.begin() + static_cast<std::ptrdiff_t>(balls_.count));
        if (targets.size() != waiting.size() || !reachable(waiting, targets))
            return fail(ErrorCode::parity, "the balls cannot move like this");
        [[maybe_unused]] const Result<> derived = derive();
        move(static_cast<int>(action[0]));
        return {};
    }

private:
    void generate(Rng& rng) override {
        const int size = rules_.size;
        grid_.set({size - 2, size - 2}, kGoalCell);
        agent_ = {1, 1};
        if (random_start_) {
            agent_ = {-1, -1};
            placeAgent(rng, size);
        }
        for (balls_.count = 0; balls_.count < wanted_; ++balls_.count) {
            const Point free = freeCell(rng, size);
            balls_.at[balls_.count] = static_cast<std::uint16_t>(Grid::index(free));
            grid_.set(free, kBallCell);
        }
    }

    // Traces do not contain the order in which the balls move, so it is set to the order of rows.
    Result<> derive() override {
        balls_.count = 0;
        for (int y = 0; y < rules_.size; ++y) {
            for (int x = 0; x < rules_.size; ++x) {
                if (grid_.get({x, y}) != kBallCell) continue;
                if (balls_.count == kMaxBalls) return fail("at most 8 balls");
                balls_.at[balls_.count++] = static_cast<std::uint16_t>(Grid::index({x, y}));
            }
        }
        return {};
    }

    // The balls move first. Moving forward fails if an obstacle was in front of the agent before the balls
    // moved, even if it has moved away.
    StepResult act(int action, Rng& rng) override {
        const Kind kind = kindOf(grid_.get(front()));
        const bool blocked = kind != Kind::empty && kind != Kind::goal;
        Cell* cells = grid_.data();
        for (std::size_t i = 0; i < balls_.count; ++i) {
            Neighbours free;
            const std::uint32_t count = freeAround(balls_.at[i], free);
            if (count == 0) continue;
            cells[balls_.at[i]] = kEmptyCell;
            balls_.at[i] = free[rng.below(count)];
            cells[balls_.at[i]] = kBallCell;
        }
        StepResult result = move(action);
        if (action == kForward && blocked) result = {-1, true, false};
        return result;
    }

    // Writes the free neighbours (cells with balls are not free) without branches; returns their number.
    std::uint32_t freeAround(std::uint16_t cell, Neighbours& free) const {
        const Cell* cells = grid_.data();
        const std::size_t agent = Grid::index(agent_);
        std::uint32_t count = 0;
        for (const int row : {-Grid::kStride, 0, Grid::kStride}) {
            for (int neighbour = cell + row - 1; neighbour <= cell + row + 1; ++neighbour) {
                const auto index = static_cast<std::size_t>(neighbour);
                free[count] = static_cast<std::uint16_t>(neighbour);
                count += static_cast<std::uint32_t>(cells[index] == kEmptyCell) &
                         static_cast<std::uint32_t>(index != agent);
            }
        }
        return count;
    }

    // Whether the balls `waiting` can move to `targets`, one after the other in some order; leaves them there
    // on the grid.
    bool reachable(std::vector<std::uint16_t>& waiting, std::vector<std::uint16_t>& targets) {
        if (waiting.empty()) return true;
        Cell* cells = grid_.data();
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            const std::uint16_t ball = waiting[i];
            Neighbours free;
            std::uint32_t count = freeAround(ball, free);
            if (count == 0) free[count++] = ball;
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
            for (std::uint32_t k = 0; k < count; ++k) {
                const auto target = std::find(targets.begin(), targets.end(), free[k]);
                if (target == targets.end()) continue;
                const auto place = target - targets.begin();
                targets.erase(target);
                cells[ball] = kEmptyCell;
                cells[free[k]] = kBallCell;
                if (reachable(waiting, targets)) return true;
                cells[free[k]] = kEmptyCell;
                cells[ball] = kBallCell;
                targets.insert(targets.begin() + place, free[k]);
            }
            waiting.insert(waiting.begin() + static_cast<std::ptrdiff_t>(i), ball);
        }
        return false;
    }

    bool random_start_;
    std::size_t wanted_ = 0;
    Balls balls_;
};

}  // namespace
SEEDBED_REGISTER_ENV_AS(minigrid_dynamic_obstacles_5x5, DynamicObstacles,
                        (Json{{"size", 5}, {"obstacles", 2}}), "MiniGrid-Dynamic-Obstacles-5x5-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_dynamic_obstacles_random_5x5, DynamicObstacles,
                        (Json{{"size", 5}, {"obstacles", 2}, {"random_start", true}}),
                        "MiniGrid-Dynamic-Obstacles-Random-5x5-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_dynamic_obstacles_6x6, DynamicObstacles,
                        (Json{{"size", 6}, {"obstacles", 3}}), "MiniGrid-Dynamic-Obstacles-6x6-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_dynamic_obstacles_random_6x6, DynamicObstacles,
                        (Json{{"size", 6}, {"obstacles", 3}, {"random_start", true}}),
                        "MiniGrid-Dynamic-Obstacles-Random-6x6-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_dynamic_obstacles_8x8, DynamicObstacles,
                        (Json{{"size", 8}, {"obstacles", 4}}), "MiniGrid-Dynamic-Obstacles-8x8-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_dynamic_obstacles_16x16, DynamicObstacles,
                        (Json{{"size", 16}, {"obstacles", 8}}), "MiniGrid-Dynamic-Obstacles-16x16-v0")
}  // namespace seedbed::minigrid
