// SPDX-License-Identifier: Apache-2.0
#include "core/run/training_state.hpp"

#include <chrono>
#include <vector>

#include "core/base/mutex.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::seconds kSessionEndTimeout{5};

// Keeps a session alive until the process exits, because its threads do not return. Leak checkers do not
// report it, because it is still referenced.
void keep(std::unique_ptr<Session> session) {
    static Mutex mutex;
    static auto& kept = *new std::vector<std::unique_ptr<Session>>();
    const MutexLock lock(mutex);
    kept.push_back(std::move(session));
}

}  // namespace

bool TrainingState::endSession() {
    const bool ended = session == nullptr || session->end(kSessionEndTimeout);
    if (!ended) keep(std::move(session));
    session.reset();
    return ended;
}

}  // namespace seedbed
