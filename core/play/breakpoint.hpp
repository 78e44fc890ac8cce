// SPDX-License-Identifier: Apache-2.0
// Conditions that pause a player, such as "value < 0.2" or "reward > 0 and action == left".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/spaces.hpp"
#include "core/control/player_frame.hpp"

namespace seedbed {

// Element `index` of a single frame.
double elementOf(const ObsLeaf& leaf, const std::uint8_t* bytes, std::size_t index);

// TERM OP CONSTANT, joined by "and" or "or" ("and" binds more strongly). TERM: value, entropy, reward,
// return, step, episode, action, action[i], obs[i], obs.LEAF[i]. OP: < <= > >= == !=. CONSTANT: a number, or
// for discrete actions also the name of a choice. "end", alone, holds in the row after an episode's last
// decision. Unknown numbers satisfy no comparison.
class Breakpoint {
public:
    // error: config; states where the text is wrong and what is possible there.
    static Result<Breakpoint> parse(const std::string& text, const Spaces& spaces);

    // `before` is the row whose reward is known since the current row `now` was reached; null for the first
    // row. End, reward and return are those after `before`, other terms those of `now`, whose action is
    // chosen but not executed. `observed` returns an element of a leaf in the row `now`.
    using Observed = std::function<double(std::size_t leaf, std::size_t element)>;
    bool holds(const PlayerRecord* before, const PlayerRecord& now, const Observed& observed) const;
    const std::string& text() const { return text_; }

private:
    enum class Term { value, entropy, reward, episode_return, step, episode, action, obs, end };
    enum class Comparison { less, less_equal, greater, greater_equal, equal, different };
    struct Condition {
        Term term = Term::value;
        std::size_t leaf = 0, element = 0;
        Comparison comparison = Comparison::less;
        double constant = 0;
    };
    class Parser;

    static bool satisfied(const Condition& condition, const PlayerRecord* before, const PlayerRecord& now,
                          const Observed& observed);

    std::string text_;
    std::vector<std::vector<Condition>> any_of_;  // any list, all of whose conditions hold
};

}  // namespace seedbed
