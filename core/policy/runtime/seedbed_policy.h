/* SPDX-License-Identifier: Apache-2.0 */
/* libseedbed_policy: loads a policy that Seedbed exported and acts with it, from C or anything that can call
 * C.
 *
 *     char error[256];
 *     seedbed_policy *policy = seedbed_policy_load("cartpole-onnx", error, sizeof error);
 *     seedbed_actor *actor = seedbed_actor_new(policy, 1);
 *     const void *observations[1] = {my_floats};
 *     float action[1];
 *     seedbed_actor_act(actor, observations, NULL, NULL, action);
 *
 * A folder made by `seedbed export` (any form) or a checkpoint is loaded; sizes and SHA-256 of its files are
 * checked. Normalisation, masks, clipping and scaling are inside. The library needs no Python, no window, no
 * database, no LibTorch.
 *
 * Threads: a seedbed_policy never changes after it was loaded, any thread may use it at any time. A
 * seedbed_actor belongs to one thread at a time; different actors are independent. Nothing is allocated by
 * seedbed_actor_act after its first call. No function lets an exception out.
 *
 * Arguments: a NULL policy or actor, a leaf or a row that is not there is answered with NULL, 0 or
 * SEEDBED_BAD_ARGUMENT; the sizes of arrays are the caller's.
 */
#ifndef SEEDBED_POLICY_RUNTIME_H
#define SEEDBED_POLICY_RUNTIME_H

#include <stddef.h>

#if defined(__GNUC__)
#define SEEDBED_POLICY_API __attribute__((visibility("default")))
#else
#define SEEDBED_POLICY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SEEDBED_POLICY_API_VERSION 2

typedef struct seedbed_policy seedbed_policy; /* a loaded policy */
typedef struct seedbed_actor
    seedbed_actor; /* the memory and workspace of `rows` agents that decide together */

enum seedbed_type { SEEDBED_NO_TYPE = -1, SEEDBED_U8 = 0, SEEDBED_I32 = 1, SEEDBED_F32 = 2 };

enum seedbed_status {
    SEEDBED_OK = 0,
    SEEDBED_BAD_ARGUMENT = 1, /* NULL, or a row that is not there */
    SEEDBED_NOT_A_NUMBER = 2, /* an observation is not finite, or far outside of what was trained on */
    SEEDBED_FAILED = 3        /* seedbed_actor_error() says why */
};

/* SEEDBED_POLICY_API_VERSION of the library that is loaded. Thread: any. */
SEEDBED_POLICY_API int seedbed_policy_api_version(void);

/* NULL when it cannot be loaded; then `error` (may be NULL) holds why, cut to `error_bytes`. Thread: any. */
SEEDBED_POLICY_API seedbed_policy* seedbed_policy_load(const char* folder, char* error, size_t error_bytes);
/* After its actors were freed. NULL is fine. Thread: any, when nobody else uses the policy. */
SEEDBED_POLICY_API void seedbed_policy_free(seedbed_policy* policy);

/* What it sees: `leaves` arrays, each of `elements` values of a type for one row. Frames of a stack lie one
 * after the other, oldest first; at the start of an episode the first frame stands for those before it.
 * Thread: any. */
SEEDBED_POLICY_API int seedbed_policy_leaves(const seedbed_policy* policy);
SEEDBED_POLICY_API const char* seedbed_policy_leaf_name(const seedbed_policy* policy, int leaf);
SEEDBED_POLICY_API size_t seedbed_policy_leaf_elements(const seedbed_policy* policy, int leaf);
SEEDBED_POLICY_API enum seedbed_type seedbed_policy_leaf_type(const seedbed_policy* policy, int leaf);
/* What it does: floats of one action (a choice is its number), and bytes of one mask (0 without masks).
 * Thread: any. */
SEEDBED_POLICY_API int seedbed_policy_action_words(const seedbed_policy* policy);
SEEDBED_POLICY_API int seedbed_policy_mask_bytes(const seedbed_policy* policy);
/* Whether it wants the reward of the decision before. Thread: any. */
SEEDBED_POLICY_API int seedbed_policy_wants_reward(const seedbed_policy* policy);
/* Floats that one row remembers between decisions, for seedbed_actor_save(). Thread: any. */
SEEDBED_POLICY_API size_t seedbed_policy_memory_words(const seedbed_policy* policy);
/* Environment it was trained in, and SHA-256 of its weights. Valid as long as the policy. Thread: any. */
SEEDBED_POLICY_API const char* seedbed_policy_environment(const seedbed_policy* policy);
SEEDBED_POLICY_API const char* seedbed_policy_weights_sha256(const seedbed_policy* policy);

/* `rows` >= 1 agents, all at the start of an episode. NULL without memory. The policy must outlive it.
 * Thread: any. */
SEEDBED_POLICY_API seedbed_actor* seedbed_actor_new(const seedbed_policy* policy, int rows);
SEEDBED_POLICY_API void seedbed_actor_free(seedbed_actor* actor);
/* An episode of `row` begins (-1: of all): forgets what was seen and done. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_reset(seedbed_actor* actor, int row);
/* From now on actions are drawn from the policy instead of the most probable ones; the same seed draws the
 * same. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_sample(seedbed_actor* actor, unsigned long long seed);
/* What `row` remembers, as seedbed_policy_memory_words() floats: to be kept with a saved game and put back
 * into a row of any actor of the same policy. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_save(const seedbed_actor* actor, int row, float* memory);
SEEDBED_POLICY_API int seedbed_actor_restore(seedbed_actor* actor, int row, const float* memory);
/* One decision of every row. observations[leaf]: [rows, elements]; mask: [rows, mask bytes], 1 allowed, or
 * NULL when everything is; rewards: [rows] of the decision before as the environment gave them, or NULL where
 * they are not wanted; actions: [rows, action words] is written, box words within their bounds. Returns an
 * enum seedbed_status, as do the functions above; on a failure seedbed_actor_error() says why, and the next
 * call acts as if this one had not been. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_act(seedbed_actor* actor, const void* const* observations,
                                         const unsigned char* mask, const float* rewards, float* actions);
/* Why the last call failed; "" when it did not. Valid until the next call. Thread: the actor's. */
SEEDBED_POLICY_API const char* seedbed_actor_error(const seedbed_actor* actor);

#ifdef __cplusplus
}
#endif

#endif
