// SPDX-License-Identifier: Apache-2.0
#include "core/store/league/import_leagues.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/store/import_staged.hpp"
#include "core/store/league/league_store.hpp"
#include "core/store/store.hpp"

namespace seedbed {
namespace {

constexpr std::int64_t kMaxLeagueCount = std::int64_t{1} << 53;
constexpr std::int64_t kMaxLeagues = 10'000;
constexpr std::size_t kMaxMembers = 10'000;      // of a league
constexpr std::int64_t kMaxOpening = 10'000;     // as for 'league create'
constexpr std::int64_t kMaxGames = 1'000'000;    // of a match, as for 'league play'
constexpr std::size_t kMaxSettings = 64 * 1024;  // bytes of JSON
constexpr double kMaxTime = 1e12;                // seconds since 1970
constexpr std::size_t kMaxRunOrigin = 64;        // bytes of an origin that begins with the number of a run

tl::unexpected<Error> invalidLeague(const std::string& why) { return fail(ErrorCode::config, why); }

// Checks the leagues of a database and copies them.
class LeagueCheck {
public:
    LeagueCheck(Database& source, Database& staging) : source_(source), staging_(staging) {}

    Result<> run() {
        for (const char* table : {"league_members", "league_matches"}) {
            const std::string name = table;
            SEEDBED_ASSIGN(const std::int64_t lost,
                           source_.integer("SELECT count(*) FROM " + name +
                                           " WHERE league_id NOT IN (SELECT id FROM leagues)"));
            if (lost > 0)
                return invalidLeague("a row of " + name + " belongs to a league that does not exist");
        }
        SEEDBED_ASSIGN(const std::int64_t count, source_.integer("SELECT count(*) FROM leagues"));
        if (count > kMaxLeagues) return invalidLeague("it contains " + std::to_string(count) + " leagues");
        SEEDBED_ASSIGN(
            Statement from,
            source_.prepare(
                "SELECT id, name, env, env_params, opening, sample, created FROM leagues ORDER BY id"));
        Result<> result;
        SEEDBED_TRY(from.each([&] {
            if (result) result = copyLeague(from);
        }));
        return result;
    }

private:
    Result<> copyLeague(const Statement& from) {
        const std::string name = from.text(1), env = from.text(2);
        if (!checkRunName(name)) return invalidLeague("a league has the invalid name '" + name + "'");
        if (!isMemberText(env)) return invalidLeague("the environment of a league has an invalid name");
        const std::string text = from.text(3);
        const Json params = text.size() <= kMaxSettings ? jsonFromText(text) : Json();
        if (!params.is_object()) return invalidLeague("the settings of a league are not valid JSON");
        SEEDBED_TRY(checkRange(from.integer(0), kMaxLeagueCount));
        SEEDBED_TRY(checkRange(from.integer(4), kMaxOpening));
        SEEDBED_TRY(checkRange(from.integer(5), 1));
        SEEDBED_TRY(checkTime(from.real(6)));
        SEEDBED_ASSIGN(Statement to,
                       staging_.prepare("INSERT INTO leagues (id, name, env, env_params, opening, sample, "
                                        "created) VALUES (?, ?, ?, ?, ?, ?, ?)"));
        SEEDBED_TRY(to.run(from.integer(0), name, env, jsonText(params), from.integer(4), from.integer(5),
                           from.real(6)));
        SEEDBED_TRY(copyMembers(from.integer(0)));
        return copyMatches(from.integer(0));
    }

    Result<> copyMembers(std::int64_t league) {
        members_.clear();
        SEEDBED_ASSIGN(Statement from,
                       source_.prepare("SELECT id, name, player, origin, params_sha256, active, added FROM "
                                       "league_members WHERE league_id = ? ORDER BY id"));
        SEEDBED_ASSIGN(Statement to,
                       staging_.prepare("INSERT INTO league_members (id, league_id, name, player, origin, "
                                        "params_sha256, active, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (result) result = copyMember(league, from, to);
            },
            league));
        return result;
    }

