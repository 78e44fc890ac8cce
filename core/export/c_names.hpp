// SPDX-License-Identifier: Apache-2.0
// Names in the C header and in the programs that include it. Internal to core/export.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/export/names.hpp"
#include "core/export/policy_model.hpp"

namespace seedbed {

class CNames {
public:
    CNames(const PolicyModel& model, const std::string& prefix);

    // The parameter that receives an observation, such as "obs_position".
    const std::string& obs(std::size_t leaf) const { return obs_[leaf]; }
    // The name of a static array before withPrefix(), such as "policy_w_hidden0_weight"; `member` tells
    // arrays apart. The same member gives the same name.
    const std::string& array(const std::string& member);

private:
    std::string prefix_;
    Names names_;
    std::vector<std::string> obs_;
    std::map<std::string, std::string> arrays_;
};

}  // namespace seedbed
