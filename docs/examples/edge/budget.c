/* SPDX-License-Identifier: Apache-2.0 */
/* Trains on a built-in environment in memory, and prints the peak memory and the number of threads.
 *
 *     ./budget [ENVIRONMENT [STEPS [NAME=VALUE]...]]     default: cartpole 60000, with the settings below
 */
#include <stdlib.h>

#include "process_status.h"
#include "seedbed.h"

#define MEBIBYTE (1 << 20)
#define MOST_SETTINGS 64

/* The preset "cartpole", resources/presets/cartpole.json. */
static const seedbed_setting kCartpole[] = {
    {"actor.num_envs", "8"},
    {"network.hidden", "64,64"},
    {"network.activation", "tanh"},
    {"network.separate_critic", "true"},
    {"algo.id", "ppo"},
    {"algo.rollout_length", "32"},
    {"algo.epochs", "10"},
    {"algo.minibatches", "1"},
    {"algo.gamma", "0.98"},
    {"algo.lambda", "0.8"},
    {"algo.learning_rate", "0.005"},
};

static int fail(const char* what) {
    fprintf(stderr, "%s: %s\n", what, seedbed_error());
    return 1;
}

/* Splits NAME=VALUE. Returns the number of settings, or -1. */
static int read_settings(int count, char** texts, seedbed_setting* settings) {
    int i;
    for (i = 0; i < count; ++i) {
        char* equals = strchr(texts[i], '=');
        if (i == MOST_SETTINGS || equals == NULL) return -1;
        *equals = '\0';
        settings[i].key = texts[i];
        settings[i].value = equals + 1;
    }
    return count;
}

int main(int argc, char** argv) {
    seedbed_setting settings[MOST_SETTINGS];
    seedbed_options options = SEEDBED_OPTIONS_INIT;
    seedbed_progress progress = {0};
    seedbed_trainer* trainer = NULL;
    const long steps = argc > 2 ? strtol(argv[2], NULL, 10) : 60000;

    options.built_in = argc > 1 ? argv[1] : "cartpole";
    options.settings = kCartpole;
    options.setting_count = (int)(sizeof kCartpole / sizeof kCartpole[0]);
    if (argc > 1) {
        options.settings = settings;
        options.setting_count = argc > 3 ? read_settings(argc - 3, argv + 3, settings) : 0;
    }
    if (options.setting_count < 0 || steps < 1) {
        fprintf(stderr, "usage: %s [ENVIRONMENT [STEPS [NAME=VALUE]...]]\n", argv[0]);
        return 2;
    }
    options.threads = 1; /* everything runs in this thread */
    options.memory_bytes = 16 * MEBIBYTE;
    if (seedbed_create(&options, &trainer) != SEEDBED_OK) return fail("create");
    if (seedbed_train(trainer, steps) != SEEDBED_OK) return fail("train");
    progress.struct_size = sizeof progress;
    if (seedbed_get_progress(trainer, &progress) != SEEDBED_OK) return fail("progress");
    printf("%ld steps, mean return %.1f, peak memory %.1f MiB, %ld thread\n", (long)progress.steps,
           progress.mean_return, (double)process_status("VmHWM") / 1024, process_status("Threads"));
    return seedbed_destroy(trainer) == SEEDBED_OK ? 0 : fail("destroy");
}
