// SPDX-License-Identifier: Apache-2.0
// The control protocol: greetings, requests, streams, and clients that are slow, hostile or too numerous.
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/control/control_client.hpp"
#include "core/control/control_server.hpp"
#include "core/control/launch.hpp"
#include "core/control/protocol.hpp"
#include "core/ipc/published_slots.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

constexpr int kTimeoutMs = 60'000;  // so that the test cannot hang

class Control : public ::testing::Test {
protected:
    void SetUp() override {
        auto started =
            ControlServer::start(socket(), {{"kind", "run"}, {"run", 3}},
                                 [this](const std::string& verb, const Json& request) -> Result<Json> {
                                     ++requests_;
                                     if (verb == "echo") return Json{{"said", request.value("say", Json())}};
                                     return fail(ErrorCode::config, "no '" + verb + "'");
                                 });
        ASSERT_TRUE(started.has_value()) << started.error().text();
        server_ = std::move(*started);
    }
    std::filesystem::path socket() const { return folder_.path() / "run-3.sock"; }
    ControlClient client() {
        auto connected = ControlClient::connect(socket());
        EXPECT_TRUE(connected.has_value()) << connected.error().text();
        return std::move(*connected);
    }

    testing::TemporaryFolder folder_;
    std::atomic<int> requests_{0};
    std::unique_ptr<ControlServer> server_;
};

TEST_F(Control, GreetsAnswersAndRejectsWithTheReason) {
    ControlClient asking = client();
    EXPECT_EQ(asking.hello().value("version", 0), kControlVersion);
    EXPECT_EQ(asking.hello().value("run", 0), 3);
    const auto reported = asking.ask("echo", {{"say", "x"}});
    ASSERT_TRUE(reported.has_value()) << reported.error().text();
    EXPECT_EQ((*reported)["said"], "x");
    const auto refused = asking.ask("dance");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::config);
    EXPECT_EQ(refused.error().text(), "no 'dance'");
}

TEST_F(Control, OnlyItsOwnerMayOpenTheSocket) {
    struct stat status {};
    ASSERT_EQ(::stat(socket().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(Control, WatchingClientsGetTheNewestStatusAndEveryEventInOrder) {
    ControlClient watching = client();
    server_->publish({{"steps", 1}});
    ASSERT_TRUE(watching.ask("watch", {{"every_ms", 20}}).has_value());
    for (int i = 0; i < 50; ++i) server_->sendEvent({{"event", "message"}, {"n", i}});
    server_->publish({{"steps", 2}});
    int next = 0;
    std::int64_t steps = 0;
    while (next < 50 || steps < 2) {
        auto event = watching.next({}, deadlineIn(kTimeoutMs));
        ASSERT_TRUE(event.has_value() && event->has_value());
        if ((**event)["event"] == "message") EXPECT_EQ((**event)["n"], next++);
        else steps = (**event)["status"]["steps"];
    }
    ASSERT_TRUE(watching.ask("watch", {{"every_ms", 0}}).has_value());
    server_->publish({{"steps", 3}});
    auto silent = watching.next({}, deadlineIn(100));
    EXPECT_TRUE(silent.has_value() && !silent->has_value());
    EXPECT_EQ((*watching.ask("status"))["status"]["steps"], 3);
}

TEST_F(Control, TheLastEventArrivesBeforeTheConnectionCloses) {
    ControlClient watching = client();
    ASSERT_TRUE(watching.ask("watch").has_value());
    server_->sendEvent({{"event", "ended"}});
    server_.reset();
    bool ended = false;
    while (!watching.ended()) {
        auto event = watching.next({}, deadlineIn(kTimeoutMs));
        if (event && *event && (**event)["event"] == "ended") ended = true;
    }
    EXPECT_TRUE(ended);
    EXPECT_FALSE(std::filesystem::exists(socket()));
    EXPECT_FALSE(ControlClient::connect(socket()).has_value());
}

TEST_F(Control, HostileClientsAreDisconnectedAndOthersAreServed) {
    ControlClient good = client();
    const std::vector<std::string> odd{"{}", R"({"do": 7})", R"({"do": "watch", "every_ms": "x"})",
                                       R"({"do": "watch", "every_ms": -1})", R"({"id": [], "do": "echo"})"};
    auto raw = JsonSocket::connect(socket());
    ASSERT_TRUE(raw.has_value());
    ASSERT_TRUE(raw->receive({}, deadlineIn(kTimeoutMs)).has_value());
    for (const std::string& line : odd) {
        ASSERT_TRUE(raw->send(Json::parse(line)).has_value());
        auto reply = raw->receive({}, deadlineIn(kTimeoutMs));
        ASSERT_TRUE(reply.has_value() && reply->has_value()) << line;
    }
    // A line that is too long, and one that is not JSON.
    ASSERT_TRUE(
        raw->send(Json{{"do", std::string(100'000, 'x')}}, {}, {}, deadlineIn(kTimeoutMs)).has_value());
    while (true) {
        auto gone = raw->receive({}, deadlineIn(kTimeoutMs));
        if (!gone) break;
        ASSERT_TRUE(gone->has_value()) << "the server keeps the connection";
    }
    ASSERT_TRUE(good.ask("echo", {{"say", 1}}).has_value());
}

// Fills its socket and never reads: the server closes the connection and does not block.
TEST_F(Control, AClientThatDoesNotReadDelaysNoOther) {
    ControlClient deaf = client();
    ASSERT_TRUE(deaf.ask("watch", {{"every_ms", 20}}).has_value());
    const Json big{{"event", "message"}, {"text", std::string(20'000, 'x')}};
    for (int i = 0; i < 200; ++i) server_->sendEvent(big);
    ControlClient good = client();
    ASSERT_TRUE(good.ask("echo", {{"say", 1}}).has_value());
}

TEST_F(Control, TooManyClientsAreRejectedUntilOneDisconnects) {
    {
        std::vector<ControlClient> many;
        for (int i = 0; i < 16; ++i) many.push_back(client());
        EXPECT_FALSE(ControlClient::connect(socket()).has_value());
    }
    for (int attempt = 0; attempt < 6000 && !ControlClient::connect(socket()); ++attempt)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(ControlClient::connect(socket()).has_value());
}

TEST_F(Control, ASecondServerIsRejectedWhileTheFirstRuns) {
    EXPECT_FALSE(ControlServer::start(socket(), Json::object(), ControlHandler()).has_value());
    server_.reset();
    EXPECT_TRUE(ControlServer::start(socket(), Json::object(), ControlHandler()).has_value());
}

TEST(Launch, OutputGoesToTheLogAndTheLastLineIsFound) {
    const testing::TemporaryFolder folder;
    const auto log = folder.path() / "logs" / "x.log";
    auto child = launchInBackground({"sh", "-c", "echo first; echo the reason >&2; exit 3"}, log);
    ASSERT_TRUE(child.has_value()) << child.error().text();
    const auto ended = child->wait({}, deadlineIn(kTimeoutMs));
    ASSERT_TRUE(ended.has_value() && ended->has_value());
    EXPECT_EQ((*ended)->code, 3);
    EXPECT_EQ(lastLine(log), "the reason");
    EXPECT_EQ(lastLine(folder.path() / "none"), "");
}

// Shared memory that is only offered.
class Offered final : public Publication {
public:
    Result<Offer> offer() override {
        if (!slots_) {
            SEEDBED_ASSIGN(SlotWriter writer, SlotWriter::create("test", {segmentKind("test"), 1, {}}, 64));
            slots_.emplace(std::move(writer));
        }
        SEEDBED_ASSIGN(Descriptor descriptor, slots_->descriptor().duplicate());
        return Offer{Json::object(), std::move(descriptor)};
    }
    void setFollowers(int clients) override { followers = clients; }
    std::atomic<int> followers{0};

private:
    std::optional<SlotWriter> slots_;
};

TEST(ControlClients, AreDistinguishedAndTheirEndIsReported) {
    testing::TemporaryFolder folder;
    const auto socket = folder.path() / "play-1.sock";
    std::atomic<std::uint64_t> last{0}, gone{0};
    Offered frames, inspections;
    ControlSetup setup;
    setup.handler = [&](std::uint64_t client, const std::string&, const Json&) -> Result<Json> {
        last = client;
        return Json::object();
    };
    setup.left = [&](std::uint64_t client) { gone = client; };
    setup.published = {{"follow", &frames}, {"inspect", &inspections}};
    auto server = ControlServer::start(socket, Json::object(), std::move(setup));
    ASSERT_TRUE(server) << server.error().text();
    const auto eventually = [](const auto& condition) {
        for (int i = 0; i < 6000 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return condition();
    };
    auto first = ControlClient::connect(socket);
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->ask("x"));
    const std::uint64_t id = last;
    {
        auto second = ControlClient::connect(socket);
        ASSERT_TRUE(second);
        ASSERT_TRUE(second->ask("x"));
        EXPECT_NE(last, id);
        ASSERT_TRUE(second->follow());
        ASSERT_TRUE(second->follow(ControlClient::kTimeoutMs, {}, "inspect"));
        EXPECT_TRUE(eventually([&] { return frames.followers == 1 && inspections.followers == 1; }));
        ASSERT_TRUE(second->ask("inspect", {{"on", false}}));
        EXPECT_TRUE(eventually([&] { return inspections.followers == 0; }));
        EXPECT_EQ(frames.followers, 1);
    }
    EXPECT_TRUE(eventually([&] { return gone != 0; }));
    EXPECT_NE(gone, id) << "the first client is still connected";
    EXPECT_TRUE(eventually([&] { return frames.followers == 0; }));
}

}  // namespace
}  // namespace seedbed
