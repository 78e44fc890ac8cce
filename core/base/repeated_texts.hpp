// SPDX-License-Identifier: Apache-2.0
// Messages that may repeat hundreds of times: the first of each kind is reported in full, the others as a
// count.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedbed {

// Texts that differ only in numbers, addresses and other words with digits are of one kind. Thread: one at a
// time.
class RepeatedTexts {
public:
    // The report of `text` at `now_s` (seconds, monotonic): the text, if it is the first of its kind; at
    // most once a minute the number of further ones, with the first line of the text; otherwise nothing.
    std::optional<std::string> add(const std::string& text, double now_s);
    // The numbers that were not reported yet.
    std::vector<std::string> rest();

private:
    struct Kind {
        std::string line;  // the first one of the latest text
        double reported_s = 0, seen_s = 0;
        std::int64_t more = 0;  // since then
        std::string report();
    };
    std::map<std::string, Kind> kinds_;
};

}  // namespace seedbed
