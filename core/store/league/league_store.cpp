// SPDX-License-Identifier: Apache-2.0
#include "core/store/league/league_store.hpp"

#include <utility>

#include "core/base/os/system.hpp"
#include "core/base/text.hpp"
#include "core/store/database.hpp"
#include "core/store/schema.hpp"
#include "core/store/store.hpp"
#include "core/store/store_impl.hpp"
#include "core/store/write_lock.hpp"

namespace seedbed {

constexpr std::size_t kMaxMemberText = 4096;

std::filesystem::path leaguePolicyFolder(std::string_view league, std::string_view params_sha256) {
    return std::filesystem::path(kLeaguesFolder) / league / params_sha256.substr(0, 16);
}

bool isMemberText(std::string_view text) {
    return !text.empty() && text.size() <= kMaxMemberText && isPrintableText(text);
}

std::uint64_t exchangedGame(std::uint64_t id) {
    const std::uint64_t result = id & 3;
    return (-(id >> 2)) << 2 | (result == 0 ? 0 : result ^ 3);
}

std::vector<std::byte> gameIdBytes(std::span<const std::uint64_t> ids) {
    std::vector<std::byte> bytes;
    bytes.reserve(ids.size() * kGameIdBytes);
    for (const std::uint64_t id : ids)
        for (std::size_t i = 0; i < kGameIdBytes; ++i) bytes.push_back(static_cast<std::byte>(id >> (8 * i)));
    return bytes;
}

std::vector<std::uint64_t> gameIds(std::span<const std::byte> bytes) {
    std::vector<std::uint64_t> ids(bytes.size() / kGameIdBytes);
    for (std::size_t i = 0; i < ids.size() * kGameIdBytes; ++i)
        ids[i / kGameIdBytes] |= static_cast<std::uint64_t>(bytes[i]) << (8 * (i % kGameIdBytes));
    return ids;
}

struct LeagueStore::Impl {
    WriteLockFile lock;
    std::unique_ptr<Database> database;
    System system;
};

LeagueStore::LeagueStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LeagueStore::LeagueStore(LeagueStore&&) noexcept = default;
LeagueStore& LeagueStore::operator=(LeagueStore&&) noexcept = default;
LeagueStore::~LeagueStore() = default;

Result<LeagueStore> LeagueStore::open(const std::filesystem::path& data_folder) {
    // Creates the folder and migrates the database.
    SEEDBED_ASSIGN([[maybe_unused]] const Store store, Store::open(data_folder));
    SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data_folder));
    SEEDBED_ASSIGN(auto database, openExisting(data_folder, Database::Access::write));
    return LeagueStore(std::make_unique<Impl>(Impl{std::move(lock), std::move(database), realSystem()}));
}

Result<std::int64_t> LeagueStore::create(const LeagueRecord& league) {
    SEEDBED_TRY(checkRunName(league.name));
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(const auto existing, leagues());
    for (const LeagueRecord& other : existing)
        if (other.name == league.name)
            return fail(ErrorCode::config, "there is already a league '" + league.name + "'");
    SEEDBED_ASSIGN(
        Statement insert,
        impl_->database->prepare("INSERT INTO leagues (name, env, env_params, opening, sample, created) "
                                 "VALUES (?, ?, ?, ?, ?, ?)"));
    SEEDBED_TRY(insert.run(league.name, league.env, jsonText(league.env_params), league.opening,
                           league.sample, impl_->system.wallSeconds()));
    SEEDBED_ASSIGN(const std::int64_t id, impl_->database->integer("SELECT last_insert_rowid()"));
    SEEDBED_TRY(transaction.commit());
    return id;
}

Result<std::vector<LeagueRecord>> LeagueStore::leagues() {
    SEEDBED_ASSIGN(Statement select,
                   impl_->database->prepare("SELECT id, name, env, env_params, opening, sample, created FROM "
                                            "leagues ORDER BY name"));
    std::vector<LeagueRecord> found;
    SEEDBED_TRY(select.each([&] {
        found.push_back({.id = select.integer(0),
                         .name = select.text(1),
                         .env = select.text(2),
                         .env_params = jsonFromText(select.text(3)),
                         .opening = static_cast<int>(select.integer(4)),
                         .sample = select.integer(5) != 0,
                         .created = select.real(6)});
    }));
    return found;
}

Result<LeagueRecord> LeagueStore::league(std::string_view name) {
    SEEDBED_ASSIGN(const auto all, leagues());
    std::vector<std::string> names;
    for (const LeagueRecord& league : all) {
        if (league.name == name) return league;
        names.push_back(league.name);
    }
    return fail(ErrorCode::config,
                "there is no league '" + std::string(name) + "'; " +
                    (names.empty() ? "create one with 'seedbed league create NAME --env ENV'"
                                   : "leagues: " + join(names, ", ")));
}