    Result<> copyMember(std::int64_t league, const Statement& from, Statement& to) {
        for (const int column : {1, 2, 3})
            if (!isMemberText(from.text(column)))
                return invalidLeague("the name or player of a member is empty, too long or not printable");
        const std::string sha256 = from.text(4);
        if (!sha256.empty() &&
            (sha256.size() != 64 || sha256.find_first_not_of("0123456789abcdef") != std::string::npos))
            return invalidLeague("the hash of a league's member is not a SHA-256");
        SEEDBED_TRY(checkRange(from.integer(0), kMaxLeagueCount));
        SEEDBED_TRY(checkRange(from.integer(5), 1));
        SEEDBED_TRY(checkTime(from.real(6)));
        members_.insert(from.integer(0));
        if (members_.size() > kMaxMembers)
            return invalidLeague("a league has more than " + std::to_string(kMaxMembers) + " members");
        return to.run(from.integer(0), league, from.text(1), from.text(2), from.text(3), sha256,
                      from.integer(5), from.real(6));
    }

    Result<> copyMatches(std::int64_t league) {
        SEEDBED_ASSIGN(Statement from,
                       source_.prepare("SELECT a, b, number, wins, draws, losses, seed, time, games "
                                       "FROM league_matches WHERE league_id = ? ORDER BY a, b, number"));
        SEEDBED_ASSIGN(Statement to,
                       staging_.prepare("INSERT INTO league_matches (league_id, a, b, number, wins, draws, "
                                        "losses, seed, time, games) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                        "?)"));
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (result) result = copyMatch(league, from, to);
            },
            league));
        return result;
    }

    Result<> copyMatch(std::int64_t league, const Statement& from, Statement& to) const {
        const std::int64_t a = from.integer(0), b = from.integer(1);
        if (a >= b || !members_.contains(a) || !members_.contains(b))
            return invalidLeague("a match is not one of two members of its league");
        SEEDBED_TRY(checkRange(from.integer(2), kMaxLeagueCount));
        std::int64_t games = 0;
        for (const int column : {3, 4, 5}) {
            SEEDBED_TRY(checkRange(from.integer(column), kMaxGames));
            games += from.integer(column);
        }
        SEEDBED_TRY(checkRange(games, kMaxGames));
        SEEDBED_TRY(checkTime(from.real(7)));
        const std::span<const std::byte> ids = from.blob(8);
        if (!ids.empty() && ids.size() != static_cast<std::size_t>(games) * kGameIdBytes)
            return invalidLeague("a match does not have a number for each of its games");
        return to.run(league, a, b, from.integer(2), from.integer(3), from.integer(4), from.integer(5),
                      from.integer(6), from.real(7), ids);
    }

    static Result<> checkRange(std::int64_t value, std::int64_t limit) {
        if (value >= 0 && value <= limit) return {};
        return invalidLeague("a league contains the invalid number " + std::to_string(value));
    }
    static Result<> checkTime(double seconds) {
        if (seconds >= 0 && seconds <= kMaxTime) return {};
        return invalidLeague("a league contains an invalid time");
    }

    Database& source_;
    Database& staging_;
    std::set<std::int64_t> members_;  // of the current league
};

}  // namespace

Result<> stageLeagues(Database& source, Database& staging) { return LeagueCheck(source, staging).run(); }

Result<> LeagueMove::run(std::vector<ImportedLeague>& imported) {
    std::vector<std::int64_t> ids;
    {
        SEEDBED_ASSIGN(Statement list, database_.prepare("SELECT id FROM staged.leagues ORDER BY id"));
        SEEDBED_TRY(list.each([&] { ids.push_back(list.integer(0)); }));
    }
    for (const std::int64_t id : ids) {
        SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database_, lock_));
        SEEDBED_ASSIGN(ImportedLeague league, moveLeague(id));
        SEEDBED_TRY(transaction.commit());
        imported.push_back(std::move(league));
    }
    return {};
}

