// SPDX-License-Identifier: Apache-2.0
// Structured log on stderr: a sentence and named values, as readable text or as JSON lines.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.hpp"

namespace seedbed::log {

enum class Level { debug, info, warning, error, off };

// "debug", "info", "warning" (or "warn"), "error", "off".
std::optional<Level> levelFromText(std::string_view text);

struct Options {
    std::optional<Level> level;  // default: the environment variable SEEDBED_LOG, else info
    bool json = false;  // one JSON object per line: {"time", "level", "thread", "text", then the values}
};

// Applies the options. Call it once at the start of main, before other threads exist; without a call the
// defaults apply. An invalid SEEDBED_LOG is reported as a warning.
void configure(const Options& options);

using Values = std::initializer_list<std::pair<std::string_view, Json>>;

// Logs one line with the name of the calling thread. Does not throw. Too slow for hot loops. Thread: any.
void debug(std::string_view text, Values values = {});
void info(std::string_view text, Values values = {});
void warning(std::string_view text, Values values = {});
void error(std::string_view text, Values values = {});

bool enabled(Level level);

}  // namespace seedbed::log
