// SPDX-License-Identifier: Apache-2.0
// The conditions that pause a player session.
#pragma once

#include <deque>
#include <vector>

#include "core/base/json.hpp"
#include "core/play/breakpoint.hpp"
#include "core/play/player_request.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// Thread: one at a time.
class BreakList {
public:
    static constexpr std::size_t kMost = 100;

    // Applies the request "break". Returns a message for the user, or "".
    std::string apply(const PlayerRequest& request);
    std::size_t size() const { return breaks_.size(); }
    // The first condition that holds in the newest row of `trace`, which is the head row of `column`:
    // {"break", "when", "row"}; null if none holds.
    Json check(const std::deque<PlayerRecord>& trace, Ring& ring, int column) const;
    // [{"break", "when"}]
    Json json() const;

private:
    struct Break {
        int id = 0;
        Breakpoint condition;
    };
    std::vector<Break> breaks_;
};

}  // namespace seedbed
