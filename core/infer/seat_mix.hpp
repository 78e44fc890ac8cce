// SPDX-License-Identifier: Apache-2.0
// Actions of a row in which each seat is played by its policy (policies.seats).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/infer/policy_mix.hpp"

namespace seedbed {

// The policies in addition to the first one, whose parameters are passed separately.
struct OtherPolicies {
    std::vector<std::uint16_t> of_seat{};  // the policy of each seat; empty: the first policy plays all seats
    std::vector<Params> params{};          // of the policies 1, 2, ...

    bool isUsed() const { return !of_seat.empty(); }
};

// Thread: the actor's.
class SeatMix {
public:
    // The columns of an environment are its seats, in their order. `net` must outlive this object.
    SeatMix(EngineNet& net, int columns, std::span<const std::uint16_t> of_seat);

    // Like PolicyMix::act(), for the head row of `ring`, which is that of `span`; acting.params are those of
    // policy 0, `others` those of the policies 1, 2, ... The versions in the ring are those of the policies.
    Result<> act(SpanInference& span, Ring& ring, const Acting& acting, std::span<const Params> others,
                 ThreadTimes& times);

private:
    std::vector<std::uint16_t> policies_;  // per column
    PolicyMix mix_;
    std::vector<const Params*> others_;  // of the current row
};

}  // namespace seedbed
