// SPDX-License-Identifier: Apache-2.0
// The parameters of several policies of one network as one value, for players and for those that follow a
// run.
#pragma once

#include <cstddef>
#include <span>

#include "core/nn/params.hpp"

namespace seedbed {

// The parameters of all policies, one after the other; `first` itself if there are no others. The version is
// the sum of their versions, which grows with each of them.
Params joinParams(const Params& first, std::span<const Params> others);
// The parameters of policy `policy` of `policies` policies, with the version of `joined`; `joined` itself if
// there is one policy.
Params partOf(const Params& joined, std::size_t policy, std::size_t policies);

}  // namespace seedbed
