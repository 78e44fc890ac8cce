// SPDX-License-Identifier: Apache-2.0
#include "core/run/progress/run_phase.hpp"

namespace seedbed {
namespace {

constexpr double kVisibleUpdate = 0.5;  // seconds

}  // namespace

RunPhase phaseOfUpdate(double update_s, bool alternating) {
    return alternating && update_s > kVisibleUpdate ? RunPhase::collecting : RunPhase::training;
}

const char* nameOf(RunPhase phase) {
    switch (phase) {
        case RunPhase::starting: return "starting";
        case RunPhase::training: return "training";
        case RunPhase::collecting: return "collecting";
        case RunPhase::learning: return "learning";
        case RunPhase::evaluating: return "evaluating";
        case RunPhase::saving: return "saving";
        case RunPhase::waiting: return "waiting";
        case RunPhase::paused: return "paused";
        case RunPhase::stopping: return "stopping";
        case RunPhase::ended: return "ended";
    }
    return "";
}

}  // namespace seedbed
