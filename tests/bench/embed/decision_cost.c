/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a decision when CartPole is built in, or the same CartPole in callbacks; for embed_bench.py.
 *
 *     decision_cost built_in|callbacks STEPS
 *
 * Both have the same settings and learner, on one thread. Prints as JSON the microseconds of CPU time per
 * decision, after a warm-up, and the mean return.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <seedbed.h>

#define COLUMNS 64
#define COLUMNS_TEXT "64"
#define WARM_UP 65536

struct carts {
    double x[COLUMNS], speed[COLUMNS], angle[COLUMNS], turn[COLUMNS];
};

/* Uniform in [-0.05, 0.05). */
static double draw(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24) * 0.1 - 0.05;
}

static int reset(void* user, int column, uint64_t seed) {
    struct carts* carts = user;
    carts->x[column] = draw(&seed);
    carts->speed[column] = draw(&seed);
    carts->angle[column] = draw(&seed);
    carts->turn[column] = draw(&seed);
    return 0;
}

/* The equations of envs/cartpole.cpp. */
static int step(void* user, const float* actions, const unsigned char* active, float* rewards,
                unsigned char* terminated, unsigned char* truncated) {
    struct carts* carts = user;
    int i;
    (void)truncated;
    for (i = 0; i < COLUMNS; ++i) {
        const double force = actions[i] > 0.5f ? 10.0 : -10.0, turn = carts->turn[i];
        const double sine = sin(carts->angle[i]), cosine = cos(carts->angle[i]);
        const double push = (force + 0.05 * turn * turn * sine) / 1.1;
        const double turning =
            (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1));
        if (!active[i]) continue;
        carts->x[i] += 0.02 * carts->speed[i];
        carts->angle[i] += 0.02 * turn;
        carts->speed[i] += 0.02 * (push - 0.05 * turning * cosine / 1.1);
        carts->turn[i] += 0.02 * turning;
        rewards[i] = 1;
        terminated[i] = fabs(carts->x[i]) > 2.4 || fabs(carts->angle[i]) > 0.20943951023931953;
    }
    return 0;
}

static int observe(void* user, void* const* observations, unsigned char* mask) {
    const struct carts* carts = user;
    float* out = observations[0];
    int i;
    (void)mask;
    for (i = 0; i < COLUMNS; ++i) {
        *out++ = (float)carts->x[i];
        *out++ = (float)carts->speed[i];
        *out++ = (float)carts->angle[i];
        *out++ = (float)carts->turn[i];
    }
    return 0;
}

static void require(int code) {
    if (code == SEEDBED_OK) return;
    fprintf(stderr, "%s\n", seedbed_error());
    exit(1);
}

static double now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static seedbed_progress progress_of(seedbed_trainer* trainer) {
    seedbed_progress progress = {0};
    progress.struct_size = sizeof progress;
    require(seedbed_get_progress(trainer, &progress));
    return progress;
}

int main(int argc, char** argv) {
    static struct carts carts;
    static const seedbed_observation cart = {"obs", SEEDBED_VECTOR, {4, 0, 0}, 0, 0, 0, 0};
    static const seedbed_action push = {"action", 2, 0, 0, 0};
    /* A small network and one epoch, so that learning hides little of the difference. */
    static const seedbed_setting settings[] = {
        {"algo.id", "ppo"},        {"algo.rollout_length", "64"},    {"algo.epochs", "1"},
        {"algo.minibatches", "4"}, {"algo.learning_rate", "0.003"},  {"network.hidden", "16"},
        {"run.seed", "1"},         {"actor.num_envs", COLUMNS_TEXT}, {"actor.groups", "1"},
    };
    seedbed_environment environment = SEEDBED_ENVIRONMENT_INIT;
    seedbed_options options = SEEDBED_OPTIONS_INIT;
    seedbed_trainer* trainer = NULL;
    seedbed_progress first, last;
    double begin, spent;
    if (argc != 3) return 2;
    environment.name = "cartpole";
    environment.columns = COLUMNS;
    environment.observations = &cart;
    environment.observation_count = 1;
    environment.actions = &push;
    environment.action_count = 1;
    environment.max_steps = 500;
    environment.user = &carts;
    environment.reset = reset;
    environment.step = step;
    environment.observe = observe;
    if (strcmp(argv[1], "callbacks") == 0) options.environment = &environment;
    else options.built_in = "cartpole";
    options.settings = settings;
    options.setting_count = (int)(sizeof settings / sizeof settings[0]);
    require(seedbed_create(&options, &trainer));
    require(seedbed_train(trainer, WARM_UP));
    first = progress_of(trainer);
    begin = now_us();
    require(seedbed_train(trainer, atol(argv[2])));
    spent = now_us() - begin;
    last = progress_of(trainer);
    printf("{\"us_per_decision\": %.5f, \"mean_return\": %.1f}\n", spent / (double)(last.steps - first.steps),
           last.mean_return);
    require(seedbed_destroy(trainer));
    return 0;
}
