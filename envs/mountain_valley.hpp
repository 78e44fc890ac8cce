// SPDX-License-Identifier: Apache-2.0
// Common parts of the two mountain car environments (discrete and continuous): the valley, its limits,
// observation and picture.
#pragma once

#include <cmath>

#include "core/base/describe.hpp"
#include "core/base/scene.hpp"
#include "core/base/simd.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

inline constexpr double kCarMinPosition = -1.2, kCarMaxPosition = 0.6, kCarMaxSpeed = 0.07,
                        kCarGravity = 0.0025;

struct MountainCarParams {
    double goal_velocity = 0;

    static const Description<MountainCarParams>& describe() {
        static const auto description =
            Description<MountainCarParams>("mountain_car", "Parameters of the mountain car.")
                .field(&MountainCarParams::goal_velocity, "goal_velocity",
                       "The car must pass the flag at least this fast.",
                       {.unit = "1/step", .min = 0, .max = kCarMaxSpeed});
        return description;
    }
};

inline ObsLeaf carObservation() {
    ObsLeaf leaf;
    leaf.shape = {2};
    leaf.low = kCarMinPosition;
    leaf.high = kCarMaxPosition;
    leaf.labels = {"position", "velocity (1/step)"};
    return leaf;
}

SEEDBED_INLINE void observeCarLoop(const double* const* state, int count, float* obs) {
    const double *position = state[0], *velocity = state[1];
    SEEDBED_INDEPENDENT
    for (int i = 0; i < count; ++i) {
        obs[2 * i] = static_cast<float>(position[i]);
        obs[2 * i + 1] = static_cast<float>(velocity[i]);
    }
}

// The hill is sin(3x), as in the original's picture.
inline void drawCar(double position, double goal, Scene& scene) {
    const auto height = [](float x) { return 0.45f * std::sin(3 * x) + 0.55f; };
    constexpr float kLeft = -1.3f, kRight = 0.7f;
    scene.clear(kLeft, -0.1f, kRight, 1.3f, {214, 232, 246});
    std::vector<float> hill = {kRight, -0.1f, kLeft, -0.1f};
    for (int i = 0; i <= 60; ++i) {
        const float x = kLeft + (kRight - kLeft) * static_cast<float>(i) / 60;
        hill.push_back(x);
        hill.push_back(height(x));
    }
    scene.polygon(std::move(hill), {126, 160, 96});

    const auto flag = static_cast<float>(goal);
    scene.line(flag, height(flag), flag, height(flag) + 0.3f, 0.012f, {40, 40, 40});
    scene.polygon({flag, height(flag) + 0.3f, flag, height(flag) + 0.2f, flag + 0.12f, height(flag) + 0.25f},
                  {226, 178, 20});

    const auto x = static_cast<float>(position);
    const float slope = std::atan(0.45f * 3 * std::cos(3 * x)), s = std::sin(slope), c = std::cos(slope);
    const auto place = [&](float along, float above, auto add) {
        add(x + c * along - s * above, height(x) + s * along + c * above);
    };
    place(0, 0.085f, [&](float at_x, float at_y) {
        scene.rectangle(at_x, at_y, 0.17f, 0.07f, {178, 52, 44}, slope);
    });
    place(-0.01f, 0.14f, [&](float at_x, float at_y) {
        scene.rectangle(at_x, at_y, 0.09f, 0.05f, {178, 52, 44}, slope);
    });
    for (const float wheel : {-0.05f, 0.05f})
        place(wheel, 0.035f, [&](float at_x, float at_y) { scene.circle(at_x, at_y, 0.033f, {50, 50, 56}); });
}

}  // namespace seedbed
