// SPDX-License-Identifier: Apache-2.0
#include "core/base/repeated_texts.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr double kInterval = 60;        // seconds between two reports of one kind
constexpr std::size_t kMaxKinds = 100;  // remembered at a time

// The text with words that contain digits, such as numbers and addresses, replaced by '#'.
std::string kindOf(const std::string& text) {
    std::string kind;
    std::size_t word = 0;  // start of the current word in `kind`
    bool has_digit = false;
    for (const char letter : text + ' ') {
        const bool is_digit = letter >= '0' && letter <= '9';
        if (is_digit || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
            has_digit = has_digit || is_digit;
            kind += letter;
            continue;
        }
        if (has_digit) kind.replace(word, std::string::npos, "#");
        has_digit = false;
        kind += letter;
        word = kind.size();
    }
    return kind;
}

}  // namespace

std::string RepeatedTexts::Kind::report() {
    const std::int64_t count = std::exchange(more, 0);
    return line + " (" + formatCount(count) + (count == 1 ? " more message" : " more messages") +
           " like this)";
}

std::optional<std::string> RepeatedTexts::add(const std::string& text, double now_s) {
    std::string name = text.ends_with(kLeftOut) ? text : kindOf(text);
    if (kinds_.size() >= kMaxKinds && !kinds_.contains(name))
        kinds_.erase(
            std::ranges::min_element(kinds_, {}, [](const auto& entry) { return entry.second.seen_s; }));
    const auto [found, is_new] = kinds_.try_emplace(std::move(name));
    Kind& kind = found->second;
    kind.seen_s = now_s;
    kind.line = text.substr(0, text.find('\n'));
    if (is_new) {
        kind.reported_s = now_s;
        return text;
    }
    ++kind.more;
    if (now_s - kind.reported_s < kInterval) return std::nullopt;
    kind.reported_s = now_s;
    return kind.report();
}

std::vector<std::string> RepeatedTexts::rest() {
    std::vector<std::string> texts;
    for (auto& [name, kind] : kinds_)
        if (kind.more > 0) texts.push_back(kind.report());
    return texts;
}

}  // namespace seedbed
