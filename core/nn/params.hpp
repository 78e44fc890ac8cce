// SPDX-License-Identifier: Apache-2.0
// Params: an immutable, versioned value that contains the weights and buffers of a network as one flat float
// blob in the layout of a NetPlan.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Thread: any; copies share the blob.
class Params {
public:
    Params() = default;
    Params(std::vector<float> blob, std::uint64_t version);
    // Shares a blob whose owner may change it between runs, with a new version for each change (the learner's
    // working copy).
    Params(std::shared_ptr<const std::vector<float>> blob, std::uint64_t version);

    std::span<const float> blob() const { return *blob_; }
    const float* at(const ParamEntry& entry) const { return blob_->data() + entry.offset; }
    std::uint64_t version() const { return version_; }
    bool empty() const { return blob_ == nullptr; }
    // Lower-case hex SHA-256 of the little-endian blob: bitwise equal parameters have equal hashes.
    std::string sha256() const;

private:
    std::shared_ptr<const std::vector<float>> blob_;
    std::uint64_t version_ = 0;
};

// Orthogonal initialisation (Saxe et al. 2014) with the plan's gains and zero biases; uses the Philox stream
// (seed, parameters, lane = entry index + 2^16 * network), so that networks of one algorithm differ.
Params initialParams(const NetPlan& plan, std::uint64_t seed, std::uint32_t network = 0);

}  // namespace seedbed
