// SPDX-License-Identifier: Apache-2.0
// Messages that may repeat hundreds of times: the first of each kind is reported in full; the others are only
// counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedbed {

// A message with this ending is about a single item, so it is always reported and never counted as a
// repetition.
inline constexpr std::string_view kLeftOut = "is left out";

// Texts that differ only in numbers, addresses and other words with digits have the same kind. Thread: one at
// a time.
class RepeatedTexts {
public:
    // Returns what to report for `text` at `now_s` (seconds, monotonic): the text if it is the first of its
    // kind; at most once a minute, the number of further texts and the first line of the latest one;
    // otherwise nullopt.
    std::optional<std::string> add(const std::string& text, double now_s);
    // Reports the counts that add() has not reported yet.
    std::vector<std::string> rest();

private:
    struct Kind {
        std::string line;  // first line of the latest text
        double reported_s = 0, seen_s = 0;
        std::int64_t more = 0;  // texts since the last report
        std::string report();
    };
    std::map<std::string, Kind> kinds_;
};

}  // namespace seedbed
