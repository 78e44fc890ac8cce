/* SPDX-License-Identifier: Apache-2.0 */
/* libseedbed: trains an agent inside a host program, on the host's own environment or a built-in one.
 *
 *     seedbed_options options = SEEDBED_OPTIONS_INIT;
 *     options.environment = &my_environment;
 *     seedbed_trainer *trainer = NULL;
 *     if (seedbed_create(&options, &trainer) != SEEDBED_OK) puts(seedbed_error());
 *     seedbed_train(trainer, 100000);
 *     seedbed_policy *policy = seedbed_get_policy(trainer);
 *
 * docs/embed.md is the tutorial. The functions of seedbed_policy.h, which act with a policy, are part of this
 * library too; link a program with one of the two libraries.
 *
 * Functions return SEEDBED_OK or another code; seedbed_error() is the reason. No function throws.
 *
 * Threads. "Thread: owner" means the thread that created the trainer; other threads get
 * SEEDBED_WRONG_THREAD, and so do callbacks of the environment, which run inside a call. "Thread: any" means
 * any thread at any time until seedbed_destroy(). Different trainers are independent.
 */
#ifndef SEEDBED_H
#define SEEDBED_H

#include <seedbed_env.h>
#include <seedbed_policy.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEEDBED_API_VERSION 1

/* Codes in addition to SEEDBED_OK (0), SEEDBED_BAD_ARGUMENT (1: NULL, or a number out of range) and
 * SEEDBED_FAILED (3). */
enum seedbed_code {
    SEEDBED_WRONG_THREAD = 10,    /* not the owner's thread, or called by a callback */
    SEEDBED_NEWER_VERSION = 11,   /* a structure, data folder or checkpoint of a newer version */
    SEEDBED_BAD_SETTING = 12,     /* unknown or impossible setting, preset or environment */
    SEEDBED_OUT_OF_MEMORY = 13,   /* more than memory_bytes, or more than is free */
    SEEDBED_BAD_ENVIRONMENT = 14, /* a callback failed or threw, or a reported value is not allowed */
    SEEDBED_DIVERGED = 15,        /* training produced numbers that are not finite */
    SEEDBED_WRONG_ORDER = 16,     /* not possible now, for example seedbed_report() before seedbed_act() */
    SEEDBED_DISK_FULL = 17,
    SEEDBED_ENDED = 18 /* the run was stopped by another program */
};

/* SEEDBED_API_VERSION of the loaded library. Thread: any. */
SEEDBED_POLICY_API int seedbed_api_version(void);
/* The reason why the last call of this thread failed, or "". Valid until the next call of this thread. */
SEEDBED_POLICY_API const char* seedbed_error(void);

/* A setting by its name on the command line of `seedbed train`, such as "algo.learning_rate". */
typedef struct seedbed_setting {
    const char* key;
    const char* value;
} seedbed_setting;

typedef struct seedbed_options {
    size_t struct_size; /* sizeof(seedbed_options) */
    const seedbed_environment*
        environment;      /* NULL: `built_in`; copied, except for `user` and the callbacks */
    const char* built_in; /* id of a built-in environment, such as "cartpole" */
    const char* config;   /* JSON document of settings, such as the "config" of a preset, or NULL */
    const seedbed_setting* settings; /* replace those of `config` */
    int setting_count;
    /* Folder of the database and the checkpoints, shared with the program `seedbed`; NULL: in memory, without
     * any file. */
    const char* data_folder;
    const char* name;      /* of a new run, or NULL */
    const char* init_from; /* folder of a policy whose weights are the first ones, or NULL */
    int64_t resume;        /* the run to continue, with its stored settings; 0: a new run */
    uint64_t memory_bytes; /* limit for the estimated memory of training; 0: the free memory */
    int threads;           /* including the calling one; 0 and 1: no other threads compute */
} seedbed_options;
#define SEEDBED_OPTIONS_INIT \
    { sizeof(seedbed_options), NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 1 }

typedef struct seedbed_trainer seedbed_trainer;

/* Creates a trainer. `trainer` receives NULL on failure. The caller's thread is the owner. */
SEEDBED_POLICY_API int seedbed_create(const seedbed_options* options, seedbed_trainer** trainer);
/* Ends training and frees the trainer; a run in a data folder saves its last state. Returns the code of that
 * save. NULL is allowed. Thread: owner, after seedbed_stop() if the trainer has its own thread. */
