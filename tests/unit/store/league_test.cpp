// SPDX-License-Identifier: Apache-2.0
// Leagues in the database: members, and matches that count once.
#include "core/store/league/league_store.hpp"

#include "core/store/schema.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

class LeagueTest : public testing::StoreTest {
protected:
    LeagueStore open() const { return must(LeagueStore::open(folder())); }
    static LeagueRecord connectFour(const std::string& name) {
        LeagueRecord league;
        league.name = name;
        league.env = "connect_four";
        league.env_params = {{"size", 7}};
        league.opening = 2;
        league.sample = true;
        return league;
    }
    static LeagueMember member(const std::string& name, const std::string& sha = "") {
        LeagueMember member;
        member.name = member.player = member.origin = name;
        member.params_sha256 = sha;
        return member;
    }
};

TEST_F(LeagueTest, IsFoundByItsNameWithItsSettings) {
    LeagueStore store = open();
    const std::int64_t id = must(store.create(connectFour("club")));
    const LeagueRecord found = must(open().league("club"));
    EXPECT_EQ(found.id, id);
    EXPECT_EQ(found.env, "connect_four");
    EXPECT_EQ(found.env_params, (Json{{"size", 7}}));
    EXPECT_EQ(found.opening, 2);
    EXPECT_TRUE(found.sample);
    EXPECT_GT(found.created, 1e9);
    EXPECT_FALSE(store.create(connectFour("club"))) << "the name is taken";
    EXPECT_FALSE(store.create(connectFour("a/b")));
    const auto missing = store.league("clubs");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "there is no league 'clubs'; leagues: club");
}

TEST_F(LeagueTest, KeepsMembersAndRefusesAnotherPlayerUnderTheSameName) {
    LeagueStore store = open();
    const std::int64_t league = must(store.create(connectFour("club")));
    const std::int64_t first = must(store.addMember(league, member("alpha_beta:4")));
    const std::int64_t second = must(store.addMember(league, member("2:1000", "abc")));
    EXPECT_NE(first, second);
    must(store.setActive(second, false));
    const std::vector<LeagueMember> members = must(store.members(league));
    ASSERT_EQ(members.size(), 2U);
    EXPECT_FALSE(members[1].active);
    EXPECT_EQ(members[1].params_sha256, "abc");
    EXPECT_EQ(members[1].origin, "2:1000");
    EXPECT_EQ(must(store.addMember(league, member("2:1000", "abc"))), second);
    EXPECT_TRUE(must(store.members(league))[1].active) << "adding a member again activates it";
    const auto other = store.addMember(league, member("2:1000", "def"));
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("another member '2:1000'"), std::string::npos);
    EXPECT_EQ(must(store.members(league)).size(), 2U);
    EXPECT_FALSE(store.addMember(league, member("")));
}

// A process that was killed after the commit plays the match again and records it again.
TEST_F(LeagueTest, CountsAMatchOnceHoweverOftenItIsRecorded) {
    LeagueStore store = open();
    const std::int64_t league = must(store.create(connectFour("club")));
    LeagueMatch match;
    match.a = must(store.addMember(league, member("a")));
    match.b = must(store.addMember(league, member("b")));
    match.wins = 5;
    match.losses = 3;
    match.draws = 2;
    match.seed = 17;
    match.game_ids = {1, ~std::uint64_t{0}, std::uint64_t{1} << 40};
    EXPECT_TRUE(must(store.record(league, match)));
    match.wins = 9;
    EXPECT_FALSE(must(open().record(league, match))) << "recorded by another connection";
    match.number = 1;
    EXPECT_TRUE(must(store.record(league, match)));
    const auto matches = must(open().matches(league));
    ASSERT_EQ(matches.size(), 2U);
    EXPECT_EQ(matches[0].wins, 5);
    EXPECT_EQ(matches[0].draws, 2);
    EXPECT_EQ(matches[0].losses, 3);
    EXPECT_EQ(matches[0].seed, 17U);
    EXPECT_EQ(matches[0].game_ids, match.game_ids);
    EXPECT_EQ(matches[1].wins, 9);
    EXPECT_EQ(matches[1].number, 1);
}

TEST_F(LeagueTest, MatchesOfOlderDatabasesHaveNoGameNumbers) {
    std::filesystem::create_directories(folder());
    {
        WriteLockFile lock = must(WriteLockFile::open(folder()));
        const auto database = must(openForWriting(folder(), lock, storeMigrations().first(6)));
        must(database->execute(R"sql(
INSERT INTO leagues VALUES (1, 'club', 'connect_four', '{}', 2, 0, 0);
INSERT INTO league_members VALUES (1, 1, 'a', 'a', 'a', '', 1, 0), (2, 1, 'b', 'b', 'b', '', 1, 0);
INSERT INTO league_matches VALUES (1, 1, 2, 0, 5, 2, 3, 17, 0);
)sql"));
    }
    LeagueStore store = open();
    LeagueMatch next{.a = 1, .b = 2, .number = 1, .wins = 1, .seed = 18, .game_ids = {5}};
    EXPECT_TRUE(must(store.record(1, next)));
    const auto matches = must(store.matches(1));
    ASSERT_EQ(matches.size(), 2U);
    EXPECT_EQ(matches[0].games(), 10);
    EXPECT_TRUE(matches[0].game_ids.empty());
    EXPECT_EQ(matches[1].game_ids, next.game_ids);
}

TEST_F(LeagueTest, LeaguesDoNotShareMembersOrMatches) {
    LeagueStore store = open();
    const std::int64_t one = must(store.create(connectFour("one"))),
                       two = must(store.create(connectFour("two")));
    must(store.addMember(one, member("a")));
    must(store.addMember(two, member("a")));
    EXPECT_EQ(must(store.members(one)).size(), 1U);
    EXPECT_EQ(must(store.leagues()).size(), 2U);
    EXPECT_TRUE(must(store.matches(two)).empty());
}

}  // namespace
}  // namespace seedbed
