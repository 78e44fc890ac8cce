/* SPDX-License-Identifier: Apache-2.0 */
/* An environment as a shared library: land softly on the pad with little fuel.
 *
 *     cc -shared -fPIC -O2 -I CORE_EMBED lander_env.c -o lander_env.so -lm
 *     seedbed env check lib:./lander_env.so
 *     seedbed train lib:./lander_env.so --steps 300000
 *
 * CORE_EMBED is the folder of seedbed_env.h: core/embed of the sources, or the include folder of libseedbed;
 * with the package libseedbed-dev, -I is not needed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seedbed_env.h"

SEEDBED_ENV_LIBRARY

#define SIDE 64          /* of the picture, in pixels */
#define START_HEIGHT 10. /* metres */
#define SECONDS 0.1      /* of a step */
#define GRAVITY 1.6      /* metres per second squared */
#define THRUST 4.0

struct lander {
    double height, speed; /* metres, metres per second upwards */
    uint64_t noise;
};

struct landers {
    int count;
    double fuel_cost;
    struct lander* all;
    unsigned char picture[SIDE * SIDE * 3];
};

/* A random number in [0, 1). */
static double draw_number(struct lander* lander) {
    lander->noise = lander->noise * 6364136223846793005u + 1442695040888963407u;
    return (double)(lander->noise >> 40) / (double)(1 << 24);
}

static int reset(void* user, int column, uint64_t seed) {
    struct lander* lander = &((struct landers*)user)->all[column];
    lander->noise = seed;
    lander->height = START_HEIGHT * (0.5 + 0.5 * draw_number(lander));
    lander->speed = -2 * draw_number(lander);
    return 0;
}

/* The episode ends on the ground: 1 for a speed of 0, less for a faster landing, at least -1. */
static int step(void* user, const float* actions, const unsigned char* active, float* rewards,
                unsigned char* terminated, unsigned char* truncated) {
    struct landers* landers = user;
    int i;
    (void)truncated;
    for (i = 0; i < landers->count; ++i) {
        struct lander* lander = &landers->all[i];
        const int burns = actions[i] > 0.5f;
        if (!active[i]) continue;
        lander->speed += SECONDS * (burns ? THRUST - GRAVITY : -GRAVITY);
        lander->height += SECONDS * lander->speed;
        rewards[i] = (float)(burns ? -landers->fuel_cost : 0);
        if (lander->height > 0) continue;
        terminated[i] = 1;
        rewards[i] += (float)fmax(-1, 1 + lander->speed / 2);
        lander->height = 0;
    }
    return 0;
}

static int observe(void* user, void* const* observations, unsigned char* mask) {
    const struct landers* landers = user;
    float* out = observations[0];
    int i;
    (void)mask;
    for (i = 0; i < landers->count; ++i) {
        *out++ = (float)(landers->all[i].height / START_HEIGHT);
        *out++ = (float)(landers->all[i].speed / 4);
    }
    return 0;
}

static int save_state(void* user, int column, void* state) {
    memcpy(state, &((struct landers*)user)->all[column], sizeof(struct lander));
    return 0;
}

static int load_state(void* user, int column, const void* state) {
    memcpy(&((struct landers*)user)->all[column], state, sizeof(struct lander));
    return 0;
}

/* The lander is a white square above grey ground. */
static const unsigned char* draw(void* user, int column, int* height, int* width) {
    struct landers* landers = user;
    const int ground = SIDE - 4;
    int bottom = ground - (int)(landers->all[column].height / START_HEIGHT * (ground - 6));
    int x, y;
    if (bottom < 6) bottom = 6;
    for (y = 0; y < SIDE; ++y) {
        for (x = 0; x < SIDE; ++x) {
            const int is_lander = y >= bottom - 6 && y < bottom && abs(x - SIDE / 2) < 4;
            memset(landers->picture + (y * SIDE + x) * 3, is_lander ? 255 : y >= ground ? 128 : 16, 3);
        }
    }
    *height = *width = SIDE;
    return landers->picture;
}

/* Reads the only argument, {"fuel_cost": NUMBER}. */
static int read_arguments(const char* arguments, double* fuel_cost) {
    char rest;
    *fuel_cost = 0.01;
    if (strcmp(arguments, "{}") == 0) return 0;
    return sscanf(arguments, "{\"fuel_cost\": %lf%c", fuel_cost, &rest) == 2 && rest == '}' ? 0 : 1;
}

int seedbed_env_open(seedbed_environment* environment, const char* arguments, char* error,
                     size_t error_bytes) {
    static const seedbed_observation observations[] = {{"lander", SEEDBED_VECTOR, {2, 0, 0}, 0, 0, 0, 0}};
    static const seedbed_action actions[] = {{"engine", 2, 0, 0, 0}};
    struct landers* landers = calloc(1, sizeof *landers);
    if (landers != NULL) landers->all = calloc((size_t)environment->columns, sizeof *landers->all);
    if (landers == NULL || landers->all == NULL) {
        free(landers);
        snprintf(error, error_bytes, "out of memory");
        return 1;
    }
    if (read_arguments(arguments, &landers->fuel_cost) != 0) {
        snprintf(error, error_bytes, "the only argument is fuel_cost, a number; got %s", arguments);
        free(landers->all);
        free(landers);
        return 1;
    }
    landers->count = environment->columns;
    environment->name = "lander";
    environment->observations = observations;
    environment->observation_count = 1;
    environment->actions = actions;
    environment->action_count = 1;
    environment->max_steps = 300;
    environment->user = landers;
    environment->reset = reset;
    environment->step = step;
    environment->observe = observe;
    environment->state_bytes = sizeof(struct lander);
    environment->save_state = save_state;
    environment->load_state = load_state;
    environment->draw = draw;
    return 0;
}

void seedbed_env_close(seedbed_environment* environment) {
    struct landers* landers = environment->user;
    free(landers->all);
    free(landers);
}
