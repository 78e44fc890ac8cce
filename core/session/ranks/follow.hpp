// SPDX-License-Identifier: Apache-2.0
// The ranks of a run other than 0: they do what rank 0 does, without the run's files.
#pragma once

#include <memory>
#include <stop_token>

#include "core/session/ranks/rank_link.hpp"

namespace seedbed {

// Applies the commands of rank 0 until the run ends. A stop request on this rank stops the run: all ranks end
// the same update. error: rank 0 is lost; config, if the session cannot be created here.
Result<> followRun(std::shared_ptr<RankLink> link, std::stop_token stop);

}  // namespace seedbed
