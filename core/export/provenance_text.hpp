// SPDX-License-Identifier: Apache-2.0
// Descriptions in an export: spec.json, the metadata of a model file, the model card.
#pragma once

#include <map>
#include <string>

#include "core/export/target.hpp"

namespace seedbed {

// The id of an environment without the folder of its file: "gym:/home/me/my_env.py:MyEnv" becomes
// "gym:./my_env.py:MyEnv". Other ids stay as they are.
std::string publicId(const std::string& env);
// The provenance as written to exports, with the public id.
Provenance publicProvenance(const Provenance& provenance);
// SHA-256 of the public form of the run's configuration, for the metadata and the model card.
std::string configHash(const PolicyModel& model);
// Metadata as strings by name, for formats that support metadata ("seedbed.environment": "cartpole").
std::map<std::string, std::string> metadataOf(const PolicyModel& model, const TargetOptions& options);
// Interface and operations of the network with names, shapes and units, sufficient to write a runtime.
Json specOf(const PolicyModel& model);
// README.md in the format of the Hugging Face Hub. `parity`: contents of parity.json; `files`: names in the
// folder.
std::string modelCard(const PolicyModel& model, const TargetOptions& options, const Json& parity,
                      const std::vector<std::string>& files);

}  // namespace seedbed
