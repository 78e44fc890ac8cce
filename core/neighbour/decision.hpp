// SPDX-License-Identifier: Apache-2.0
// The decision whether a run yields to the person at the computer, with its reason.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/neighbour/readings.hpp"
#include "core/neighbour/rules.hpp"

namespace seedbed {

enum class NeighbourAction : std::uint8_t { go_on, low_priority, pause };

// "ignore", "low" or "pause", as in the rules.
const char* nameOf(NeighbourAction action);

enum class NeighbourReason : std::uint8_t { program, battery, memory, disk };

// A rule that applies.
struct NeighbourFinding {
    NeighbourReason reason = NeighbourReason::battery;
    NeighbourAction action = NeighbourAction::go_on;
    std::string text;  // "the computer runs on battery"

    bool operator==(const NeighbourFinding&) const = default;
};

// The patterns of all texts of findings and decisions (SEEDBED_TEXT).
const std::vector<std::string>& neighbourPatterns();

// The rules that apply. `before`: the findings of the previous call; a limit that applied before applies
// until a quarter more is free, so that a run does not pause and resume every few seconds.
std::vector<NeighbourFinding> neighbourFindings(const NeighbourReadings& readings,
                                                const NeighbourRules& rules,
                                                const std::vector<NeighbourFinding>& before = {});

struct NeighbourDecision {
    NeighbourAction action = NeighbourAction::go_on;
    std::string text;  // of the finding; "" for go_on

    // "Paused: the computer runs on battery", "Low priority: ..."; "" for go_on.
    std::string sentence() const;
    bool operator==(const NeighbourDecision&) const = default;
};

// The strongest action of the findings whose reason is not ignored.
NeighbourDecision decide(const std::vector<NeighbourFinding>& findings,
                         const std::set<NeighbourReason>& ignored = {});

// The findings of a run, and which of them its user has overruled. Thread: one at a time.
class NeighbourState {
public:
    // A reason that no longer applies is no longer ignored.
    void update(std::vector<NeighbourFinding> findings);
    // Ignores the current reasons for a pause until they have ended.
    void trainAnyway();
    const std::vector<NeighbourFinding>& findings() const { return findings_; }
    NeighbourDecision decision() const { return decide(findings_, ignored_); }
    // Why the priority is low, also during a pause; "" if it is not.
    std::string lowPriority() const;

private:
    std::vector<NeighbourFinding> findings_;
    std::set<NeighbourReason> ignored_;
};

}  // namespace seedbed
