// SPDX-License-Identifier: Apache-2.0
// Leagues in exported and imported databases: nothing is lost or counted twice, whatever the data folder
// contains, and one invalid row means that nothing is imported.
#include <filesystem>
#include <numeric>
#include <string>
#include <tuple>

#include <sqlite3.h>

#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/export_database.hpp"
#include "core/store/import.hpp"
#include "core/store/league/league_store.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

constexpr std::uint64_t kTopBit = std::uint64_t{1} << 63;

std::string hashOf(char digit) { return std::string(64, digit); }

class LeagueImport : public testing::StoreTest {
protected:
    std::filesystem::path other() const { return folder().parent_path() / "other"; }
    std::filesystem::path file() const { return folder().parent_path() / "exported.db"; }

    static LeagueMember member(const std::string& name, const std::string& sha256 = "") {
        LeagueMember member;
        member.name = member.origin = name;
        member.player = sha256.empty() ? name : leaguePolicyFolder("club", sha256).string();
        member.params_sha256 = sha256;
        return member;
    }
    static LeagueRecord settings(const std::string& name) {
        LeagueRecord league;
        league.name = name;
        league.env = "tic_tac_toe";
        league.env_params = {{"size", 3}};
        league.opening = 2;
        return league;
    }
    // Plays `count` matches of the first two members; seeds begin at `seed`.
    static void play(LeagueStore& store, std::int64_t league, int count, std::uint64_t seed) {
        const auto members = must(store.members(league));
        LeagueMatch match;
        match.a = members[0].id;
        match.b = members[1].id;
        for (const LeagueMatch& one : must(store.matches(league)))
            if (one.a == match.a && one.b == match.b) match.number = one.number + 1;
        for (int i = 0; i < count; ++i, ++match.number) {
            match.wins = 3;
            match.draws = 2;
            match.losses = i;
            match.seed = seed + static_cast<std::uint64_t>(i);
            match.game_ids.resize(static_cast<std::size_t>(match.games()));
            std::iota(match.game_ids.begin(), match.game_ids.end(), kTopBit + 4 * match.seed);
            EXPECT_TRUE(must(store.record(league, match)));
        }
    }
    // A league of a policy of run 1, one of a removed run, and a scripted player, with three matches.
    void fill(const std::filesystem::path& data) {
        Store runs = must(Store::open(data));
        must(runs.createRun(cartpole("trained")));
        LeagueStore store = must(LeagueStore::open(data));
        const std::int64_t league = must(store.create(settings("club")));
        must(store.addMember(league, member("1:best", hashOf('a'))));
        must(store.addMember(league, member("minimax")));
        const std::int64_t removed = must(store.addMember(league, member("7", hashOf('b'))));
        must(store.setActive(removed, false));
        play(store, league, 3, 100);
    }
    std::vector<ImportedLeague> import() const {
        std::vector<ImportedLeague> leagues;
        must(importDatabase(other(), file(), realSystem(), {}, {}, kImportStepLimit, &leagues));
        EXPECT_TRUE(must(checkDatabase(other())).problems.empty());
        return leagues;
    }
    void exportAgain() const {
        std::filesystem::remove(file());
        must(exportDatabase(folder(), file(), {}));
    }
    // Numbers, results and seeds of all matches, which are those of one pair, counted for the member `name`.
    using Row = std::tuple<std::int64_t, int, int, int, std::uint64_t>;
    static std::vector<Row> rows(const std::filesystem::path& data, const std::string& league,
                                 const std::string& name) {
        LeagueStore store = must(LeagueStore::open(data));
        const std::int64_t id = must(store.league(league)).id;
        std::int64_t first = 0;
        for (const LeagueMember& one : must(store.members(id)))
            if (one.name == name) first = one.id;
        std::vector<Row> rows;
        for (const LeagueMatch& match : must(store.matches(id))) {
            const bool is_a = match.a == first;
            EXPECT_TRUE(is_a || match.b == first);
            rows.emplace_back(match.number, is_a ? match.wins : match.losses, match.draws,
                              is_a ? match.losses : match.wins, match.seed);
        }
        return rows;
    }
};

