// SPDX-License-Identifier: Apache-2.0
// MiniGrid Memory: observe an object in the first room, walk down a hallway, and turn to the same object at
// its end.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/envs/memory.py; envs/minigrid.hpp
// lists the differences.
#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"
#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

constexpr Cell kObjects[] = {cellOf(Kind::key, Paint::green), cellOf(Kind::ball, Paint::green)};

class Memory final : public GridEnv {
public:
    struct Params {
        int size = 7;
        bool random_length = false;
        bool one_hot = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("minigrid_memory", "Parameters of MiniGrid Memory.")
                    .field(&Params::size, "size",
                           "Width and height of the map, including walls; an even size is rounded up.",
                           {.unit = "cells", .min = 7, .max = kMaxSize})
                    .field(&Params::random_length, "random_length",
                           "The hallway has a random length instead of the full width.")
                    .field(&Params::one_hot, "one_hot", kOneHotHelp);
            return description;
        }
    };
    static Rules rules(const Params& params) {
        const int size = params.size | 1;
        return {size, 5 * size * size, false, params.one_hot};
    }
    static EnvSpec spec(const Params& params) {
        const std::string name =
            "MemoryS" + std::to_string(params.size | 1) + (params.random_length ? "Random" : "");
        const std::string title =
            "Memory hallway, " + gridSize(params.size | 1) + (params.random_length ? ", random length" : "");
        EnvSpec spec =
            gridSpec(name, title,
                     "Remember the object at the start and turn to the same one at the end of the hallway.",
                     rules(params), Mission::matching_object);
        spec.difficulty = params.size <= 9 ? "medium" : "hard";
        spec.solved = 0.9;
        return spec;
    }

    explicit Memory(const Params& params)
        : GridEnv(rules(params), Mission::matching_object), random_length_(params.random_length) {}

    void archive(Archive& archive) override {
        GridEnv::archive(archive);
        for (Point* p : {&success_, &failure_})
            archive.field("object x", p->x, range(0, kMaxSize)).field("object y", p->y, range(0, kMaxSize));
    }

private:
    void generate(Rng& rng) override {
        const int size = rules_.size, middle = size / 2;
        const int hallway_end =
            random_length_ ? 4 + static_cast<int>(rng.below(static_cast<std::uint32_t>(size - 6))) : size - 3;
        for (const int side : {-1, 1}) {
            grid_.horizontalWall(1, middle + 2 * side, 4);
            grid_.set({4, middle + side}, kWallCell);
            if (hallway_end > 5) grid_.horizontalWall(5, middle + side, hallway_end - 5);
        }
        grid_.verticalWall(hallway_end, 0, size);
        grid_.set({hallway_end, middle}, kEmptyCell);
        grid_.verticalWall(hallway_end + 2, 0, size);

        agent_ = {1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(hallway_end))), middle};
        direction_ = 0;
        grid_.set({1, middle - 1}, kObjects[rng.below(2)]);
        const std::uint32_t upper = rng.below(2);
        grid_.set({hallway_end + 1, middle - 2}, kObjects[upper]);
        grid_.set({hallway_end + 1, middle + 2}, kObjects[1 - upper]);
        [[maybe_unused]] const Result<> found = derive();
    }

    // Episodes end at the two cells next to the objects at the end of the hallway.
    Result<> derive() override {
        const int middle = rules_.size / 2;
        const Cell first = grid_.get({1, middle - 1});
        for (int x = 5; x < rules_.size - 1; ++x) {
            const Cell upper = grid_.get({x, middle - 2}), lower = grid_.get({x, middle + 2});
            const bool pair = (upper == kObjects[0] && lower == kObjects[1]) ||
                              (upper == kObjects[1] && lower == kObjects[0]);
            if (!pair || (first != upper && first != lower)) continue;
            success_ = {x, first == upper ? middle - 1 : middle + 1};
            failure_ = {x, first == upper ? middle + 1 : middle - 1};
            return {};
        }
        return fail(
            "the state of MiniGrid Memory must have a green key or ball at the start and both at the end of "
            "the "
            "hallway");
    }

    // Nothing can be picked up; the action "pick up" has the effect of "toggle".
    StepResult act(int action, Rng&) override {
        StepResult result = move(action == kPickup ? kToggle : action);
        if (agent_ == success_) result = {successReward(), true, false};
        if (agent_ == failure_) result = {0, true, false};
        return result;
    }

    bool random_length_;
    Point success_, failure_;
};

}  // namespace
SEEDBED_REGISTER_ENV_AS(minigrid_memory_s7, Memory, (Json{{"size", 7}}), "MiniGrid-MemoryS7-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_memory_s9, Memory, (Json{{"size", 9}}), "MiniGrid-MemoryS9-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_memory_s11, Memory, (Json{{"size", 11}}), "MiniGrid-MemoryS11-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_memory_s13, Memory, (Json{{"size", 13}}), "MiniGrid-MemoryS13-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_memory_s13_random, Memory, (Json{{"size", 13}, {"random_length", true}}),
                        "MiniGrid-MemoryS13Random-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_memory_s17_random, Memory, (Json{{"size", 17}, {"random_length", true}}),
                        "MiniGrid-MemoryS17Random-v0")
SEEDBED_TASK_TRAITS(memory, (TaskTraits{.needs_memory = true}), "minigrid_memory_s7", "minigrid_memory_s9",
                    "minigrid_memory_s11", "minigrid_memory_s13", "minigrid_memory_s13_random",
                    "minigrid_memory_s17_random")
}  // namespace seedbed::minigrid
