/* SPDX-License-Identifier: Apache-2.0 */
/* libseedbed_policy: loads and runs a policy exported by Seedbed, from C or any language that can call C.
 *
 *     char error[256];
 *     seedbed_policy *policy = seedbed_policy_load("cartpole-onnx", error, sizeof error);
 *     seedbed_actor *actor = seedbed_actor_new(policy, 1);
 *     const void *observations[1] = {my_floats};
 *     float action[1];
 *     seedbed_actor_act(actor, observations, NULL, NULL, action);
 *
 * Loads a folder written by `seedbed export` (any target) or a checkpoint, and checks sizes and SHA-256 of
 * its files. Includes normalisation, masks, clipping and scaling. Does not require Python, a database or
 * LibTorch.
 *
 * Threads: a loaded seedbed_policy never changes, and any thread may use it at any time. A seedbed_actor may
 * be used by one thread at a time; different actors are independent. After its first call seedbed_actor_act
 * does not allocate memory. No function throws.
 *
 * Arguments: for a NULL policy or actor, or an invalid leaf or row, functions return NULL, 0 or
 * SEEDBED_BAD_ARGUMENT. The caller is responsible for the sizes of arrays.
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
    SEEDBED_BAD_ARGUMENT = 1, /* NULL, or an invalid row */
    SEEDBED_NOT_A_NUMBER = 2, /* an observation is not finite, or far outside the training range */
    SEEDBED_FAILED = 3        /* see seedbed_actor_error() */
};

/* SEEDBED_POLICY_API_VERSION of the loaded library. Thread: any. */
SEEDBED_POLICY_API int seedbed_policy_api_version(void);

/* Returns NULL on failure, with the reason in `error` (may be NULL), truncated to `error_bytes`. Thread: any.
 */
SEEDBED_POLICY_API seedbed_policy* seedbed_policy_load(const char* folder, char* error, size_t error_bytes);
/* Free the policy's actors first. NULL is allowed. Thread: any, if no other thread uses the policy. */
SEEDBED_POLICY_API void seedbed_policy_free(seedbed_policy* policy);

/* Observations: `leaves` arrays, each with `elements` values of a type per row. Frames of a stack are
 * consecutive, oldest first; at the start of an episode the first frame is repeated. Thread: any. */
SEEDBED_POLICY_API int seedbed_policy_leaves(const seedbed_policy* policy);
SEEDBED_POLICY_API const char* seedbed_policy_leaf_name(const seedbed_policy* policy, int leaf);
SEEDBED_POLICY_API size_t seedbed_policy_leaf_elements(const seedbed_policy* policy, int leaf);
SEEDBED_POLICY_API enum seedbed_type seedbed_policy_leaf_type(const seedbed_policy* policy, int leaf);
/* Floats of one action (a discrete action is its number), and bytes of one mask (0 without masks). Thread:
 * any. */
SEEDBED_POLICY_API int seedbed_policy_action_words(const seedbed_policy* policy);
SEEDBED_POLICY_API int seedbed_policy_mask_bytes(const seedbed_policy* policy);
/* Whether the policy needs the reward of the previous decision. Thread: any. */
SEEDBED_POLICY_API int seedbed_policy_wants_reward(const seedbed_policy* policy);
/* Floats of the memory of one row, for seedbed_actor_save(). Thread: any. */
SEEDBED_POLICY_API size_t seedbed_policy_memory_words(const seedbed_policy* policy);
/* Training environment, and SHA-256 of the weights. Valid until the policy is freed. Thread: any. */
SEEDBED_POLICY_API const char* seedbed_policy_environment(const seedbed_policy* policy);
SEEDBED_POLICY_API const char* seedbed_policy_weights_sha256(const seedbed_policy* policy);

/* Creates `rows` >= 1 agents at the start of an episode. Returns NULL if out of memory. The policy must
 * outlive the actor. Thread: any. */
SEEDBED_POLICY_API seedbed_actor* seedbed_actor_new(const seedbed_policy* policy, int rows);
SEEDBED_POLICY_API void seedbed_actor_free(seedbed_actor* actor);
/* Starts a new episode of `row` (-1: of all rows) and clears its memory. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_reset(seedbed_actor* actor, int row);
/* Makes the actor sample actions from the policy instead of taking the most probable ones; the same seed
 * gives the same actions. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_sample(seedbed_actor* actor, unsigned long long seed);
/* Saves and restores the memory of `row`, seedbed_policy_memory_words() floats, for example with a saved
 * game. It can be restored into any row of any actor of the same policy. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_save(const seedbed_actor* actor, int row, float* memory);
SEEDBED_POLICY_API int seedbed_actor_restore(seedbed_actor* actor, int row, const float* memory);
/* Makes one decision per row. observations[leaf]: [rows, elements]; mask: [rows, mask bytes], 1 allowed, or
 * NULL if everything is (a mask that forbids every choice of an action allows all of them); rewards: [rows]
 * of the previous decision as returned by the environment, or NULL if not needed; actions: [rows, action
 * words], output, box words within their bounds. Returns an enum seedbed_status, as do the functions above.
 * After a failure the actor is unchanged. Thread: the actor's. */
SEEDBED_POLICY_API int seedbed_actor_act(seedbed_actor* actor, const void* const* observations,
                                         const unsigned char* mask, const float* rewards, float* actions);
/* The reason why the last call failed, or "". Valid until the next call. Thread: the actor's. */
SEEDBED_POLICY_API const char* seedbed_actor_error(const seedbed_actor* actor);

#ifdef __cplusplus
}
#endif

#endif