TEST_F(LeagueImport, ABackupContainsLeaguesWithMembersAndMatches) {
    fill(folder());
    // The run has another number there, and run 7 is not in the backup.
    Store there = must(Store::open(other()));
    must(there.createRun(cartpole("own")));
    exportAgain();
    const auto imported = import();
    ASSERT_EQ(imported.size(), 1U);
    EXPECT_EQ(imported[0].name, "club");
    EXPECT_FALSE(imported[0].existed);
    EXPECT_EQ(imported[0].members, 3);
    EXPECT_EQ(imported[0].matches, 3);
    EXPECT_EQ(imported[0].policies, (std::vector<std::string>{hashOf('a'), hashOf('b')}));
    LeagueStore store = must(LeagueStore::open(other())), source = must(LeagueStore::open(folder()));
    const LeagueRecord league = must(store.league("club")), original = must(source.league("club"));
    EXPECT_EQ(league.env, "tic_tac_toe");
    EXPECT_EQ(league.env_params, original.env_params);
    EXPECT_EQ(league.opening, 2);
    EXPECT_EQ(league.created, original.created);
    const auto members = must(store.members(league.id));
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[0].name, "1:best");
    EXPECT_EQ(members[0].origin, "2:best");
    EXPECT_EQ(members[0].params_sha256, hashOf('a'));
    EXPECT_EQ(members[0].player, "leagues/club/" + std::string(16, 'a'));
    EXPECT_EQ(members[1].player, "minimax");
    EXPECT_EQ(members[2].origin, "not imported: 7");
    EXPECT_FALSE(members[2].active);
    EXPECT_EQ(rows(other(), "club", "minimax"), rows(folder(), "club", "minimax"));
}

TEST_F(LeagueImport, ASecondImportAddsNothing) {
    fill(folder());
    exportAgain();
    import();
    const auto before = rows(other(), "club", "minimax");
    const auto again = import();
    ASSERT_EQ(again.size(), 1U);
    EXPECT_TRUE(again[0].existed);
    EXPECT_EQ(again[0].members, 0);
    EXPECT_EQ(again[0].matches, 0);
    EXPECT_EQ(rows(other(), "club", "minimax"), before);
    LeagueStore store = must(LeagueStore::open(other()));
    EXPECT_EQ(must(store.leagues()).size(), 1U);
    EXPECT_EQ(must(store.members(must(store.league("club")).id)).size(), 3U);
}

TEST_F(LeagueImport, AnImportIntoTheSameFolderAddsNothing) {
    fill(folder());
    exportAgain();
    std::vector<ImportedLeague> leagues;
    must(importDatabase(folder(), file(), realSystem(), {}, {}, kImportStepLimit, &leagues));
    ASSERT_EQ(leagues.size(), 1U);
    EXPECT_TRUE(leagues[0].existed);
    EXPECT_EQ(leagues[0].members + leagues[0].matches, 0);
}

// Both folders continue the league. Matches with the same seed are the same games.
TEST_F(LeagueImport, MatchesOfBothFoldersCountOnce) {
    fill(folder());
    exportAgain();
    import();
    LeagueStore here = must(LeagueStore::open(folder())), there = must(LeagueStore::open(other()));
    play(here, must(here.league("club")).id, 2, 200);
    play(there, must(there.league("club")).id, 1, 200);
    play(there, must(there.league("club")).id, 1, 300);
    exportAgain();
    const auto merged = import();
    EXPECT_EQ(merged[0].matches, 1) << "the match with seed 201";
    std::vector<std::uint64_t> seeds;
    std::int64_t number = 0;
    for (const Row& row : rows(other(), "club", "minimax")) {
        EXPECT_EQ(std::get<0>(row), number++);
        seeds.push_back(std::get<4>(row));
    }
    EXPECT_EQ(seeds, (std::vector<std::uint64_t>{100, 101, 102, 200, 300, 201}));
    EXPECT_EQ(import()[0].matches, 0);
}

