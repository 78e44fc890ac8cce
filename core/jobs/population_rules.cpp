// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/population_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "core/base/describe.hpp"
#include "core/base/rng.hpp"
#include "core/base/text.hpp"
#include "core/session/settings.hpp"

namespace seedbed {
namespace {

constexpr double kDecrease = 0.8, kIncrease = 1.25;  // factors of a mutation on a logarithmic scale
constexpr double kShift = 0.1;                       // of the range, on a linear scale
constexpr std::uint64_t kWordsPerRound = 4096;       // of a member's random stream
constexpr int kMaxMembers = 256;
constexpr const char* kForm =
    "; use KEY=LOW..HIGH or KEY=LOW..HIGH:log, for example "
    "algo.learning_rate=1e-5..1e-3:log";

// Each member has its own numbers in each round, so a decision does not depend on earlier ones.
Rng streamOf(const PopulationRules& rules, std::int64_t round, int member) {
    return {rules.seed, RngPurpose::population, static_cast<std::uint32_t>(member),
            static_cast<std::uint64_t>(round) * kWordsPerRound};
}

// Within the range, with four significant digits so that people can read it.
Json valueOf(const Mutation& mutation, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    value = parseNumber(text).value_or(value);
    if (mutation.is_integer)
        return static_cast<std::int64_t>(
            std::clamp(std::round(value), std::ceil(mutation.low), std::floor(mutation.high)));
    return std::clamp(value, mutation.low, mutation.high);
}

Json drawn(const Mutation& mutation, Rng& rng) {
    const double share = rng.uniform();
    if (!mutation.is_log) return valueOf(mutation, mutation.low + (mutation.high - mutation.low) * share);
    const double low = std::log(mutation.low), high = std::log(mutation.high);
    return valueOf(mutation, std::exp(low + (high - low) * share));
}

Json changed(const Mutation& mutation, const Json& before, bool increase) {
    const double value = before.get<double>();
    const double next = mutation.is_log
                            ? value * (increase ? kIncrease : kDecrease)
                            : value + (increase ? kShift : -kShift) * (mutation.high - mutation.low);
    Json result = valueOf(mutation, next);
    // Small integers also change.
    if (mutation.is_integer && result == before) result = valueOf(mutation, value + (increase ? 1 : -1));
    return result;
}

Json mutated(const PopulationRules& rules, const Json& settings, Rng& rng) {
    Json result = Json::object();
    for (const Mutation& mutation : rules.mutations) {
        // Drawn in every case, so that the numbers of a setting do not depend on those before it.
        const bool is_new = rng.bernoulli(rules.resample), increase = rng.bernoulli(0.5);
        const Json fresh = drawn(mutation, rng);
        const auto before = settings.find(mutation.key);
        const bool has_value = before != settings.end() && before->is_number();
        result[mutation.key] = is_new || !has_value ? fresh : changed(mutation, *before, increase);
    }
    return result;
}

Result<> checkField(const std::string& key, const Json& document, const FieldInfo& field,
                    const std::vector<std::string>& possible) {
    if (field.type != FieldType::real && field.type != FieldType::integer)
        return fail(ErrorCode::config, "'" + key + "' is not a number and cannot be mutated");
    if (std::find(possible.begin(), possible.end(), key) != possible.end()) return {};
    return fail(ErrorCode::config, "'" + key + "' cannot change during a run of " +
                                       document.at("algo").value("id", "") +
                                       "; these can: " + join(possible, ", "));
}

}  // namespace

Result<Mutation> parseMutation(std::string_view text, const Json& document) {
    const auto equals = text.find('='), dots = text.find("..");
    if (equals == std::string_view::npos || dots == std::string_view::npos || dots < equals)
        return fail(ErrorCode::config, "invalid --mutate '" + std::string(text) + "'" + kForm);
    Mutation mutation;
    mutation.key = std::string(text.substr(0, equals));
    const auto colon = text.find(':', dots);
    const std::string scale(colon == std::string_view::npos ? "linear" : text.substr(colon + 1));
    const auto low = parseNumber(text.substr(equals + 1, dots - equals - 1)),
               high = parseNumber(
                   text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2));
    if (!low || !high || (scale != "log" && scale != "linear"))
        return fail(ErrorCode::config, "invalid --mutate '" + std::string(text) + "'" + kForm);
    mutation.low = *low;
    mutation.high = *high;
    mutation.is_log = scale == "log";

