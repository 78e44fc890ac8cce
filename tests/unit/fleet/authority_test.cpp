// SPDX-License-Identifier: Apache-2.0
// Credentials of actors.
#include "core/fleet/authority.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

constexpr std::int64_t kNow = 1'800'000'000, kHour = 3600;

class Authority : public ::testing::Test {
protected:
    testing::TemporaryFolder folder_;
    RealFileSystem files_;
    FleetAuthority authority_ = FleetAuthority::open(files_, folder_.path()).value();
    ActorCredentials credentials_ = authority_.actor(3, "host:7450", kNow, kHour).value();
};

TEST_F(Authority, KeysAreReadableByTheirOwnerOnly) {
    struct stat info {};
    ASSERT_EQ(stat((folder_.path() / "fleet/authority.key").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U);
    ASSERT_EQ(stat((folder_.path() / "fleet").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST_F(Authority, CredentialsSurviveTheirFileAndTheAuthorityItsFolder) {
    const auto read = ActorCredentials::parse(credentials_.json());
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_TRUE(read->check(kNow).has_value());
    EXPECT_EQ(read->address, "host:7450");
    const FleetAuthority again = FleetAuthority::open(files_, folder_.path()).value();
    EXPECT_TRUE(again.checkToken(read->token, 3, kNow).has_value());
    EXPECT_EQ(again.id(), authority_.id());
    const testing::TemporaryFolder elsewhere;
    EXPECT_NE(FleetAuthority::open(files_, elsewhere.path()).value().id(), authority_.id());
}

TEST_F(Authority, FirstStartsAtTheSameTimeGetTheSameAuthority) {
    for (int repetition = 0; repetition < 10; ++repetition) {
        const testing::TemporaryFolder elsewhere;
        std::vector<std::string> tokens(8);
        std::latch ready(8);
        std::vector<std::jthread> starts;
        for (std::string& token : tokens)
            starts.emplace_back([&] {
                ready.arrive_and_wait();
                const auto opened = FleetAuthority::open(files_, elsewhere.path());
                if (opened) token = opened->id() + opened->actor(3, "host:7450", kNow, kHour)->token;
            });
        starts.clear();
        EXPECT_NE(tokens.front(), "");
        EXPECT_EQ(std::ranges::count(tokens, tokens.front()), 8);
        const auto stored = FleetAuthority::open(files_, elsewhere.path()).value();
        EXPECT_TRUE(stored.actor(3, "host:7450", kNow, kHour)->check(kNow).has_value());
    }
}

TEST_F(Authority, TokensAreForOneRunAndExpire) {
    EXPECT_TRUE(authority_.checkToken(credentials_.token, 3, kNow + kHour).has_value());
    const auto late = authority_.checkToken(credentials_.token, 3, kNow + kHour + 1);
    ASSERT_FALSE(late.has_value());
    EXPECT_NE(late.error().text().find("expired"), std::string::npos);
    const auto other = authority_.checkToken(credentials_.token, 4, kNow);
    ASSERT_FALSE(other.has_value());
    EXPECT_NE(other.error().text().find("is for run 3"), std::string::npos);
}

TEST_F(Authority, ChangedTokensAreRejected) {
    const std::string token = credentials_.token;
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::string changed = token;
        changed[i] = changed[i] == '1' ? '2' : '1';
        EXPECT_FALSE(authority_.checkToken(changed, 3, kNow).has_value()) << i;
    }
    for (const char* text : {"", ".", "..", "3.9999999999.", "3.9999999999.00", "a.b.c"})
        EXPECT_FALSE(authority_.checkToken(text, 3, kNow).has_value()) << text;
    const testing::TemporaryFolder elsewhere;
    const auto other = FleetAuthority::open(files_, elsewhere.path()).value().actor(3, "a:1", kNow, kHour);
    EXPECT_FALSE(authority_.checkToken(other->token, 3, kNow).has_value());
}

TEST_F(Authority, CredentialsThatCannotBeUsedSayWhy) {
    const auto problem = [](const ActorCredentials& credentials, std::int64_t now) {
        const auto checked = credentials.check(now);
        return checked ? std::string() : checked.error().text();
    };
    EXPECT_EQ(problem(credentials_, kNow - 60), "");
    EXPECT_NE(problem(credentials_, kNow - 2 * kHour).find("in the future of this machine's clock"),
              std::string::npos);
    EXPECT_NE(problem(credentials_, kNow + 2 * kHour).find("expired 1 h 00 min ago"), std::string::npos);
    const testing::TemporaryFolder elsewhere;
    ActorCredentials mixed = credentials_;
    mixed.identity.authority =
        FleetAuthority::open(files_, elsewhere.path()).value().learner(kNow)->authority;
    EXPECT_NE(problem(mixed, kNow).find("was not signed by the authority"), std::string::npos);
    mixed = credentials_;
    mixed.identity.key = authority_.learner(kNow)->key;
    EXPECT_NE(problem(mixed, kNow), "");
    mixed = credentials_;
    mixed.identity.certificate = "damaged";
    EXPECT_NE(problem(mixed, kNow), "");
    for (const char* text : {"", "{}", "[1]", R"({"run": "3"})"})
        EXPECT_FALSE(ActorCredentials::parse(text).has_value()) << text;
}

TEST_F(Authority, DamagedFilesAreReported) {
    ASSERT_TRUE(writeFileAtomically(files_, folder_.path() / "fleet/authority.key", std::string_view("x"))
                    .has_value());
    const auto opened = FleetAuthority::open(files_, folder_.path());
    ASSERT_TRUE(opened.has_value());
    EXPECT_FALSE(opened->actor(3, "host:1", kNow, kHour).has_value());
    ASSERT_TRUE(files_.remove(folder_.path() / "fleet/authority.key").has_value());
    EXPECT_FALSE(FleetAuthority::open(files_, folder_.path()).has_value());
}

}  // namespace
}  // namespace seedbed
