/* SPDX-License-Identifier: Apache-2.0 */
/* Fine-tunes an exported policy on a device, without threads: the policy balances a pole on a cart, and the
 * sensor of the device's pole is mounted 3.4 degrees askew, unlike that of the desktop's simulation.
 *
 *     ./fine_tune desktop EXPORTED       trains for the desktop's cart and exports the policy
 *     ./fine_tune device NEW EXPORTED    adapts that policy to the device's cart, and saves it
 *     ./fine_tune device NEW             for comparison: begins with random weights
 *
 * seedbed_policy_load(), `seedbed import` and this program read both kinds of folders.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "process_status.h"
#include "seedbed.h"

#define CARTS 8
#define MOST_STEPS 500 /* of an episode; each has the reward 1 */
#define GOAL 475.0     /* mean return */
#define BUDGET 300000  /* steps of training */
#define MEBIBYTE (1 << 20)

struct carts {
    double askew;           /* what the sensor adds to the angle, in radians */
    double state[CARTS][4]; /* position, velocity, angle, angular velocity; metres, radians, seconds */
    uint64_t noise[CARTS];
};

/* A random number in [0, 1) from the state of one cart. */
static double draw(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24);
}

static int reset(void* user, int cart, uint64_t seed) {
    struct carts* carts = user;
    int i;
    carts->noise[cart] = seed;
    for (i = 0; i < 4; ++i) carts->state[cart][i] = 0.1 * (draw(&carts->noise[cart]) - 0.5);
    return 0;
}

/* A fiftieth of a second (Barto, Sutton and Anderson, 1983). Returns whether the pole has fallen or the cart
 * has left the track. */
static int move(double* state, int right) {
    const double mass = 0.1, total = 1.1, half_length = 0.5, seconds = 0.02; /* kilograms, metres */
    const double sine = sin(state[2]), cosine = cos(state[2]);
    const double force = right ? 10.0 : -10.0;
    const double push = (force + mass * half_length * state[3] * state[3] * sine) / total;
    const double turn =
        (9.8 * sine - cosine * push) / (half_length * (4.0 / 3.0 - mass * cosine * cosine / total));
    const double speed = push - mass * half_length * turn * cosine / total;
    state[0] += seconds * state[1];
    state[1] += seconds * speed;
    state[2] += seconds * state[3];
    state[3] += seconds * turn;
    return fabs(state[0]) > 2.4 || fabs(state[2]) > 0.2095;
}

static int step(void* user, const float* actions, const unsigned char* active, float* rewards,
                unsigned char* terminated, unsigned char* truncated) {
    struct carts* carts = user;
    int cart;
    (void)truncated;
    for (cart = 0; cart < CARTS; ++cart) {
        if (!active[cart]) continue;
        terminated[cart] = (unsigned char)move(carts->state[cart], actions[cart] > 0.5f);
        rewards[cart] = 1;
    }
    return 0;
}

static int observe(void* user, void* const* observations, unsigned char* mask) {
    const struct carts* carts = user;
    float* out = observations[0];
    int cart, i;
    (void)mask;
    for (cart = 0; cart < CARTS; ++cart)
        for (i = 0; i < 4; ++i) *out++ = (float)(carts->state[cart][i] + (i == 2 ? carts->askew : 0));
    return 0;
}

