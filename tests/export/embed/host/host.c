/* SPDX-License-Identifier: Apache-2.0 */
/* Acts with an exported policy: host FOLDER reads observations as numbers from standard input (f32 leaves,
 * one after the other) and writes one action per line. host FOLDER --time [SECONDS] measures instead: the
 * time of one decision, and the time from SECONDS until the first decision. SECONDS is the monotonic clock as
 * read by the process that started this program. --first measures only the latter. */
#define _POSIX_C_SOURCE 199309L
#include <seedbed_policy.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_LEAVES 8

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
    char error[512];
    const double begin = argc > 3 ? atof(argv[3]) : now();
    seedbed_policy* policy = argc > 1 ? seedbed_policy_load(argv[1], error, sizeof error) : NULL;
    seedbed_actor* actor;
    const void* observations[MAX_LEAVES];
    float *values[MAX_LEAVES], *action;
    int leaf, leaves, words, i;

    if (argc < 2) return 2;
    if (!policy) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    actor = seedbed_actor_new(policy, 1);
    leaves = seedbed_policy_leaves(policy);
    words = seedbed_policy_action_words(policy);
    action = malloc((size_t)words * sizeof(float));
    if (!actor || !action || leaves > MAX_LEAVES) return 1;
    for (leaf = 0; leaf < leaves; leaf++) {
        if (seedbed_policy_leaf_type(policy, leaf) != SEEDBED_F32) return 1;
        values[leaf] = calloc(seedbed_policy_leaf_elements(policy, leaf), sizeof(float));
        if (!values[leaf]) return 1;
        observations[leaf] = values[leaf];
    }
    if (argc > 2 && (!strcmp(argv[2], "--time") || !strcmp(argv[2], "--first"))) {
        const int count = !strcmp(argv[2], "--time") ? 1000000 : 1;
        double first, start;
        if (seedbed_actor_act(actor, observations, NULL, NULL, action)) return 1;
        first = now();
        for (i = 0; i < count / 100; i++) seedbed_actor_act(actor, observations, NULL, NULL, action);
        start = now();
        for (i = 0; i < count; i++) {
            values[0][0] = (float)(i & 7) * 0.01f;
            seedbed_actor_act(actor, observations, NULL, NULL, action);
        }
        printf("{\"start_to_first_action_ms\": %.3f, \"us_per_decision\": %.4f}\n", (first - begin) * 1e3,
               (now() - start) * 1e6 / count);
        return 0;
    }
    while (1) {
        for (leaf = 0; leaf < leaves; leaf++)
            for (i = 0; i < (int)seedbed_policy_leaf_elements(policy, leaf); i++)
                if (scanf("%f", &values[leaf][i]) != 1) goto end;
        if (seedbed_actor_act(actor, observations, NULL, NULL, action)) {
            fprintf(stderr, "%s\n", seedbed_actor_error(actor));
            return 1;
        }
        for (i = 0; i < words; i++) printf("%g%c", (double)action[i], i + 1 < words ? ' ' : '\n');
    }
end:
    seedbed_actor_free(actor);
    seedbed_policy_free(policy);
    return 0;
}