Result<std::int64_t> LeagueStore::addMember(std::int64_t league, const LeagueMember& member) {
    SEEDBED_TRY(member.name.empty() ? fail(ErrorCode::config, "a member needs a name") : Result<>());
    for (const std::string& text : {member.name, member.player, member.origin})
        if (!isMemberText(text))
            return fail(ErrorCode::config, "'" + text + "' cannot be a member or its name: 1 to " +
                                               std::to_string(kMaxMemberText) + " printable characters");
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(const auto existing, members(league));
    for (const LeagueMember& other : existing) {
        if (other.name != member.name) continue;
        if (other.player != member.player || other.params_sha256 != member.params_sha256)
            return fail(ErrorCode::config, "the league has another member '" + member.name + "' (" +
                                               other.origin + "); choose a name with --as");
        SEEDBED_ASSIGN(Statement update,
                       impl_->database->prepare("UPDATE league_members SET active = 1 WHERE id = ?"));
        SEEDBED_TRY(update.run(other.id));
        SEEDBED_TRY(transaction.commit());
        return other.id;
    }
    SEEDBED_ASSIGN(Statement insert,
                   impl_->database->prepare("INSERT INTO league_members (league_id, name, player, origin, "
                                            "params_sha256, active, added) VALUES (?, ?, ?, ?, ?, 1, ?)"));
    SEEDBED_TRY(insert.run(league, member.name, member.player, member.origin, member.params_sha256,
                           impl_->system.wallSeconds()));
    SEEDBED_ASSIGN(const std::int64_t id, impl_->database->integer("SELECT last_insert_rowid()"));
    SEEDBED_TRY(transaction.commit());
    return id;
}

Result<> LeagueStore::setActive(std::int64_t member, bool active) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(Statement update,
                   impl_->database->prepare("UPDATE league_members SET active = ? WHERE id = ?"));
    SEEDBED_TRY(update.run(active, member));
    return transaction.commit();
}

Result<std::vector<LeagueMember>> LeagueStore::members(std::int64_t league) {
    SEEDBED_ASSIGN(Statement select, impl_->database->prepare(
                                         "SELECT id, name, player, origin, params_sha256, active, added FROM "
                                         "league_members WHERE league_id = ? ORDER BY id"));
    std::vector<LeagueMember> found;
    SEEDBED_TRY(select.each(
        [&] {
            found.push_back({.id = select.integer(0),
                             .name = select.text(1),
                             .player = select.text(2),
                             .origin = select.text(3),
                             .params_sha256 = select.text(4),
                             .active = select.integer(5) != 0,
                             .added = select.real(6)});
        },
        league));
    return found;
}

Result<std::vector<LeagueMatch>> LeagueStore::matches(std::int64_t league) {
    SEEDBED_ASSIGN(Statement select,
                   impl_->database->prepare("SELECT a, b, number, wins, draws, losses, seed, time, games "
                                            "FROM league_matches WHERE league_id = ? ORDER BY a, b, number"));
    std::vector<LeagueMatch> found;
    SEEDBED_TRY(select.each(
        [&] {
            found.push_back({.a = select.integer(0),
                             .b = select.integer(1),
                             .number = select.integer(2),
                             .wins = static_cast<int>(select.integer(3)),
                             .draws = static_cast<int>(select.integer(4)),
                             .losses = static_cast<int>(select.integer(5)),
                             .seed = static_cast<std::uint64_t>(select.integer(6)),
                             .time = select.real(7),
                             .game_ids = gameIds(select.blob(8))});
        },
        league));
    return found;
}

Result<bool> LeagueStore::record(std::int64_t league, const LeagueMatch& match) {
    SEEDBED_CHECK(match.a < match.b, "members of a match are in order");
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(Statement insert,
                   impl_->database->prepare(
                       "INSERT OR IGNORE INTO league_matches (league_id, a, b, number, wins, draws, losses, "
                       "seed, time, games) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    const std::vector<std::byte> games = gameIdBytes(match.game_ids);
    SEEDBED_TRY(insert.run(league, match.a, match.b, match.number, match.wins, match.draws, match.losses,
                           match.seed, impl_->system.wallSeconds(), std::span<const std::byte>(games)));
    SEEDBED_ASSIGN(const std::int64_t changes, impl_->database->integer("SELECT changes()"));
    SEEDBED_TRY(transaction.commit());
    return changes > 0;
}

}  // namespace seedbed
