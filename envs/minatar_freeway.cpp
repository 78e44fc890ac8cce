// SPDX-License-Identifier: Apache-2.0
// MinAtar Freeway: lead a chicken across eight lanes of traffic as often as possible.
//
// Implements the rules of https://github.com/kenjyoung/MinAtar 1.0.15, game freeway, from their description.
// Difference: a different random stream. As in the original program (unlike its README), a car of speed k
// moves every k + 1 steps, and an episode has 2501 steps.
#include <cstdlib>

#include "envs/minatar.hpp"

namespace seedbed::minatar::freeway {
namespace {

constexpr int kCars = 8, kColumn = 4, kMoveInterval = 3, kTimeLimit = 2500, kSlowest = 5;

struct Freeway {
    enum Plane { kChicken, kCar, kSpeed1 };

    struct Car {
        int x = 0, y = 0, timer = 0;
        int speed = 1;  // steps between moves; negative: to the left

        int pace() const { return std::clamp(std::abs(speed), 1, kSlowest); }

        template <class Visitor>
        void visit(Visitor& v) {
            v.integer("x", x, 0, kSide - 1);
            v.integer("y", y, 1, kCars);
            v.integer("timer", timer, 0, kSlowest);
            v.integer("speed", speed, -kSlowest, kSlowest);
        }
    };

    struct Params : CommonParams {
        static const Description<Params>& describe() {
            static const auto description =
                withCommonParams(Description<Params>("minatar_freeway", "Parameters of MinAtar Freeway."));
            return description;
        }
    };
    static const std::vector<Action>& minimalActions() {
        static const std::vector<Action> actions = {noop, up, down};
        return actions;
    }
    static EnvSpec spec(const Params& params) {
        EnvSpec spec = commonSpec("freeway", "Freeway",
                                  {"chicken", "car", "speed 1", "speed 2", "speed 3", "speed 4", "speed 5"},
                                  params, minimalActions());
        spec.sentence = "Lead the chicken across the road as often as possible.";
        spec.difficulty = "hard";
        spec.reward_low = 0;
        spec.reward_high = 1;
        if (params.sticky_actions == 0.1) {
            spec.random_return = params.minimal_actions ? 0.403 : 0.156;
            spec.random_return_error = params.minimal_actions ? 0.03 : 0.02;
        }
        spec.references = {
            {"DQN", 50, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"AC(lambda 0.8)", 47, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"gymnax PPO", 58, 0, "gymnax README"},
            {"pgx PPO", 63.5, 20'000'000, "pgx, examples/minatar-ppo, plot"}};
        return spec;
    }

    explicit Freeway(const Params&) {}

    void reset(Rng& rng) {
        for (int i = 0; i < kCars; ++i) cars[static_cast<std::size_t>(i)] = {.x = 0, .y = i + 1};
        drawSpeeds(rng);
        chicken = kSide - 1;
        move_timer = kMoveInterval;
        clock = kTimeLimit;
        terminal = false;
    }

    float step(int action, Rng& rng) {
        float reward = 0;
        if (action == up && move_timer == 0) {
            move_timer = kMoveInterval;
            chicken = std::max(chicken - 1, 0);
        } else if (action == down && move_timer == 0) {
            move_timer = kMoveInterval;
            chicken = std::min(chicken + 1, kSide - 1);
        }
        if (chicken == 0) {
            reward = 1;
            drawSpeeds(rng);
            chicken = kSide - 1;
        }
        for (Car& car : cars) {
            hit(car);
            if (car.timer == 0) {
                car.timer = car.pace();
                car.x = (car.x + (car.speed > 0 ? 1 : kSide - 1)) % kSide;
                hit(car);
            } else {
                --car.timer;
            }
        }
        if (move_timer > 0) --move_timer;
        --clock;
        terminal = clock < 0;
        return reward;
    }

    void observe(std::uint8_t* planes) const {
        mark(planes, kChicken, chicken, kColumn);
        for (const Car& car : cars) {
            mark(planes, kCar, car.y, car.x);
            const int behind = (car.x + (car.speed > 0 ? kSide - 1 : 1)) % kSide;
            mark(planes, kSpeed1 + car.pace() - 1, car.y, behind);
        }
    }

    template <class Visitor>
    void visit(Visitor& v) {
        v.all("cars", cars);
        v.integer("pos", chicken, 0, kSide - 1);
        v.integer("move_timer", move_timer, 0, kMoveInterval);
        v.integer("terminate_timer", clock, -1, kTimeLimit);
        v.flag("terminal", terminal);
    }

    // In a step with a crossing, all speeds are reset, the cars do not move, and their timers advance.
    Result<> adoptOutcome(const Freeway& before, const Freeway& after) {
        for (std::size_t i = 0; i < kCars; ++i) {
            const Car &was = before.cars[i], &is = after.cars[i];
            if (is.x != was.x || is.y != was.y || is.speed == 0 || is.timer != std::abs(is.speed) - 1)
                return fail(ErrorCode::parity,
                            "car " + std::to_string(i) + " does not match a reset of the speeds");
        }
        cars = after.cars;
        return {};
    }

    void draw(Scene& scene) const {
        for (const int y : {0, kSide - 1}) scene.rectangle(kSide / 2.0f, centreY(y), kSide, 1, {62, 110, 66});
        for (int y = 2; y <= kCars; ++y)
            for (int x = 0; x < kSide; x += 2)
                scene.rectangle(centreX(x), centreY(y) + 0.5f, 0.5f, 0.05f, {150, 150, 120});
        constexpr Colour kColours[] = {
            {226, 84, 72}, {232, 150, 60}, {226, 206, 70}, {110, 190, 96}, {96, 150, 226}};
        for (const Car& car : cars) {
            const float direction = car.speed > 0 ? 1.0f : -1.0f;
            cell(scene, car.y, car.x, kColours[car.pace() - 1], 0.94f, 0.56f);
            cell(scene, car.y, car.x, {230, 240, 250}, 0.16f, 0.44f).x += 0.2f * direction;
        }
        scene.circle(centreX(kColumn), centreY(chicken), 0.34f, {250, 250, 246});
        scene.polygon({centreX(kColumn) - 0.12f, centreY(chicken) + 0.25f, centreX(kColumn) + 0.12f,
                       centreY(chicken) + 0.25f, centreX(kColumn), centreY(chicken) + 0.5f},
                      {240, 150, 40});
    }

private:
    void drawSpeeds(Rng& rng) {
        for (Car& car : cars) {
            car.timer = 1 + static_cast<int>(rng.below(kSlowest));
            car.speed = rng.below(2) == 0 ? car.timer : -car.timer;
        }
    }
    // If a car hits the chicken, the chicken returns to the start.
    void hit(const Car& car) {
        if (car.x == kColumn && car.y == chicken) chicken = kSide - 1;
    }

public:
    std::array<Car, kCars> cars{};
    int chicken = kSide - 1, move_timer = kMoveInterval, clock = kTimeLimit;
    bool terminal = false;
};

}  // namespace
SEEDBED_REGISTER_ENV(minatar_freeway, Batch<Freeway>, "MinAtar/Freeway-v0")
}  // namespace seedbed::minatar::freeway
