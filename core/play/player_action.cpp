// SPDX-License-Identifier: Apache-2.0
#include "core/play/player_action.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/describe.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr int kMostNamed = 24;  // choices listed in a message
constexpr const char* kNothing[] = {"noop", "no-op", "no op", "nothing", "none",      "stay",
                                    "wait", "coast", "idle",  "stand",   "no torque", "do nothing"};
constexpr const char* kIdleRules[] = {"wait", "nothing", "hold", "policy"};

std::string choicesText(const ActionLeaf& leaf, const std::uint8_t* mask) {
    std::string text;
    int named = 0, more = 0;
    for (int i = 0; i < leaf.n; ++i) {
        if (mask != nullptr && mask[i] == 0) continue;
        if (named == kMostNamed) {
            ++more;
            continue;
        }
        text += (named++ == 0 ? "" : ", ") + std::to_string(i);
        if (static_cast<std::size_t>(i) < leaf.labels.size()) text += " " + choiceName(leaf, i);
    }
    return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

tl::unexpected<Error> unknownChoice(const ActionLeaf& leaf, const std::string& name) {
    return fail(ErrorCode::config, "unknown action '" + name + "'" + suggestion(name, leaf.labels) +
                                       "; the actions are " + choicesText(leaf, nullptr));
}

Result<float> choiceOf(const Json& json, const ActionLeaf& leaf) {
    if (json.is_string()) {
        const auto name = json.get<std::string>();
        const auto found = std::find(leaf.labels.begin(), leaf.labels.end(), name);
        if (found != leaf.labels.end()) return static_cast<float>(found - leaf.labels.begin());
        if (const auto number = parseInteger(name); number && *number >= 0 && *number < leaf.n)
            return static_cast<float>(*number);
        return unknownChoice(leaf, name);
    }
    if (json.is_number()) {
        const auto number = json.get<double>();
        if (number >= 0 && number < leaf.n && number == std::floor(number)) return static_cast<float>(number);
        return unknownChoice(leaf, formatNumber(number));
    }
    return fail(ErrorCode::config, "an action must be a name or a number");
}

std::string dimensionName(const ActionLeaf& leaf, std::size_t i) {
    if (i < leaf.labels.size()) return leaf.labels[i];
    return leaf.low.size() == 1 ? leaf.name : leaf.name + " " + std::to_string(i);
}

Result<float> wordOf(const Json& json, const ActionLeaf& leaf, int word) {
    if (leaf.kind == ActionLeaf::Kind::discrete) return choiceOf(json, leaf);
    const auto i = static_cast<std::size_t>(word);
    if (!json.is_number() || !std::isfinite(json.get<double>()))
        return fail(ErrorCode::config, "'" + dimensionName(leaf, i) + "' must be a number from " +
                                           formatNumber(leaf.low[i]) + " to " + formatNumber(leaf.high[i]));
    const auto value = json.get<double>();
    if (value < leaf.low[i] || value > leaf.high[i])
        return fail(ErrorCode::config, "'" + dimensionName(leaf, i) + "' must be from " +
                                           formatNumber(leaf.low[i]) + " to " + formatNumber(leaf.high[i]) +
                                           ", not " + formatNumber(value));
    return static_cast<float>(value);
}

// Words by the name of their leaf or dimension.
Result<std::vector<float>> parseNamedWords(const Json& json, const Spaces& spaces) {
    const auto start = defaultAction(spaces);
    std::vector<float> action = start.value_or(std::vector<float>());
    std::vector<std::string> names, given;
    for (const ActionLeaf& leaf : spaces.actions) {
        for (int word = 0; word < leaf.words(); ++word) {
            const std::string name = leaf.kind == ActionLeaf::Kind::discrete
                                         ? leaf.name
                                         : dimensionName(leaf, static_cast<std::size_t>(word));
            const std::size_t at = names.size();
            names.push_back(name);
            if (!start && !json.contains(name))
                return fail(ErrorCode::config, "the action lacks '" + name + "', which has no default");
            if (!start) action.push_back(0);
            if (!json.contains(name)) continue;
            SEEDBED_ASSIGN(action[at], wordOf(json[name], leaf, word));
        }
    }
    for (const auto& [name, value] : json.items())
        if (std::find(names.begin(), names.end(), name) == names.end())
            return fail(ErrorCode::config,
                        "unknown part '" + name + "' of an action" + suggestion(name, names));
    return action;
}

// Calls body(leaf, first word, first byte of the mask) for each leaf.
template <class Body>
void forLeaves(const Spaces& spaces, const Body& body) {
    std::size_t word = 0, mask = 0;
    for (const ActionLeaf& leaf : spaces.actions) {
        body(leaf, word, mask);
        word += static_cast<std::size_t>(leaf.words());
        if (leaf.kind == ActionLeaf::Kind::discrete) mask += static_cast<std::size_t>(leaf.n);
    }
}

}  // namespace

std::string choiceName(const ActionLeaf& leaf, int index) {
    const auto i = static_cast<std::size_t>(index);
    return index >= 0 && i < leaf.labels.size() ? leaf.labels[i] : std::to_string(index);
}

