// SPDX-License-Identifier: Apache-2.0
// The policies that self_play.rivals names.
#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/checkpoint_name.hpp"
#include "core/nn/params.hpp"

namespace seedbed {

struct Rivals {
    std::vector<Params> params;  // in the order of `names`
    std::vector<std::string> notices;
};
// `names`: RUN, RUN:best, RUN:STEP, league:LEAGUE/MEMBER, an imported policy or a folder. error: not found or
// damaged; config, if the network of a policy differs from `net` (the message names the differences), or for
// a scripted member.
Result<Rivals> loadRivals(FileSystem& files, const Path& data_folder, const std::vector<std::string>& names,
                          const NetSpec& net, const RunResolver& resolve);

}  // namespace seedbed
