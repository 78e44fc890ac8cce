// SPDX-License-Identifier: Apache-2.0
// The decisions of population-based training (Jaderberg et al. 2017, "Population Based Training of Neural
// Networks"): initial settings, who copies whom, and mutations. Pure functions of the rules and the results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/store/population/population_store.hpp"

namespace seedbed {

// A setting that differs between members, and its range.
struct Mutation {
    std::string key{};  // algo.learning_rate
    double low = 0, high = 1;
    bool is_log = false;  // drawn log-uniformly and multiplied; otherwise uniformly and shifted
    bool is_integer = false;

    bool operator==(const Mutation&) const = default;
};

// Parses KEY=LOW..HIGH, KEY=LOW..HIGH:log or KEY=LOW..HIGH:linear. `document`: the complete configuration of
// a member. error: config: an unknown setting, one that is no number or cannot change during a run, or a
// range outside the allowed one.
Result<Mutation> parseMutation(std::string_view text, const Json& document);

struct PopulationRules {
    int members = 8;
    std::int64_t steps = 0;                    // of each member
    std::int64_t every = 0;                    // steps of a round
    std::string objective = "episode/return";  // a metric
    bool lower_is_better = false;
    double fraction = 0.25;  // of the members that are replaced, and that are copied
    double resample = 0.25;  // probability of drawing a new value of a setting
    std::uint64_t seed = 1;
    std::vector<Mutation> mutations;

    std::int64_t rounds() const { return (steps + every - 1) / every; }
    // The step at which a round ends; rounds count from 1.
    std::int64_t endOf(std::int64_t round) const { return round < rounds() ? round * every : steps; }
};

// error: config, for values that are not possible together.
Result<> checkRules(const PopulationRules& rules);
Json toJson(const PopulationRules& rules);
PopulationRules rulesFromJson(const Json& json);

// Round 1: each member draws its settings.
std::vector<PopulationRound> firstRound(const PopulationRules& rules);

// The round after `ended`, in which all rows are done or failed. The worst fraction of the members copy a
// random member of the best fraction if that one is better, and so do failed members. All others continue.
std::vector<PopulationRound> nextRound(const PopulationRules& rules,
                                       const std::vector<PopulationRound>& ended);

// Members with a score, the best first; equal scores in the order of members.
std::vector<PopulationRound> ranked(const PopulationRules& rules, const std::vector<PopulationRound>& rows);

// A learner and its history: the rounds in which one member continued with it.
struct LineageNode {
    int member = 0;
    int parent = -1;  // index of the node from which it was copied; -1: none
    std::int64_t first_round = 0, last_round = 0;
    std::int64_t begin_step = 0, end_step = 0;
    Json settings = Json::object();
    std::optional<double> score{};  // newest
    std::string error{};            // of the last round
};

// In order of creation, so that parents come before children. `rows`: ordered by round and member.
std::vector<LineageNode> lineageOf(const std::vector<PopulationRound>& rows);

// The settings of a member as text: "algo.learning_rate 0.001, algo.entropy_cost 0.01".
std::string settingsText(const Json& settings);

}  // namespace seedbed
