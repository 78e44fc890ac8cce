// SPDX-License-Identifier: Apache-2.0
// Who may join a fleet, and the end of a run.
#include "core/fleet/fleet_server.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/sha256.hpp"
#include "core/env/env_registry.hpp"
#include "tests/unit/fleet/fleet_rig.hpp"

namespace seedbed::test {
namespace {

constexpr const char* kSpecOfOther = "0000000000000000000000000000000000000000000000000000000000000000";

// A connection on which nothing arrives. Counts how many were polled and closed.
struct SilentLink final : Link {
    SilentLink(std::atomic<int>& count_polled, std::atomic<int>& count_closed)
        : polled(count_polled), closed(count_closed) {}
    ~SilentLink() override { ++closed; }
    void send(Bytes) override {}
    bool isReady() override {
        if (!std::exchange(is_polled, true)) ++polled;
        return false;
    }
    Result<Bytes> receive(double, const std::stop_token&) override { return fail("nothing arrives"); }
    std::atomic<int>& polled;
    std::atomic<int>& closed;
    bool is_polled = false;
};

// A transport without a network, to which the test connects.
class FakeTransport final : public LinkTransport {
public:
    Result<std::unique_ptr<LinkListener>> listen(
        const std::string&, const LinkIdentity&, std::size_t max_bytes,
        std::function<void(std::unique_ptr<Link>)> accepted) override {
        limits.push_back(max_bytes);
        accepted_ = std::move(accepted);
        return std::unique_ptr<LinkListener>(std::make_unique<Listener>(*this));
    }
    Result<std::unique_ptr<Link>> connect(const std::string&, const LinkIdentity&, std::size_t, double,
                                          const std::stop_token&) override {
        return fail("no network");
    }
    void open() { accepted_(std::make_unique<SilentLink>(polled, closed)); }

