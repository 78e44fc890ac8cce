// SPDX-License-Identifier: Apache-2.0
#include "core/run/training_state.hpp"

#include <chrono>

namespace seedbed {
namespace {

constexpr std::chrono::seconds kSessionEndTimeout{5};

}  // namespace

bool TrainingState::endSession() {
    const bool ended = session == nullptr || session->end(kSessionEndTimeout);
    if (!ended) (void)session.release();
    session.reset();
    return ended;
}

}  // namespace seedbed
