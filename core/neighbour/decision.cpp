// SPDX-License-Identifier: Apache-2.0
#include "core/neighbour/decision.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/localizable_text.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr const char* kBattery = SEEDBED_TEXT("the computer runs on battery");
constexpr const char* kGame = SEEDBED_TEXT("a game is running");
constexpr const char* kProgram = SEEDBED_TEXT("the program %1 is running");
constexpr const char* kMemory = SEEDBED_TEXT("less than %1 MB of memory is free");
constexpr const char* kDisk = SEEDBED_TEXT("less than %1 MB is free on the disk of the data folder");

NeighbourAction actionFrom(const std::string& name) {
    return name == NeighbourRules::kPause         ? NeighbourAction::pause
           : name == NeighbourRules::kLowPriority ? NeighbourAction::low_priority
                                                  : NeighbourAction::go_on;
}

}  // namespace

const char* nameOf(NeighbourAction action) {
    return action == NeighbourAction::pause          ? NeighbourRules::kPause
           : action == NeighbourAction::low_priority ? NeighbourRules::kLowPriority
                                                     : NeighbourRules::kIgnore;
}

const std::vector<std::string>& neighbourPatterns() {
    static const std::vector<std::string> patterns{kBattery, kGame, kProgram, kMemory, kDisk};
    return patterns;
}

std::vector<NeighbourFinding> neighbourFindings(const NeighbourReadings& readings,
                                                const NeighbourRules& rules,
                                                const std::vector<NeighbourFinding>& before) {
    std::vector<NeighbourFinding> findings;
    const auto add = [&](NeighbourReason reason, NeighbourAction action, std::string text) {
        if (action != NeighbourAction::go_on) findings.push_back({reason, action, std::move(text)});
    };
    const auto addLimit = [&](NeighbourReason reason, std::optional<std::uint64_t> free, std::int64_t limit,
                              const char* pattern) {
        if (limit <= 0 || !free) return;
        const bool held = std::any_of(before.begin(), before.end(),
                                      [&](const NeighbourFinding& f) { return f.reason == reason; });
        const std::uint64_t bytes = static_cast<std::uint64_t>(limit) * kMegabyte;
        if (*free < (held ? bytes + bytes / 4 : bytes))
            add(reason, NeighbourAction::pause, LocalizableText{pattern, {formatCount(limit)}}.text());
    };
    if (!readings.program.empty())
        add(NeighbourReason::program, actionFrom(rules.game),
            LocalizableText{kProgram, {readings.program}}.text());
    else if (readings.game) add(NeighbourReason::program, actionFrom(rules.game), kGame);
    if (readings.on_battery) add(NeighbourReason::battery, actionFrom(rules.battery), kBattery);
    addLimit(NeighbourReason::memory, readings.free_memory, rules.min_memory, kMemory);
    addLimit(NeighbourReason::disk, readings.free_disk, rules.min_disk, kDisk);
    return findings;
}

std::string NeighbourDecision::sentence() const {
    return action == NeighbourAction::pause          ? "Paused: " + text
           : action == NeighbourAction::low_priority ? "Low priority: " + text
                                                     : "";
}

NeighbourDecision decide(const std::vector<NeighbourFinding>& findings,
                         const std::set<NeighbourReason>& ignored) {
    NeighbourDecision decision;
    for (const NeighbourFinding& finding : findings)
        if (!ignored.contains(finding.reason) && finding.action > decision.action)
            decision = {finding.action, finding.text};
    return decision;
}

void NeighbourState::update(std::vector<NeighbourFinding> findings) {
    findings_ = std::move(findings);
    std::erase_if(ignored_, [&](NeighbourReason reason) {
        return std::none_of(findings_.begin(), findings_.end(),
                            [&](const NeighbourFinding& finding) { return finding.reason == reason; });
    });
}

std::string NeighbourState::lowPriority() const {
    for (const NeighbourFinding& finding : findings_)
        if (finding.action == NeighbourAction::low_priority) return finding.text;
    return "";
}

void NeighbourState::trainAnyway() {
    for (const NeighbourFinding& finding : findings_)
        if (finding.action == NeighbourAction::pause) ignored_.insert(finding.reason);
}

}  // namespace seedbed
