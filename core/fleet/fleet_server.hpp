// SPDX-License-Identifier: Apache-2.0
// The learner's side of a fleet: accepts actors, checks who they are, and gives each one a group.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/files.hpp"
#include "core/base/thread.hpp"
#include "core/fleet/authority.hpp"
#include "core/fleet/link.hpp"
#include "core/fleet/remote_batch.hpp"
#include "core/fleet/row_rate.hpp"
#include "core/session/create_groups.hpp"

namespace seedbed {

// Listens only while a session with actor.fleet exists. Thread "fleet": handshakes, list of machines.
class FleetServer final : public RemoteEnvs {
public:
    // Loads the transport on first use; tests pass their own. `files` must outlive this object.
    FleetServer(FileSystem& files, std::filesystem::path data_folder,
                std::function<Result<LinkTransport*>()> transport = loadLinkTransport);
    ~FleetServer() override;

    Result<> provide(std::vector<GroupSpec>& specs, const RemoteOptions& options) override;
    std::size_t bytes(const std::vector<GroupSpec>& specs, const NetPlan& net,
                      const std::string& form) const override;
    void close() override;
    // Accepts actors with a token for this run. Until then they wait.
    void admit(std::int64_t run);
    // Ends all connections. `finished`: the actors exit; otherwise they try to reconnect for a while.
    void end(bool finished);
    // The port, 0 if not listening.
    int port() const;

    // The server closes further connections while this many have not presented a valid token.
    static constexpr std::size_t kMaxArrivals = 1024;

private:
    // The environments of a group.
    struct Group {
        std::string env, spec_hash;
        Json params;
        Json windows;  // for actors that choose the actions: how they act and send rows; or null
        int first = 0, count = 0;
        std::shared_ptr<ActorSlot> slot;
        RowRate rate, bytes;
    };
    struct Arrival {
        std::shared_ptr<Link> link;
        std::int64_t until_ns = 0;
        std::string name;
        std::shared_ptr<ActorSlot> slot;  // of its group, once it was welcomed
    };

    Result<> listen(const std::string& address, std::size_t max_bytes);
    Result<> work(const std::stop_token& stop);
    bool advance(Arrival& arrival, std::vector<Arrival>& others);
    bool greet(Arrival& arrival, const Json& hello, const std::vector<Arrival>& others);
    bool adopt(Arrival& arrival, const Json& ready);
    bool refuse(Arrival& arrival, const char* why, const std::string& reason);
    Json machines();
    void writeMachines();

    FileSystem& files_;
    const std::filesystem::path data_folder_;
    const std::function<Result<LinkTransport*>()> transport_;
    mutable Mutex mutex_;
    StoppableConditionVariable changed_;
    std::vector<Group> groups_ SEEDBED_GUARDED_BY(mutex_);
    std::vector<Arrival> arrivals_ SEEDBED_GUARDED_BY(mutex_);  // not yet seen by the thread
    std::size_t greeting_ SEEDBED_GUARDED_BY(mutex_) = 0;  // connections of the thread without a valid token
    std::int64_t run_ SEEDBED_GUARDED_BY(mutex_) = 0;
    std::string address_;
    std::size_t max_bytes_ = 0;  // of a message
    std::optional<FleetAuthority> authority_;
    std::unique_ptr<LinkListener> listener_;
    std::string written_;  // the newest list of machines
    NamedThread thread_;
};

}  // namespace seedbed
