/* SPDX-License-Identifier: Apache-2.0 */
/* The C function table between the program and seedbed_torch.so: plain structs and pointers, error codes and
 * strings, but no exceptions and no C++ types. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented with every change of this file or of the format of plans; both sides must agree. */
#define SEEDBED_TORCH_ABI 3u
#define SEEDBED_TORCH_ENTRY "seedbedTorchApi"

typedef struct SeedbedTorchNet SeedbedTorchNet;         /* one compiled plan on one device */
typedef struct SeedbedTorchContext SeedbedTorchContext; /* workspace of one thread */
typedef struct SeedbedTorchParams
    SeedbedTorchParams; /* one version of the parameters in memory that the device can read */

/* Results of every call; the text of a failure is lastError() of the same thread. */
enum {
    SEEDBED_TORCH_OK = 0,
    SEEDBED_TORCH_FAILURE = 1,
    SEEDBED_TORCH_CONFIG = 3,
    SEEDBED_TORCH_DEVICE = 4,
    SEEDBED_TORCH_OUT_OF_MEMORY = 5
};

/* The fields of seedbed::Rows and Outputs (core/nn/engine.hpp). Host memory of the caller. */
typedef struct SeedbedTorchRows {
    int32_t sequences, steps, leaves;
    const uint8_t* const* obs;
    const uint8_t* first;
    const float* state;
    const float* previous_action;
    const float* previous_reward;
} SeedbedTorchRows;

typedef struct SeedbedTorchOutputs {
    float* heads;
    float* state;
} SeedbedTorchOutputs;

/* Thread: any, except that a context belongs to one thread at a time. Strings stay valid until the next call
 * of the same function on the same thread. */
typedef struct SeedbedTorchApi {
    uint32_t abi;
    const char* (*lastError)(void);
    /* "LibTorch 1.13.1, OpenBLAS 0.3.21 ... ". */
    const char* (*version)(void);
    const char* (*blas)(void);
    /* Usable devices, one per line: "cpu", "cuda:0 NVIDIA ...". */
    const char* (*devices)(void);

    /* plan_json: the text of planToJson (plan_json.hpp). device: "cpu" or "cuda:N". */
    int (*compile)(const char* plan_json, const char* device, SeedbedTorchNet** net);
    void (*destroyNet)(SeedbedTorchNet* net);

    /* Makes a host blob readable for the net's device. On the CPU the blob itself is used and must outlive
     * the result. */
    int (*upload)(SeedbedTorchNet* net, const float* blob, SeedbedTorchParams** params);
    void (*destroyParams)(SeedbedTorchParams* params);

    int (*createContext)(SeedbedTorchNet* net, SeedbedTorchContext** context);
    void (*destroyContext)(SeedbedTorchContext* context);
    /* keep: 1 keeps the tape; then rows and params must stay valid and unchanged until backward returns. */
    int (*run)(SeedbedTorchContext* context, const SeedbedTorchParams* params, const SeedbedTorchRows* rows,
               const SeedbedTorchOutputs* out, int keep);
    /* Adds to lane unless it is null. input_gradient: null, or one pointer (or null) per leaf. */
    int (*backward)(SeedbedTorchContext* context, const float* head_gradients, float* lane,
                    float* const* input_gradient);
} SeedbedTorchApi;

/* The one exported symbol; null for a different ABI. */
typedef const SeedbedTorchApi* (*SeedbedTorchEntry)(uint32_t abi);

#ifdef __cplusplus
}
#endif