SEEDBED_POLICY_API int seedbed_destroy(seedbed_trainer* trainer);

/* Trains for `steps` more decisions, rounded up to whole updates. Needs callbacks. Returns earlier if the
 * goal of the settings (run.steps, run.minutes, run.target_return) is reached. Thread: owner. */
SEEDBED_POLICY_API int seedbed_train(seedbed_trainer* trainer, int64_t steps);
/* Trains for about `budget_ms` milliseconds and never waits; the next call continues. The longest piece of
 * work between two reads of the clock is one chunk of a minibatch, an optimiser step or a step of the
 * environment. Without callbacks it only learns. A negative budget: until the current update is complete.
 * Does nothing once the goal is reached (see seedbed_progress) and while another program has paused the run.
 * Thread: owner. */
SEEDBED_POLICY_API int seedbed_pump(seedbed_trainer* trainer, double budget_ms);

/* For an environment without callbacks: begins new episodes of all columns with these observations; the
 * first call precedes the first seedbed_act(). Arrays as for seedbed_environment.observe. Thread: owner. */
SEEDBED_POLICY_API int seedbed_begin(seedbed_trainer* trainer, const void* const* observations,
                                     const unsigned char* mask);
/* Writes the next actions, float [columns, words], and to `restart` [columns] 1 for each column whose episode
 * was truncated (or terminated with keeps_last): the host resets it instead of applying the action. Waits for
 * learning only if more than a whole rollout was reported since learning began. Thread: owner. */
SEEDBED_POLICY_API int seedbed_act(seedbed_trainer* trainer, float* actions, unsigned char* restart);
/* What happened in each column after seedbed_act(). */
typedef struct seedbed_outcome {
    size_t struct_size;              /* sizeof(seedbed_outcome) */
    const void* const* observations; /* after the step; where terminated, the first of the next episode */
    const unsigned char* mask;       /* or NULL: everything is allowed */
    const float* rewards;            /* [columns]; ignored for columns that were restarted */
    const unsigned char* terminated; /* [columns], or NULL: none */
    const unsigned char* truncated;  /* [columns], or NULL: none */
    int keeps_last; /* 1: terminated columns keep their last observation, and seedbed_act() restarts them */
} seedbed_outcome;
/* Reports it. An outcome that is not allowed changes nothing and may be replaced. Thread: owner. */
SEEDBED_POLICY_API int seedbed_report(seedbed_trainer* trainer, const seedbed_outcome* outcome);

/* Trains on a separate thread until seedbed_stop(); callbacks are called on that thread. In the meantime
 * the owner may only call functions for any thread. Thread: owner. */
SEEDBED_POLICY_API int seedbed_start(seedbed_trainer* trainer);
/* Ends that thread between two pieces of work and returns the code of its training. Thread: owner. */
SEEDBED_POLICY_API int seedbed_stop(seedbed_trainer* trainer);

/* Changes a setting that is marked as live in docs/reference/settings.md. It applies from the next update on.
 * Thread: any. */
SEEDBED_POLICY_API int seedbed_set(seedbed_trainer* trainer, const char* key, const char* value);

typedef struct seedbed_progress {
    size_t struct_size; /* sizeof(seedbed_progress) */
    int64_t run;        /* number of the run in its data folder; 0 in memory */
    int64_t steps, updates, episodes;
    double mean_return; /* of the last 100 episodes; NaN before the first one */
    int is_learning;    /* an update has begun and is not complete */
    int goal_reached;   /* also by time (run.minutes), in the middle of an update */
} seedbed_progress;
/* The numbers after the latest update; goal_reached also after the latest seedbed_pump(). Thread: any. */
SEEDBED_POLICY_API int seedbed_get_progress(seedbed_trainer* trainer, seedbed_progress* progress);
/* A metric of the latest update by its name in charts, such as "policy/entropy". SEEDBED_BAD_ARGUMENT
 * for an unknown one. Thread: any. */
SEEDBED_POLICY_API int seedbed_get_metric(seedbed_trainer* trainer, const char* name, double* value);

/* All metrics of the latest update as a JSON object {name: number or null}; "{}" before the first update,
 * NULL on failure. Valid until the next call of this thread. Thread: any. */
