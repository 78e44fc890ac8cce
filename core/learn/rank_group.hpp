// SPDX-License-Identifier: Apache-2.0
// The processes that train one run together, and what remains of them after the loss of one. Rank 0 leads: it
// owns the run's files and survives every loss, since the run ends with it.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/error.hpp"
#include "core/learn/collective.hpp"

namespace seedbed {

// Thread: one at a time.
class RankGroup {
public:
    virtual ~RankGroup() = default;
    virtual int rank() const = 0;
    virtual int ranks() const = 0;
    // The connections of the present ranks; null if there is only one.
    virtual std::shared_ptr<Collective> collective() const = 0;
    // Both after kRankLost. Rank 0: waits for the states of the survivors, by rank; empty: lost. Ranks that
    // do not answer in time count as lost.
    virtual Result<std::vector<std::vector<std::uint8_t>>> survivors(std::stop_token stop) = 0;
    // Rank 0, after survivors(): forms a group of the largest power of two of the remaining ranks and
    // dismisses the others. error: kRankLost, if another rank was lost in the meantime; call survivors()
    // again.
    virtual Result<> regroup() = 0;
    // Other ranks: sends the state and waits for the new group. Returns false if this rank is dismissed.
    // error: rank 0 is lost.
    virtual Result<bool> rejoin(const std::vector<std::uint8_t>& state) = 0;
};

// A group without a remedy for losses, for tests.
class FixedRankGroup final : public RankGroup {
public:
    explicit FixedRankGroup(std::shared_ptr<Collective> collective) : collective_(std::move(collective)) {}
    int rank() const override { return collective_->rank(); }
    int ranks() const override { return collective_->ranks(); }
    std::shared_ptr<Collective> collective() const override { return collective_; }
    Result<std::vector<std::vector<std::uint8_t>>> survivors(std::stop_token) override { return lost(); }
    Result<> regroup() override { return lost(); }
    Result<bool> rejoin(const std::vector<std::uint8_t>&) override { return lost(); }

private:
    static tl::unexpected<Error> lost() { return fail("a rank was lost"); }
    std::shared_ptr<Collective> collective_;
};

}  // namespace seedbed
