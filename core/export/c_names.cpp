// SPDX-License-Identifier: Apache-2.0
#include "core/export/c_names.hpp"

namespace seedbed {

CNames::CNames(const PolicyModel& model, const std::string& prefix) : prefix_(prefix), names_(cNameRules()) {
    // With the prefix "obs", functions and observations could have the same names.
    names_.reserve(prefix);
    for (const char* function :
         {"reset", "act", "value", "tanh", "sigmoid", "best", "mask", "layer_norm", "conv", "max_pool"})
        names_.reserve(prefix + "_" + function);
    std::vector<std::string> wanted;
    for (const ObsLeaf& leaf : model.spaces().obs) wanted.push_back("obs_" + leaf.name);
    obs_ = names_.giveAll(wanted);
}

const std::string& CNames::array(const std::string& member) {
    std::string& name = arrays_[member];
    if (name.empty()) name = "policy" + names_.give(prefix_ + "_" + member).substr(prefix_.size());
    return name;
}

}  // namespace seedbed
