// SPDX-License-Identifier: Apache-2.0
// Initial weights from another run or from a folder.
#pragma once

#include <string>

#include "core/checkpoint/checkpoint.hpp"
#include "core/session/session.hpp"

namespace seedbed {

// error: config, if the network of `name` differs from `net`; the message names the differences.
Result<> checkInitWeights(const LoadedPolicy& loaded, const std::string& name, const NetSpec& net);

// Copies the weights of `loaded` into every network of the session that has the same shape; everything else
// is ignored. error: config if the network of `name` differs from the session's; the message names the
// differences.
Result<> initWeights(const LoadedPolicy& loaded, const std::string& name, Session& session);

}  // namespace seedbed