    std::vector<std::string> keys, possible;
    runConfigSchema().visit(document, [&](const std::string& key, const FieldInfo& field) {
        keys.push_back(key);
        const bool is_number = field.type == FieldType::real || field.type == FieldType::integer;
        if (field.live && is_number && key.starts_with("algo.")) possible.push_back(key);
    });
    const FieldInfo* field = runConfigSchema().find(document, mutation.key);
    if (field == nullptr)
        return fail(ErrorCode::config,
                    "unknown setting '" + mutation.key + "'" + suggestion(mutation.key, keys));
    SEEDBED_TRY(checkField(mutation.key, document, *field, possible));
    mutation.is_integer = field->type == FieldType::integer;
    const std::string range = formatNumber(*low) + " to " + formatNumber(*high);
    if (*low >= *high)
        return fail(ErrorCode::config, "the range of '" + mutation.key + "', " + range + ", is empty");
    if (mutation.is_integer && std::ceil(*low) >= std::floor(*high))
        return fail(ErrorCode::config,
                    "the range of '" + mutation.key + "', " + range + ", contains fewer than two integers");
    if (mutation.key == "algo.learning_rate" &&
        document.value(Json::json_pointer("/algo/lr_schedule"), "") == "kl_adaptive")
        return fail(
            ErrorCode::config,
            "algo.learning_rate has no effect with algo.lr_schedule kl_adaptive; use constant or linear");
    if (*low < field->min || *high > field->max)
        return fail(ErrorCode::config, "the range of '" + mutation.key + "', " + range +
                                           ", is outside the allowed one: " + allowedText(*field));
    if (mutation.is_log && *low <= 0)
        return fail(ErrorCode::config,
                    "a logarithmic range begins above 0, but that of '" + mutation.key + "' is " + range);
    return mutation;
}

