/* SPDX-License-Identifier: Apache-2.0 */
/* A game that learns while it runs: a basket catches balls, and training gets 2 ms of every frame. The game
 * owns its loop, so it has no callbacks: it gets an action, applies it, and reports what happened.
 *
 *     cc game_loop.c -o game_loop $(pkg-config --cflags --libs seedbed) -lm
 *     ./game_loop [FRAMES]
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "seedbed.h"

#define BUDGET_MS 2.0
#define TOLERANCE_MS 0.2
#define WIDTH 12
#define HEIGHT 16
#define PART 2000 /* frames per printed line */

struct game {
    int ball_x, ball_y, wind, basket;
    uint64_t noise;
};

static int draw(struct game* game, int choices) {
    game->noise = game->noise * 6364136223846793005u + 1442695040888963407u;
    return (int)((game->noise >> 33) % (uint64_t)choices);
}

static void drop_ball(struct game* game) {
    game->ball_x = draw(game, WIDTH);
    game->ball_y = 0;
    game->wind = draw(game, 3) - 1;
}

static void look(const struct game* game, float* out) {
    out[0] = (float)game->ball_x / WIDTH;
    out[1] = (float)game->ball_y / HEIGHT;
    out[2] = (float)game->wind;
    out[3] = (float)game->basket / WIDTH;
    out[4] = (float)(game->ball_x - game->basket) / WIDTH;
}

/* One frame; returns 1 when a ball is caught, -1 when it is missed, else 0. */
static int play(struct game* game, int action) {
    game->basket += action - 1;
    if (game->basket < 0) game->basket = 0;
    if (game->basket >= WIDTH) game->basket = WIDTH - 1;
    if (draw(game, 3) == 0) game->ball_x = (game->ball_x + game->wind + WIDTH) % WIDTH;
    if (++game->ball_y < HEIGHT) return 0;
    return abs(game->ball_x - game->basket) <= 1 ? 1 : -1;
}

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, seedbed_error());
    return 1;
}

/* The frame's share of training. Returns its time in milliseconds, or a negative number on failure. */
static double train_in_frame(seedbed_trainer* trainer, struct game* game, int* caught, int* missed) {
    const double begin = now_ms();
    seedbed_outcome outcome = {0};
    float observation[5], action, reward;
    unsigned char ended;
    const void* observations[1];
    int result;
    if (seedbed_act(trainer, &action, NULL) != SEEDBED_OK) return -1;
    result = play(game, (int)action);
    reward = (float)result;
    ended = result != 0;
    *caught += result > 0;
    *missed += result < 0;
    if (result != 0) drop_ball(game); /* a ball is an episode: report the first view of the next one */
    look(game, observation);
    observations[0] = observation;
    outcome.struct_size = sizeof outcome;
    outcome.observations = observations;
    outcome.rewards = &reward;
    outcome.terminated = &ended;
    if (seedbed_report(trainer, &outcome) != SEEDBED_OK) return -1;
    if (seedbed_pump(trainer, BUDGET_MS - (now_ms() - begin)) != SEEDBED_OK) return -1;
    return now_ms() - begin;
}

int main(int argc, char** argv) {
    static const seedbed_observation eyes = {"eyes", SEEDBED_VECTOR, {5, 0, 0}, 0, 0, 0, 0};
    static const seedbed_action move = {"move", 3, 0, 0, 0};
    static const seedbed_setting settings[] = {
        {"algo.id", "ppo"},          {"algo.rollout_length", "512"},  {"algo.epochs", "6"},
        {"algo.minibatches", "4"},   {"algo.learning_rate", "0.003"}, {"algo.gamma", "0.97"},
        {"network.hidden", "64,64"},
    };
    const int frames = argc > 1 ? atoi(argv[1]) : 40000;
    seedbed_environment environment = SEEDBED_ENVIRONMENT_INIT;
    seedbed_options options = SEEDBED_OPTIONS_INIT;
    seedbed_trainer* trainer = NULL;
    struct game game = {0, 0, 0, WIDTH / 2, 7};
    float observation[5];
    const void* observations[1];
    int frame, caught = 0, missed = 0, late = 0;
    double longest = 0;

    environment.name = "catching";
    environment.observations = &eyes;
    environment.observation_count = 1;
    environment.actions = &move;
    environment.action_count = 1;
    options.environment = &environment;
    options.settings = settings;
    options.setting_count = (int)(sizeof settings / sizeof settings[0]);
    if (seedbed_create(&options, &trainer) != SEEDBED_OK) return fail("create");
    drop_ball(&game);
    look(&game, observation);
    observations[0] = observation;
    if (seedbed_begin(trainer, observations, NULL) != SEEDBED_OK) return fail("begin");

    for (frame = 1; frame <= frames; ++frame) {
        const double spent = train_in_frame(trainer, &game, &caught, &missed);
        if (spent < 0) return fail("frame");
        late += spent > BUDGET_MS + TOLERANCE_MS;
        longest = fmax(longest, spent);
        if (frame % PART != 0) continue;
        printf("frame %6d: %3.0f %% caught\n", frame, 100.0 * caught / (caught + missed));
        if (frame < frames) caught = missed = 0;
    }
    printf("%d of %d frames exceeded %.0f ms by more than %.1f ms; the longest took %.2f ms\n", late, frames,
           BUDGET_MS, TOLERANCE_MS, longest);
    if (seedbed_destroy(trainer) != SEEDBED_OK) return fail("destroy");
    return 0;
}
