/* SPDX-License-Identifier: Apache-2.0 */
/* Environments in C: for a host program that trains with libseedbed (seedbed.h), or as a shared library that
 * `seedbed train lib:./my_env.so` loads into a worker process. docs/own-environment.md is the tutorial.
 */
#ifndef SEEDBED_ENV_H
#define SEEDBED_ENV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One array of an observation. */
enum seedbed_observation_kind {
    SEEDBED_VECTOR = 0, /* float [shape[0]] */
    SEEDBED_IMAGE = 1,  /* unsigned char [shape[0] channels, shape[1] height, shape[2] width] */
    SEEDBED_CHOICES = 2 /* int32_t [shape[0]], each in 0 ... choices - 1 */
};
typedef struct seedbed_observation {
    const char* name; /* [a-z0-9_]+ */
    enum seedbed_observation_kind kind;
    int shape[3];
    double low, high; /* vector: bounds if known (both 0: unknown); image: the values of black and white */
    int choices;      /* SEEDBED_CHOICES */
    int stack;        /* frames that the network receives; 0 and 1: the current one only */
} seedbed_observation;

/* One part of an action: a choice, which is one float with the number 0 ... choices - 1, or `words` real
 * numbers between low and high. */
typedef struct seedbed_action {
    const char* name;
    int choices; /* 0: real numbers */
    int words;   /* real numbers only */
    double low, high;
} seedbed_action;

/* An environment: `columns` independent copies, which are stepped together.
 *
 * A host program gives the callbacks reset, step and observe, or none of them and calls seedbed_begin(),
 * seedbed_act() and seedbed_report(). Callbacks return 0, or another number on failure. In a host program, a
 * failure ends the current call with SEEDBED_BAD_ENVIRONMENT, the next call resets all columns, and C++
 * exceptions count as failures; in a library, the worker opens the environment again. */
typedef struct seedbed_environment {
    size_t struct_size; /* sizeof(seedbed_environment) */
    const char* name;   /* [a-z0-9_]+, unique among the trainers of this process */
    int columns;
    const seedbed_observation* observations;
    int observation_count;
    const seedbed_action* actions;
    int action_count;
    int has_mask;  /* observe also writes which choices are allowed */
    int max_steps; /* truncates episodes after this many decisions; 0: never */
    void* user;    /* passed to the callbacks */
    /* Begins an episode of one column. All its random numbers should come from `seed`. */
    int (*reset)(void* user, int column, uint64_t seed);
    /* Steps every column with active[column] != 0. actions: float [columns, words]. Writes rewards, and 1 to
     * `terminated` or `truncated` where the episode ends (both are 0 before the call). Does not reset. */
    int (*step)(void* user, const float* actions, const unsigned char* active, float* rewards,
                unsigned char* terminated, unsigned char* truncated);
    /* Writes the current observations of all columns: observations[i] is [columns, elements] of
     * observations[i]; mask: [columns, choices of all actions], 1 allowed, or NULL. */
    int (*observe)(void* user, void* const* observations, unsigned char* mask);
    /* Optional: saves and restores the complete state of a column, state_bytes bytes. Without them, a resumed
     * run begins with new episodes. */
    size_t state_bytes;
    int (*save_state)(void* user, int column, void* state);
    int (*load_state)(void* user, int column, const void* state);
    /* Optional, for environment libraries: a picture of one column, unsigned char [height, width, 3], valid
     * until the next call; NULL on failure. */
    const unsigned char* (*draw)(void* user, int column, int* height, int* width);
} seedbed_environment;
#define SEEDBED_ENVIRONMENT_INIT                                                                             \
    {                                                                                                        \
        sizeof(seedbed_environment), NULL, 1, NULL, 0, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, \
            NULL                                                                                             \
    }

/* An environment library contains SEEDBED_ENV_LIBRARY and the two functions below, and needs no
 * library of Seedbed.
 *
 *     cc -shared -fPIC -O2 my_env.c -o my_env.so
 *     seedbed env check lib:./my_env.so
 *     seedbed train lib:./my_env.so
 */
#define SEEDBED_ENV_ABI 1 /* changes if older libraries no longer work */
#define SEEDBED_ENV_API __attribute__((visibility("default")))
#define SEEDBED_ENV_LIBRARY SEEDBED_ENV_API const int seedbed_env_abi = SEEDBED_ENV_ABI;
extern SEEDBED_ENV_API const int seedbed_env_abi;

/* Fills in the description and the callbacks of `environment`; struct_size and columns are set. `arguments`
 * is a JSON object of the settings --env.NAME VALUE. Returns 0, or another number after writing the reason to
 * `error`, at most error_bytes with the final zero. Pointers stay valid until seedbed_env_close(). A process
 * may open it several times, always on one thread. */
SEEDBED_ENV_API int seedbed_env_open(seedbed_environment* environment, const char* arguments, char* error,
                                     size_t error_bytes);
/* Frees what seedbed_env_open() has allocated. */
SEEDBED_ENV_API void seedbed_env_close(seedbed_environment* environment);

#ifdef __cplusplus
}
#endif

#endif
