/* SPDX-License-Identifier: Apache-2.0 */
/* An environment library for tests. The argument "fault" selects what goes wrong; the observation counts the
 * steps of an episode and repeats the clipped action.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seedbed_env.h>

#ifdef OTHER_ABI
SEEDBED_ENV_API const int seedbed_env_abi = SEEDBED_ENV_ABI + 1;
#else
SEEDBED_ENV_LIBRARY
#endif

enum { MOST = 64, LENGTH = 5 };
static struct {
    char fault[32];
    int columns, steps[MOST], opened;
    uint64_t seeds[MOST];
    float words[MOST][3];
} world;

static int is(const char* fault) { return strcmp(world.fault, fault) == 0; }

static int reset(void* user, int column, uint64_t seed) {
    (void)user;
    world.steps[column] = 0;
    world.seeds[column] = seed;
    memset(world.words[column], 0, sizeof world.words[column]);
    return is("reset") ? 7 : 0;
}

static int step(void* user, const float* actions, const unsigned char* active, float* rewards,
                unsigned char* terminated, unsigned char* truncated) {
    int i;
    (void)user;
    for (i = 0; i < world.columns; ++i) {
        if (!active[i]) continue;
        memcpy(world.words[i], actions + i * 3, sizeof world.words[i]);
        ++world.steps[i];
        rewards[i] = 0.5f;
        terminated[i] = (int)actions[i * 3] == 1;
        truncated[i] = (int)actions[i * 3] == 2;
        if (world.steps[i] == 3 && is("step") && world.opened < 2) return 1;
        if (world.steps[i] == 3 && is("crash")) abort();
    }
    return 0;
}

static int observe(void* user, void* const* observations, unsigned char* mask) {
    float* numbers = observations[0];
    unsigned char* image = observations[1];
    int32_t* choice = observations[2];
    int i;
    (void)user;
    if (is("observe")) return 1;
    for (i = 0; i < world.columns; ++i) {
        numbers[i * 4] = (float)world.steps[i];
        memcpy(numbers + i * 4 + 1, world.words[i], sizeof world.words[i]);
        memset(image + i * 12 * 10, world.steps[i], 12 * 10);
        choice[i] = (int32_t)(world.seeds[i] % 4);
        memset(mask + i * 3, 1, 3);
        mask[i * 3 + 2] = world.steps[i] < 2;
    }
    return 0;
}

static int save_state(void* user, int column, void* state) {
    (void)user;
    memcpy(state, &world.steps[column], sizeof(int));
    return 0;
}

static int load_state(void* user, int column, const void* state) {
    (void)user;
    memcpy(&world.steps[column], state, sizeof(int));
    return 0;
}

static const unsigned char* draw(void* user, int column, int* height, int* width) {
    static unsigned char picture[2 * 3 * 3];
    (void)user;
    memset(picture, 10 * column, sizeof picture);
    *height = is("picture") ? -1 : 2;
    *width = 3;
    return picture;
}

int seedbed_env_open(seedbed_environment* environment, const char* arguments, char* error,
                     size_t error_bytes) {
    static const seedbed_observation observations[] = {
        {"numbers", SEEDBED_VECTOR, {4, 0, 0}, 0, 0, 0, 0},
        {"picture", SEEDBED_IMAGE, {1, 12, 10}, 0, 0, 0, 2},
        {"choice", SEEDBED_CHOICES, {1, 0, 0}, 0, 0, 4, 0},
    };
    static const seedbed_action actions[] = {{"what", 3, 0, 0, 0}, {"force", 0, 2, -2, 2}};
    sscanf(arguments, "{\"fault\": \"%31[a-z_]\"}", world.fault);
    ++world.opened;
    if (is("open")) {
        snprintf(error, error_bytes, "the simulator has no licence");
        return 3;
    }
    if (environment->columns > MOST) return 4;
    world.columns = environment->columns;
    environment->name = "test_world";
    environment->observations = observations;
    environment->observation_count = is("nothing") ? 0 : 3;
    environment->actions = actions;
    environment->action_count = 2;
    environment->has_mask = 1;
    environment->max_steps = LENGTH;
    environment->reset = reset;
    environment->step = is("no_step") ? NULL : step;
    environment->observe = observe;
    environment->state_bytes = sizeof(int);
    environment->save_state = save_state;
    environment->load_state = load_state;
    environment->draw = draw;
    return 0;
}

#ifndef NO_CLOSE
void seedbed_env_close(seedbed_environment* environment) { (void)environment; }
#endif