Result<ImportedLeague> LeagueMove::moveLeague(std::int64_t staged_id) {
    ImportedLeague league;
    SEEDBED_ASSIGN(const std::int64_t id, findOrInsertLeague(staged_id, league));
    leagues_.insert(id);
    SEEDBED_ASSIGN(const Ids members, moveMembers(staged_id, id, league));
    SEEDBED_TRY(moveMatches(staged_id, id, members, league));
    return league;
}

Result<std::int64_t> LeagueMove::findOrInsertLeague(std::int64_t staged_id, ImportedLeague& league) {
    {
        SEEDBED_ASSIGN(Statement name, database_.prepare("SELECT name FROM staged.leagues WHERE id = ?"));
        SEEDBED_TRY(name.each([&] { league.source_name = name.text(0); }, staged_id));
    }
    std::int64_t id = 0;
    SEEDBED_ASSIGN(
        Statement find,
        database_.prepare(
            "SELECT o.id, o.name FROM main.leagues o, staged.leagues s WHERE s.id = ? AND o.created = "
            "s.created AND o.env = s.env AND o.env_params = s.env_params AND o.opening = s.opening AND "
            "o.sample = s.sample ORDER BY o.name <> s.name, o.id"));
    SEEDBED_TRY(find.each(
        [&] {
            if (league.existed || leagues_.contains(find.integer(0))) return;
            id = find.integer(0);
            league.name = find.text(1);
            league.existed = true;
        },
        staged_id));
    if (league.existed) return id;
    SEEDBED_ASSIGN(Statement taken, database_.prepare("SELECT 1 FROM main.leagues WHERE name = ?"));
    SEEDBED_ASSIGN(league.name, freeName(league.source_name, taken));
    SEEDBED_ASSIGN(Statement insert,
                   database_.prepare("INSERT INTO main.leagues (name, env, env_params, opening, sample, "
                                     "created) SELECT ?2, env, env_params, opening, sample, created FROM "
                                     "staged.leagues WHERE id = ?1"));
    SEEDBED_TRY(insert.run(staged_id, league.name));
    return database_.integer("SELECT last_insert_rowid()");
}

Result<LeagueMove::Ids> LeagueMove::moveMembers(std::int64_t staged_id, std::int64_t id,
                                                ImportedLeague& league) {
    SEEDBED_ASSIGN(Statement from,
                   database_.prepare("SELECT id, name, player, origin, params_sha256, active, added FROM "
                                     "staged.league_members WHERE league_id = ? ORDER BY id"));
    Ids ids;
    std::set<std::int64_t> taken;
    std::set<std::string> policies;
    Result<> result;
    SEEDBED_TRY(from.each(
        [&] {
            if (!result) return;
            auto member = findOrInsertMember(from, id, taken, league);
            if (!member) {
                result = tl::unexpected<Error>(std::move(member).error());
                return;
            }
            ids[from.integer(0)] = *member;
            taken.insert(*member);
            if (!from.text(4).empty()) policies.insert(from.text(4));
        },
        staged_id));
    SEEDBED_TRY(result);
    league.policies.assign(policies.begin(), policies.end());
    return ids;
}

Result<std::int64_t> LeagueMove::findOrInsertMember(const Statement& row, std::int64_t league_id,
                                                    const std::set<std::int64_t>& taken,
                                                    ImportedLeague& league) {
    const std::string name = row.text(1), sha256 = row.text(4);
    const std::string player =
        sha256.empty() ? row.text(2) : leaguePolicyFolder(league.name, sha256).string();
    std::int64_t id = 0;
    SEEDBED_ASSIGN(
        Statement find,
        database_.prepare(
            "SELECT id FROM main.league_members WHERE league_id = ?1 AND params_sha256 = ?2 AND (?2 <> '' OR "
            "player = ?3) AND (added = ?4 OR name = ?5) ORDER BY added <> ?4, name <> ?5, id"));
    SEEDBED_TRY(find.each(
        [&] {
            if (id == 0 && !taken.contains(find.integer(0))) id = find.integer(0);
        },
        league_id, sha256, player, row.real(6), name));
    if (id != 0) return id;
    SEEDBED_ASSIGN(Statement same_name,
                   database_.prepare("SELECT 1 FROM main.league_members WHERE league_id = " +
                                     std::to_string(league_id) + " AND name = ?"));
    SEEDBED_ASSIGN(const std::string name_here, freeName(name, same_name));
    SEEDBED_ASSIGN(Statement insert,
                   database_.prepare("INSERT INTO main.league_members (league_id, name, player, origin, "
                                     "params_sha256, active, added) VALUES (?, ?, ?, ?, ?, ?, ?)"));
    SEEDBED_TRY(insert.run(league_id, name_here, player,
                           sha256.empty() ? row.text(3) : originHere(row.text(3)), sha256, row.integer(5),
                           row.real(6)));
    ++league.members;
    return database_.integer("SELECT last_insert_rowid()");
}