TEST_F(LeagueImport, MatchesWithEqualSeedsAndOtherResultsAreKept) {
    fill(folder());
    exportAgain();
    import();
    LeagueStore there = must(LeagueStore::open(other()));
    const auto members = must(there.members(must(there.league("club")).id));
    // Another number of games with a seed that the source has, too.
    LeagueMatch longer;
    longer.a = members[0].id;
    longer.b = members[1].id;
    for (const Row& row : rows(other(), "club", "minimax")) longer.number = std::get<0>(row) + 1;
    longer.wins = 40;
    longer.seed = 400;
    EXPECT_TRUE(must(there.record(must(there.league("club")).id, longer)));
    LeagueStore here = must(LeagueStore::open(folder()));
    play(here, must(here.league("club")).id, 1, 400);
    exportAgain();
    EXPECT_EQ(import()[0].matches, 1);
    EXPECT_EQ(import()[0].matches, 0) << "importing again adds nothing";
}

TEST_F(LeagueImport, ALeagueOfTheSameNameIsAnotherOne) {
    fill(folder());
    exportAgain();
    {
        LeagueStore there = must(LeagueStore::open(other()));
        must(there.create(settings("club")));
    }
    for (const bool existed : {false, true}) {
        const auto imported = import();
        ASSERT_EQ(imported.size(), 1U);
        EXPECT_EQ(imported[0].source_name, "club");
        EXPECT_EQ(imported[0].name, "club (2)");
        EXPECT_EQ(imported[0].existed, existed);
    }
    LeagueStore there = must(LeagueStore::open(other()));
    EXPECT_EQ(must(there.leagues()).size(), 2U);
    EXPECT_TRUE(must(there.members(must(there.league("club")).id)).empty());
    const auto members = must(there.members(must(there.league("club (2)")).id));
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[0].player, "leagues/club (2)/" + std::string(16, 'a'));
}

// Members were added in another order, so that their numbers, and the side that a match counts for, differ.
TEST_F(LeagueImport, ResultsCountForTheSameMemberWhateverItsNumber) {
    fill(folder());
    exportAgain();
    import();
    {
        const auto database = must(Database::open(other() / kDatabaseName, Database::Access::write));
        must(database->execute("DELETE FROM league_matches; DELETE FROM league_members"));
    }
    {
        LeagueStore there = must(LeagueStore::open(other()));
        const std::int64_t league = must(there.league("club")).id;
        must(there.addMember(league, member("minimax")));
        must(there.addMember(league, member("1:best", hashOf('c'))));
        play(there, league, 1, 900);
    }
    for (const int added : {2, 0}) EXPECT_EQ(import()[0].members, added);
    LeagueStore there = must(LeagueStore::open(other()));
    const std::int64_t league = must(there.league("club")).id;
    const auto members = must(there.members(league));
    ASSERT_EQ(members.size(), 4U);
    EXPECT_EQ(members[2].name, "1:best (2)") << "another policy has the name";
    EXPECT_EQ(members[2].params_sha256, hashOf('a'));
    std::vector<LeagueMatch> played;
    for (const LeagueMatch& match : must(there.matches(league)))
        if (match.b == members[2].id) played.push_back(match);
    ASSERT_EQ(played.size(), 3U);
    for (int i = 0; i < 3; ++i) {
        const LeagueMatch& match = played[static_cast<std::size_t>(i)];
        EXPECT_EQ(match.a, members[0].id);
        EXPECT_EQ(match.wins, i) << "losses of 1:best are wins of minimax";
        EXPECT_EQ(match.losses, 3);
        EXPECT_EQ(match.seed, 100U + static_cast<unsigned>(i));
        ASSERT_EQ(match.game_ids.size(), 5U + static_cast<unsigned>(i));
        EXPECT_EQ(match.game_ids[0], kTopBit - 4 * match.seed) << "a draw";
        EXPECT_EQ(match.game_ids[1], kTopBit - 4 * match.seed + 2) << "a loss of minimax";
    }
}

