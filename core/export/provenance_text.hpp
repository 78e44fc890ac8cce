// SPDX-License-Identifier: Apache-2.0
// What an export says about itself: spec.json, the metadata of a model file, the model card.
#pragma once

#include <map>
#include <string>

#include "core/export/target.hpp"

namespace seedbed {

// SHA-256 of the run's configuration, as in metadata and card.
std::string configHash(const PolicyModel& model);
// Short strings by name, for formats that carry such a table ("seedbed.environment": "cartpole").
std::map<std::string, std::string> metadataOf(const PolicyModel& model, const TargetOptions& options);
// The interface and every operation of the network, with names, shapes and units: enough to write a runtime
// of one's own.
Json specOf(const PolicyModel& model);
// README.md in the form of the Hugging Face Hub. `parity` is parity.json, `files` what lies beside it.
std::string modelCard(const PolicyModel& model, const TargetOptions& options, const Json& parity,
                      const std::vector<std::string>& files);

}  // namespace seedbed
