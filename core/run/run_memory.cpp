// SPDX-License-Identifier: Apache-2.0
// Saving and loading of what the loop remembers.
#include "core/run/run_memory.hpp"

namespace seedbed {

void RunMemory::addReturn(double value) {
    returns.push_back(value);
    return_sum += value;
    if (returns.size() <= kReturnWindow) return;
    return_sum -= returns.front();
    returns.erase(returns.begin());
}

Result<> RunMemory::archive(Archive& archive) {
    constexpr std::uint32_t kVersion = 1;
    std::uint32_t version = kVersion;
    archive(version);
    if (archive.failed() || version != kVersion) return fail("the counters of the run are of another version");
    archive(trained_s)(evaluation_every)(next_evaluation)(next_milestone)(returns)(return_sum)(episodes_since_evaluation);
    auto reached = static_cast<std::uint8_t>(target_reached);
    archive(evaluated_version)(evaluation)(evaluation_decisions)(best_score)(reached)(rollbacks)(versions);
    target_reached = reached != 0;
    if (archive.failed()) return fail("the counters of the run are incomplete");
    return archive.isLoading() ? archive.finish() : Result<>();
}

}  // namespace seedbed
