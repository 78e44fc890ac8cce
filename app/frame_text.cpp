// SPDX-License-Identifier: Apache-2.0
#include "app/frame_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

constexpr int kBarWidth = 20;  // characters
constexpr const char* kSources[] = {"policy", "recorded", "person"};
constexpr const char* kMarks[] = {"", "terminated", "truncated"};

const char* markText(EpisodeMark mark) { return kMarks[static_cast<std::size_t>(mark)]; }

std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return std::isfinite(value) ? text : "-";
}

int characters(const std::string& text) {
    return static_cast<int>(
        std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xC0) != 0x80; }));
}

// At most `width` characters.
std::string cut(const std::string& text, int width) {
    int count = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        if ((text[at] & 0xC0) != 0x80 && ++count > width) return text.substr(0, at);
    return text;
}

std::string padded(const std::string& text, int width) {
    const std::string start = cut(text, width);
    return start + std::string(static_cast<std::size_t>(width - characters(start)), ' ');
}

std::string bar(float share) {
    const int full = std::clamp(static_cast<int>(std::lround(share * kBarWidth)), 0, kBarWidth);
    std::string text;
    for (int i = 0; i < kBarWidth; ++i) text += i < full ? "█" : "·";
    return text;
}

std::string labelOf(const ActionLeaf& leaf, int index) {
    return static_cast<std::size_t>(index) < leaf.labels.size()
               ? printableText(leaf.labels[static_cast<std::size_t>(index)])
               : leaf.name + " " + std::to_string(index);
}

std::string stateText(const PlayerFrame& frame, const std::string& title, bool is_replay) {
    const std::string speed = frame.speed == 0 ? "as fast as possible" : shortNumber(frame.speed) + "x";
    return title +
           (frame.finished ? ", finished"
            : frame.paused ? ", paused"
                           : ", " + speed) +
           (is_replay      ? std::string(", as recorded")
            : frame.greedy ? ", greedy, policy of step " + formatCount(frame.weights_steps)
                           : ", sampled, policy of step " + formatCount(frame.weights_steps)) +
           (frame.followed ? ", follows the run" : "");
}

std::string episodeText(const PlayerCell& cell, int agent) {
    const PlayerRecord& now = cell.nowOf(agent);
    std::string text = "episode " + std::to_string(now.episode + 1) + ", step " + std::to_string(now.step) +
                       ", return " + shortNumber(now.return_so_far);
    if (cell.episodes > 0) text += ", last return " + shortNumber(cell.lastReturnOf(agent));
    if (cell.last_end != EpisodeMark::none) text += " (" + std::string(markText(cell.last_end)) + ")";
    return text;
}

// The most probable choices of a discrete leaf; `>` marks the action.
void addChoices(std::vector<std::string>& lines, const ActionLeaf& leaf, const float* shares, int action,
                int most) {
    std::vector<int> order(static_cast<std::size_t>(leaf.n));
    std::iota(order.begin(), order.end(), 0);
    if (leaf.n > most)
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return shares[a] > shares[b]; });
    int width = 8;
    for (int i = 0; i < leaf.n; ++i) width = std::max(width, std::min(24, characters(labelOf(leaf, i))));
    for (int i = 0; i < std::min(leaf.n, most); ++i) {
        const int choice = order[static_cast<std::size_t>(i)];
        lines.push_back((choice == action ? "> " : "  ") + padded(labelOf(leaf, choice), width) + " " +
                        bar(shares[choice]) + " " + shortNumber(std::round(shares[choice] * 1000) / 1000));
    }
}

void addActions(std::vector<std::string>& lines, const PlayerRecord& record, const Spaces& spaces, int most) {
    most = std::max(1, most / static_cast<int>(std::max<std::size_t>(1, spaces.actions.size())));
    std::size_t word = 0, shown = 0;
    for (const ActionLeaf& leaf : spaces.actions) {
        const auto words = static_cast<std::size_t>(leaf.words());
        const bool is_discrete = leaf.kind == ActionLeaf::Kind::discrete;
        const std::size_t values = is_discrete ? static_cast<std::size_t>(leaf.n) : 2 * words;
        if (record.action.size() < word + words) return;
        const float* action = record.action.data() + word;
        const bool has_policy = record.shown.size() >= shown + values;
        const float* policy = has_policy ? record.shown.data() + shown : nullptr;
        if (is_discrete && has_policy) addChoices(lines, leaf, policy, static_cast<int>(*action), most);
        else if (is_discrete) lines.push_back("> " + labelOf(leaf, static_cast<int>(*action)));
        for (std::size_t i = 0; !is_discrete && i < words; ++i)
            lines.push_back(
                "> " + padded(labelOf(leaf, static_cast<int>(i)), 16) + " " + shortNumber(action[i]) +
                (has_policy
                     ? "  mean " + shortNumber(policy[i]) + ", deviation " + shortNumber(policy[words + i])
                     : ""));
        word += words;
        shown += values;
    }
}

}  // namespace

