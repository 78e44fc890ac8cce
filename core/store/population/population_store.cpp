// SPDX-License-Identifier: Apache-2.0
#include "core/store/population/population_store.hpp"

#include <utility>

#include "core/base/text.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {
namespace {

constexpr RoundState kStates[] = {RoundState::copying, RoundState::training, RoundState::done,
                                  RoundState::failed};

RoundState stateFromText(std::string_view text) {
    for (const RoundState state : kStates)
        if (text == nameOf(state)) return state;
    return RoundState::failed;  // not possible: the table has a check
}

}  // namespace

const char* nameOf(RoundState state) {
    switch (state) {
        case RoundState::copying: return "copying";
        case RoundState::training: return "training";
        case RoundState::done: return "done";
        case RoundState::failed: return "failed";
    }
    return "";
}

Result<PopulationStore> PopulationStore::open(const std::filesystem::path& data_folder) {
    SEEDBED_ASSIGN(Store store, Store::open(data_folder));
    return PopulationStore(std::move(store));
}

Result<PopulationRecord> PopulationStore::create(const std::string& name, const Json& settings,
                                                 const std::vector<NewRun>& runs,
                                                 const std::vector<PopulationRound>& first_round) {
    if (!name.empty()) SEEDBED_TRY(checkRunName(name));
    Store::Impl& impl = *store_.impl_;
    Database& database = *impl.database;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database, impl.lock));
    PopulationRecord made{.id = 0, .name = name, .settings = settings, .created = 0, .runs = {}};
    SEEDBED_ASSIGN(made.id, database.integer("SELECT coalesce(max(id), 0) + 1 FROM populations"));
    if (name.empty()) made.name = "population-" + std::to_string(made.id);
    SEEDBED_ASSIGN(const auto existing, populations());
    for (const PopulationRecord& other : existing)
        if (other.name == made.name)
            return fail(ErrorCode::config, "there is already a population '" + made.name + "'");
    made.created = impl.system.wallSeconds();
    SEEDBED_ASSIGN(
        Statement insert_population,
        database.prepare("INSERT INTO populations (id, name, settings, created) VALUES (?, ?, ?, ?)"));
    SEEDBED_TRY(insert_population.run(made.id, made.name, jsonText(settings), made.created));
    SEEDBED_ASSIGN(
        Statement insert_member,
        database.prepare("INSERT INTO population_members (population_id, number, run_id) VALUES (?, ?, ?)"));
    for (NewRun run : runs) {
        const auto number = static_cast<std::int64_t>(made.runs.size()) + 1;
        run.name = made.name + "-" + std::to_string(number);
        run.status = RunStatus::queued;
        run.tags.push_back(made.name);
        SEEDBED_TRY(impl.checkNameIsFree(run.name, 0));
        SEEDBED_ASSIGN(const RunId id, impl.insert(run));
        SEEDBED_TRY(impl.addTags(id, run.tags));
        SEEDBED_TRY(impl.moveForeignCheckpoints(id).map([](const std::string&) {}));
        SEEDBED_TRY(insert_member.run(made.id, number, id));
        made.runs.push_back(id);
    }
    SEEDBED_TRY(insert(made.id, first_round));
    SEEDBED_TRY(transaction.commit());
    return made;
}

Result<std::vector<PopulationRecord>> PopulationStore::populations() {
    Database& database = *store_.impl_->database;
    SEEDBED_ASSIGN(Statement select,
                   database.prepare("SELECT id, name, settings, created FROM populations ORDER BY id"));
    std::vector<PopulationRecord> found;
    SEEDBED_TRY(select.each([&] {
        found.push_back({.id = select.integer(0),
                         .name = select.text(1),
                         .settings = jsonFromText(select.text(2)),
                         .created = select.real(3),
                         .runs = {}});
    }));
    SEEDBED_ASSIGN(
        Statement members,
        database.prepare("SELECT run_id FROM population_members WHERE population_id = ? ORDER BY number"));
    for (PopulationRecord& population : found)
        SEEDBED_TRY(members.each([&] { population.runs.push_back(members.integer(0)); }, population.id));
    return found;
}

