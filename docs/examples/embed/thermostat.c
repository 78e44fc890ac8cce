/* SPDX-License-Identifier: Apache-2.0 */
/* Trains a thermostat inside this program, in memory, and shows its decisions.
 *
 *     cc thermostat.c -o thermostat $(pkg-config --cflags --libs seedbed) -lm
 *     ./thermostat [FOLDER]     with FOLDER: also exports the policy as ONNX
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "seedbed.h"

#define ROOMS 16
#define TARGET 21.0 /* degrees Celsius */
#define MINUTES 120 /* of an episode */
#define GOAL 104.0  /* mean return; heating below 20.8 degrees gives 105.3 */

struct rooms {
    double inside[ROOMS], outside[ROOMS];
    uint64_t noise[ROOMS];
};

/* A random number in [0, 1) from the state of one room. */
static double draw(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24);
}

static int reset(void* user, int room, uint64_t seed) {
    struct rooms* rooms = user;
    rooms->noise[room] = seed;
    rooms->inside[room] = 12 + 16 * draw(&rooms->noise[room]);
    rooms->outside[room] = -5 + 20 * draw(&rooms->noise[room]);
    return 0;
}

/* An action of 1 heats for a minute. The reward is 1 at the target and falls to 0 at 3 degrees from it. */
static int step(void* user, const float* actions, const unsigned char* active, float* rewards,
                unsigned char* terminated, unsigned char* truncated) {
    struct rooms* rooms = user;
    int room;
    (void)terminated;
    (void)truncated;
    for (room = 0; room < ROOMS; ++room) {
        double* inside = &rooms->inside[room];
        if (!active[room]) continue;
        *inside += 0.02 * (rooms->outside[room] - *inside) + (actions[room] > 0.5f ? 1.0 : 0.0);
        *inside += 0.1 * (draw(&rooms->noise[room]) - 0.5);
        rewards[room] = (float)fmax(0, 1 - fabs(*inside - TARGET) / 3);
    }
    return 0;
}

static int observe(void* user, void* const* observations, unsigned char* mask) {
    const struct rooms* rooms = user;
    float* out = observations[0];
    int room;
    (void)mask;
    for (room = 0; room < ROOMS; ++room) {
        *out++ = (float)((rooms->inside[room] - TARGET) / 5);
        *out++ = (float)(rooms->outside[room] / 10);
    }
    return 0;
}

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, seedbed_error());
    return 1;
}

/* Two hours in a cold room on a winter day. */
static int show(const seedbed_policy* policy) {
    seedbed_actor* actor = seedbed_actor_new(policy, 1);
    double inside = 14, outside = -3;
    int minute;
    for (minute = 0; minute < MINUTES; ++minute) {
        float observation[2], action;
        const void* observations[1];
        observation[0] = (float)((inside - TARGET) / 5);
        observation[1] = (float)(outside / 10);
        observations[0] = observation;
        if (seedbed_actor_act(actor, observations, NULL, NULL, &action) != SEEDBED_OK) return 1;
        if (minute % 15 == 0)
            printf("minute %3d: %4.1f degrees, %s\n", minute, inside, action > 0.5f ? "heating" : "off");
        inside += 0.02 * (outside - inside) + (action > 0.5f ? 1.0 : 0.0);
    }
    seedbed_actor_free(actor);
    printf("after two hours: %.1f degrees\n", inside);
    return fabs(inside - TARGET) < 1.5 ? 0 : 1;
}

int main(int argc, char** argv) {
    static struct rooms rooms;
    static const seedbed_observation observation = {"room", SEEDBED_VECTOR, {2, 0, 0}, 0, 0, 0, 0};
    static const seedbed_action heater = {"heater", 2, 0, 0, 0};
    static const seedbed_setting settings[] = {
        {"algo.id", "ppo"},          {"algo.rollout_length", "32"}, {"algo.epochs", "6"},
        {"algo.minibatches", "2"},   {"algo.gamma", "0.95"},        {"algo.learning_rate", "0.004"},
        {"network.hidden", "32,32"}, {"algo.entropy_cost", "0"},
    };
    seedbed_environment environment = SEEDBED_ENVIRONMENT_INIT;
    seedbed_options options = SEEDBED_OPTIONS_INIT;
    seedbed_progress progress = {0};
    seedbed_trainer* trainer = NULL;
    seedbed_policy* policy;
    clock_t begin = clock();
    int code;

    environment.name = "thermostat";
    environment.columns = ROOMS;
    environment.observations = &observation;
    environment.observation_count = 1;
    environment.actions = &heater;
    environment.action_count = 1;
    environment.max_steps = MINUTES;
    environment.user = &rooms;
    environment.reset = reset;
    environment.step = step;
    environment.observe = observe;
    options.environment = &environment;
    options.settings = settings;
    options.setting_count = (int)(sizeof settings / sizeof settings[0]);
    if (seedbed_create(&options, &trainer) != SEEDBED_OK) return fail("create");

    progress.struct_size = sizeof progress;
    do {
        if (seedbed_train(trainer, 4096) != SEEDBED_OK) return fail("train");
        if (seedbed_get_progress(trainer, &progress) != SEEDBED_OK) return fail("progress");
    } while (!(progress.mean_return >= GOAL) && progress.steps < 500000);
    printf("%ld steps, mean return %.1f, %.2f s of CPU time\n", (long)progress.steps, progress.mean_return,
           (double)(clock() - begin) / CLOCKS_PER_SEC);

    policy = seedbed_get_policy(trainer);
    if (policy == NULL) return fail("policy");
    if (argc > 1 && seedbed_export(trainer, "onnx", argv[1]) != SEEDBED_OK) return fail("export");
    if (seedbed_destroy(trainer) != SEEDBED_OK) return fail("destroy");
    code = progress.mean_return >= GOAL ? show(policy) : 1;
    seedbed_policy_free(policy);
    return code;
}
