// SPDX-License-Identifier: Apache-2.0
// The observation and action spaces of an agent: leaves with dtype, shape and bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

enum class DType : std::uint8_t { u8, i32, f32 };

std::size_t bytesOf(DType dtype);
const char* nameOf(DType dtype);

// One array of the observation of one agent at one time.
//   vector:   f32 [n], bounds [low, high] (infinite allowed)
//   image:    u8 [channels, height, width] with values in [low, high]; networks divide by high
//   discrete: i32 [n], each element in [0, cardinality); networks receive it one-hot encoded
struct ObsLeaf {
    enum class Kind : std::uint8_t { vector, image, discrete };

    std::string name = "obs";
    Kind kind = Kind::vector;
    DType dtype = DType::f32;
    std::vector<int> shape{};  // shape of one frame
    double low = 0, high = 0;
    int cardinality = 0;                // discrete only
    int stack = 1;                      // number of frames that a network receives, oldest first; rings store
                                        // single frames
    std::vector<std::string> labels{};  // names of the elements or channels, with units; may be empty
    bool critic_only = false;           // an input of value estimates only, not of what selects actions

    std::size_t elements() const;  // elements of one frame
    std::size_t bytes() const { return elements() * bytesOf(dtype); }
    bool operator==(const ObsLeaf&) const = default;
};

// One part of an action.
//   discrete: one of n choices               (1 word: the choice as an exact integer)
//   box:      real numbers in [low, high]    (one word per dimension)
struct ActionLeaf {
    enum class Kind : std::uint8_t { discrete, box };

    std::string name = "action";
    Kind kind = Kind::discrete;
    int n = 0;                          // discrete: number of choices
    std::vector<double> low{}, high{};  // box: bounds of each dimension
    std::vector<std::string> labels{};  // names of the choices or dimensions; may be empty
    bool scaled = false;  // box: the policy chooses in units of rangeOf(); a property of the network, not of
                          // the environment

    int words() const { return kind == Kind::discrete ? 1 : static_cast<int>(low.size()); }
    bool operator==(const ActionLeaf&) const = default;
};

// The unit in which a policy chooses dimension i of a box leaf: its action is centre + half * choice.
struct ActionRange {
    double centre = 0, half = 1;
};
// The middle and half the width of the bounds if these are finite. Half is 1 if both bounds are equal, since
// the clipped action is then always the centre. {0, 1} if a bound is infinite or beyond +-1e30, which stands
// for "no bound".
ActionRange rangeOf(const ActionLeaf& leaf, std::size_t i);

// The spaces of one agent. Multi-discrete actions are several discrete leaves; a product space mixes kinds.
// An action is stored as f32 [action_words], a mask as u8 [mask_bytes]: one byte (0 forbidden, 1 allowed) per
// choice of every discrete leaf.
struct Spaces {
    std::vector<ObsLeaf> obs;
    std::vector<ActionLeaf> actions;
    bool has_mask = false;  // the environment may forbid choices

    int actionWords() const;
    int maskBytes() const;  // 0 when !has_mask
    bool operator==(const Spaces&) const = default;
};

// The spaces without what an environment does not define or what does not affect a network: `scaled` and
// labels. For comparisons.
Spaces withoutLabels(Spaces spaces);
// The spaces with every box leaf scaled whose unit is not that of the environment.
Spaces withScaledActions(Spaces spaces);

// The spaces without leaves that are `critic_only`.
Spaces withoutCriticOnly(Spaces spaces);

// Whether the bytes are an observation: elements of a discrete leaf are below its cardinality.
bool isObservation(const ObsLeaf& leaf, const std::uint8_t* bytes);
// Whether the words are an action: a valid choice for each discrete leaf, and finite numbers for each box
// leaf (not necessarily within its bounds).
bool isAction(const Spaces& spaces, const float* words);

Json toJson(const Spaces& spaces);
Result<Spaces> spacesFromJson(const Json& json);

}  // namespace seedbed
