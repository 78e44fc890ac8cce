// SPDX-License-Identifier: Apache-2.0
#include "core/learn/update_backup.hpp"

#include <utility>

namespace seedbed {

void archiveOptimisers(Archive& archive, std::vector<LearningNet>& states) {
    for (LearningNet& state : states) {
        if (!state.optimiser) continue;
        state.optimiser->archive(archive);
        if (archive.isLoading()) state.momentsChanged();
    }
}

void UpdateBackup::keep(Algorithm& algorithm, std::vector<LearningNet>& states,
                        const LearnerCounters& counters, bool optimisers, std::size_t floats) {
    Archive algorithm_state = Archive::saving(), optimiser_state = Archive::saving();
    algorithm.archive(algorithm_state);
    if (optimisers) {
        optimiser_state.reserve(floats * sizeof(float) + 64);
        archiveOptimisers(optimiser_state, states);
    }
    algorithm_ = std::move(algorithm_state).take();
    optimisers_ = std::move(optimiser_state).take();
    counters_ = counters;
    versions_.clear();
    for (LearningNet& state : states) {
        if (hasOptimisers()) state.publish();
        versions_.push_back(state.current().version());
    }
}

LearnerCounters UpdateBackup::revert(Algorithm& algorithm, std::vector<LearningNet>& states) {
    Archive algorithm_state = Archive::loading(std::move(algorithm_));
    algorithm.archive(algorithm_state);
    SEEDBED_CHECK(algorithm_state.finish().has_value());
    if (hasOptimisers()) {
        Archive optimiser_state = Archive::loading(std::move(optimisers_));
        archiveOptimisers(optimiser_state, states);
        SEEDBED_CHECK(optimiser_state.finish().has_value());
        for (std::size_t net = 0; net < states.size(); ++net) states[net].revert(versions_[net]);
    }
    return counters_;
}

}  // namespace seedbed
