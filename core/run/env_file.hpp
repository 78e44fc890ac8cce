// SPDX-License-Identifier: Apache-2.0
// The Python file of a run's environment, so that changes between runs and at a resume are detected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/env/env.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// The file in an id of the form gym:/folder/my_env.py:MyEnv. `known`: the environment's files; if it imports
// modules, the hash covers all files. nullopt if the id contains no file or the file cannot be read.
std::optional<EnvFile> envFileOf(FileSystem& files, const std::string& env,
                                 const std::vector<EnvFile>& known = {});

// Key of the file in a run's automatic settings ({"path", "sha256"}), and of its hash in a checkpoint.
inline constexpr const char* kEnvFileFact = "environment_file";

// The newest run before `run` with the environment `env`, if the file had different contents when that run
// began. error: the database cannot be read.
Result<std::optional<RunId>> runWithOtherFile(StoreReader& store, const std::string& env, RunId run,
                                              const EnvFile& file);

}  // namespace seedbed
