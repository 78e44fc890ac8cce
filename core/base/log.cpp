// SPDX-License-Identifier: Apache-2.0
// Formats the lines here; spdlog filters, locks, colours and writes them.
#include "core/base/log.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "core/base/text.hpp"
#include "core/base/thread.hpp"

namespace seedbed::log {

namespace {

struct State {
    std::shared_ptr<spdlog::logger> logger;
    bool json = false;
};

spdlog::level::level_enum toSpdlog(Level level) {
    switch (level) {
        case Level::debug: return spdlog::level::debug;
        case Level::info: return spdlog::level::info;
        case Level::warning: return spdlog::level::warn;
        case Level::error: return spdlog::level::err;
        case Level::off: return spdlog::level::off;
    }
    return spdlog::level::info;
}

const char* nameOf(Level level) {
    static constexpr const char* names[] = {"debug", "info", "warning", "error", "off"};
    return names[static_cast<int>(level)];
}

// The only process-wide state: code without access to any object, such as the handler of a failed thread,
// must be able to log. Never destroyed, so that threads can log during process exit.
State& state() {
    static State* const instance = [] {
        auto* made = new State;
        made->logger = std::make_shared<spdlog::logger>(
            "seedbed", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
        made->logger->flush_on(spdlog::level::debug);
        made->logger->set_pattern("%^%v%$");
        made->logger->set_level(spdlog::level::info);
        if (const char* text = std::getenv("SEEDBED_LOG"))
            if (const auto level = levelFromText(text)) made->logger->set_level(toSpdlog(*level));
        return made;
    }();
    return *instance;
}

// Local time of day for text output, UTC with milliseconds for JSON.
std::string timeText(bool json) {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto millis =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm parts{};
    if (json) gmtime_r(&seconds, &parts);
    else localtime_r(&seconds, &parts);
    char text[64];
    std::strftime(text, sizeof text, json ? "%Y-%m-%dT%H:%M:%S" : "%H:%M:%S", &parts);
    if (!json) return text;
    const std::string digits = std::to_string(millis);
    return std::string(text) + "." + std::string(3 - digits.size(), '0') + digits + "Z";
}

// Values with spaces, quotes or control characters are written as JSON.
std::string plain(const Json& value) {
    if (!value.is_string()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
    const auto& text = value.get_ref<const std::string&>();
    const bool simple = !text.empty() && std::none_of(text.begin(), text.end(), [](unsigned char c) {
        return c <= ' ' || c == 127 || c == '"';
    });
    return simple ? text : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string humanLine(Level level, std::string_view text, Values values) {
    std::string line = timeText(false) + " ";
    if (level != Level::info) line += std::string(nameOf(level)) + ": ";
    line += text;
    if (const std::string& thread = currentThreadName(); thread != "main") line += " [" + thread + "]";
    for (const auto& [key, value] : values) (((line += "  ") += key) += "=") += plain(value);
    return printableText(line);
}

std::string jsonLine(Level level, std::string_view text, Values values) {
    Json line = {
        {"time", timeText(true)}, {"level", nameOf(level)}, {"thread", currentThreadName()}, {"text", text}};
    for (const auto& [key, value] : values) line[std::string(key)] = value;
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write(Level level, std::string_view text, Values values) noexcept try {
    const State& log = state();
    if (!log.logger->should_log(toSpdlog(level))) return;
    const std::string line = log.json ? jsonLine(level, text, values) : humanLine(level, text, values);
    log.logger->log(toSpdlog(level), spdlog::string_view_t(line.data(), line.size()));
} catch (...) {
    // stderr is closed or memory is exhausted; logging must not terminate a run.
}

}  // namespace

std::optional<Level> levelFromText(std::string_view text) {
    const std::string word = lowered(text);
    if (word == "debug") return Level::debug;
    if (word == "info") return Level::info;
    if (word == "warning" || word == "warn") return Level::warning;
    if (word == "error") return Level::error;
    if (word == "off") return Level::off;
    return std::nullopt;
}

void configure(const Options& options) {
    State& log = state();
    log.json = options.json;
    if (options.level) {
        log.logger->set_level(toSpdlog(*options.level));
        return;
    }
    const char* text = std::getenv("SEEDBED_LOG");
    if (text == nullptr || *text == '\0') return;
    if (const auto level = levelFromText(text)) log.logger->set_level(toSpdlog(*level));
    else
        warning("SEEDBED_LOG is not a log level; use debug, info, warning, error or off",
                {{"SEEDBED_LOG", text}});
}

bool enabled(Level level) { return state().logger->should_log(toSpdlog(level)); }

void debug(std::string_view text, Values values) { write(Level::debug, text, values); }
void info(std::string_view text, Values values) { write(Level::info, text, values); }
void warning(std::string_view text, Values values) { write(Level::warning, text, values); }
void error(std::string_view text, Values values) { write(Level::error, text, values); }

}  // namespace seedbed::log
