// SPDX-License-Identifier: Apache-2.0
// Simple tag: three slow adversaries try to touch a fast prey between two obstacles.
//
// Reproduces simple_tag_v3 of MPE2 1.1.1 (https://github.com/Farama-Foundation/MPE2, MIT licence), in its
// default configuration with discrete actions; the task is from Lowe et al. 2017, "Multi-Agent Actor-Critic
// for Mixed Cooperative-Competitive Environments". Seats 0 to 2 are the adversaries, seat 3 is the prey.
// Differences: all seats have the observation of an adversary (the original's prey has 14 numbers, here
// followed by two zeros) and one more observation, `role`; bodies at exactly the same point do not push each
// other, where the original computes NaN.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/env/env_registry.hpp"

namespace seedbed::simple_tag {
namespace {

constexpr std::size_t kAdversaries = 3, kAgents = kAdversaries + 1, kBodies = kAgents + 2;
constexpr std::size_t kPrey = kAdversaries;
constexpr int kObs = 16;
constexpr double kStepTime = 0.1, kDamping = 0.25, kContactForce = 100, kContactMargin = 1e-3;
constexpr double kTouch = 10;  // reward of the adversaries, and cost of the prey, for each touch
constexpr Colour kColours[] = {{232, 92, 84}, {240, 128, 92}, {206, 68, 98}, {104, 208, 112}};

struct Vector {
    double x = 0, y = 0;
    Vector operator+(Vector other) const { return {x + other.x, y + other.y}; }
    Vector operator-(Vector other) const { return {x - other.x, y - other.y}; }
    Vector operator*(double factor) const { return {x * factor, y * factor}; }
    double length() const { return std::sqrt(x * x + y * y); }
};
constexpr Vector kMoves[] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

constexpr double sizeOf(std::size_t body) { return body < kPrey ? 0.075 : body == kPrey ? 0.05 : 0.2; }

class SimpleTag final : public Env {
public:
    struct Params {
        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("simple_tag", "Simple tag has no parameters.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        constexpr double kInf = std::numeric_limits<double>::infinity();
        EnvSpec spec;
        spec.id = "simple_tag";
        spec.title = "Simple tag";
        spec.sentence = "Three adversaries try to touch a faster prey, which runs away from them.";
        spec.upstream =
            "https://mpe2.farama.org/environments/simple_tag/ (MPE2 1.1.1); the observation of the prey is "
            "padded to that of an adversary, and all seats observe their role";
        spec.difficulty = "medium";
        ObsLeaf leaf;
        leaf.shape = {kObs};
        leaf.low = -kInf;
        leaf.high = kInf;
        for (const char* what : {"own velocity", "own position", "obstacle 1", "obstacle 2", "other 1",
                                 "other 2", "other 3", "velocity of the prey"})
            for (const char* axis : {" x", " y"}) leaf.labels.push_back(std::string(what) + axis);
        ObsLeaf role;
        role.name = "role";
        role.kind = ObsLeaf::Kind::discrete;
        role.dtype = DType::i32;
        role.shape = {1};
        role.cardinality = 2;
        role.labels = {"prey"};
        spec.spaces.obs = {leaf, role};
        ActionLeaf move;
        move.n = std::size(kMoves);
        move.labels = {"stay", "left", "right", "down", "up"};
        spec.spaces.actions = {move};
        spec.agents = kAgents;
        spec.seat_colours = {std::begin(kColours), std::end(kColours)};
        spec.horizon = 25;
        spec.reward_low = -kTouch * kAdversaries - 20;
        spec.reward_high = kTouch * kAdversaries;
        spec.random_return = -0.545;  // mean of all seats in 4,000 episodes of MPE2 1.1.1
        spec.random_return_error = 0.114;
        spec.references = {
            {"chase in all seats", 2.31, 0, "mean of all seats, 4,000 episodes of MPE2 1.1.1"}};
        return spec;
    }

    explicit SimpleTag(const Params&) {}

