// SPDX-License-Identifier: Apache-2.0
// Who may join a fleet, and the end of a run.
#include "core/fleet/fleet_server.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <future>
#include <regex>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/sha256.hpp"
#include "core/env/env_registry.hpp"
#include "core/ipc/descriptor.hpp"
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
    std::size_t unsent() override { return 0; }
    void cut() override {}
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

// A port of this machine whose queue of connections is full.
class FullListener {
public:
    FullListener() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* any = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(bind(listener_.get(), any, size), 0);
        EXPECT_EQ(::listen(listener_.get(), 0), 0);
        EXPECT_EQ(getsockname(listener_.get(), any, &size), 0);
        port_ = ntohs(address.sin_port);
        for (Descriptor& client : clients_) {
            client = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
            (void)::connect(client.get(), any, size);
        }
    }
    int port() const { return port_; }

private:
    Descriptor listener_;
    Descriptor clients_[8];
    int port_ = 0;
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
        return server.provide(specs, {.address = "127.0.0.1:7450", .stall_s = 60});
    }
    testing::TemporaryFolder folder;
    testing::FailingFiles files;
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
    ASSERT_TRUE(rig.server().provide(specs, {.address = "127.0.0.1:0", .stall_s = 60}).has_value());
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
    EXPECT_NE(with("protocol", 1).find("uses protocol 1 and the learner 2"), std::string::npos);
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
    // The learner also refuses them if they trust its authority, and those without a certificate.
    credentials.identity.authority = rig.credentials().identity.authority;
    for (const bool has_certificate : {true, false}) {
        if (!has_certificate) credentials.identity.certificate = credentials.identity.key = "";
        const auto link = rig.connect(credentials);
        link->send(controlMessage(helloOf(credentials)));
        const auto message = link->receive(60, {});
        ASSERT_FALSE(message.has_value());
        EXPECT_EQ(message.error().code, ErrorCode::failure) << message.error().text();
    }
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

TEST(FleetServer, TheListOfMachinesHasSpeedsAndLosses) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(2, 3);
    RealFileSystem files;
    // The groups in machines.json when the first one is as expected; waits a minute at most.
    const auto groupsWhen = [&](const std::function<bool(const Json&)>& is_expected) {
        for (int i = 0; i < 6000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
            const auto text = readFile(files, fleetFolder(rig.folder(), kRun) / "machines.json");
            if (!text) continue;
            Json groups = Json::parse(*text).at("groups");
            if (is_expected(groups.at(0))) return groups;
        }
        ADD_FAILURE() << "the list does not change";
        return Json(std::vector<Json>(2, Json::object()));
    };
    Columns columns = rig.columns(0);
    const std::int64_t before_s = std::time(nullptr);
    auto actor = std::make_unique<ActorThread>(rig.credentials(), "alpha:1");
    columns.stepUntilGood();
    Json groups = groupsWhen([](const Json& group) { return group["actor"] == "alpha:1"; });
    for (int i = 0; i < 100; ++i) columns.step();
    groups = groupsWhen([](const Json& group) { return group["rows"] == 303; });
    EXPECT_GT(groups[0]["rows_per_s"], 0);
    EXPECT_EQ(groups[0]["environments"], 3);
    EXPECT_EQ(groups[0]["waiting"], false);
    EXPECT_EQ(groups[0]["losses"], 0);
    EXPECT_GE(groups[0]["answered_s"], before_s);
    EXPECT_EQ(groups[1]["waiting"], true);
    EXPECT_EQ(groups[1]["answered_s"], Json());
    actor->stop();
    columns.step();
    groups = groupsWhen([](const Json& group) { return group["losses"] == 1; });
    EXPECT_EQ(groups[0]["waiting"], true);
    EXPECT_EQ(groups[0]["actor"], "");
    EXPECT_EQ(groups[1]["losses"], 0);
}

