// SPDX-License-Identifier: Apache-2.0
// The text of policy.py, which the target `safetensors` writes.
#pragma once

namespace seedbed {

// A Python class that runs an export folder with only numpy and safetensors. Changing it makes `seedbed
// verify` refuse the policy.py of older exports without --trust.
extern const char* const kNumpyPolicy;

}  // namespace seedbed
