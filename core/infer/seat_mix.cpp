// SPDX-License-Identifier: Apache-2.0
#include "core/infer/seat_mix.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace seedbed {

SeatMix::SeatMix(EngineNet& net, int columns, std::span<const std::uint16_t> of_seat)
    : mix_(net, columns, *std::ranges::max_element(of_seat)) {
    for (std::size_t column = 0; column < static_cast<std::size_t>(columns); ++column)
        policies_.push_back(of_seat[column % of_seat.size()]);
}

Result<> SeatMix::act(SpanInference& span, Ring& ring, const Acting& acting, std::span<const Params> others,
                      ThreadTimes& times) {
    SEEDBED_CHECK(others.size() == *std::ranges::max_element(policies_), "every policy has parameters");
    others_.clear();
    for (const Params& params : others) others_.push_back(&params);
    SEEDBED_TRY(mix_.act(span, acting, others_, policies_, times));
    std::uint32_t* version = ring.version(ring.head());
    for (std::size_t column = 0; column < policies_.size(); ++column)
        if (policies_[column] > 0)
            version[column] = static_cast<std::uint32_t>(others_[policies_[column] - 1]->version());
    return {};
}

}  // namespace seedbed
