// SPDX-License-Identifier: Apache-2.0
#include "core/infer/joined_params.hpp"

#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

Params joinParams(const Params& first, std::span<const Params> others) {
    if (others.empty()) return first;
    std::vector<float> blob(first.blob().begin(), first.blob().end());
    std::uint64_t version = first.version();
    for (const Params& params : others) {
        blob.insert(blob.end(), params.blob().begin(), params.blob().end());
        version += params.version();
    }
    return Params(std::move(blob), version);
}

Params partOf(const Params& joined, std::size_t policy, std::size_t policies) {
    if (policies == 1) return joined;
    const std::size_t floats = joined.blob().size() / policies;
    SEEDBED_CHECK(floats * policies == joined.blob().size() && policy < policies);
    const auto own = joined.blob().subspan(policy * floats, floats);
    return Params(std::vector<float>(own.begin(), own.end()), joined.version());
}

}  // namespace seedbed
