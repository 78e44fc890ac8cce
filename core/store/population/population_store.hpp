// SPDX-License-Identifier: Apache-2.0
// Populations in the database: their members, which are runs, and what each member does in each round.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/store/store.hpp"

namespace seedbed {

struct PopulationRecord {
    std::int64_t id = 0;
    std::string name;  // as for checkRunName()
    Json settings = Json::object();
    double created = 0;
    std::vector<RunId> runs;  // of member 1, 2, ...
};

enum class RoundState : std::uint8_t {
    copying,   // must take the learner of its parent
    training,  // must train until the end of the round
    done,
    failed
};
const char* nameOf(RoundState state);

// A member's part of a round. Members and rounds count from 1.
struct PopulationRound {
    std::int64_t round = 0;
    int member = 0;
    int parent = 0;                  // the member whose learner it continues; usually itself
    std::int64_t parent_step = 0;    // step of the parent's checkpoint
    Json settings = Json::object();  // values of the mutated settings, by key
    RoundState state = RoundState::training;
    std::int64_t end_step = 0;      // if done
    std::optional<double> score{};  // of the objective; empty if it has no value
    std::string error{};            // why it failed
    double time = 0;                // of the latest change
};

// Thread: one owner at a time. Errors as for Store. Every call is one transaction.
class PopulationStore {
public:
    // Creates or migrates the database if necessary.
    static Result<PopulationStore> open(const std::filesystem::path& data_folder);

    // Creates a population, its runs ("NAME-1", ...) and its first round. "" is replaced by "population-ID";
    // every run gets the name of the population as a tag. error: config for a name that is taken.
    Result<PopulationRecord> create(const std::string& name, const Json& settings,
                                    const std::vector<NewRun>& runs,
                                    const std::vector<PopulationRound>& first_round);
    Result<std::vector<PopulationRecord>> populations();  // by id
    // By id or name. error: config, with the names of the existing populations.
    Result<PopulationRecord> population(std::string_view name);
    // Ordered by round and member.
    Result<std::vector<PopulationRound>> rounds(std::int64_t population);
    // Adds the rows of a round. False, without a change, if another process has added this round.
    Result<bool> addRound(std::int64_t population, const std::vector<PopulationRound>& rows);
    // Moves a row from `copying` to `training`.
    Result<> setCopied(std::int64_t population, std::int64_t round, int member);
    // Moves a row from `training` to `done`. `settings`: those at the end of the round. No effect in another
    // state: the result was recorded before.
    Result<> setDone(std::int64_t population, const PopulationRound& row);
    // Moves a row that is not done to `failed`.
    Result<> setFailed(std::int64_t population, std::int64_t round, int member, std::string_view error);

private:
    explicit PopulationStore(Store store) : store_(std::move(store)) {}
    Result<> insert(std::int64_t population, const std::vector<PopulationRound>& rows);

    Store store_;
};

}  // namespace seedbed