    std::atomic<int> polled{0}, closed{0};
    std::vector<std::size_t> limits;  // `max_bytes` of every call of listen()

private:
    // Like gRPC, accepts connections until its destructor returns.
    struct Listener final : LinkListener {
        explicit Listener(FakeTransport& by) : transport(by) {}
        ~Listener() override {
            std::thread([this] { transport.open(); }).join();
        }
        int port() const override { return 7450; }
        FakeTransport& transport;
    };
    std::function<void(std::unique_ptr<Link>)> accepted_;
};

std::vector<GroupSpec> oneGroup(int envs) {
    std::vector<GroupSpec> specs(1);
    specs[0].env = findEnv("cartpole").value();
    specs[0].env_params = Json::object();
    specs[0].env_spec = specs[0].env->spec(Json::object()).value();
    specs[0].envs = envs;
    return specs;
}

// A learner that listens with a fake transport.
struct FakeRig {
    Result<> provide(int envs) {
        std::vector<GroupSpec> specs = oneGroup(envs);
        return server.provide(specs, "127.0.0.1:7450", 60);
    }
    testing::TemporaryFolder folder;
    RealFileSystem files;
    FakeTransport transport;
    FleetServer server{files, folder.path(), [this]() -> Result<LinkTransport*> { return &transport; }};
};

TEST(FleetServer, AConnectionDuringTheEndIsClosed) {
    FakeRig rig;
    ASSERT_TRUE(rig.provide(2).has_value());
    rig.server.end(true);
    EXPECT_EQ(rig.transport.closed, 1);
}

TEST(FleetServer, ConnectionsWithoutATokenAreBounded) {
    constexpr int kMost = static_cast<int>(FleetServer::kMaxArrivals);
    FakeRig rig;
    ASSERT_TRUE(rig.provide(2).has_value());
    for (int i = 0; i < kMost; ++i) rig.transport.open();
    for (int i = 0; i < 6000 && rig.transport.polled < kMost; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(rig.transport.polled, kMost);
    EXPECT_EQ(rig.transport.closed, 0);
    rig.transport.open();
    EXPECT_EQ(rig.transport.closed, 1);
}

TEST(FleetServer, ListensAgainForLargerMessages) {
    FakeRig rig;
    for (const int envs : {2, 1 << 16, 2}) ASSERT_TRUE(rig.provide(envs).has_value());
    ASSERT_EQ(rig.transport.limits.size(), 2U);
    EXPECT_GT(rig.transport.limits[1], rig.transport.limits[0]);
}

TEST(FleetServer, AnActorOfReplacedGroupsTriesAgain) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    const auto link = rig.connect(rig.credentials());
    link->send(controlMessage(helloOf(rig.credentials())));
    EXPECT_EQ(control(*link).at("op"), "welcome");
    std::vector<GroupSpec> specs = oneGroup(2);
    // The address with which the rig began to listen.
    ASSERT_TRUE(rig.server().provide(specs, "127.0.0.1:0", 60).has_value());
    link->send(controlMessage({{"op", "ready"}, {"spec", specHash(rig.spec())}}));
    EXPECT_EQ(control(*link).at("why"), "later");
}

// The reason with which the learner refuses this greeting.
std::string refusal(FleetRig& rig, const Json& hello) {
    const auto link = rig.connect(rig.credentials());
    link->send(controlMessage(hello));
    const Json bye = control(*link);
    EXPECT_EQ(bye.at("op"), "bye");
    EXPECT_EQ(bye.at("why"), "refused");
    return bye.at("reason");
}

TEST(FleetServer, RefusesWithTheCause) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    const std::int64_t now = std::time(nullptr);
    Json hello = helloOf(rig.credentials());
    const auto with = [&](const char* member, const Json& value) {
        Json changed = hello;
        changed[member] = value;
        return refusal(rig, changed);
    };
    EXPECT_NE(with("version", "9.9.9").find("runs Seedbed 9.9.9 and the learner"), std::string::npos);
    EXPECT_NE(with("protocol", 2).find("uses protocol 2 and the learner 1"), std::string::npos);
    EXPECT_NE(with("clock_s", now + 3600).find("ahead of the learner's; set the clocks"), std::string::npos);
    EXPECT_NE(with("clock_s", now - 3600).find("behind the learner's; set the clocks"), std::string::npos);
    EXPECT_NE(with("clock_s", INT64_MIN).find("behind the learner's; set the clocks"), std::string::npos);
    EXPECT_NE(with("clock_s", INT64_MAX).find("ahead of the learner's; set the clocks"), std::string::npos);
    EXPECT_NE(with("token", rig.credentials(kRun, -10).token).find("the token has expired"),
              std::string::npos);
    EXPECT_NE(with("token", rig.credentials(kRun + 1).token).find("the token is for run 8"),
              std::string::npos);
    EXPECT_NE(with("token", "7.9999999999.abc").find("was not issued by this data folder"),
              std::string::npos);
    EXPECT_NE(with("op", "ready").find("the first message is not 'hello'"), std::string::npos);
    hello = {{"op", "hello"}};
    EXPECT_NE(refusal(rig, hello), "");
    // Members of other types do not disturb the learner.
    for (const char* member : {"version", "protocol", "clock_s", "token", "name"}) {
        hello = helloOf(rig.credentials());
        hello[member] = Json::array({Json::object()});
        const auto link = rig.connect(rig.credentials());
        link->send(controlMessage(hello));
        EXPECT_NE(control(*link).at("op"), "");
    }
}

TEST(FleetServer, RefusesActorsThatCannotRunTheEnvironment) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    for (const Json& answer : {Json{{"op", "ready"}, {"spec", kSpecOfOther}},
                               Json{{"op", "cannot"}, {"reason", "the pack atari is not installed"}}}) {
        const auto link = rig.connect(rig.credentials());
        link->send(controlMessage(helloOf(rig.credentials())));
        const Json welcome = control(*link);
        EXPECT_EQ(welcome.at("op"), "welcome");
        EXPECT_EQ(welcome.at("env"), "cartpole");
        link->send(controlMessage(answer));
        const Json bye = control(*link);
        EXPECT_EQ(bye.at("why"), "refused");
        const std::string reason = bye.at("reason");
        EXPECT_TRUE(reason.find("has other observations") != std::string::npos ||
                    reason.find("the pack atari is not installed") != std::string::npos)
            << reason;
    }
    Columns columns = rig.columns(0);
    const ActorThread actor(rig.credentials(), "good");
    columns.stepUntilGood();
}