TEST_F(LeagueImport, ABackupOfSomeRunsContainsNoLeague) {
    fill(folder());
    must(exportDatabase(folder(), file(), {1}));
    EXPECT_TRUE(import().empty());
    const auto copy = must(Database::open(file(), Database::Access::read));
    for (const char* table : {"leagues", "league_members", "league_matches"})
        EXPECT_EQ(must(copy->integer(std::string("SELECT count(*) FROM ") + table)), 0) << table;
}

TEST_F(LeagueImport, ABackupWithoutLeaguesIsImportedAsBefore) {
    {
        Store store = must(Store::open(folder()));
        must(store.createRun(cartpole("only")));
    }
    exportAgain();
    EXPECT_TRUE(import().empty());
    EXPECT_EQ(must(must(StoreReader::open(other())).runs()).size(), 1U);
}

class HostileLeagues : public LeagueImport {
protected:
    // Changes the exported file as another program could, without the checks of the tables.
    void change(const std::string& statements) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(file().c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(
                      database,
                      ("PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF;" + statements).c_str(),
                      nullptr, nullptr, nullptr),
                  SQLITE_OK)
            << sqlite3_errmsg(database) << ": " << statements;
        sqlite3_close(database);
    }
    void expectRefused(const std::string& statements, const std::string& says = "") {
        SCOPED_TRACE(statements);
        exportAgain();
        change(statements);
        const auto refused = importDatabase(other(), file());
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().text().find("nothing was imported"), std::string::npos)
            << refused.error().text();
        EXPECT_NE(refused.error().text().find(says), std::string::npos) << refused.error().text();
        const auto here = must(Database::open(other() / kDatabaseName, Database::Access::read));
        for (const char* table : {"runs", "leagues", "league_members", "league_matches"})
            EXPECT_EQ(must(here->integer(std::string("SELECT count(*) FROM ") + table)), 0) << table;
    }
};

TEST_F(HostileLeagues, OneInvalidRowMeansThatNothingIsImported) {
    fill(folder());
    const std::string huge = std::to_string(std::int64_t{1} << 60);
    const std::string text = "not printable";
    for (const auto& [statements, says] : std::vector<std::pair<std::string, std::string>>{
             {"UPDATE leagues SET name = '../../escaped'", "invalid name"},
             {"UPDATE leagues SET name = 'a' || char(27) || '[2J'", "invalid name"},
             {"UPDATE leagues SET name = ''", "invalid name"},
             {"UPDATE leagues SET name = hex(zeroblob(1000))", "invalid name"},
             {"UPDATE leagues SET env = 'a' || char(10)", "environment"},
             {"UPDATE leagues SET env_params = '[1]'", "settings"},
             {"UPDATE leagues SET env_params = 'os.system(1)'", "settings"},
             {"UPDATE leagues SET env_params = '{\"a\":\"' || hex(zeroblob(100000)) || '\"}'", "settings"},
             {"UPDATE leagues SET opening = -1", "number -1"},
             {"UPDATE leagues SET opening = " + huge, "number"},
             {"UPDATE leagues SET sample = 2", "number 2"},
             {"UPDATE leagues SET created = 9e999", "time"},
             {"UPDATE leagues SET created = -1", "time"},
             {"UPDATE leagues SET id = -5 WHERE id = 1; UPDATE league_members SET league_id = -5;"
              "UPDATE league_matches SET league_id = -5",
              "number -5"},
             {"UPDATE league_members SET name = id || char(7)", text},
             {"UPDATE league_members SET origin = char(127) WHERE id = 2", text},
             {"UPDATE league_members SET player = '' WHERE id = 2", text},
             {"UPDATE league_members SET player = hex(zeroblob(4000)) WHERE id = 2", text},
             {"UPDATE league_members SET params_sha256 = '../../etc' WHERE id = 1", "SHA-256"},
             {"UPDATE league_members SET params_sha256 = upper(params_sha256)", "SHA-256"},
             {"UPDATE league_members SET active = 7", "number 7"},
             {"UPDATE league_members SET added = -9e999", "time"},
             {"UPDATE league_members SET league_id = 5 WHERE id = 3", "does not exist"},
             {"UPDATE league_matches SET league_id = 5", "does not exist"},
             {"UPDATE league_matches SET b = 99", "two members"},
             {"UPDATE league_matches SET a = 0", "two members"},
             {"UPDATE league_matches SET a = b", ""},
             {"UPDATE league_matches SET number = number - 10", "number -10"},
             {"UPDATE league_matches SET wins = -1", ""},
             {"UPDATE league_matches SET draws = 1000001", "number 1000001"},
             {"UPDATE league_matches SET losses = " + huge, "number"},
             {"UPDATE league_matches SET wins = 600000, losses = 600000", "number 1200002"},
             {"UPDATE league_matches SET time = 9e999", "time"},
             {"UPDATE league_matches SET games = x'0102030405060708'", "each of its games"},
             {"UPDATE league_matches SET games = zeroblob(41)", "each of its games"},
             {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) INSERT INTO "
              "leagues "
              "SELECT i + 10, 'x' || i, 'e', '{}', 0, 0, 1 FROM n",
              "20001 leagues"},
             {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) INSERT INTO "
              "league_members SELECT i + 10, 1, 'x' || i, 'p', 'p', '', 1, 1 FROM n",
              "more than 10000 members"}})
        expectRefused(statements, says);
}

