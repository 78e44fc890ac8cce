// SPDX-License-Identifier: Apache-2.0
// The policies of a run, and which seats (agents of an environment) each of them plays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// Policies are numbered in the order of their first seat.
struct SeatPolicies {
    static constexpr std::size_t kMost = 8;

    std::vector<std::string> names{};      // by policy; empty: one policy, without a name, plays all seats
    std::vector<std::uint16_t> of_seat{};  // by seat

    // `text`: the name of the policy of each seat, separated by commas; "": one policy. error: config, if
    // names have characters outside [a-z0-9_], or there are more than kMost policies.
    static Result<SeatPolicies> parse(std::string_view text);

    bool isUsed() const { return !names.empty(); }
    // The text that parse() accepts.
    std::string text() const;
    // The name of a network of a policy in checkpoints: unique, because names of policies contain no "__".
    std::string networkName(std::size_t policy, std::string_view network) const {
        return names[policy] + "__" + std::string(network);
    }

    bool operator==(const SeatPolicies&) const = default;
};

}  // namespace seedbed