TEST(FleetServer, CertificatesOfOtherAuthoritiesCannotConnect) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    const testing::TemporaryFolder elsewhere;
    RealFileSystem files;
    const FleetAuthority other = FleetAuthority::open(files, elsewhere.path()).value();
    ActorCredentials credentials = rig.credentials();
    credentials.identity = other.actor(kRun, credentials.address, std::time(nullptr), 3600)->identity;
    ActorThread actor(credentials, "stranger", 0.2);
    const Result<> result = actor.result();
    ASSERT_FALSE(result.has_value());
    EXPECT_NE(result.error().text().find("has a certificate of a different authority"), std::string::npos)
        << result.error().text();
    // The learner also refuses them if they trust its authority.
    credentials.identity.authority = rig.credentials().identity.authority;
    const auto link = rig.connect(credentials);
    link->send(controlMessage(helloOf(credentials)));
    EXPECT_FALSE(link->receive(30, {}).has_value());
}

TEST(FleetServer, MessagesAreBounded) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    const auto link = rig.connect(rig.credentials());
    link->send(Bytes(std::size_t{1} << 22, 1));
    EXPECT_FALSE(link->receive(30, {}).has_value());
    Columns columns = rig.columns(0);
    const ActorThread actor(rig.credentials(), "good");
    columns.stepUntilGood();
}

TEST(FleetServer, SpareActorsWaitUntilAGroupIsFree) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    Columns columns = rig.columns(0);
    auto first = std::make_unique<ActorThread>(rig.credentials(), "first");
    columns.stepUntilGood();
    const ActorThread spare(rig.credentials(), "spare");
    columns.step();
    first->stop();
    columns.step();
    EXPECT_TRUE(columns.anyFailed());
    columns.stepUntilGood();
}

TEST(FleetServer, ActorsFindALearnerThatStartsAgain) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    ActorThread actor(rig.credentials(), "patient");
    {
        Columns columns = rig.columns(0);
        columns.stepUntilGood();
    }
    for (int restart = 0; restart < 2; ++restart) {
        rig.server().end(false);
        rig.listen();
        Columns columns = rig.columns(0);
        columns.stepUntilGood();
        columns.step();
        EXPECT_FALSE(columns.anyFailed());
        EXPECT_EQ(columns.counted(), 2U);
    }
    rig.server().end(true);
    EXPECT_TRUE(actor.result().has_value());
}

TEST(FleetServer, ActorsGiveUpWithoutALearner) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    const ActorCredentials credentials = rig.credentials();
    rig.server().end(false);
    ActorThread actor(credentials, "lonely", 0.3);
    const Result<> result = actor.result();
    ASSERT_FALSE(result.has_value());
    EXPECT_NE(result.error().text().find("no learner"), std::string::npos) << result.error().text();
}

TEST(FleetServer, APortThatIsInUseIsReported) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    RealFileSystem files;
    FleetServer second(files, rig.folder());
    std::vector<GroupSpec> none;
    const auto listening = second.provide(none, "127.0.0.1:" + std::to_string(rig.server().port()), 1);
    ASSERT_FALSE(listening.has_value());
    EXPECT_NE(listening.error().text().find("another program uses the port"), std::string::npos);
}

}  // namespace
}  // namespace seedbed::test
