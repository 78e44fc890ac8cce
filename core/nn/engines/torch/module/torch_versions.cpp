// SPDX-License-Identifier: Apache-2.0
// Differences between LibTorch versions and builds, and the settings of its underlying libraries.
#include "core/nn/engines/torch/module/torch_versions.hpp"

#include <dlfcn.h>

#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/version.h>

#include "core/base/mutex.hpp"

namespace seedbed::torch_module {

namespace {

// A function from the libraries that LibTorch loaded; null if none of them has it, for example with a
// different BLAS.
template <class Function>
Function* libraryFunction(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

c10::Storage borrowedStorage(at::Device device) {
    // 2^46 bytes: larger than any offset, but within the range of LibTorch's checks.
    constexpr std::int64_t bytes = std::int64_t{1} << 46;
    return c10::Storage(c10::Storage::use_byte_size_t(), bytes, at::DataPtr(nullptr, device), nullptr, false);
}

void keepToOneThread() {
    thread_local bool done = false;
    if (done) return;
    done = true;
    // The number of threads is set per calling thread in OpenMP, but per process in OpenBLAS.
    static Mutex mutex;
    const MutexLock lock(mutex);
    at::set_num_threads(1);
    if (auto* set = libraryFunction<void(int)>("openblas_set_num_threads")) set(1);
}

std::string torchVersionText() { return "LibTorch " TORCH_VERSION; }

std::string blasText() {
    if (auto* config = libraryFunction<char*()>("openblas_get_config")) return config();
    if (at::hasMKL()) return "MKL";
    Dl_info info{};
    void* sgemm = dlsym(RTLD_DEFAULT, "sgemm_");
    if (sgemm != nullptr && dladdr(sgemm, &info) != 0) return info.dli_fname;
    return "built into LibTorch";
}

bool loadCuda() {
    static const bool usable = [] {
        // Loaded by name: the module's run path is the folder of libtorch_cpu. Null in CPU-only builds.
        if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_LOCAL) == nullptr || !at::hasCUDA()) return false;
        // Makes sums deterministic, with the full precision of a float; TensorFloat-32 convolutions would be
        // a thousand times less accurate.
        at::globalContext().setDeterministicCuDNN(true);
        at::globalContext().setAllowTF32CuDNN(false);
        return true;
    }();
    return usable;
}

int cudaDeviceCount() {
    if (!loadCuda()) return 0;
    return c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).deviceCount();
}

}  // namespace seedbed::torch_module
