// SPDX-License-Identifier: Apache-2.0
#include "core/play/breakpoint.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kMaxText = 500;  // characters
constexpr const char* kTerms[] = {"value",   "entropy", "reward", "return", "step",
                                  "episode", "action",  "obs",    "end"};
// Longer operators first.
constexpr const char* kComparisons[] = {"<=", ">=", "==", "!=", "<", ">"};

bool isWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

}  // namespace

double elementOf(const ObsLeaf& leaf, const std::uint8_t* bytes, std::size_t index) {
    bytes += index * bytesOf(leaf.dtype);
    if (leaf.dtype == DType::u8) return *bytes;
    if (leaf.dtype == DType::f32) {
        float number = 0;
        std::memcpy(&number, bytes, sizeof number);
        return static_cast<double>(number);
    }
    std::int32_t number = 0;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

class Breakpoint::Parser {
public:
    Parser(const std::string& text, const Spaces& spaces) : text_(text), spaces_(spaces) {}

    Result<std::vector<std::vector<Condition>>> parse() {
        std::vector<std::vector<Condition>> any(1);
        while (true) {
            SEEDBED_ASSIGN(Condition condition, parseCondition());
            any.back().push_back(condition);
            skipSpaces();
            if (at_ == text_.size()) return any;
            if (takeWord("and")) continue;
            if (!takeWord("or")) return wrong("expected 'and', 'or' or the end");
            any.emplace_back();
        }
    }

private:
    void skipSpaces() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool take(const std::string& part) {
        skipSpaces();
        if (text_.compare(at_, part.size(), part) != 0) return false;
        at_ += part.size();
        return true;
    }
    bool takeWord(const std::string& word) {
        const std::size_t before = at_;
        if (take(word) && (at_ == text_.size() || !isWord(text_[at_]))) return true;
        at_ = before;
        return false;
    }
    std::string word() {
        skipSpaces();
        const std::size_t begin = at_;
        while (at_ < text_.size() && isWord(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    tl::unexpected<Error> wrong(const std::string& why) const {
        return fail(ErrorCode::config, "the condition '" + text_ + "' is wrong at character " +
                                           std::to_string(std::min(at_, text_.size()) + 1) + ": " + why);
    }

    Result<Condition> parseCondition() {
        Condition condition;
        SEEDBED_TRY(parseTerm(condition));
        if (condition.term == Term::end) return condition;
        skipSpaces();
        const auto* const found = std::find_if(std::begin(kComparisons), std::end(kComparisons),
                                               [this](const char* comparison) { return take(comparison); });
        if (found == std::end(kComparisons)) return wrong("expected <, <=, >, >=, == or !=");
        constexpr Comparison kinds[] = {Comparison::less_equal, Comparison::greater_equal,
                                        Comparison::equal,      Comparison::different,
                                        Comparison::less,       Comparison::greater};
        condition.comparison = kinds[found - std::begin(kComparisons)];
        SEEDBED_TRY(parseConstant(condition));
        return condition;
    }

    Result<> parseTerm(Condition& condition) {
        skipSpaces();
        const std::size_t begin = at_;
        const std::string name = word();
        const auto* const found = std::find(std::begin(kTerms), std::end(kTerms), name);
        if (found == std::end(kTerms)) {
            at_ = begin;
            return wrong(
                "expected end, value, entropy, reward, return, step, episode, action, action[i], obs[i] "
                "or obs.NAME[i]");
        }
        condition.term = static_cast<Term>(found - std::begin(kTerms));
        if (condition.term == Term::obs) return parseObservation(condition);
        if (condition.term != Term::action) return {};
        const auto words = static_cast<std::size_t>(spaces_.actionWords());
        if (take("[")) return parseIndex(words, "numbers of an action", condition.element);
        if (words > 1) return wrong("an action has " + std::to_string(words) + " numbers; write action[0]");
        return {};
    }

    Result<> parseObservation(Condition& condition) {
        if (take(".")) {
            const std::string name = word();
            const auto found = std::find_if(spaces_.obs.begin(), spaces_.obs.end(),
                                            [&](const ObsLeaf& leaf) { return leaf.name == name; });
            if (found == spaces_.obs.end()) {
                std::string names;
                for (const ObsLeaf& leaf : spaces_.obs) names += (names.empty() ? "" : ", ") + leaf.name;
                return wrong("there is no observation '" + name + "'; the observations are " + names);
            }
            condition.leaf = static_cast<std::size_t>(found - spaces_.obs.begin());
        }
        if (!take("[")) return wrong("expected the number of an element in brackets, as in obs[0]");
        return parseIndex(spaces_.obs[condition.leaf].elements(), "elements", condition.element);
    }

    Result<> parseIndex(std::size_t count, const std::string& what, std::size_t& index) {
        const std::string digits = word();
        const auto number = parseInteger(digits);
        if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= count)
            return wrong("expected a number from 0 to " + std::to_string(count - 1) + ", because there are " +
                         std::to_string(count) + " " + what);
        index = static_cast<std::size_t>(*number);
        if (!take("]")) return wrong("expected ]");
        return {};
    }

    // The discrete leaf to which a word of the action belongs, or null.
    const ActionLeaf* choices(std::size_t word) const {
        std::size_t begin = 0;
        for (const ActionLeaf& leaf : spaces_.actions) {
            begin += static_cast<std::size_t>(leaf.words());
            if (word < begin) return leaf.kind == ActionLeaf::Kind::discrete ? &leaf : nullptr;
        }
        return nullptr;
    }

    Result<> parseConstant(Condition& condition) {
        skipSpaces();
        const ActionLeaf* leaf = condition.term == Term::action ? choices(condition.element) : nullptr;
        // Names may contain spaces; the longest one that fits is meant.
        std::size_t longest = 0;
        for (std::size_t i = 0; leaf != nullptr && i < leaf->labels.size(); ++i) {
            const std::string& label = leaf->labels[i];
            if (label.size() <= longest || text_.compare(at_, label.size(), label) != 0) continue;
            longest = label.size();
            condition.constant = static_cast<double>(i);
        }
        std::size_t end = at_;
        while (end < text_.size() && text_[end] != ' ') ++end;
        const auto number = parseNumber(std::string_view(text_).substr(at_, end - at_));
        if (longest > 0 && !number) {
            at_ += longest;
            return {};
        }
        if (!number || !std::isfinite(*number)) {
            std::string names;
            for (std::size_t i = 0; leaf != nullptr && i < leaf->labels.size(); ++i)
                names += (i == 0 ? " or one of: " : ", ") + leaf->labels[i];
            return wrong("expected a number" + names);
        }
        condition.constant = *number;
        at_ = end;
        return {};
    }

    const std::string& text_;
    const Spaces& spaces_;
    std::size_t at_ = 0;
};

Result<Breakpoint> Breakpoint::parse(const std::string& text, const Spaces& spaces) {
    if (trimmed(text).empty())
        return fail(ErrorCode::config, "the condition is empty; an example is 'value < 0.2'");
    if (text.size() > kMaxText)
        return fail(ErrorCode::config,
                    "the condition has more than " + std::to_string(kMaxText) + " characters");
    Breakpoint breakpoint;
    SEEDBED_ASSIGN(breakpoint.any_of_, Parser(text, spaces).parse());
    breakpoint.text_ = text;
    return breakpoint;
}

bool Breakpoint::satisfied(const Condition& condition, const PlayerRecord* before, const PlayerRecord& now,
                           const Observed& observed) {
    if (condition.term == Term::end) return before != nullptr && before->end != EpisodeMark::none;
    double number = std::nan("");
    const bool has_before = before != nullptr && before->decided;
    switch (condition.term) {
        case Term::value: number = static_cast<double>(now.value); break;
        case Term::entropy: number = static_cast<double>(now.entropy); break;
        case Term::reward:
            if (has_before) number = static_cast<double>(before->reward);
            break;
        case Term::episode_return:
            if (has_before) number = before->return_so_far + static_cast<double>(before->reward);
            break;
        case Term::step: number = now.step; break;
        case Term::episode: number = now.episode; break;
        case Term::action:
            if (condition.element < now.action.size())
                number = static_cast<double>(now.action[condition.element]);
            break;
        case Term::obs: number = observed(condition.leaf, condition.element); break;
        case Term::end: break;
    }
    if (std::isnan(number)) return false;
    switch (condition.comparison) {
        case Comparison::less: return number < condition.constant;
        case Comparison::less_equal: return number <= condition.constant;
        case Comparison::greater: return number > condition.constant;
        case Comparison::greater_equal: return number >= condition.constant;
        case Comparison::equal: return number == condition.constant;
        case Comparison::different: return number != condition.constant;
    }
    return false;
}

bool Breakpoint::holds(const PlayerRecord* before, const PlayerRecord& now, const Observed& observed) const {
    return std::any_of(any_of_.begin(), any_of_.end(), [&](const std::vector<Condition>& all) {
        return std::all_of(all.begin(), all.end(), [&](const Condition& condition) {
            return satisfied(condition, before, now, observed);
        });
    });
}

}  // namespace seedbed
