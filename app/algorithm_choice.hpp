// SPDX-License-Identifier: Apache-2.0
// Resolves --algo auto into a concrete algorithm, preset and settings, before a configuration is made.
#pragma once

#include <optional>

#include "app/configuration.hpp"
#include "core/algo/recommend.hpp"

namespace seedbed::app {

// If the algorithm on the command line, or otherwise in `file` (the document of request.file, or null), is
// "auto": replaces it in both with the recommended algorithm, and chooses a suitable preset, unless the
// request names one. The recommendation's settings are not added. nullopt: it is not "auto". Starts the
// environment to measure its speed. error: from the environment; config.
Result<std::optional<Recommendation>> resolveAlgorithm(ConfigurationRequest& request, Json& file,
                                                       const EnvEntry& env);

// Like the other makeConfiguration(), but also returns the recommendation for "auto", if any.
Result<Configuration> makeConfiguration(const ConfigurationRequest& request,
                                        std::optional<Recommendation>& recommendation);

// For JSON output: {"algo", "preset", "why", "settings"}.
Json recommendationJson(const Recommendation& recommendation);

}  // namespace seedbed::app