    void reset(Rng& rng) override {
        velocity_ = {};
        for (std::size_t body = 0; body < kBodies; ++body) {
            const double half = body < kAgents ? 1 : 0.9;
            position_[body].x = rng.uniform(-half, half);
            position_[body].y = rng.uniform(-half, half);
        }
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        std::array<Vector, kBodies> forces;
        for (std::size_t agent = 0; agent < kAgents; ++agent)
            forces[agent] = kMoves[static_cast<std::size_t>(actions[agent])] * (agent == kPrey ? 4.0 : 3.0);
        for (std::size_t a = 0; a < kAgents; ++a)
            for (std::size_t b = a + 1; b < kBodies; ++b) {
                const Vector force = contactForce(a, b);
                forces[a] = force + forces[a];
                forces[b] = force * -1 + forces[b];
            }
        for (std::size_t agent = 0; agent < kAgents; ++agent) move(agent, forces[agent]);

        double touches = 0;
        for (std::size_t adversary = 0; adversary < kAdversaries; ++adversary)
            if ((position_[kPrey] - position_[adversary]).length() < sizeOf(kPrey) + sizeOf(adversary))
                touches += 1;
        std::fill_n(rewards, kAdversaries, static_cast<float>(kTouch * touches));
        rewards[kPrey] = static_cast<float>(-kTouch * touches - outside(std::abs(position_[kPrey].x)) -
                                            outside(std::abs(position_[kPrey].y)));
        StepResult result;
        result.reward = rewards[0];
        return result;
    }
    void observe(int agent, ObsOut out) const override {
        const auto self = static_cast<std::size_t>(agent);
        float* obs = out.leaf<float>(0);
        std::fill_n(obs, kObs, 0.0f);
        const auto put = [&obs](Vector vector) {
            *obs++ = static_cast<float>(vector.x);
            *obs++ = static_cast<float>(vector.y);
        };
        put(velocity_[self]);
        put(position_[self]);
        for (std::size_t body = kAgents; body < kBodies; ++body) put(position_[body] - position_[self]);
        for (std::size_t other = 0; other < kAgents; ++other)
            if (other != self) put(position_[other] - position_[self]);
        if (self != kPrey) put(velocity_[kPrey]);
        *out.leaf<std::int32_t>(1) = self == kPrey ? 1 : 0;
    }
    void draw(Scene& scene) const override {
        // The prey is penalised outside the square, but not stopped.
        double view = 1.25;
        for (std::size_t agent = 0; agent < kAgents; ++agent)
            view = std::max({view, std::abs(position_[agent].x) + 0.15, std::abs(position_[agent].y) + 0.15});
        const auto half = static_cast<float>(view);
        scene.clear(-half, -half, half, half, {24, 28, 36});
        scene.rectangle(0, 0, 2, 2, {44, 50, 62});
        const auto disc = [&](std::size_t body, Colour colour) -> Shape& {
            return scene.circle(static_cast<float>(position_[body].x), static_cast<float>(position_[body].y),
                                static_cast<float>(sizeOf(body)), colour);
        };
        for (std::size_t body = kAgents; body < kBodies; ++body) disc(body, {122, 128, 140});
        for (std::size_t agent = 0; agent < kAgents; ++agent) {
            const Vector ahead = position_[agent] + velocity_[agent] * 0.15;
            Colour faint = kColours[agent];
            faint.a = 150;
            scene.line(static_cast<float>(position_[agent].x), static_cast<float>(position_[agent].y),
                       static_cast<float>(ahead.x), static_cast<float>(ahead.y), 0.03f, faint);
            Shape& body = disc(agent, kColours[agent]);
            body.stroke = {16, 18, 24};
            body.stroke_width = 0.012f;
        }
    }
    void archive(Archive& archive) override {
        for (auto* vectors : {&position_, &velocity_})
            for (Vector& vector : *vectors)
                for (double* number : {&vector.x, &vector.y})
                    archive.field("vector", *number, range(-kFarthest, kFarthest));
    }
    Json state() const override {
        const auto list = [](const auto& vectors, std::size_t begin, std::size_t end) {
            Json json = Json::array();
            for (std::size_t i = begin; i < end; ++i) json.push_back({vectors[i].x, vectors[i].y});
            return json;
        };
        return {{"p_pos", list(position_, 0, kAgents)},
                {"p_vel", list(velocity_, 0, kAgents)},
                {"landmarks", list(position_, kAgents, kBodies)}};
    }
    Result<> setState(const Json& state) override {
        std::array<Vector, kBodies> position, velocity{};
        const auto read = [&](const char* name, Vector* vectors, std::size_t count) -> Result<> {
            const Json list = state.is_object() ? state.value(name, Json()) : Json();
            bool fits = list.is_array() && list.size() == count;
            for (std::size_t i = 0; fits && i < count; ++i) {
                fits = list[i].is_array() && list[i].size() == 2;
                for (std::size_t axis = 0; fits && axis < 2; ++axis)
                    fits = list[i][axis].is_number() && std::abs(list[i][axis].get<double>()) <= kFarthest;
                if (fits) vectors[i] = {list[i][0].get<double>(), list[i][1].get<double>()};
            }
            if (!fits)
                return fail(std::string("'") + name + "' must be " + std::to_string(count) +
                            " pairs of numbers");
            return {};
        };
        SEEDBED_TRY(read("p_pos", position.data(), kAgents));
        SEEDBED_TRY(read("p_vel", velocity.data(), kAgents));
        SEEDBED_TRY(read("landmarks", position.data() + kAgents, kBodies - kAgents));
        position_ = position;
        velocity_ = velocity;
        return {};
    }

private:
    static constexpr double kFarthest = 1e9;  // beyond what agents reach in any episode

    // On body `a`; the opposite force acts on `b`. World.get_collision_force() of the original.
    Vector contactForce(std::size_t a, std::size_t b) const {
        const Vector apart = position_[a] - position_[b];
        const double distance = apart.length();
        if (distance == 0) return {};
        // numpy.logaddexp(0, -overlap / margin)
        const double depth = -(distance - (sizeOf(a) + sizeOf(b))) / kContactMargin;
        const double soft = depth > 0 ? depth + std::log1p(std::exp(-depth)) : std::log1p(std::exp(depth));
        return apart * (kContactForce / distance * (soft * kContactMargin));
    }
    // World.integrate_state() of the original: the position changes by the old velocity.
    void move(std::size_t agent, Vector force) {
        Vector& velocity = velocity_[agent];
        position_[agent] = position_[agent] + velocity * kStepTime;
        velocity = velocity * (1 - kDamping) + force * kStepTime;
        const double fastest = agent == kPrey ? 1.3 : 1.0, speed = velocity.length();
        if (speed > fastest) velocity = velocity * (fastest / speed);
    }
    // The cost of the prey for its distance from the middle along an axis.
    static double outside(double distance) {
        if (distance < 0.9) return 0;
        return distance < 1 ? (distance - 0.9) * 10 : std::min(std::exp(2 * distance - 2), 10.0);
    }

    std::array<Vector, kBodies> position_{}, velocity_{};  // agents, then obstacles, which do not move
};

}  // namespace
SEEDBED_REGISTER_ENV(simple_tag, SimpleTag, "simple_tag_v3")
}  // namespace seedbed::simple_tag
