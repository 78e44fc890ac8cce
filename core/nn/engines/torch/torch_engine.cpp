// SPDX-License-Identifier: Apache-2.0
// The engine "torch": finds and loads the module that links LibTorch, and passes calls through its C function
// table.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "core/base/mutex.hpp"
#include "core/nn/engine.hpp"
#include "core/nn/engines/torch/plan_json.hpp"
#include "core/nn/engines/torch/torch_abi.h"

namespace seedbed {

namespace {

namespace fs = std::filesystem;
using Api = SeedbedTorchApi;

constexpr const char* kModuleFile = "seedbed_torch.so";

// OpenBLAS and ATen choose their kernels when they are loaded. Older versions do not use AVX-512 on AMD
// processors, where it is faster (since Zen 4, matrix products of OpenBLAS 0.3.21 are twice as fast with it,
// and hyperbolic tangents 1.7 times as fast). A variable set by the user is kept.
void preferWideKernels() {
#if defined(__x86_64__)
    if (!__builtin_cpu_is("amd") || !__builtin_cpu_supports("avx512f") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return;
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    setenv("ATEN_CPU_CAPABILITY", "avx512", 0);
#endif
}

// dlopen with settings that prevent OpenBLAS from starting threads, because the program runs computations on
// its own threads.
void* loadLibrary(const fs::path& path) {
    constexpr const char* kThreads = "OPENBLAS_NUM_THREADS";
    preferWideKernels();
    const bool ours = getenv(kThreads) == nullptr;
    if (ours) setenv(kThreads, "1", 0);
    // Never closed, because LibTorch's static objects must outlive all nets.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (ours) unsetenv(kThreads);  // child processes do not inherit it
    return library;
}

std::vector<fs::path> modulePlaces() {
    if (const char* given = getenv("SEEDBED_TORCH_MODULE"); given != nullptr && *given != '\0')
        return {given};
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = program.parent_path();
    return {folder / kModuleFile, folder.parent_path() / "lib" / "seedbed" / kModuleFile};
}

Result<const Api*> loadModule() {
    const std::string remedy = "; or choose another engine with --engine";
    std::string tried;
    for (const fs::path& place : modulePlaces()) {
        std::error_code error;
        if (!fs::exists(place, error)) {
            tried += (tried.empty() ? "" : " and ") + place.string();
            continue;
        }
        void* library = loadLibrary(place);
        if (library == nullptr)
            return fail(ErrorCode::device,
                        "the torch engine could not be loaded: " + std::string(dlerror()) +
                            "; install LibTorch (on Debian: apt install libtorch-dev libopenblas0-pthread)" +
                            remedy);
        const auto entry = reinterpret_cast<SeedbedTorchEntry>(dlsym(library, SEEDBED_TORCH_ENTRY));
        const Api* api = entry == nullptr ? nullptr : entry(SEEDBED_TORCH_ABI);
        if (api == nullptr)
            return fail(ErrorCode::device,
                        place.string() + " belongs to a different version of Seedbed; build again" + remedy);
        return api;
    }
    return fail(
        ErrorCode::device,
        "the torch engine is not built (no " + tried +
            "); install LibTorch (on Debian: apt install libtorch-dev libopenblas0-pthread) and build again" +
            remedy);
}

const Result<const Api*>& torchApi() {
    static const Result<const Api*> api = loadModule();
    return api;
}

Result<> checked(const Api* api, int code) {
    switch (code) {
        case SEEDBED_TORCH_OK: return {};
        case SEEDBED_TORCH_CONFIG: return fail(ErrorCode::config, api->lastError());
        case SEEDBED_TORCH_DEVICE: return fail(ErrorCode::device, api->lastError());
        case SEEDBED_TORCH_OUT_OF_MEMORY: return fail(ErrorCode::out_of_memory, api->lastError());
        default: return fail(ErrorCode::failure, api->lastError());
    }
}

using UploadHandle = std::shared_ptr<SeedbedTorchParams>;

// A version of the parameters on the device. Keeps the Params alive: their address is part of their identity,
// and on the CPU they are read in place.
struct Uploaded {
    Params params;
    UploadHandle handle;

    bool holds(const Params& other) const {
        return handle != nullptr && params.version() == other.version() &&
               params.blob().data() == other.blob().data();
    }
};

class TorchNet final : public EngineNet {
public:
    TorchNet(const Api* api, NetPlan plan, SeedbedTorchNet* net)
        : api_(api), plan_(std::move(plan)), net_(net, api->destroyNet) {}

    const NetPlan& plan() const override { return plan_; }
    std::unique_ptr<NetContext> context() override;

    const Api* api() const { return api_; }
    SeedbedTorchNet* net() const { return net_.get(); }

    // Each version is transferred to the device once, no matter how many contexts use it.
    Result<Uploaded> uploaded(const Params& params) {
        const MutexLock lock(mutex_);
        for (const Uploaded& known : newest_)
            if (known.holds(params)) return known;
        SeedbedTorchParams* made = nullptr;
        SEEDBED_TRY(checked(api_, api_->upload(net_.get(), params.blob().data(), &made)));
        newest_.push_front({params, UploadHandle(made, api_->destroyParams)});
        if (newest_.size() > kVersions) newest_.pop_back();
        return newest_.front();
    }

private:
    static constexpr std::size_t kVersions = 2;  // two, because actors may be one version behind the learner

    const Api* api_;
    NetPlan plan_;
    std::unique_ptr<SeedbedTorchNet, void (*)(SeedbedTorchNet*)> net_;
    Mutex mutex_;
    std::deque<Uploaded> newest_ SEEDBED_GUARDED_BY(mutex_);
};

class TorchContext final : public NetContext {
public:
    explicit TorchContext(TorchNet& net)
        : net_(net), api_(net.api()), context_(nullptr, api_->destroyContext) {}

    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override {
        SEEDBED_CHECK(params.blob().size() == net_.plan().param_floats,
                      "the parameters belong to another network");
        if (context_ == nullptr) {
            SeedbedTorchContext* made = nullptr;
            SEEDBED_TRY(checked(api_, api_->createContext(net_.net(), &made)));
            context_.reset(made);
        }
        if (!params_.holds(params)) {
            SEEDBED_ASSIGN(params_, net_.uploaded(params));
        }
        const SeedbedTorchRows panel{
            rows.sequences,       rows.steps,          static_cast<int32_t>(rows.obs.size()),
            rows.obs.data(),      rows.first,          rows.state,
            rows.previous_action, rows.previous_reward};
        const SeedbedTorchOutputs results{out.heads, out.state};
        return checked(api_,
                       api_->run(context_.get(), params_.handle.get(), &panel, &results, keep == Keep::tape));
    }

    Result<> backward(const float* head_gradients, float* lane,
                      const std::vector<float*>* input_gradient) override {
        SEEDBED_CHECK(context_ != nullptr, "backward() requires a run before it");
        float* const* leaves = input_gradient == nullptr ? nullptr : input_gradient->data();
        return checked(api_, api_->backward(context_.get(), head_gradients, lane, leaves));
    }

private:
    TorchNet& net_;
    const Api* api_;
    std::unique_ptr<SeedbedTorchContext, void (*)(SeedbedTorchContext*)> context_;
    Uploaded params_;
};

std::unique_ptr<NetContext> TorchNet::context() { return std::make_unique<TorchContext>(*this); }

Result<std::vector<std::string>> devices() {
    SEEDBED_ASSIGN(const Api* api, torchApi());
    std::vector<std::string> lines;
    const std::string text = api->devices();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    if (!lines.empty()) lines[0] += " (" + std::string(api->version()) + ", " + api->blas() + ")";
    return lines;
}

Result<std::unique_ptr<EngineNet>> compile(const NetPlan& plan, const EngineOptions& options) {
    SEEDBED_ASSIGN(const Api* api, torchApi());
    SeedbedTorchNet* net = nullptr;
    SEEDBED_TRY(checked(api, api->compile(planToJson(plan).c_str(), options.device.c_str(), &net)));
    return std::make_unique<TorchNet>(api, plan, net);
}

[[maybe_unused]] const bool registered = [] {
    engineRegistry().add({
        .id = "torch",
        .aliases = {"libtorch"},
        .help = "LibTorch on the CPU or a CUDA device: every network, inference and training.",
        .devices = devices,
        .compile = compile,
    });
    return true;
}();

}  // namespace

}  // namespace seedbed