TEST_F(HostileLeagues, TablesWithOtherColumnsAreRefused) {
    fill(folder());
    expectRefused("ALTER TABLE leagues ADD COLUMN command TEXT", "table leagues");
    expectRefused("DROP TABLE league_matches", "missing");
    expectRefused(
        "DROP TABLE league_members; CREATE TABLE league_members (id, league_id, name, player, origin, "
        "params_sha256, active, added)",
        "table league_members");
    expectRefused("CREATE TRIGGER t AFTER INSERT ON leagues BEGIN DELETE FROM runs; END", "trigger");
}

// A crafted file names the folder of a member's policy; it is not used.
TEST_F(HostileLeagues, PathsOfPoliciesAreNotTakenFromTheFile) {
    fill(folder());
    exportAgain();
    change("UPDATE league_members SET player = '../../../etc' WHERE id = 1");
    import();
    LeagueStore store = must(LeagueStore::open(other()));
    EXPECT_EQ(must(store.members(must(store.league("club")).id))[0].player,
              "leagues/club/" + std::string(16, 'a'));
}

// Members that cannot be distinguished: each is imported once, and none plays against itself.
TEST_F(HostileLeagues, EqualMembersAndLeaguesStaySeparate) {
    fill(folder());
    exportAgain();
    change("UPDATE league_members SET added = 5, params_sha256 = '" + hashOf('a') +
           "'; INSERT INTO leagues SELECT 2, 'twin', env, env_params, opening, sample, created FROM leagues");
    for (const int added : {3, 0}) {
        const auto imported = import();
        ASSERT_EQ(imported.size(), 2U);
        EXPECT_EQ(imported[0].members, added);
        EXPECT_EQ(imported[0].matches, added);
        EXPECT_EQ(imported[1].name, "twin");
    }
    EXPECT_EQ(rows(other(), "club", "minimax").size(), 3U);
}

TEST_F(HostileLeagues, NamesThatCouldNotBeImportedAreNotStored) {
    LeagueStore store = must(LeagueStore::open(folder()));
    const std::int64_t league = must(store.create(settings("club")));
    EXPECT_FALSE(store.addMember(league, member("a\x1b[2J")));
    EXPECT_FALSE(store.addMember(league, member(std::string(5000, 'x'))));
    EXPECT_TRUE(must(store.members(league)).empty());
}

}  // namespace
}  // namespace seedbed