std::string actionText(const std::vector<float>& action, const Spaces& spaces) {
    std::string text;
    forLeaves(spaces, [&](const ActionLeaf& leaf, std::size_t word, std::size_t) {
        for (int i = 0; i < leaf.words(); ++i, ++word) {
            if (word >= action.size()) return;
            if (!text.empty()) text += ", ";
            if (leaf.kind == ActionLeaf::Kind::discrete)
                text += choiceName(leaf, static_cast<int>(action[word]));
            else
                text += dimensionName(leaf, static_cast<std::size_t>(i)) + " " +
                        formatNumber(std::round(static_cast<double>(action[word]) * 1e4) / 1e4);
        }
    });
    return text;
}

Result<std::vector<float>> parseAction(const Json& json, const Spaces& spaces) {
    if (json.is_object()) return parseNamedWords(json, spaces);
    const auto words = static_cast<std::size_t>(spaces.actionWords());
    const Json list = json.is_array() ? json : Json::array({json});
    if (list.size() != words)
        return fail(ErrorCode::config, "an action of this environment has " + std::to_string(words) +
                                           " numbers, not " + std::to_string(list.size()));
    std::vector<float> action;
    for (const ActionLeaf& leaf : spaces.actions) {
        for (int word = 0; word < leaf.words(); ++word) {
            SEEDBED_ASSIGN(const float value, wordOf(list[action.size()], leaf, word));
            action.push_back(value);
        }
    }
    return action;
}

Result<> checkAllowed(const std::vector<float>& action, const std::uint8_t* mask, const Spaces& spaces) {
    std::string problem;
    if (mask == nullptr) return {};
    forLeaves(spaces, [&](const ActionLeaf& leaf, std::size_t word, std::size_t at) {
        if (leaf.kind != ActionLeaf::Kind::discrete || !problem.empty()) return;
        const std::uint8_t* allowed = mask + at;
        const bool any = std::any_of(allowed, allowed + leaf.n, [](std::uint8_t a) { return a != 0; });
        const int choice = static_cast<int>(action[word]);
        if (any && allowed[choice] == 0)
            problem = "'" + choiceName(leaf, choice) +
                      "' is not allowed now; allowed: " + choicesText(leaf, allowed);
    });
    if (problem.empty()) return {};
    return fail(ErrorCode::config, problem);
}

Result<> checkAllowed(const std::vector<float>& action, const std::vector<std::uint8_t>& masks, int column,
                      const Spaces& spaces) {
    const auto bytes = static_cast<std::size_t>(spaces.maskBytes());
    const std::size_t at = static_cast<std::size_t>(column) * bytes;
    const bool has_mask = bytes > 0 && at + bytes <= masks.size();
    return checkAllowed(action, has_mask ? masks.data() + at : nullptr, spaces);
}

std::optional<std::vector<float>> forcedAction(const std::uint8_t* mask, const Spaces& spaces) {
    if (mask == nullptr) return std::nullopt;
    std::vector<float> action;
    bool forced = true;
    forLeaves(spaces, [&](const ActionLeaf& leaf, std::size_t, std::size_t at) {
        const std::uint8_t* allowed = mask + at;
        forced = forced && leaf.kind == ActionLeaf::Kind::discrete &&
                 std::count_if(allowed, allowed + leaf.n, [](std::uint8_t a) { return a != 0; }) == 1;
        if (forced)
            action.push_back(static_cast<float>(
                std::find_if(allowed, allowed + leaf.n, [](std::uint8_t a) { return a != 0; }) - allowed));
    });
    if (!forced) return std::nullopt;
    return action;
}

std::optional<std::vector<float>> defaultAction(const Spaces& spaces) {
    std::vector<float> action;
    for (const ActionLeaf& leaf : spaces.actions) {
        if (leaf.kind == ActionLeaf::Kind::box) {
            for (std::size_t i = 0; i < leaf.low.size(); ++i)
                action.push_back(static_cast<float>(std::clamp(0.0, leaf.low[i], leaf.high[i])));
            continue;
        }
        const auto found = std::find_if(leaf.labels.begin(), leaf.labels.end(), [](const std::string& label) {
            return std::find(std::begin(kNothing), std::end(kNothing), lowered(label)) != std::end(kNothing);
        });
        if (found == leaf.labels.end()) return std::nullopt;
        action.push_back(static_cast<float>(found - leaf.labels.begin()));
    }
    return action;
}

Json areasOf(const EnvSpec& env) {
    Json areas = Json::array();
    for (const ActionArea& area : env.areas) areas.push_back({area.action, area.x, area.y, area.w, area.h});
    return areas;
}

Json seatColoursOf(const EnvSpec& env) {
    Json colours = Json::array();
    for (const Colour& colour : env.seat_colours) colours.push_back({colour.r, colour.g, colour.b});
    return colours;
}

const char* nameOf(IdleRule rule) { return kIdleRules[static_cast<std::size_t>(rule)]; }

std::optional<IdleRule> idleRuleOf(const std::string& name) {
    for (std::size_t i = 0; i < std::size(kIdleRules); ++i)
        if (name == kIdleRules[i]) return static_cast<IdleRule>(i);
    return std::nullopt;
}

IdleRule defaultIdleRule(const Spaces& spaces, int agents) {
    if (agents > 1 && spaces.has_mask) return IdleRule::wait;
    return defaultAction(spaces) ? IdleRule::do_nothing : IdleRule::wait;
}

}  // namespace seedbed
