// SPDX-License-Identifier: Apache-2.0
// Ranks as processes that are connected by TCP: each with rank 0, for assignments and for what follows a
// loss, and with the partners of its collective operations.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fleet/collective/tcp_socket.hpp"
#include "core/learn/rank_group.hpp"

namespace seedbed {

class TcpCollective;

struct TcpRankOptions {
    TcpAddress meet;  // where rank 0 listens
    std::string token;
    int ranks = 1;
    std::int64_t meet_ms = 60'000;    // time for all ranks to connect
    std::int64_t answer_ms = 60'000;  // time for survivors to answer after a loss
};

// Thread: one at a time.
class TcpRanks final : public RankGroup {
public:
    // Rank 0 begins to listen at options.meet; port 0: any free port, see address().
    static Result<std::unique_ptr<TcpRanks>> listen(TcpRankOptions options);
    // Where other ranks connect.
    const TcpAddress& address() const { return options_.meet; }
    // Waits for the other ranks. error: not all have connected in time; versions differ; interrupted.
    Result<> meet(std::stop_token stop);
    // Connects to rank 0 as rank `rank`; -1: any. error: as above.
    static Result<std::unique_ptr<TcpRanks>> join(TcpRankOptions options, int rank, std::stop_token stop);
    ~TcpRanks() override;

    int rank() const override { return rank_; }
    int ranks() const override { return ranks_; }
    std::shared_ptr<Collective> collective() const override;
    Result<std::vector<std::vector<std::uint8_t>>> survivors(std::stop_token stop) override;
    Result<> regroup() override;
    Result<bool> rejoin(const std::vector<std::uint8_t>& state) override;

private:
    // Another rank, as rank 0 sees it.
    struct Member {
        TcpSocket control;
        TcpAddress data;  // where it accepts its partners
    };

    TcpRanks(TcpRankOptions options, TcpListener listener);
    Result<bool> admit(TcpSocket socket, std::vector<Member>& members);
    Result<> assign();
    Result<bool> takeAssignment(Deadline deadline);
    Result<> connectPartners();

    TcpRankOptions options_;
    TcpListener listener_;
    int rank_ = 0, ranks_ = 1;
    std::uint64_t generation_ = 0;   // number of groups so far
    std::vector<TcpAddress> peers_;  // data addresses by rank
    std::vector<Member> members_;    // rank 0: ranks 1 ...
    TcpSocket control_;              // other ranks: to rank 0
    std::shared_ptr<TcpCollective> collective_;
};

}  // namespace seedbed
