// SPDX-License-Identifier: Apache-2.0
// DeepSea: dive to the treasure in the far corner, although every step towards it has a small cost and one
// wrong step loses it.
//
// Reproduces https://github.com/google-deepmind/bsuite 0.3.5, bsuite/environments/deep_sea.py (Osband et al.
// 2019), including the action that moves right in each cell: the mapping is NumPy's
// RandomState(mapping_seed).binomial(1, 0.5, [N, N]). Difference: a different random stream for the
// stochastic variant.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed {
namespace {

// NumPy's legacy generator for binomial(1, 0.5): whether a 53-bit uniform number of the Mersenne twister
// exceeds one half.
std::vector<std::uint8_t> actionMapping(int size, int seed) {
    std::mt19937 twister(static_cast<std::uint32_t>(seed));
    std::vector<std::uint8_t> mapping(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (std::uint8_t& right : mapping) {
        const std::uint64_t high = twister() >> 5, low = twister() >> 6;
        right = static_cast<double>(high << 26 | low) * 0x1p-53 > 0.5 ? 1 : 0;
    }
    return mapping;
}

class DeepSea final : public Env {
public:
    struct Params {
        int size = 10;
        bool stochastic = false;
        bool randomize_actions = true;
        int mapping_seed = 42;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("deep_sea", "Parameters of DeepSea.")
                    .field(&Params::size, "size", "Width and depth of the sea.",
                           {.unit = "cells", .min = 2, .max = 200})
                    .field(&Params::stochastic, "stochastic",
                           "Steps to the right fail with probability 1/size, and both corners at the "
                           "bottom give normally distributed rewards.")
                    .field(&Params::randomize_actions, "randomize_actions",
                           "The action that moves right differs from cell to cell.")
                    .field(&Params::mapping_seed, "mapping_seed",
                           "Seed for the mapping of actions; the published problem uses 42.", {.min = 0});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "deep_sea";
        spec.title = std::string("Deep sea") + (params.stochastic ? ", stochastic" : "");
        if (params.size != Params{}.size) spec.title += ", size " + std::to_string(params.size);
        spec.sentence =
            params.stochastic
                ? "Dive to the far corner although some steps fail and the rewards there vary."
                : "Dive to the treasure in the far corner although every step towards it has a small cost.";
        spec.upstream =
            "https://github.com/google-deepmind/bsuite 0.3.5 deep_sea (size 10 is deep_sea/0); different "
            "random stream when stochastic";
        spec.difficulty = params.size <= 6 ? "medium" : "hard";
        ObsLeaf board;
        board.name = "sea";
        board.kind = ObsLeaf::Kind::image;
        board.dtype = DType::u8;
        board.shape = {1, params.size, params.size};
        board.low = 0;
        board.high = 1;
        board.labels = {"diver"};
        spec.spaces.obs = {board};
        ActionLeaf move;
        move.n = 2;
        if (!params.randomize_actions) move.labels = {"left", "right"};
        spec.spaces.actions = {move};
        // Normally distributed rewards are unbounded; eight standard deviations occur less than once in 10^14
        // samples.
        spec.reward_low = params.stochastic ? -8 : -0.01 / params.size;
        spec.reward_high = params.stochastic ? 9 : 1;
        spec.solved = params.stochastic ? 0.3 : 0.9;
        const double arrives = params.stochastic ? std::pow(1 - 1.0 / params.size, params.size - 1) : 1;
        spec.random_return = std::pow(0.5, params.size) * arrives - 0.005;
        spec.references = {{"optimum", arrives - 0.01, 0, "exact"}, {"always left", 0, 0, "exact"}};
        return spec;
    }

    explicit DeepSea(const Params& params)
        : size_(params.size),
          stochastic_(params.stochastic),
          right_(params.randomize_actions
                     ? actionMapping(params.size, params.mapping_seed)
                     : std::vector<std::uint8_t>(
                           static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_), 1)) {}

    void reset(Rng&) override { row_ = column_ = 0; }
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        const bool right =
            (actions[0] > 0.5f ? 1 : 0) == right_[static_cast<std::size_t>(row_ * size_ + column_)];
        double reward = right && column_ == size_ - 1 ? 1 : 0;
        if (stochastic_ && row_ == size_ - 1 && (column_ == 0 || column_ == size_ - 1))
            reward += rng.normal();
        if (right) {
            if (!stochastic_ || rng.uniform() > 1.0 / size_) column_ = std::min(column_ + 1, size_ - 1);
            reward -= 0.01 / size_;
        } else {
            column_ = std::max(column_ - 1, 0);
        }
        ++row_;
        StepResult result;
        result.reward = rewards[0] = static_cast<float>(reward);
        result.terminated = row_ == size_;
        return result;
    }
    void observe(int, ObsOut out) const override {
        auto* board = out.leaf<std::uint8_t>(0);
        std::fill_n(board, size_ * size_, std::uint8_t{0});
        if (row_ < size_) board[row_ * size_ + column_] = 1;
    }
    void draw(Scene& scene) const override {
        const auto size = static_cast<float>(size_);
        scene.clear(-0.1f, -0.6f, size + 0.1f, size + 0.1f, {214, 236, 250});
        for (int y = 0; y < size_; ++y) {
            const float depth = static_cast<float>(y) / size;
            const auto shade = [&](float top, float bottom) {
                return static_cast<std::uint8_t>(top + (bottom - top) * depth);
            };
            scene.rectangle(size / 2, size - static_cast<float>(y) - 0.5f, size, 1,
                            {shade(120, 8), shade(200, 40), shade(240, 96)});
        }
        scene.rectangle(size / 2, -0.3f, size + 0.2f, 0.6f, {206, 178, 120});
        scene.rectangle(size - 0.5f, 0.28f, 0.8f, 0.56f, {150, 92, 40});
        scene.rectangle(size - 0.5f, 0.56f, 0.8f, 0.16f, {240, 200, 60});
        scene.rectangle(size - 0.5f, 0.36f, 0.16f, 0.2f, {240, 200, 60});
        for (int i = 1; i < size_; ++i)
            scene.line(static_cast<float>(i) - 0.5f, size - static_cast<float>(i) + 0.5f,
                       static_cast<float>(i) + 0.5f, size - static_cast<float>(i) - 0.5f, 0.04f,
                       {255, 255, 255, 70});
        const float x = static_cast<float>(column_) + 0.5f,
                    y = std::max(size - static_cast<float>(row_) - 0.5f, 0.1f);
        scene.circle(x, y, 0.42f, {250, 214, 60});
        scene.circle(x + 0.1f, y, 0.22f, {40, 60, 90});
        scene.circle(x + 0.12f, y + 0.02f, 0.14f, {150, 210, 240});
        scene.circle(x - 0.1f, y + 0.62f, 0.09f, {235, 246, 255, 200});
        scene.circle(x + 0.08f, y + 0.84f, 0.06f, {235, 246, 255, 200});
    }
    void archive(Archive& archive) override {
        archive.field("row", row_, range(0, size_ - 1)).field("column", column_, range(0, size_ - 1));
    }
    Json state() const override { return {{"row", row_}, {"column", column_}}; }
    Result<> setState(const Json& state) override {
        const auto read = [&](const char* name, int high) {
            const bool given = state.is_object() && state.contains(name) && state[name].is_number_integer();
            const std::int64_t value = given ? state[name].get<std::int64_t>() : -1;
            return value <= high ? static_cast<int>(value) : -1;
        };
        const int row = read("row", size_ - 1), column = read("column", size_ - 1);
        if (row < 0 || column < 0) return fail("the state of deep_sea must have row and column");
        row_ = row;
        column_ = column;
        return {};
    }

private:
    int size_;
    bool stochastic_;
    std::vector<std::uint8_t> right_;  // [size, size]: the action that moves right
    int row_ = 0, column_ = 0;
};

}  // namespace
SEEDBED_REGISTER_ENV(deep_sea, DeepSea, "deep_sea/0")
SEEDBED_REGISTER_ENV_AS(deep_sea_stochastic, DeepSea, (Json{{"stochastic", true}}), "deep_sea_stochastic/0")
SEEDBED_TASK_TRAITS(deep_sea, (TaskTraits{.sparse_reward = true}), "deep_sea", "deep_sea_stochastic")
}  // namespace seedbed
