/* SPDX-License-Identifier: Apache-2.0 */
/* A host that reports what happened, without callbacks. Calling seedbed_pump() without a limit after each
 * report gives the weights of training with callbacks; with small budgets, acting continues while an update
 * is in progress. */
#include <pthread.h>

#include <world.h>

static struct world world;

static const void* const* views(void) {
    static const void* observations[2];
    observations[0] = world.value;
    observations[1] = world.steps;
    return observations;
}

static seedbed_trainer* create(seedbed_environment* environment, int callbacks, int max_steps) {
    seedbed_options options;
    seedbed_trainer* trainer = NULL;
    memset(&world, 0, sizeof world);
    world.own_seeds = 1;
    options = world_options(&world, environment, callbacks);
    environment->max_steps = max_steps;
    options.environment = environment;
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    return trainer;
}

/* Observations and masks that are not allowed: `begins` for seedbed_begin(), else for seedbed_report(). */
static void offer_mistakes(seedbed_trainer* trainer, seedbed_outcome* outcome, int begins) {
    static const struct {
        int value; /* of column 3; the mask of column 1 */
        unsigned char mask[2];
        const char* text;
    } mistakes[] = {{0, {0, 0}, "column 1: a mask that forbids every choice of 'guess'"},
                    {0, {1, 3}, "column 1: a mask with a value other than 0 and 1"},
                    {11, {0, 1}, "column 3: observation 'count' has an element outside 0 to 10"},
                    {-1, {1, 0}, "column 3: observation 'count' has an element outside 0 to 10"},
                    {INT32_MAX, {1, 1}, "column 3: observation 'count' has an element outside 0 to 10"}};
    unsigned char mask[MASK_BYTES];
    size_t i;
    for (i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        const int32_t steps = world.steps[3];
        memset(mask, 1, sizeof mask);
        memcpy(mask + 2, mistakes[i].mask, 2);
        if (mistakes[i].value != 0) world.steps[3] = mistakes[i].value;
        outcome->mask = mask;
        EXPECT_CODE(begins ? seedbed_begin(trainer, views(), mask) : seedbed_report(trainer, outcome),
                    SEEDBED_BAD_ENVIRONMENT, mistakes[i].text);
        outcome->mask = NULL;
        world.steps[3] = steps;
    }
}

/* Calls of a thread other than the owner's. */
static void* other_thread(void* given) {
    seedbed_trainer* trainer = given;
    seedbed_outcome outcome;
    float actions[COLUMNS], rewards[COLUMNS] = {0};
    memset(&outcome, 0, sizeof outcome);
    outcome.struct_size = sizeof outcome;
    outcome.observations = views();
    outcome.rewards = rewards;
    EXPECT_CODE(seedbed_begin(trainer, views(), NULL), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_act(trainer, actions, NULL), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_pump(trainer, 1), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_export(trainer, "onnx", "nowhere"), SEEDBED_WRONG_THREAD, "thread");
    return NULL;
}

static void call_from_other_thread(seedbed_trainer* trainer) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, other_thread, trainer) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
}

/* One decision of all columns. Returns how many columns were restarted. */
static int decide(seedbed_trainer* trainer, int is_bad) {
    float actions[COLUMNS], rewards[COLUMNS] = {0};
    unsigned char restart[COLUMNS], active[COLUMNS], terminated[COLUMNS] = {0}, truncated[COLUMNS] = {0};
    seedbed_outcome outcome;
    int column, restarted = 0;
    EXPECT(seedbed_act(trainer, actions, restart) == SEEDBED_OK);
    for (column = 0; column < COLUMNS; ++column) active[column] = !restart[column];
    world_step(&world, actions, active, rewards, terminated, truncated);
    for (column = 0; column < COLUMNS; ++column) {
        restarted += restart[column];
        if (restart[column] || terminated[column]) world_reset(&world, column, 0);
    }
    memset(&outcome, 0, sizeof outcome);
    outcome.struct_size = sizeof outcome;
    outcome.observations = views();
    outcome.rewards = rewards;
    outcome.terminated = terminated;
    if (is_bad) {
        const float reward = rewards[1], value = world.value[0];
        rewards[1] = (float)NAN;
        EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_BAD_ENVIRONMENT,
                    "column 1: the reward is NaN");
        rewards[1] = reward;
        world.value[0] = (float)INFINITY;
        EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_BAD_ENVIRONMENT, "column 0: element 0");
        world.value[0] = value;
        terminated[2] += 2;
        EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_BAD_ENVIRONMENT, "column 2: terminated");
        terminated[2] -= 2;
        outcome.rewards = NULL;
        EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_BAD_ENVIRONMENT, "rewards is NULL");
        outcome.rewards = rewards;
        offer_mistakes(trainer, &outcome, 0);
        call_from_other_thread(trainer);
    }
    EXPECT(seedbed_report(trainer, &outcome) == SEEDBED_OK);
    return restarted;
}

