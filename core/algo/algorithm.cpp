// SPDX-License-Identifier: Apache-2.0
// The registry of algorithms, filled by the last line of each algorithm's file.
#include "core/algo/algorithm.hpp"

namespace seedbed {

Registry<AlgorithmEntry>& algorithmRegistry() {
    static Registry<AlgorithmEntry> registry;
    return registry;
}

namespace {

// The first lane of draws; shuffles use the lanes from 0 on, replays the lanes from 2^31 on.
constexpr std::uint32_t kDrawLanes = 1u << 30;

}  // namespace

SampleKey Step::key(int draw, int step) const {
    SEEDBED_CHECK(place_.has_value() && draw >= 0 && draw < kDraws);
    return {.seed = place_->seed,
            .purpose = RngPurpose::minibatch,
            .lane = kDrawLanes + place_->first_row + static_cast<std::uint32_t>(step) * place_->columns,
            .step = place_->optimiser_step * kDraws + static_cast<std::uint64_t>(draw)};
}

}  // namespace seedbed
