// SPDX-License-Identifier: Apache-2.0
// A learner and actors on this machine, connected by the real transport: for tests of fleets.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/fleet/actor.hpp"
#include "core/fleet/fleet_server.hpp"
#include "core/fleet/messages.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/temporary_folder.hpp"

// Skips a test if the module for fleets was not built.
#define SEEDBED_NEEDS_FLEET() \
    if (const auto loaded = ::seedbed::loadLinkTransport(); !loaded) GTEST_SKIP() << loaded.error().text()

namespace seedbed::test {

inline constexpr std::int64_t kRun = 7;

// An actor on a thread. The destructor stops it, like a kill: without a message to the learner.
class ActorThread {
public:
    ActorThread(ActorCredentials credentials, std::string name, double give_up_s = 120);
    ~ActorThread() { stop(); }
    ActorThread(const ActorThread&) = delete;
    ActorThread& operator=(const ActorThread&) = delete;
    void stop();
    // Waits until it returns.
    Result<> result();

private:
    std::stop_source stop_;
    Result<> result_;
    std::thread thread_;
};

// The environments of a group, stepped with actions that depend on the row only.
class Columns {
public:
    Columns(std::unique_ptr<EnvBatch> batch, std::uint64_t seed);
    // One exchange; environments whose episode ended or failed are reset in the next one.
    void step();
    // Steps until no environment is failed; fails the test after two minutes.
    void stepUntilGood();
    bool anyFailed() const;
    // Rows of environments that were stepped and did not fail.
    std::uint64_t counted() const { return counted_; }
    // Hash of all observations, rewards and flags since the last call.
    std::string takeHash();
    std::vector<std::string> notices() { return batch_->takeNotices(); }

private:
    std::unique_ptr<EnvBatch> batch_;
    std::vector<Rng> rngs_;
    std::vector<EnvCommand> commands_;
    std::vector<float> actions_, rewards_;
    std::vector<std::vector<std::uint8_t>> leaves_;
    std::vector<std::uint8_t> mask_, flags_;
    std::string seen_;
    std::uint64_t row_ = 0, counted_ = 0;
};

// A learner with `groups` groups of `envs` environments.
class FleetRig {
public:
    FleetRig(int groups, int envs, const std::string& env = "cartpole", double stall_s = 60);
    // Listens again, as a resumed learner does; the groups are new.
    void listen();
    Columns columns(int group, std::uint64_t seed = 3);
    ActorCredentials credentials(std::int64_t run = kRun, std::int64_t valid_s = 3600,
                                 std::int64_t issued_s = std::time(nullptr)) const;
    // A connection for a scripted actor.
    std::unique_ptr<Link> connect(const ActorCredentials& credentials) const;
    // Connects and performs the handshake as an actor would.
    std::unique_ptr<Link> join() const;
    FleetServer& server() { return *server_; }
    // Of the learner.
    testing::FailingFiles& files() { return files_; }
    const EnvSpec& spec() const { return specs_.front().env_spec; }
    std::filesystem::path folder() const { return folder_.path(); }

private:
    testing::TemporaryFolder folder_;
    testing::FailingFiles files_;
    int groups_, envs_;
    std::string env_, address_ = "127.0.0.1:0";
    double stall_s_;
    std::unique_ptr<FleetServer> server_;
    std::vector<GroupSpec> specs_;
};

// The next control message; fails the test if another message or an error arrives.
Json control(Link& link);
Json helloOf(const ActorCredentials& credentials);

}  // namespace seedbed::test
