// SPDX-License-Identifier: Apache-2.0
#include "core/play/player_request.hpp"

#include <utility>

#include "core/base/describe.hpp"
#include "core/base/text.hpp"
#include "core/play/player_action.hpp"

namespace seedbed {
namespace {

constexpr double kMaxRow = 9e15;

Result<double> number(const Json& request, const char* key, double low, double high) {
    const Json value = request.value(key, Json());
    if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
    if (!value.is_number() || !(value.get<double>() >= low && value.get<double>() <= high))
        return fail(ErrorCode::usage, std::string(key) + " must be a number from " + formatNumber(low) +
                                          " to " + formatNumber(high));
    return value.get<double>();
}

Result<std::optional<std::uint64_t>> rowOf(const Json& request, const char* key) {
    if (!request.contains(key)) return std::optional<std::uint64_t>();
    SEEDBED_ASSIGN(const double row, number(request, key, 0, kMaxRow));
    return std::optional<std::uint64_t>(static_cast<std::uint64_t>(row));
}

Result<> checkFocus(const Json& request, const PlayerAbilities& player, PlayerRequest& checked) {
    SEEDBED_ASSIGN(checked.number, number(request, "env", 0, player.max_envs + Stage::kMaxBranches - 1));
    if (!request.contains("agent")) return {};
    SEEDBED_ASSIGN(const double agent, number(request, "agent", 0, player.agents - 1));
    checked.agent = static_cast<int>(agent);
    return {};
}

Result<> checkBreak(const Json& request, const PlayerAbilities& player, PlayerRequest& checked) {
    if (request.contains("clear")) {
        const Json& clear = request["clear"];
        if (clear == true) return {};
        SEEDBED_ASSIGN(const double id, number(request, "clear", 1, 1e9));
        checked.id = static_cast<int>(id);
        return {};
    }
    if (!request.value("when", Json()).is_string())
        return fail(ErrorCode::usage,
                    "break needs \"when\", a condition such as \"value < 0.2\", or \"clear\"");
    SEEDBED_ASSIGN(checked.condition, Breakpoint::parse(request["when"].get<std::string>(), player.spaces));
    return {};
}

Result<> checkBranch(const Json& request, const PlayerAbilities& player, PlayerRequest& checked) {
    if (!player.no_branch.empty()) return fail(ErrorCode::config, player.no_branch);
    SEEDBED_ASSIGN(checked.row, rowOf(request, "row"));
    if (request.contains("action")) {
        SEEDBED_ASSIGN(checked.action, parseAction(request["action"], player.spaces));
    }
    return {};
}

Result<> checkRecord(const Json& request, const PlayerAbilities& player, PlayerRequest& checked) {
    if (!request.value("file", Json()).is_string())
        return fail(ErrorCode::usage, "record needs \"file\", the path of a .gif, .mp4 or .replay file");
    checked.file = request["file"].get<std::string>();
    if (!checked.file.is_absolute()) return fail(ErrorCode::usage, "file must be an absolute path");
    if (checked.file.extension() == ".replay") {
        if (player.is_replay) return fail(ErrorCode::config, "this game is a replay already");
        return {};
    }
    SEEDBED_TRY(checkFilmPath(checked.file));
    SEEDBED_ASSIGN(checked.from, rowOf(request, "from"));
    SEEDBED_ASSIGN(checked.to, rowOf(request, "to"));
    if (checked.from && checked.to && *checked.from > *checked.to)
        return fail(ErrorCode::usage, "from must not be larger than to");
    if (request.contains("seconds")) {
        SEEDBED_ASSIGN(checked.number, number(request, "seconds", 0.1, kMaxFilmSeconds));
    } else {
        checked.number = 30;
    }
    if (request.contains("env")) {
        SEEDBED_ASSIGN(const double cell,
                       number(request, "env", 0, player.max_envs + Stage::kMaxBranches - 1));
        checked.cell = static_cast<int>(cell);
    }
    if (request.contains("size")) {
        SEEDBED_ASSIGN(const double size, number(request, "size", 32, 2048));
        checked.film.size = static_cast<int>(size);
    }
    checked.film.thoughts = request.value("thoughts", Json()) == true;
    checked.film.rate = player.rate;
    return {};
}

}  // namespace

Result<PlayerRequest> checkRequest(const std::string& verb, const Json& request,
                                   const PlayerAbilities& player) {
    PlayerRequest checked{.verb = verb};
    if (verb == "step") {
        SEEDBED_ASSIGN(checked.number, number(request, "count", -static_cast<double>(kMaxSeek),
                                              static_cast<double>(kMaxSeek)));
    } else if (verb == "speed") {
        SEEDBED_ASSIGN(checked.number, number(request, "times", 0, 1000));
    } else if (verb == "pace") {
        SEEDBED_ASSIGN(checked.number, number(request, "ms", 0, 1000));
    } else if (verb == "select") {
        if (!player.no_select.empty()) return fail(ErrorCode::config, player.no_select);
        SEEDBED_ASSIGN(checked.number, number(request, "greedy", 0, 1));
    } else if (verb == "focus") {
        SEEDBED_TRY(checkFocus(request, player, checked));
    } else if (verb == "envs") {
        if (player.is_replay) return fail(ErrorCode::config, "a replay has one environment");
        SEEDBED_ASSIGN(checked.number, number(request, "count", 1, player.max_envs));
    } else if (verb == "seek") {
        SEEDBED_ASSIGN(checked.number, number(request, "row", 0, kMaxRow));
    } else if (verb == "weights") {
        if (!player.no_weights.empty()) return fail(ErrorCode::config, player.no_weights);
        SEEDBED_ASSIGN(checked.number, number(request, "step", -1, kMaxRow));
    } else if (verb == "break") {
        SEEDBED_TRY(checkBreak(request, player, checked));
    } else if (verb == "close") {
        SEEDBED_ASSIGN(checked.number, number(request, "cell", 0, player.max_envs + Stage::kMaxBranches - 1));
    } else if (verb == "branch") {
        SEEDBED_TRY(checkBranch(request, player, checked));
    } else if (verb == "record") {
        SEEDBED_TRY(checkRecord(request, player, checked));
    } else if (verb != "pause" && verb != "resume" && verb != "restart" && verb != "stop") {
        return fail(ErrorCode::usage,
                    "unknown request '" + verb + "'" +
                        suggestion(verb, {"status", "watch",  "follow",  "pause",   "resume", "step",
                                          "speed",  "select", "focus",   "envs",    "seek",   "restart",
                                          "stop",   "act",    "release", "inspect", "break",  "branch",
                                          "close",  "record", "weights", "pace"}));
    }
    return checked;
}

}  // namespace seedbed
