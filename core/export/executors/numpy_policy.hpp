// SPDX-License-Identifier: Apache-2.0
// policy.py of the target `safetensors`.
#pragma once

namespace seedbed {

// A Python class that runs an export folder with only numpy and safetensors. Changing it makes `seedbed
// verify` refuse the policy.py of older exports without --trust.
extern const char* const kNumpyPolicy;

}  // namespace seedbed
