// SPDX-License-Identifier: Apache-2.0
// Communication between the ranks of a run: processes that train the same parameters on different columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// A rank is lost or cannot be reached. Survivors can continue without it. Not one of ErrorCode's enumerators
// because it never leaves a run; its exit code is 1.
inline constexpr ErrorCode kRankLost{101};

// The connections of one rank with the others. All ranks call the same operations in the same order. After
// an error every operation of every rank fails. Thread: one at a time, except abort().
class Collective {
public:
    virtual ~Collective() = default;
    virtual int rank() const = 0;
    // A power of two.
    virtual int ranks() const = 0;
    // Sends `out` to rank `partner`, which makes the mirrored call, and fills `in` with its bytes. Both sizes
    // are known to both. error: kRankLost.
    virtual Result<> exchange(int partner, std::span<const std::byte> out, std::span<std::byte> in) = 0;
    // Breaks all connections, so that pending and later operations of all ranks fail. Thread: any.
    virtual void abort() = 0;
};

// Sums `values`, of equal size on all ranks, into every rank: recursive halving at distances 1, 2, 4, ...,
// then recursive doubling. Each element is the binary tree ((0 + 1) + (2 + 3)) + ... in rank order. `scratch`
// grows to half the size. error: kRankLost.
Result<> sumInTree(Collective& collective, std::span<float> values, std::vector<float>& scratch);

// Gathers `mine`, of equal size on all ranks, into `all`, in rank order, together with the outcome `own` of
// this rank. If any rank has an error, all ranks return that of the lowest rank. error: kRankLost.
Result<> gatherAll(Collective& collective, const Result<>& own, std::span<const std::byte> mine,
                   std::vector<std::byte>& all);
Result<> gatherAll(Collective& collective, const Result<>& own, std::span<const double> mine,
                   std::vector<double>& all);

// Ranks of one process, for tests: element r is used by the thread of rank r.
std::vector<std::unique_ptr<Collective>> loopbackRanks(int ranks);

}  // namespace seedbed
