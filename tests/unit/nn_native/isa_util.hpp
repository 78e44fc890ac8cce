// SPDX-License-Identifier: Apache-2.0
// Runs tests on one instruction set after another.
#pragma once

#include <gtest/gtest.h>

#include "core/base/simd.hpp"
#include "core/nn/engines/native/kernels.hpp"

namespace seedbed::testing_native {

// Networks compiled during its lifetime use at most this instruction set.
class IsaLimit {
public:
    explicit IsaLimit(Isa isa) : before_(activeIsa()) { limitIsa(isa); }
    ~IsaLimit() { limitIsa(before_); }
    IsaLimit(const IsaLimit&) = delete;
    IsaLimit& operator=(const IsaLimit&) = delete;

private:
    Isa before_;
};

}  // namespace seedbed::testing_native

#define SEEDBED_NEEDS_ISA(isa)                                       \
    if (::seedbed::native::kernelsOf(isa) == nullptr)                \
    GTEST_SKIP() << "this machine has no " << ::seedbed::nameOf(isa) \
                 << (isa == ::seedbed::Isa::avx2 ? " with FMA" : "")
