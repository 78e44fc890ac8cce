// SPDX-License-Identifier: Apache-2.0
#include "core/rollout/seat_policies.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kLongestName = 24;
constexpr std::size_t kMostSeats = 1024;

bool isPolicyName(std::string_view name) {
    const bool has_letters = std::all_of(name.begin(), name.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
    });
    return has_letters && !name.empty() && name.size() <= kLongestName && name.front() != '_' &&
           name.back() != '_' && name.find("__") == std::string_view::npos;
}

}  // namespace

Result<SeatPolicies> SeatPolicies::parse(std::string_view text) {
    SeatPolicies policies;
    if (trimmed(text).empty()) return policies;
    for (const std::string& part : split(text, ',')) {
        const std::string name(trimmed(part));
        if (!isPolicyName(name))
            return fail(ErrorCode::config, "'" + name +
                                               "' is not a name of a policy: up to 24 lower-case letters, "
                                               "digits and single underscores between them");
        const auto found = std::find(policies.names.begin(), policies.names.end(), name);
        policies.of_seat.push_back(static_cast<std::uint16_t>(found - policies.names.begin()));
        if (found == policies.names.end()) policies.names.push_back(name);
        if (policies.of_seat.size() > kMostSeats) return fail(ErrorCode::config, "there are too many seats");
    }
    if (policies.names.size() > kMost)
        return fail(ErrorCode::config, std::to_string(policies.names.size()) +
                                           " policies are named; at most " + std::to_string(kMost) +
                                           " are possible");
    return policies;
}

std::string SeatPolicies::text() const {
    std::vector<std::string> seats;
    for (const std::uint16_t policy : of_seat) seats.push_back(names[policy]);
    return join(seats, ",");
}

}  // namespace seedbed