// The origin of a policy may name a run, for example 2:best. The run has another number here; if it was not
// imported, that number belongs to no run or to another one.
std::string LeagueMove::originHere(const std::string& origin) const {
    RunId run = 0;
    const char* end = origin.data() + origin.size();
    const auto [rest, error] = std::from_chars(origin.data(), end, run);
    if (error != std::errc() || run < 0 || (rest != end && *rest != ':') || origin.size() > kMaxRunOrigin)
        return origin;
    const auto here = runs_.find(run);
    if (here == runs_.end()) return "not imported: " + origin;
    return std::to_string(here->second) + std::string(rest, end);
}

Result<> LeagueMove::moveMatches(std::int64_t staged_id, std::int64_t id, const Ids& members,
                                 ImportedLeague& league) {
    SEEDBED_ASSIGN(
        Statement from,
        database_.prepare("SELECT a, b, wins, draws, losses, seed, time, games FROM staged.league_matches "
                          "WHERE league_id = ? ORDER BY a, b, number"));
    SEEDBED_ASSIGN(Statement insert,
                   database_.prepare("INSERT INTO main.league_matches (league_id, a, b, number, wins, draws, "
                                     "losses, seed, time, games) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    std::pair<std::int64_t, std::int64_t> current{0, 0};
    Pair pair;
    const auto move = [&]() -> Result<> {
        std::int64_t a = members.at(from.integer(0)), b = members.at(from.integer(1));
        std::int64_t wins = from.integer(2), losses = from.integer(4);
        std::vector<std::uint64_t> ids = gameIds(from.blob(7));
        if (a > b) {  // results count for the member with the lower id
            std::swap(a, b);
            std::swap(wins, losses);
            for (std::uint64_t& game : ids) game = exchangedGame(game);
        }
        if (current != std::pair(a, b)) {
            current = {a, b};
            SEEDBED_ASSIGN(pair, readPair(id, a, b));
        }
        if (!pair.matches.insert({from.integer(5), wins, from.integer(3), losses}).second) return {};
        const std::vector<std::byte> games = gameIdBytes(ids);
        SEEDBED_TRY(insert.run(id, a, b, pair.next_number, wins, from.integer(3), losses, from.integer(5),
                               from.real(6), std::span<const std::byte>(games)));
        ++pair.next_number;
        ++league.matches;
        return {};
    };
    Result<> result;
    SEEDBED_TRY(from.each(
        [&] {
            if (result) result = move();
        },
        staged_id));
    return result;
}

// The matches of a pair that this data folder has.
Result<LeagueMove::Pair> LeagueMove::readPair(std::int64_t league_id, std::int64_t a, std::int64_t b) {
    Pair pair;
    SEEDBED_ASSIGN(Statement select,
                   database_.prepare("SELECT number, seed, wins, draws, losses FROM "
                                     "main.league_matches WHERE league_id = ? AND a = ? AND b = ?"));
    SEEDBED_TRY(select.each(
        [&] {
            pair.next_number = std::max(pair.next_number, select.integer(0) + 1);
            pair.matches.insert({select.integer(1), select.integer(2), select.integer(3), select.integer(4)});
        },
        league_id, a, b));
    return pair;
}

}  // namespace seedbed
