/* SPDX-License-Identifier: Apache-2.0 */
/* A small world for tests of the C API: a number in [-1, 1] per column; the action 1 is right if it is
 * positive, else the action 0. An episode has 10 steps, which are counted by a second observation. Faults can
 * be switched on. */
#ifndef WORLD_H
#define WORLD_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seedbed.h>

#define COLUMNS 4
#define MOST_STEPS 10
#define MASK_BYTES (COLUMNS * 2)

enum fault {
    NO_FAULT,
    FAIL_RESET,
    FAIL_STEP,
    FAIL_OBSERVE,
    NAN_REWARD,
    NAN_OBSERVATION,
    BAD_FLAG,
    NO_CHOICE,
    BAD_MASK,
    LARGE_CHOICE,
    NEGATIVE_CHOICE,
    CALL_BACK
};

struct world {
    uint64_t noise[COLUMNS];
    float value[COLUMNS];
    int32_t steps[COLUMNS];
    int own_seeds, episodes[COLUMNS]; /* own_seeds: episodes do not depend on the trainer's seeds */
    enum fault fault;
    seedbed_trainer* trainer; /* called by CALL_BACK */
    int code;                 /* of that call */
};

static float world_draw(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)((double)(*state >> 40) / (double)(1 << 23) - 1);
}

static int world_reset(void* user, int column, uint64_t seed) {
    struct world* world = user;
    if (world->fault == FAIL_RESET) return 5;
    if (world->own_seeds) seed = (uint64_t)(64 * world->episodes[column]++ + column);
    world->noise[column] = seed;
    world->value[column] = world_draw(&world->noise[column]);
    world->steps[column] = 0;
    return 0;
}

static int world_step(void* user, const float* actions, const unsigned char* active, float* rewards,
                      unsigned char* terminated, unsigned char* truncated) {
    struct world* world = user;
    int column;
    if (world->fault == FAIL_STEP) return 7;
    if (world->fault == CALL_BACK) world->code = seedbed_train(world->trainer, 1);
    for (column = 0; column < COLUMNS; ++column) {
        if (!active[column]) continue;
        rewards[column] = (actions[column] > 0.5f) == (world->value[column] > 0) ? 1.0f : 0.0f;
        world->value[column] = world_draw(&world->noise[column]);
        terminated[column] = ++world->steps[column] == MOST_STEPS;
    }
    if (world->fault == NAN_REWARD) rewards[2] = (float)NAN;
    if (world->fault == BAD_FLAG) truncated[1] = 9;
    return 0;
}

static int world_observe(void* user, void* const* observations, unsigned char* mask) {
    struct world* world = user;
    float* out = observations[0];
    int32_t* count = observations[1];
    if (world->fault == FAIL_OBSERVE) return 9;
    memcpy(out, world->value, sizeof world->value);
    memcpy(count, world->steps, sizeof world->steps);
    memset(mask, 1, MASK_BYTES);
    if (world->fault == NAN_OBSERVATION) out[3] = (float)NAN;
    if (world->fault == NO_CHOICE) memset(mask + 2, 0, 2);
    if (world->fault == BAD_MASK) mask[5] = 2;
    if (world->fault == LARGE_CHOICE) count[2] = MOST_STEPS + 1;
    if (world->fault == NEGATIVE_CHOICE) count[0] = -1;
    return 0;
}

static int world_save(void* user, int column, void* state) {
    struct world* world = user;
    char* out = state;
    memcpy(out, &world->noise[column], 8);
    memcpy(out + 8, &world->value[column], 4);
    memcpy(out + 12, &world->steps[column], 4);
    return 0;
}

static int world_load(void* user, int column, const void* state) {
    struct world* world = user;
    const char* in = state;
    memcpy(&world->noise[column], in, 8);
    memcpy(&world->value[column], in + 8, 4);
    memcpy(&world->steps[column], in + 12, 4);
    return 0;
}

static const seedbed_observation world_eyes[] = {
    {"number", SEEDBED_VECTOR, {1, 0, 0}, -1, 1, 0, 0},
    {"count", SEEDBED_CHOICES, {1, 0, 0}, 0, 0, MOST_STEPS + 1, 0}};
static const seedbed_action world_guess = {"guess", 2, 0, 0, 0};
static const seedbed_setting world_settings[] = {{"algo.id", "ppo"},       {"algo.rollout_length", "16"},
                                                 {"algo.epochs", "4"},     {"algo.learning_rate", "0.01"},
                                                 {"network.hidden", "16"}, {"run.seed", "7"}};

/* The options for this world; `callbacks`: 0 for a host that reports. */
static seedbed_options world_options(struct world* world, seedbed_environment* environment, int callbacks) {
    const seedbed_environment init = SEEDBED_ENVIRONMENT_INIT;
    const seedbed_options options_init = SEEDBED_OPTIONS_INIT;
    seedbed_options options = options_init;
    *environment = init;
    environment->name = "world";
    environment->columns = COLUMNS;
    environment->observations = world_eyes;
    environment->observation_count = 2;
    environment->actions = &world_guess;
    environment->action_count = 1;
    environment->has_mask = 1;
    environment->user = world;
    if (callbacks) {
        environment->reset = world_reset;
        environment->step = world_step;
        environment->observe = world_observe;
        environment->state_bytes = 16;
        environment->save_state = world_save;
        environment->load_state = world_load;
    }
    options.environment = environment;
    options.settings = world_settings;
    options.setting_count = (int)(sizeof world_settings / sizeof world_settings[0]);
    return options;
}

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\nlast error: %s\n", __FILE__, __LINE__, #condition, seedbed_error()); \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
/* A call that fails with a code and a text that contains a word. */
#define EXPECT_CODE(call, expected, word)                                                           \
    do {                                                                                            \
        const int code_ = (call);                                                                   \
        if (code_ != (expected) || strstr(seedbed_error(), word) == NULL) {                         \
            fprintf(stderr, "%s:%d: %s gave %d, expected %d with '%s'\nlast error: %s\n", __FILE__, \
                    __LINE__, #call, code_, (int)(expected), word, seedbed_error());                \
            exit(1);                                                                                \
        }                                                                                           \
    } while (0)

static long world_steps(seedbed_trainer* trainer) {
    seedbed_progress progress;
    memset(&progress, 0, sizeof progress);
    progress.struct_size = sizeof progress;
    EXPECT(seedbed_get_progress(trainer, &progress) == SEEDBED_OK);
    return (long)progress.steps;
}

/* The SHA-256 of the current weights. */
static void world_hash(seedbed_trainer* trainer, char* out) {
    seedbed_policy* policy = seedbed_get_policy(trainer);
    EXPECT(policy != NULL);
    strcpy(out, seedbed_policy_weights_sha256(policy));
    seedbed_policy_free(policy);
}

#endif