// Waits a minute at most.
bool waitUntil(const std::function<bool()>& condition) {
    for (int i = 0; i < 6000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
}

TEST(FleetServer, AListThatCouldNotBeWrittenIsWrittenLaterIfItDoesNotChange) {
    FakeRig rig;
    ASSERT_TRUE(rig.provide(2).has_value());
    rig.files.failAt(1, true, ENOSPC);
    rig.server.admit(kRun);
    EXPECT_TRUE(waitUntil([&] { return rig.files.failures() >= 3; }));
    rig.files.failAt(0, false);
    EXPECT_TRUE(waitUntil(
        [&] { return std::filesystem::exists(fleetFolder(rig.folder.path(), kRun) / "machines.json"); }));
}

TEST(FleetServer, AFullDiskDisturbsTheListOfMachinesOnly) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 3);
    Columns columns = rig.columns(0);
    const ActorThread actor(rig.credentials(), "alpha:1");
    columns.stepUntilGood();
    const std::filesystem::path list = fleetFolder(rig.folder(), kRun) / "machines.json";
    ASSERT_TRUE(waitUntil([&] { return std::filesystem::exists(list); }));
    rig.files().failAt(1, true, ENOSPC);
    for (int row = 0; row < 50; ++row) columns.step();
    ASSERT_TRUE(waitUntil([&] { return rig.files().failures() > 0; }));
    for (int row = 0; row < 50; ++row) columns.step();
    // The newest list cannot be written either.
    ASSERT_TRUE(waitUntil([&, before = rig.files().failures()] { return rig.files().failures() > before; }));
    EXPECT_FALSE(columns.anyFailed());
    EXPECT_EQ(columns.counted(), 300U);
    rig.files().failAt(0, false);
    RealFileSystem files;
    EXPECT_TRUE(waitUntil([&] {
        const auto text = readFile(files, list);
        return text && Json::parse(*text).at("groups").at(0).at("rows") == 303;
    }));
}

TEST(RowRate, IsTheAverageOverTheWindow) {
    RowRate rate;
    EXPECT_EQ(rate.perSecond(), std::nullopt);
    rate.add(100, 1000);
    EXPECT_EQ(rate.perSecond(), std::nullopt);
    rate.add(102, 1400);
    EXPECT_EQ(rate.perSecond(), 200);
    for (int s = 104; s <= 120; s += 2) rate.add(s, 1400);
    EXPECT_EQ(rate.perSecond(), 0);
    // A gap longer than the window.
    rate.add(220, 2400);
    EXPECT_EQ(rate.perSecond(), 10);
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
    EXPECT_NE(result.error().text().find(": no learner listens at " + credentials.address), std::string::npos)
        << result.error().text();
}

// A listener that accepts nothing: the kernel drops further connections, as a firewall does.
TEST(FleetServer, ConnectingToAMachineThatDropsPacketsStalls) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    ActorCredentials credentials = rig.credentials();
    const FullListener listener;
    credentials.address = "127.0.0.1:" + std::to_string(listener.port());
    const auto link =
        (*loadLinkTransport())->connect(credentials.address, credentials.identity, 1 << 20, 0.5, {});
    ASSERT_FALSE(link.has_value());
    EXPECT_EQ(link.error().code, ErrorCode::stalled);
}

// A transport that fails with this error.
struct FailingTransport final : LinkTransport {
    explicit FailingTransport(Error reason) : error(std::move(reason)) {}
    Result<std::unique_ptr<LinkListener>> listen(const std::string&, const LinkIdentity&, std::size_t,
                                                 std::function<void(std::unique_ptr<Link>)>) override {
        return fail("not used");
    }
    Result<std::unique_ptr<Link>> connect(const std::string&, const LinkIdentity&, std::size_t, double,
                                          const std::stop_token&) override {
        return tl::unexpected<Error>(error);
    }
    Error error;
};