Result<> checkRules(const PopulationRules& rules) {
    if (rules.members < 2 || rules.members > kMaxMembers)
        return fail(ErrorCode::config, "a population has 2 to " + std::to_string(kMaxMembers) +
                                           " members, not " + std::to_string(rules.members));
    if (rules.mutations.empty())
        return fail(ErrorCode::config, std::string("name a setting to mutate with --mutate") + kForm);
    for (std::size_t i = 0; i < rules.mutations.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (rules.mutations[i].key == rules.mutations[j].key)
                return fail(ErrorCode::config, "'" + rules.mutations[i].key + "' is in --mutate twice");
    if (rules.steps <= 0)
        return fail(ErrorCode::config, "a population needs the number of steps of each member: --steps N");
    if (rules.every <= 0 || rules.every > rules.steps)
        return fail(ErrorCode::config, "--every must be between 1 and the " + formatCount(rules.steps) +
                                           " steps of each member");
    return {};
}

Json toJson(const PopulationRules& rules) {
    Json mutations = Json::array();
    for (const Mutation& mutation : rules.mutations)
        mutations.push_back({{"key", mutation.key},
                             {"low", mutation.low},
                             {"high", mutation.high},
                             {"log", mutation.is_log},
                             {"integer", mutation.is_integer}});
    return {{"members", rules.members},
            {"steps", rules.steps},
            {"every", rules.every},
            {"objective", rules.objective},
            {"lower_is_better", rules.lower_is_better},
            {"fraction", rules.fraction},
            {"resample", rules.resample},
            {"seed", rules.seed},
            {"mutations", std::move(mutations)}};
}

PopulationRules rulesFromJson(const Json& json) {
    PopulationRules rules;
    rules.members = json.value("members", rules.members);
    rules.steps = json.value("steps", rules.steps);
    rules.every = std::max<std::int64_t>(1, json.value("every", rules.every));
    rules.objective = json.value("objective", rules.objective);
    rules.lower_is_better = json.value("lower_is_better", rules.lower_is_better);
    rules.fraction = json.value("fraction", rules.fraction);
    rules.resample = json.value("resample", rules.resample);
    rules.seed = json.value("seed", rules.seed);
    for (const Json& stored : json.value("mutations", Json::array()))
        rules.mutations.push_back({.key = stored.value("key", ""),
                                   .low = stored.value("low", 0.0),
                                   .high = stored.value("high", 1.0),
                                   .is_log = stored.value("log", false),
                                   .is_integer = stored.value("integer", false)});
    return rules;
}

std::vector<PopulationRound> firstRound(const PopulationRules& rules) {
    std::vector<PopulationRound> rows;
    for (int member = 1; member <= rules.members; ++member) {
        PopulationRound row{.round = 1, .member = member, .parent = member};
        Rng rng = streamOf(rules, row.round, member);
        for (const Mutation& mutation : rules.mutations) row.settings[mutation.key] = drawn(mutation, rng);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<PopulationRound> ranked(const PopulationRules& rules, const std::vector<PopulationRound>& rows) {
    std::vector<PopulationRound> order;
    for (const PopulationRound& row : rows)
        if (row.state == RoundState::done && row.score) order.push_back(row);
    std::stable_sort(order.begin(), order.end(), [&](const PopulationRound& a, const PopulationRound& b) {
        return rules.lower_is_better ? *a.score < *b.score : *a.score > *b.score;
    });
    return order;
}

std::vector<PopulationRound> nextRound(const PopulationRules& rules,
                                       const std::vector<PopulationRound>& ended) {
    const std::vector<PopulationRound> order = ranked(rules, ended);
    const auto wanted = static_cast<std::size_t>(
        std::max(1.0, std::floor(rules.fraction * static_cast<double>(ended.size()))));
    // Failed members copy even the only one that has a score.
    const std::size_t worst = std::min(wanted, order.size() / 2);
    const std::size_t best = std::min(wanted, (order.size() + 1) / 2);
    std::vector<PopulationRound> rows;
    for (const PopulationRound& before : ended) {
        PopulationRound row{.round = before.round + 1,
                            .member = before.member,
                            .parent = before.member,
                            .parent_step = before.end_step,
                            .settings = before.settings};
        const bool is_worst = std::any_of(order.end() - static_cast<std::ptrdiff_t>(worst), order.end(),
                                          [&](const auto& other) { return other.member == before.member; });
        const bool has_failed = before.state == RoundState::failed;
        if ((is_worst || has_failed) && best > 0) {
            Rng rng = streamOf(rules, row.round, row.member);
            const PopulationRound& parent = order[rng.below(static_cast<std::uint32_t>(best))];
            if (has_failed || *parent.score != *before.score) {
                row.parent = parent.member;
                row.parent_step = parent.end_step;
                row.settings = mutated(rules, parent.settings, rng);
                row.state = RoundState::copying;
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<LineageNode> lineageOf(const std::vector<PopulationRound>& rows) {
    std::vector<LineageNode> nodes;
    std::map<int, int> before, now;  // node of each member, in the previous round and in this one
    std::int64_t round = 0;
    for (const PopulationRound& row : rows) {
        if (row.round != round) before = now;
        round = row.round;
        const auto own = before.find(row.member), parent = before.find(row.parent);
        const bool continues = row.parent == row.member && own != before.end();
        if (continues) {
            now[row.member] = own->second;
        } else {
            now[row.member] = static_cast<int>(nodes.size());
            nodes.push_back({.member = row.member,
                             .parent = parent == before.end() ? -1 : parent->second,
                             .first_round = row.round,
                             .begin_step = row.parent_step,
                             .end_step = row.parent_step});
        }
        LineageNode& node = nodes[static_cast<std::size_t>(now[row.member])];
        node.last_round = row.round;
        node.settings = row.settings;
        node.error = row.error;
        if (row.state != RoundState::done) continue;
        node.end_step = row.end_step;
        node.score = row.score;
    }
    return nodes;
}

std::string settingsText(const Json& settings) {
    std::vector<std::string> parts;
    for (const auto& [key, value] : settings.items()) parts.push_back(key + " " + value.dump());
    return join(parts, ", ");
}

}  // namespace seedbed
