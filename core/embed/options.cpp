// SPDX-License-Identifier: Apache-2.0
#include "core/embed/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "core/base/finite.hpp"

namespace seedbed {
namespace {

constexpr int kMostColumns = 1 << 20, kMostParts = 64, kMostElements = 1 << 24;

tl::unexpected<ApiError> bad(std::string text) {
    return tl::unexpected<ApiError>(ApiError{SEEDBED_BAD_ARGUMENT, std::move(text)});
}

bool isPlainName(const char* name) {
    if (name == nullptr || *name == '\0') return false;
    const std::string_view text(name);
    return text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
           });
}

bool isRange(double low, double high) { return std::isfinite(low) && std::isfinite(high) && low < high; }

ApiResult<ObsLeaf> observationLeaf(const seedbed_observation& given) {
    if (!isPlainName(given.name)) return bad("the name of an observation must match [a-z0-9_]+");
    const std::string name = "observation '" + std::string(given.name) + "'";
    ObsLeaf leaf{.name = given.name, .low = given.low, .high = given.high, .stack = std::max(1, given.stack)};
    int dimensions = 1;
    if (given.kind == SEEDBED_IMAGE) {
        leaf.kind = ObsLeaf::Kind::image;
        leaf.dtype = DType::u8;
        dimensions = 3;
        if (given.low < 0 || given.high > 255 || !isRange(given.low, given.high))
            return bad(name + ": low and high of an image are within 0 and 255, and low < high");
    } else if (given.kind == SEEDBED_CHOICES) {
        leaf.kind = ObsLeaf::Kind::discrete;
        leaf.dtype = DType::i32;
        leaf.cardinality = given.choices;
        leaf.low = leaf.high = 0;
        if (given.choices < 2 || given.choices > kMostElements)
            return bad(name + ": choices is less than 2 or too large");
    } else if (given.kind != SEEDBED_VECTOR) {
        return bad(name + ": unknown kind " + std::to_string(given.kind));
    } else if (given.low == 0 && given.high == 0) {
        leaf.low = -std::numeric_limits<double>::infinity();
        leaf.high = std::numeric_limits<double>::infinity();
    } else if (std::isnan(given.low) || std::isnan(given.high) || given.low >= given.high) {
        return bad(name + ": low is not below high");
    }
    if (given.stack < 0 || given.stack > 64) return bad(name + ": stack is not between 0 and 64");
    double elements = 1;
    for (int i = 0; i < dimensions; ++i) {
        if (given.shape[i] < 1) return bad(name + ": shape[" + std::to_string(i) + "] is less than 1");
        leaf.shape.push_back(given.shape[i]);
        elements *= given.shape[i];
    }
    if (elements > kMostElements) return bad(name + " has too many elements");
    return leaf;
}

ApiResult<ActionLeaf> actionLeaf(const seedbed_action& given) {
    if (!isPlainName(given.name)) return bad("the name of an action must match [a-z0-9_]+");
    const std::string name = "action '" + std::string(given.name) + "'";
    ActionLeaf leaf{.name = given.name};
    if (given.choices != 0) {
        if (given.choices < 2 || given.choices > kMostElements || given.words != 0)
            return bad(name + " has either two or more choices, or words");
        leaf.n = given.choices;
        return leaf;
    }
    if (given.words < 1 || given.words > kMostElements) return bad(name + ": words is less than 1");
    if (!isRange(given.low, given.high)) return bad(name + ": low is not below high");
    leaf.kind = ActionLeaf::Kind::box;
    leaf.low.assign(static_cast<std::size_t>(given.words), given.low);
    leaf.high.assign(static_cast<std::size_t>(given.words), given.high);
    return leaf;
}

ApiResult<Spaces> spacesOf(const seedbed_environment& env) {
    if (env.observation_count < 1 || env.observation_count > kMostParts || env.observations == nullptr)
        return bad("an environment has 1 to 64 observations");
    if (env.action_count < 1 || env.action_count > kMostParts || env.actions == nullptr)
        return bad("an environment has 1 to 64 actions");
    Spaces spaces;
    for (int i = 0; i < env.observation_count; ++i) {
        auto leaf = observationLeaf(env.observations[i]);
        if (!leaf) return tl::unexpected<ApiError>(leaf.error());
        for (const ObsLeaf& other : spaces.obs)
            if (other.name == leaf->name) return bad("two observations are named '" + leaf->name + "'");
        spaces.obs.push_back(std::move(*leaf));
    }
    for (int i = 0; i < env.action_count; ++i) {
        auto leaf = actionLeaf(env.actions[i]);
        if (!leaf) return tl::unexpected<ApiError>(leaf.error());
        for (const ActionLeaf& other : spaces.actions)
            if (other.name == leaf->name) return bad("two actions are named '" + leaf->name + "'");
        spaces.actions.push_back(std::move(*leaf));
    }
    const bool has_choices = std::ranges::any_of(
        spaces.actions, [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; });
    if (env.has_mask != 0 && !has_choices) return bad("a mask needs an action with choices");
    spaces.has_mask = env.has_mask != 0;
    return spaces;
}

