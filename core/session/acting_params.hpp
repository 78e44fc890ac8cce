// SPDX-License-Identifier: Apache-2.0
// Passes parameters, with the rule for acting, from the learner to actors: the newest ones, or older ones
// (run.forced_lag).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>

#include "core/base/archive.hpp"
#include "core/base/mutex.hpp"
#include "core/infer/span_inference.hpp"

namespace seedbed {

// An update creates many versions, one per change of the parameters, but only one publication. Lag is counted
// in publications.
class ActingParams {
public:
    // Actors receive the parameters published `forced_lag` publications ago, or the first ones if there are
    // fewer publications.
    explicit ActingParams(int forced_lag) : forced_lag_(static_cast<std::size_t>(forced_lag)) {}

    // Thread: the learner's. If the parameters already have the newest version, only the rule is replaced.
    // `opponents` apply at once, also with forced lag. Locks only to exchange a pointer.
    void publish(const Params& params, const ActingRule& rule = {},
                 std::shared_ptr<const Opponents> opponents = nullptr);
    // Number of publications between the parameters with this version and the newest; for versions older than
    // the stored ones, the number of all publications. Thread: the learner's.
    std::uint64_t lagOf(std::uint64_t version) const;
    // The lowest version that is at most `lag` publications old. Thread: the learner's.
    std::uint64_t oldestWithin(std::uint64_t lag) const;

    // A reader's copy of the current parameters. Loads one counter per call; locks only after a publication.
    class Reader {
    public:
        explicit Reader(const ActingParams& source) : source_(&source) {}
        // Thread: one at a time.
        const Acting& acting();

    private:
        const ActingParams* source_;
        std::uint64_t seen_ = 0;
        Acting acting_;
    };

    // Saves the versions of recent publications, and the older parameters that forced lag still needs.
    void archive(Archive& archive);

private:
    // Number of publications whose versions are stored; more than the largest run.forced_lag +
    // learner.max_policy_lag.
    static constexpr std::size_t kRemembered = 512;
    void choose();

    std::size_t forced_lag_;
    // Used by the learner only: the version of each publication, oldest first, and the newest forced_lag + 1
    // parameters.
    std::deque<std::uint64_t> versions_;
    std::uint64_t forgotten_ = 0;
    std::deque<Acting> kept_;
    std::shared_ptr<const Opponents> opponents_;

    std::atomic<std::uint64_t> generation_{0};  // incremented when current_ is exchanged
    mutable Mutex mutex_;
    Acting current_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed
