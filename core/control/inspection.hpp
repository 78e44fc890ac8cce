// SPDX-License-Identifier: Apache-2.0
// The inputs and outputs of a player's network at one row, for the agent in focus. A player computes them
// only while a viewer has requested inspections. README.md describes how it is transferred.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/ipc/shared_segment.hpp"

namespace seedbed {

// One observation as the network receives it: bytes of images divided by their upper bound, discrete values
// one-hot encoded, vectors normalised if the network normalises them.
struct InspectedLeaf {
    std::string name;
    std::vector<std::uint32_t> shape;  // [frames * channels, height, width] or [elements]; oldest frame first
    bool normalised = false;
    std::vector<float> seen;
    // Saliency: derivatives with respect to `seen`; empty if there is no such output. `of_action`: of the
    // log-probability of the chosen actions (Q value for a Q network) plus the means of continuous actions.
    std::vector<float> of_action, of_value;
};

struct Inspection {
    static constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

    std::uint32_t generation = 0;  // as in PlayerFrame
    std::uint64_t row = 0;
    std::uint32_t env = 0, agent = 0;
    std::string unavailable;  // why the rest is missing; empty if nothing is missing
    std::vector<InspectedLeaf> leaves;
    std::vector<float> previous_action, previous_reward;  // empty unless the network reads them
    std::vector<std::uint8_t> mask;                       // [choices] 1: allowed; empty without masks
    std::vector<float> action;                            // that the policy chose
    std::vector<float> shown;                             // as in PlayerRecord
    float entropy = kUnknown;                             // nats
    float value = kUnknown;
    std::vector<float> q;                          // per choice; empty unless the network has Q values
    std::vector<float> state_before, state_after;  // recurrent state
    std::uint64_t weights_version = 0;
};

std::vector<std::byte> encodeInspection(const Inspection& inspection);
// Accepts untrusted bytes. error: not an inspection.
Result<Inspection> decodeInspection(std::span<const std::byte> bytes);
// All members by their names; numbers that are unknown are null.
Json toJson(const Inspection& inspection);

// The shared memory of inspections.
inline constexpr SegmentKind kInspectionSegment{segmentKind("insp"), 1, {}};

}  // namespace seedbed
