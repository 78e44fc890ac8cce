// SPDX-License-Identifier: Apache-2.0
// The C function table of seedbed_torch.so: every exception is converted to an error code and a message here.
#include <string>

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include "core/nn/engines/torch/module/net.hpp"
#include "core/nn/engines/torch/module/torch_versions.hpp"
#include "core/nn/engines/torch/plan_json.hpp"
#include "core/nn/engines/torch/torch_abi.h"

using namespace seedbed::torch_module;

// The opaque types of the table.
struct SeedbedTorchNet {
    Net net;
};
struct SeedbedTorchContext {
    Context context;
};
struct SeedbedTorchParams {
    UploadedParams params;
};

namespace {

thread_local std::string last_error;

int failed(int code, std::string text) {
    last_error = std::move(text);
    return code;
}

// Runs `body`, which returns a code, and converts exceptions to codes.
template <class Body>
int guarded(Body&& body) {
    try {
        keepToOneThread();
        const c10::InferenceMode no_autograd;
        return body();
    } catch (const c10::Error& error) {
        const std::string text = error.what_without_backtrace();
        const bool memory = text.find("out of memory") != std::string::npos ||
                            text.find("not enough memory") != std::string::npos;
        return failed(memory ? SEEDBED_TORCH_OUT_OF_MEMORY : SEEDBED_TORCH_FAILURE, "LibTorch: " + text);
    } catch (const std::bad_alloc&) {
        return failed(SEEDBED_TORCH_OUT_OF_MEMORY, "LibTorch: not enough memory");
    } catch (const std::exception& error) {
        return failed(SEEDBED_TORCH_FAILURE, std::string("torch engine: ") + error.what());
    } catch (...) {
        return failed(SEEDBED_TORCH_FAILURE, "torch engine: an exception of unknown type");
    }
}

const char* lastError() { return last_error.c_str(); }

template <class Make>
const char* textOf(Make&& make) {
    thread_local std::string text;
    text.clear();
    guarded([&] {
        text = make();
        return SEEDBED_TORCH_OK;
    });
    return text.c_str();
}

const char* version() {
    return textOf([] { return torchVersionText(); });
}
const char* blas() {
    return textOf([] { return blasText(); });
}
const char* devices() {
    return textOf([] { return deviceLines(); });
}

int compile(const char* plan_json, const char* device, SeedbedTorchNet** net) {
    return guarded([&] {
        at::Device chosen(at::kCPU);
        if (std::string problem = parseDevice(device, chosen); !problem.empty())
            return failed(SEEDBED_TORCH_DEVICE, std::move(problem));
        auto plan = seedbed::planFromJson(plan_json);
        if (!plan) return failed(SEEDBED_TORCH_CONFIG, plan.error().message);
        auto analysis = analyse(*plan);
        if (!analysis) return failed(SEEDBED_TORCH_CONFIG, analysis.error().message);
        *net = new SeedbedTorchNet{{std::move(*plan), std::move(*analysis), chosen}};
        return static_cast<int>(SEEDBED_TORCH_OK);
    });
}

void destroyNet(SeedbedTorchNet* net) { delete net; }

int upload(SeedbedTorchNet* net, const float* blob, SeedbedTorchParams** params) {
    return guarded([&] {
        *params = new SeedbedTorchParams{uploadParams(net->net, blob)};
        return static_cast<int>(SEEDBED_TORCH_OK);
    });
}

void destroyParams(SeedbedTorchParams* params) { delete params; }

int createContext(SeedbedTorchNet* net, SeedbedTorchContext** context) {
    return guarded([&] {
        *context = new SeedbedTorchContext{Context(net->net)};
        return static_cast<int>(SEEDBED_TORCH_OK);
    });
}

void destroyContext(SeedbedTorchContext* context) { delete context; }

int run(SeedbedTorchContext* context, const SeedbedTorchParams* params, const SeedbedTorchRows* rows,
        const SeedbedTorchOutputs* out, int keep) {
    return guarded([&] {
        context->context.run(params->params, *rows, *out, keep != 0);
        return static_cast<int>(SEEDBED_TORCH_OK);
    });
}

int backward(SeedbedTorchContext* context, const float* head_gradients, float* lane,
             float* const* input_gradient) {
    return guarded([&] {
        context->context.backward(head_gradients, lane, input_gradient);
        return static_cast<int>(SEEDBED_TORCH_OK);
    });
}

const SeedbedTorchApi api{SEEDBED_TORCH_ABI, lastError,  version, blas,          devices,
                          compile,           destroyNet, upload,  destroyParams, createContext,
                          destroyContext,    run,        backward};

}  // namespace

extern "C" __attribute__((visibility("default"))) const SeedbedTorchApi* seedbedTorchApi(uint32_t abi) {
    return abi == SEEDBED_TORCH_ABI ? &api : nullptr;
}