static void begin(seedbed_trainer* trainer) {
    int column;
    for (column = 0; column < COLUMNS; ++column) world_reset(&world, column, 0);
    EXPECT(seedbed_begin(trainer, views(), NULL) == SEEDBED_OK);
}

/* Trains 10 updates; `budget` of each pump in milliseconds. */
static void train(double budget, int max_steps, char* hash) {
    seedbed_environment environment;
    seedbed_trainer* trainer = create(&environment, 0, max_steps);
    int row, restarted = 0;
    begin(trainer);
    for (row = 0; row < 160; ++row) {
        restarted += decide(trainer, row % 50 == 10);
        EXPECT(seedbed_pump(trainer, budget) == SEEDBED_OK);
    }
    EXPECT((restarted > 0) == (max_steps > 0));
    world_hash(trainer, hash);
    if (budget < 0) EXPECT(world_steps(trainer) == 640 - restarted);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

/* The same with callbacks. */
static void train_with_callbacks(int max_steps, char* hash) {
    seedbed_environment environment;
    seedbed_trainer* trainer = create(&environment, 1, max_steps);
    int update;
    for (update = 0; update < 10; ++update) EXPECT(seedbed_pump(trainer, -1) == SEEDBED_OK);
    world_hash(trainer, hash);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

static void order(void) {
    seedbed_environment environment;
    seedbed_trainer* trainer = create(&environment, 0, 0);
    seedbed_outcome outcome;
    float actions[COLUMNS];
    memset(&outcome, 0, sizeof outcome);
    outcome.struct_size = sizeof outcome;
    EXPECT_CODE(seedbed_act(trainer, actions, NULL), SEEDBED_WRONG_ORDER, "seedbed_begin()");
    EXPECT_CODE(seedbed_pump(trainer, 1), SEEDBED_WRONG_ORDER, "seedbed_begin()");
    EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_WRONG_ORDER, "seedbed_begin()");
    EXPECT_CODE(seedbed_begin(trainer, NULL, NULL), SEEDBED_BAD_ENVIRONMENT, "NULL");
    offer_mistakes(trainer, &outcome, 1);
    call_from_other_thread(trainer);
    EXPECT(seedbed_get_policy(trainer) == NULL);
    begin(trainer);
    offer_mistakes(trainer, &outcome, 1);
    EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_WRONG_ORDER, "seedbed_act()");
    EXPECT_CODE(seedbed_train(trainer, 10), SEEDBED_WRONG_ORDER, "callbacks");
    EXPECT_CODE(seedbed_start(trainer), SEEDBED_WRONG_ORDER, "callbacks");
    EXPECT_CODE(seedbed_act(trainer, NULL, NULL), SEEDBED_BAD_ARGUMENT, "actions");
    outcome.struct_size = 3;
    EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_BAD_ARGUMENT, "struct_size");
    outcome.struct_size = sizeof outcome + 8;
    EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_NEWER_VERSION, "outcome");
    decide(trainer, 0);
    /* New episodes in the middle of others, also after an action was given. */
    EXPECT(seedbed_act(trainer, actions, NULL) == SEEDBED_OK);
    begin(trainer);
    outcome.struct_size = sizeof outcome;
    EXPECT_CODE(seedbed_report(trainer, &outcome), SEEDBED_WRONG_ORDER, "seedbed_act()");
    decide(trainer, 0);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

/* Without any pump, learning happens when the room for the next rollout is used up. */
static void forgotten_pump(void) {
    seedbed_environment environment;
    seedbed_trainer* trainer = create(&environment, 0, 0);
    int row;
    begin(trainer);
    for (row = 0; row < 16 * 4 + 1; ++row) decide(trainer, 0);
    EXPECT(world_steps(trainer) >= 64);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

int main(void) {
    char reported[80], called[80], pieces[80];
    int max_steps;
    for (max_steps = 0; max_steps < 8; max_steps += 7) {
        train(-1, max_steps, reported);
        train_with_callbacks(max_steps, called);
        EXPECT(strcmp(reported, called) == 0);
    }
    train(0, 0, pieces);
    order();
    forgotten_pump();
    puts("ok");
    return 0;
}