TEST(Actor, ReasonsOfTheTransportAreExplained) {
    FakeRig rig;
    const FleetAuthority authority = FleetAuthority::open(rig.files, rig.folder.path()).value();
    const ActorCredentials credentials =
        authority.actor(kRun, "learner.example:7450", std::time(nullptr), 3600).value();
    std::string message;
    const auto reasonFor = [&](Error error) {
        FailingTransport transport(std::move(error));
        const Result<> ended = runActor({.credentials = credentials,
                                         .name = "a",
                                         .give_up_s = 0,
                                         .message = [&](const std::string& text) { message = text; }},
                                        transport, {});
        return ended ? std::string() : ended.error().text();
    };
    // The words of gRPC 1.51.
    const std::vector<std::pair<Error, std::string>> cases{
        {Error{ErrorCode::stalled, "no answer", {}}, "a firewall drops the packets"},
        {Error{
             ErrorCode::failure,
             "failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.9:7450: Failed to connect "
             "to remote host: Connection timed out",
             {}},
         "a firewall drops the packets"},
        {Error{
             ErrorCode::failure,
             "failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.9:7450: Failed to connect "
             "to remote host: No route to host",
             {}},
         "has no route to learner.example:7450"},
        {Error{ErrorCode::failure,
               "DNS resolution failed for learner.example:7450: C-ares status is not ARES_SUCCESS qtype=A "
               "name=learner.example is_balancer=0: Domain name not found",
               {}},
         "cannot resolve the name in learner.example:7450"},
        {Error{ErrorCode::failure,
               "failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.9:7450: Failed to "
               "connect to remote host: Broken pipe",
               {}},
         "connections to learner.example:7450 are ended immediately"},
        {Error{ErrorCode::failure, "Socket closed", {}},
         "the connection to the learner at learner.example:7450 has ended"},
        {Error{ErrorCode::failure, "recvmsg:Connection reset by peer", {}},
         "the connection to the learner at learner.example:7450 has ended"},
        {Error{ErrorCode::failure, "keepalive watchdog timeout", {}},
         "the learner at learner.example:7450 no longer answers"}};
    const std::regex since(R"(.* \(not connected since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\); trying again)");
    for (const auto& [error, text] : cases) {
        EXPECT_NE(reasonFor(error).find(text), std::string::npos) << reasonFor(error);
        EXPECT_NE(message.find(text), std::string::npos) << message;
        EXPECT_TRUE(std::regex_match(message, since)) << message;
    }
}

// Both sides have more to send than the connection stores, and do not read. The learner's end is closed.
TEST(FleetServer, AClosedConnectionEndsIfTheOtherSideDoesNotRead) {
    SEEDBED_NEEDS_FLEET();
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const FleetAuthority authority = FleetAuthority::open(files, folder.path()).value();
    LinkTransport& transport = **loadLinkTransport();
    constexpr std::size_t kMegabyte = std::size_t{1} << 20;
    std::promise<std::unique_ptr<Link>> accepted;
    const auto listener =
        transport
            .listen("127.0.0.1:0", authority.learner(std::time(nullptr)).value(), 2 * kMegabyte,
                    [&](std::unique_ptr<Link> link) { accepted.set_value(std::move(link)); })
            .value();
    const std::string address = "127.0.0.1:" + std::to_string(listener->port());
    const ActorCredentials credentials = authority.actor(kRun, address, std::time(nullptr), 3600).value();
    const auto actor = transport.connect(address, credentials.identity, 2 * kMegabyte, 60, {}).value();
    std::unique_ptr<Link> learner = accepted.get_future().get();
    for (Link* link : {learner.get(), actor.get()})
        for (int i = 0; i < 32; ++i) link->send(Bytes(kMegabyte, 1));
    learner.reset();
    EXPECT_GT(actor->unsent(), 0U);
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (actor->unsent() > 0 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(actor->unsent(), 0U);  // the stream has ended
}

TEST(FleetServer, APortThatIsInUseIsReported) {
    SEEDBED_NEEDS_FLEET();
    FleetRig rig(1, 2);
    RealFileSystem files;
    FleetServer second(files, rig.folder());
    std::vector<GroupSpec> none;
    const auto listening =
        second.provide(none, {.address = "127.0.0.1:" + std::to_string(rig.server().port()), .stall_s = 1});
    ASSERT_FALSE(listening.has_value());
    EXPECT_NE(listening.error().text().find("another program uses the port"), std::string::npos);
}

}  // namespace
}  // namespace seedbed::test
