// SPDX-License-Identifier: Apache-2.0
// Code that depends on the version of LibTorch (from 1.13 in Debian 12 to 2.x), and functions that prevent
// LibTorch from starting threads.
#pragma once

#include <string>

#include <ATen/ATen.h>

namespace seedbed::torch_module {

// A storage without memory; its nominal size allows any view. Port gives it memory before a kernel runs.
c10::Storage borrowedStorage(at::Device device);

// Limits operations called by this thread to one thread (OpenMP, oneDNN, BLAS); cheap after the first call.
void keepToOneThread();

std::string torchVersionText();
// The library for matrix products on the CPU, with its version and kernel family if it reports them.
std::string blasText();

// Loads LibTorch's CUDA part if it is installed in the folder of the CPU part; true if a CUDA device can be
// used.
bool loadCuda();
int cudaDeviceCount();

}  // namespace seedbed::torch_module
