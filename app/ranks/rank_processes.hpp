// SPDX-License-Identifier: Apache-2.0
// The processes of a run that trains with several ranks: rank 0 starts the others on this machine, or a
// launcher starts all of them.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/error.hpp"
#include "core/base/mutex.hpp"
#include "core/fleet/collective/tcp_ranks.hpp"
#include "core/ipc/child_process.hpp"
#include "core/session/ranks/rank_link.hpp"

namespace seedbed::app {

struct RankOptions {
    int ranks = 1;
    int rank = -1;      // -1: this process is rank 0 and starts the others
    std::string meet;   // where rank 0 listens; empty: a free port of this machine's loopback interface
    std::string token;  // file with the token; empty: the variable SEEDBED_RANKS_TOKEN
    bool isFollower() const { return rank > 0; }
};

void defineRankOptions(CLI::App& cli, RankOptions& options);

// Runs this process as a rank other than 0, until the run ends. Returns the exit code.
Result<int> runFollower(const RankOptions& options);

// The other ranks, as rank 0 sees them. The destructor ends them.
class RankProcesses {
public:
    // Starts the other ranks unless a launcher does, and waits for them. error: config, usage; not all
    // connect within a minute; interrupted.
    static Result<std::unique_ptr<RankProcesses>> start(const RankOptions& options, std::stop_token stop);
    ~RankProcesses();

    // Null if there is only one rank.
    std::shared_ptr<RankLink> link() const { return link_; }
    // Ends the other ranks after the run.
    void end();

private:
    RankProcesses() = default;
    Result<> startChildren(const TcpRanks& group, const std::string& token, int ranks);
    void passStop();

    std::shared_ptr<RankLink> link_;
    Mutex mutex_;
    std::vector<ChildProcess> children_;
    std::unique_ptr<std::stop_callback<std::function<void()>>> on_stop_;
};

}  // namespace seedbed::app