std::vector<std::string> frameLines(const PlayerFrame& frame, const std::string& title, const Spaces& spaces,
                                    bool is_replay, int width, int most) {
    std::vector<std::string> lines{stateText(frame, title, is_replay)};
    if (frame.focus >= 0 && static_cast<std::size_t>(frame.focus) < frame.cells.size()) {
        const PlayerCell& cell = frame.cells[static_cast<std::size_t>(frame.focus)];
        const int agent = std::clamp(frame.focus_agent, 0, cell.agents() - 1);
        const PlayerRecord& now = cell.nowOf(agent);
        lines.push_back(episodeText(cell, agent));
        if (std::isfinite(now.value)) lines.back() += ", value " + shortNumber(now.value);
        if (std::isfinite(now.entropy)) lines.back() += ", entropy " + shortNumber(now.entropy);
        if (now.decided) addActions(lines, now, spaces, std::max(1, most - 2));
    }
    if (lines.size() > static_cast<std::size_t>(most)) lines.resize(static_cast<std::size_t>(most));
    for (std::string& line : lines) line = cut(line, width);
    return lines;
}

std::vector<std::string> inspectionLines(const Inspection& inspection, const Spaces& spaces, int width) {
    constexpr std::size_t kLargest = 4;
    if (!inspection.unavailable.empty()) return {cut("inspection: " + inspection.unavailable, width)};
    std::vector<std::string> lines;
    if (!inspection.q.empty()) {
        lines.emplace_back("Q");
        for (const float q : inspection.q) lines.back() += " " + shortNumber(q);
    }
    if (!inspection.state_after.empty()) {
        double sum = 0;
        for (const float x : inspection.state_after) sum += static_cast<double>(x) * static_cast<double>(x);
        lines.push_back("recurrent state: " + std::to_string(inspection.state_after.size()) +
                        " numbers, size " + shortNumber(std::sqrt(sum)));
    }
    struct Element {
        std::size_t leaf, index;
        float saliency;
    };
    std::vector<Element> elements;
    for (std::size_t leaf = 0; leaf < inspection.leaves.size(); ++leaf)
        for (std::size_t i = 0; i < inspection.leaves[leaf].of_action.size(); ++i)
            elements.push_back({leaf, i, std::abs(inspection.leaves[leaf].of_action[i])});
    const std::size_t most = std::min(kLargest, elements.size());
    std::partial_sort(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(most), elements.end(),
                      [](const Element& a, const Element& b) { return a.saliency > b.saliency; });
    std::string text = "the action depends on:";
    for (std::size_t i = 0; i < most; ++i) {
        const InspectedLeaf& leaf = inspection.leaves[elements[i].leaf];
        const std::size_t index = elements[i].index;
        const bool has_label = elements[i].leaf < spaces.obs.size() &&
                               spaces.obs[elements[i].leaf].labels.size() == leaf.seen.size();
        text += std::string(i == 0 ? " " : ", ") +
                (has_label ? printableText(spaces.obs[elements[i].leaf].labels[index])
                           : leaf.name + "[" + std::to_string(index) + "]") +
                " = " + shortNumber(leaf.seen[index]) + " (" + shortNumber(leaf.of_action[index]) + ")";
    }
    lines.push_back(text);
    for (std::string& line : lines) line = cut(line, width);
    return lines;
}

Json recordJson(const PlayerRecord& record) {
    const auto known = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
    Json action = Json::array(), policy = Json::array();
    for (const float word : record.action) action.push_back(known(word));
    for (const float value : record.shown) policy.push_back(known(value));
    return {{"row", record.row},
            {"episode", record.episode},
            {"step", record.step},
            {"source", kSources[static_cast<std::size_t>(record.source)]},
            {"action", action},
            {"value", known(record.value)},
            {"entropy", known(record.entropy)},
            {"reward", known(record.reward)},
            {"return", known(record.return_so_far)},
            {"policy", policy},
            {"end", record.end == EpisodeMark::none ? Json() : Json(markText(record.end))}};
}

}  // namespace seedbed::app