static int fail(const char* what, const char* why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

/* The mean return of one episode per cart, or -1. */
static double evaluate(const seedbed_policy* policy, const struct carts* kind) {
    struct carts carts = *kind;
    float observation[CARTS * 4], actions[CARTS];
    int fallen[CARTS] = {0};
    void* observed[1];
    const void* seen[1];
    int cart, step, sum = 0, ok = 1;
    seedbed_actor* actor = seedbed_actor_new(policy, CARTS);
    observed[0] = observation;
    seen[0] = observation;
    for (cart = 0; cart < CARTS; ++cart) reset(&carts, cart, 1000u + (unsigned)cart);
    for (step = 0; step < MOST_STEPS && ok; ++step) {
        observe(&carts, observed, NULL);
        ok = seedbed_actor_act(actor, seen, NULL, NULL, actions) == SEEDBED_OK;
        for (cart = 0; cart < CARTS; ++cart) {
            if (fallen[cart]) continue;
            fallen[cart] = move(carts.state[cart], actions[cart] > 0.5f);
            ++sum;
            if (fallen[cart]) memset(carts.state[cart], 0, sizeof carts.state[cart]);
        }
    }
    seedbed_actor_free(actor);
    return ok ? (double)sum / CARTS : -1;
}

static double evaluate_folder(const char* folder, const struct carts* kind) {
    char reason[256] = "";
    double result = -1;
    seedbed_policy* policy = seedbed_policy_load(folder, reason, sizeof reason);
    if (policy != NULL) result = evaluate(policy, kind);
    if (result < 0) fail(folder, reason);
    seedbed_policy_free(policy);
    return result;
}

static double evaluate_trainer(seedbed_trainer* trainer, const struct carts* kind) {
    seedbed_policy* policy = seedbed_get_policy(trainer);
    const double result = evaluate(policy, kind);
    seedbed_policy_free(policy);
    return result;
}

/* Trains until the goal is reached, beginning with the weights of the policy `first` unless it is NULL.
 * Writes the policy to the new folder `out`. */
static int train(const struct carts* kind, const char* first, const char* out) {
    static const seedbed_observation observation = {"cart", SEEDBED_VECTOR, {4, 0, 0}, 0, 0, 0, 0};
    static const seedbed_action motor = {"motor", 2, 0, 0, 0};
    /* The network's settings must be those of the policy. */
    static const seedbed_setting settings[] = {
        {"network.hidden", "64,64"},
        {"network.activation", "tanh"},
        {"network.separate_critic", "true"},
        {"algo.id", "ppo"},
        {"algo.rollout_length", "32"},
        {"algo.epochs", "10"},
        {"algo.minibatches", "1"},
        {"algo.gamma", "0.98"},
        {"algo.lambda", "0.8"},
        {"algo.learning_rate", "0.001"},
        {"algo.entropy_cost", "0"},
    };
    struct carts carts = *kind;
    seedbed_environment environment = SEEDBED_ENVIRONMENT_INIT;
    seedbed_options options = SEEDBED_OPTIONS_INIT;
    seedbed_trainer* trainer = NULL;
    double reached;
    long steps = 0;
    int code;

    environment.name = "cart";
    environment.columns = CARTS;
    environment.observations = &observation;
    environment.observation_count = 1;
    environment.actions = &motor;
    environment.action_count = 1;
    environment.max_steps = MOST_STEPS;
    environment.user = &carts;
    environment.reset = reset;
    environment.step = step;
    environment.observe = observe;
    options.environment = &environment;
    options.settings = settings;
    options.setting_count = (int)(sizeof settings / sizeof settings[0]);
    options.init_from = first;
    options.threads = 1;                  /* everything runs in this thread */
    options.memory_bytes = 16 * MEBIBYTE; /* more is refused before training begins */
    if (seedbed_create(&options, &trainer) != SEEDBED_OK) return fail("create", seedbed_error());
    do {
        if (seedbed_train(trainer, 1024) != SEEDBED_OK) return fail("train", seedbed_error());
        reached = evaluate_trainer(trainer, kind);
        steps += 1024;
    } while (reached < GOAL && steps < BUDGET);
    printf("return after training for %ld steps: %.1f\n", steps, reached);
    code = first != NULL ? seedbed_save(trainer, out) : seedbed_export(trainer, "onnx", out);
    if (code != SEEDBED_OK) return fail(out, seedbed_error());
    printf("peak memory %.1f MiB, %ld thread\n", (double)process_status("VmHWM") / 1024,
           process_status("Threads"));
    if (seedbed_destroy(trainer) != SEEDBED_OK) return fail("destroy", seedbed_error());
    return reached >= GOAL ? 0 : fail("train", "the goal was not reached");
}

int main(int argc, char** argv) {
    struct carts kind = {0};
    double before;
    if (argc < 3 || argc > 4 || (strcmp(argv[1], "desktop") != 0 && strcmp(argv[1], "device") != 0)) {
        fprintf(stderr, "usage: %s desktop|device NEW [EXPORTED]\n", argv[0]);
        return 2;
    }
    kind.askew = strcmp(argv[1], "device") == 0 ? 0.06 : 0;
    if (argc == 4) {
        before = evaluate_folder(argv[3], &kind);
        if (before < 0) return 1;
        printf("return of the exported policy: %.1f\n", before);
    }
    return train(&kind, argc == 4 ? argv[3] : NULL, argv[2]);
}
