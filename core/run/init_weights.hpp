// SPDX-License-Identifier: Apache-2.0
// A run that begins with the weights of another one, or of a folder.
#pragma once

#include <string>

#include "core/checkpoint/checkpoint.hpp"
#include "core/session/session.hpp"

namespace seedbed {

// Everything but the weights starts afresh. error: config, what is different when `name` has another network.
Result<> initWeights(const LoadedPolicy& loaded, const std::string& name, Session& session);

}  // namespace seedbed