Result<PopulationRecord> PopulationStore::population(std::string_view name) {
    SEEDBED_ASSIGN(const auto all, populations());
    std::vector<std::string> names;
    for (const PopulationRecord& population : all) {
        if (population.name == name || std::to_string(population.id) == name) return population;
        names.push_back(population.name);
    }
    return fail(ErrorCode::config,
                "there is no population '" + std::string(name) + "'; " +
                    (names.empty() ? "start one with 'seedbed population start ENV --mutate KEY=LOW..HIGH'"
                                   : "populations: " + join(names, ", ")));
}

Result<std::vector<PopulationRound>> PopulationStore::rounds(std::int64_t population) {
    SEEDBED_ASSIGN(Statement select,
                   store_.impl_->database->prepare(
                       "SELECT round, member, parent, parent_step, settings, state, end_step, score, error, "
                       "time FROM population_rounds WHERE population_id = ? ORDER BY round, member"));
    std::vector<PopulationRound> found;
    SEEDBED_TRY(select.each(
        [&] {
            found.push_back({.round = select.integer(0),
                             .member = static_cast<int>(select.integer(1)),
                             .parent = static_cast<int>(select.integer(2)),
                             .parent_step = select.integer(3),
                             .settings = jsonFromText(select.text(4)),
                             .state = stateFromText(select.text(5)),
                             .end_step = select.integer(6),
                             .score = select.optionalReal(7),
                             .error = select.text(8),
                             .time = select.real(9)});
        },
        population));
    return found;
}

Result<> PopulationStore::insert(std::int64_t population, const std::vector<PopulationRound>& rows) {
    Store::Impl& impl = *store_.impl_;
    SEEDBED_ASSIGN(Statement insert,
                   impl.database->prepare(
                       "INSERT INTO population_rounds (population_id, round, member, parent, parent_step, "
                       "settings, state, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
    for (const PopulationRound& row : rows)
        SEEDBED_TRY(insert.run(population, row.round, row.member, row.parent, row.parent_step,
                               jsonText(row.settings), nameOf(row.state), impl.system.wallSeconds()));
    return {};
}

Result<bool> PopulationStore::addRound(std::int64_t population, const std::vector<PopulationRound>& rows) {
    SEEDBED_CHECK(!rows.empty());
    Store::Impl& impl = *store_.impl_;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl.database, impl.lock));
    SEEDBED_ASSIGN(const std::int64_t newest,
                   impl.database->integer("SELECT coalesce(max(round), 0) FROM population_rounds WHERE "
                                          "population_id = " +
                                          std::to_string(population)));
    if (newest >= rows.front().round) return false;
    SEEDBED_TRY(insert(population, rows));
    SEEDBED_TRY(transaction.commit());
    return true;
}

Result<> PopulationStore::setCopied(std::int64_t population, std::int64_t round, int member) {
    Store::Impl& impl = *store_.impl_;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl.database, impl.lock));
    SEEDBED_ASSIGN(
        Statement update,
        impl.database->prepare("UPDATE population_rounds SET state = 'training', time = ? WHERE "
                               "population_id = ? AND round = ? AND member = ? AND state = 'copying'"));
    SEEDBED_TRY(update.run(impl.system.wallSeconds(), population, round, member));
    return transaction.commit();
}

Result<> PopulationStore::setDone(std::int64_t population, const PopulationRound& row) {
    Store::Impl& impl = *store_.impl_;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl.database, impl.lock));
    SEEDBED_ASSIGN(
        Statement update,
        impl.database->prepare("UPDATE population_rounds SET state = 'done', end_step = ?, score = ?, "
                               "settings = ?, time = ? WHERE population_id = ? AND round = ? AND member = ? "
                               "AND state = 'training'"));
    SEEDBED_TRY(update.run(row.end_step, row.score, jsonText(row.settings), impl.system.wallSeconds(),
                           population, row.round, row.member));
    return transaction.commit();
}

Result<> PopulationStore::setFailed(std::int64_t population, std::int64_t round, int member,
                                    std::string_view error) {
    Store::Impl& impl = *store_.impl_;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl.database, impl.lock));
    SEEDBED_ASSIGN(
        Statement update,
        impl.database->prepare("UPDATE population_rounds SET state = 'failed', error = ?, time = ? WHERE "
                               "population_id = ? AND round = ? AND member = ? AND state <> 'done'"));
    SEEDBED_TRY(update.run(error, impl.system.wallSeconds(), population, round, member));
    return transaction.commit();
}

}  // namespace seedbed
