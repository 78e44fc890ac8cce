// SPDX-License-Identifier: Apache-2.0
#include "app/ranks/rank_processes.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

#include "app/interrupt.hpp"
#include "core/base/os/files.hpp"
#include "core/session/ranks/follow.hpp"

namespace seedbed::app {
namespace {

constexpr const char* kTokenVariable = "SEEDBED_RANKS_TOKEN";
constexpr std::size_t kShortestToken = 16;
constexpr std::int64_t kEndMs = 10'000;

Result<std::string> readToken(const RankOptions& options) {
    std::string token;
    if (!options.token.empty()) {
        RealFileSystem files;
        SEEDBED_ASSIGN(token, readFile(files, options.token));
        while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
    } else if (const char* variable = std::getenv(kTokenVariable)) {
        token = variable;
    }
    if (token.size() < kShortestToken)
        return fail(ErrorCode::usage, "ranks that a launcher starts need the same token of at least " +
                                          std::to_string(kShortestToken) +
                                          " characters, in the file of --ranks-token or in " +
                                          kTokenVariable);
    return token;
}

Result<TcpRankOptions> optionsOf(const RankOptions& options) {
    if (options.meet.empty())
        return fail(ErrorCode::usage, "--rank needs --meet HOST:PORT, where rank 0 listens");
    if (options.rank >= options.ranks)
        return fail(ErrorCode::usage, "--rank " + std::to_string(options.rank) + " is not below --ranks " +
                                          std::to_string(options.ranks));
    TcpRankOptions tcp;
    tcp.ranks = options.ranks;
    SEEDBED_ASSIGN(tcp.meet, TcpAddress::parse(options.meet));
    SEEDBED_ASSIGN(tcp.token, readToken(options));
    return tcp;
}

}  // namespace

void defineRankOptions(CLI::App& cli, RankOptions& options) {
    cli.add_option("--ranks", options.ranks,
                   "Train with this many processes, each with its part of the environments and of every "
                   "minibatch; a power of two, at most learner.shards")
        ->type_name("R")
        ->check(CLI::Range(1, 1024));
    cli.add_option("--rank", options.rank,
                   "For launchers, which start all ranks with the same command: the number of this process, "
                   "from 0; only rank 0 writes the run")
        ->type_name("I")
        ->check(CLI::Range(0, 1023));
    cli.add_option("--meet", options.meet,
                   "For launchers: the address at which rank 0 listens for the others")
        ->type_name("HOST:PORT");
    cli.add_option("--ranks-token", options.token,
                   "For launchers: file with the secret that all ranks share (default: the variable "
                   "SEEDBED_RANKS_TOKEN)")
        ->type_name("FILE");
}

Result<int> runFollower(const RankOptions& options) {
    Interrupt interrupt("");
    interrupt.giveTime();
    SEEDBED_ASSIGN(TcpRankOptions tcp, optionsOf(options));
    SEEDBED_ASSIGN(auto group, TcpRanks::join(std::move(tcp), options.rank, interrupt.token()));
    SEEDBED_TRY(followRun(std::make_shared<RankLink>(std::move(group)), interrupt.token()));
    return 0;
}

Result<std::unique_ptr<RankProcesses>> RankProcesses::start(const RankOptions& options,
                                                            std::stop_token stop) {
    std::unique_ptr<RankProcesses> processes(new RankProcesses);
    if (options.ranks == 1 && options.rank < 0) return processes;
    if ((options.ranks & (options.ranks - 1)) != 0)
        return fail(ErrorCode::config,
                    "--ranks " + std::to_string(options.ranks) + " is not a power of two (1, 2, 4, ...)");
    TcpRankOptions tcp;
    if (options.rank == 0) {
        SEEDBED_ASSIGN(tcp, optionsOf(options));
    } else {
        tcp.ranks = options.ranks;
        tcp.meet = {"127.0.0.1", 0};
        if (!options.meet.empty()) {
            SEEDBED_ASSIGN(tcp.meet, TcpAddress::parse(options.meet));
        }
        SEEDBED_ASSIGN(tcp.token, newRankToken());
    }
    const std::string token = tcp.token;
    SEEDBED_ASSIGN(std::unique_ptr<TcpRanks> group, TcpRanks::listen(std::move(tcp)));
    if (options.rank < 0) SEEDBED_TRY(processes->startChildren(*group, token, options.ranks));
    SEEDBED_TRY(group->meet(stop));
    processes->link_ = std::make_shared<RankLink>(std::move(group));
    // The ranks share the cores of this machine.
    if (options.rank < 0)
        processes->link_->threads =
            std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / options.ranks);
    processes->on_stop_ = std::make_unique<std::stop_callback<std::function<void()>>>(
        std::move(stop), [raw = processes.get()] { raw->passStop(); });
    return processes;
}

Result<> RankProcesses::startChildren(const TcpRanks& group, const std::string& token, int ranks) {
    for (int rank = 1; rank < ranks; ++rank) {
        const ChildOptions child{
            .arguments = {"/proc/self/exe", "rank", "--rank", std::to_string(rank), "--ranks",
                          std::to_string(ranks), "--meet", group.address().text()},
            .environment = {{kTokenVariable, token}},
        };
        SEEDBED_ASSIGN(ChildProcess process, ChildProcess::start(child));
        children_.push_back(std::move(process));
    }
    return {};
}

// The other ranks may be in the middle of a long rollout, which they then abandon too.
void RankProcesses::passStop() {
    const MutexLock lock(mutex_);
    for (ChildProcess& child : children_) static_cast<void>(child.signal(SIGTERM));
}

void RankProcesses::end() {
    on_stop_.reset();
    if (link_ != nullptr) static_cast<void>(link_->command(RankCommand::end));
    link_.reset();
    const MutexLock lock(mutex_);
    const Deadline deadline = deadlineIn(kEndMs);
    for (ChildProcess& child : children_) static_cast<void>(child.wait({}, deadline));
    children_.clear();
}

RankProcesses::~RankProcesses() { end(); }

}  // namespace seedbed::app