HostCallbacks callbacksOf(const seedbed_environment& env) {
    HostCallbacks callbacks;
    if (env.step == nullptr) return callbacks;
    void* const user = env.user;
    callbacks.reset = [user, reset = env.reset](int column, std::uint64_t seed) {
        return reset(user, column, seed);
    };
    callbacks.step = [user, step = env.step](const float* actions, const unsigned char* active,
                                             float* rewards, unsigned char* terminated,
                                             unsigned char* truncated) {
        return step(user, actions, active, rewards, terminated, truncated);
    };
    callbacks.observe = [user, observe = env.observe](void* const* observations, unsigned char* mask) {
        return observe(user, observations, mask);
    };
    if (env.save_state == nullptr) return callbacks;
    callbacks.state_bytes = env.state_bytes;
    callbacks.save_state = [user, save = env.save_state](int column, void* state) {
        return save(user, column, state);
    };
    callbacks.load_state = [user, load = env.load_state](int column, const void* state) {
        return load(user, column, state);
    };
    return callbacks;
}

ApiResult<std::shared_ptr<HostEnv>> hostEnvOf(const seedbed_environment& env) {
    if (!isPlainName(env.name)) return bad("the name of an environment must match [a-z0-9_]+");
    if (env.columns < 1 || env.columns > kMostColumns) return bad("columns is not between 1 and 1048576");
    if (env.max_steps < 0) return bad("max_steps is negative");
    const int given = (env.reset != nullptr) + (env.step != nullptr) + (env.observe != nullptr);
    if (given != 0 && given != 3) return bad("give all of the callbacks reset, step and observe, or none");
    const bool has_state = env.save_state != nullptr;
    if (has_state != (env.load_state != nullptr) || has_state != (env.state_bytes > 0))
        return bad("give all of state_bytes, save_state and load_state, or none");
    if (env.state_bytes > std::size_t{1} << 30) return bad("state_bytes is larger than 1 GiB");
    auto spaces = spacesOf(env);
    if (!spaces) return tl::unexpected<ApiError>(spaces.error());
    EnvSpec spec;
    spec.id = "host:" + std::string(env.name);
    spec.title = env.name;
    spec.sentence = "An environment of a host program.";
    spec.spaces = std::move(*spaces);
    spec.horizon = env.max_steps;
    return std::make_shared<HostEnv>(std::move(spec), env.columns, callbacksOf(env));
}

std::string textOf(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

ApiResult<TrainerRequest> trainerRequest(const seedbed_options& options) {
    TrainerRequest request;
    if ((options.environment == nullptr) == (options.built_in == nullptr))
        return bad("give either environment or built_in");
    if (options.environment != nullptr) {
        const auto env = versioned(options.environment, seedbed_environment SEEDBED_ENVIRONMENT_INIT,
                                   offsetof(seedbed_environment, state_bytes), "environment");
        if (!env) return tl::unexpected<ApiError>(env.error());
        auto host = hostEnvOf(*env);
        if (!host) return tl::unexpected<ApiError>(host.error());
        request.host = std::move(*host);
        request.env = env->name;
    } else {
        request.env = options.built_in;
    }
    if (options.setting_count < 0 || (options.setting_count > 0 && options.settings == nullptr))
        return bad("settings is NULL, or setting_count is negative");
    for (int i = 0; i < options.setting_count; ++i) {
        const seedbed_setting& setting = options.settings[i];
        if (setting.key == nullptr || setting.value == nullptr)
            return bad("setting " + std::to_string(i) + " has a key or value that is NULL");
        request.settings.emplace_back(setting.key, setting.value);
    }
    if (options.resume < 0) return bad("resume is negative");
    if (options.threads < 0 || options.threads > 1024) return bad("threads is not between 0 and 1024");
    request.config = textOf(options.config);
    if (options.data_folder != nullptr) request.data_folder = options.data_folder;
    request.name = textOf(options.name);
    request.init_from = textOf(options.init_from);
    request.resume = options.resume;
    request.memory_bytes = options.memory_bytes;
    request.threads = std::max(1, options.threads);
    return request;
}

ApiError apiError(const Error& error) {
    const auto code = [&]() -> int {
        if (error.message.find("newer version of Seedbed") != std::string::npos) return SEEDBED_NEWER_VERSION;
        if (error.code == kNonFinite) return SEEDBED_DIVERGED;
        switch (error.code) {
            case ErrorCode::config:
            case ErrorCode::device: return SEEDBED_BAD_SETTING;
            case ErrorCode::out_of_memory: return SEEDBED_OUT_OF_MEMORY;
            case ErrorCode::disk_full: return SEEDBED_DISK_FULL;
            case ErrorCode::usage: return SEEDBED_WRONG_ORDER;
            case ErrorCode::interrupted: return SEEDBED_ENDED;
            default: return SEEDBED_FAILED;
        }
    };
    return {code(), error.text()};
}

}  // namespace seedbed