SEEDBED_POLICY_API const char* seedbed_metrics(seedbed_trainer* trainer);

/* Saves the state and returns once it is on disk: a checkpoint of the run or, with `folder`, a new folder
 * with the policy, which seedbed_policy_load() and `seedbed export` read. Completes an update that has begun.
 * Thread: owner. */
SEEDBED_POLICY_API int seedbed_save(seedbed_trainer* trainer, const char* folder);
/* Exports the policy to a new folder: "onnx", "safetensors" or "c", and compares the files with the policy.
 * Thread: owner. */
SEEDBED_POLICY_API int seedbed_export(seedbed_trainer* trainer, const char* target, const char* folder);
/* The policy after the latest update; it does not change when training continues, and outlives the trainer.
 * Free it with seedbed_policy_free(). NULL on failure. Thread: any. */
SEEDBED_POLICY_API seedbed_policy* seedbed_get_policy(seedbed_trainer* trainer);

/* Built-in environments without a trainer. Environment e has the columns e * agents to (e + 1) * agents - 1.
 * An environment whose episode has ended begins the next one in the following step, which ignores its action
 * and has the reward 0. Thread: one at a time. */
typedef struct seedbed_batch seedbed_batch;
/* Creates `environments` copies at the start of an episode. `settings`: JSON object of the settings
 * --env.NAME, or NULL. Environment e draws from the stream (seed, e), so the number of threads has no effect
 * on results. `batch` receives NULL on failure. */
SEEDBED_POLICY_API int seedbed_batch_create(const char* built_in, const char* settings, int environments,
                                            uint64_t seed, int threads, seedbed_batch** batch);
SEEDBED_POLICY_API void seedbed_batch_free(seedbed_batch* batch); /* NULL is allowed */
/* JSON object with id, title, sentence, spaces (obs, actions, has_mask), agents and horizon. Valid until the
 * batch is freed. */
SEEDBED_POLICY_API const char* seedbed_batch_description(const seedbed_batch* batch);
/* What reset and step write. The arrays stay at their places until the batch is freed. */
typedef struct seedbed_batch_arrays {
    size_t struct_size; /* sizeof(seedbed_batch_arrays) */
    int columns;
    void* const* observations;       /* each [columns, elements] of unsigned char, int32_t or float */
    const unsigned char* mask;       /* [columns, choices of all actions], 1 allowed; NULL without masks */
    const float* rewards;            /* [columns] */
    const unsigned char* terminated; /* [columns] */
    const unsigned char* truncated;  /* [columns] */
} seedbed_batch_arrays;
SEEDBED_POLICY_API int seedbed_batch_get_arrays(seedbed_batch* batch, seedbed_batch_arrays* arrays);
/* Begins new episodes of all environments, or of those with chosen[environment] != 0. seeds[environment]
 * replaces the stream of an environment; NULL: the streams continue. */
SEEDBED_POLICY_API int seedbed_batch_reset(seedbed_batch* batch, const unsigned char* chosen,
                                           const uint64_t* seeds);
/* actions: [columns, words]; real numbers are clipped to their bounds. A choice that does not exist is an
 * error, which changes nothing. */
SEEDBED_POLICY_API int seedbed_batch_step(seedbed_batch* batch, const float* actions);
/* Where seedbed_batch_step_into() writes; sizes and types as in seedbed_batch_arrays. */
typedef struct seedbed_batch_output {
    size_t struct_size; /* sizeof(seedbed_batch_output) */
    void* const* observations;
    unsigned char* mask; /* not used without masks */
    float* rewards;
    unsigned char* terminated;
    unsigned char* truncated;
} seedbed_batch_output;
/* seedbed_batch_step() that writes every element of `output` instead of the batch's arrays. One of `actions`
 * and `choices` is NULL; choices: [columns, words], for environments without real-numbered actions. */
SEEDBED_POLICY_API int seedbed_batch_step_into(seedbed_batch* batch, const float* actions,
                                               const int64_t* choices, const seedbed_batch_output* output);
/* Draws one environment into unsigned char [height, width, 3]. */
SEEDBED_POLICY_API int seedbed_batch_draw(const seedbed_batch* batch, int environment, int height, int width,
                                          unsigned char* rgb);

#ifdef __cplusplus
}
#endif

#endif
