// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/worker/scripted.hpp"

#include <dirent.h>

namespace seedbed::testing {

WorkerPlan planOf(std::vector<std::string> arguments, int count) {
    WorkerPlan plan;
    plan.command = {"python3", "-u", "-S", SEEDBED_SOURCE_DIR "/tests/unit/worker/scripted_worker.py"};
    plan.command.insert(plan.command.end(), arguments.begin(), arguments.end());
    plan.id = "gym:Scripted";
    plan.count = count;
    plan.start_s = 20;
    plan.step_s = 20;
    return plan;
}

EnvSpec scriptedSpec() {
    EnvSpec spec;
    spec.id = "gym:Scripted";
    spec.spaces.obs = {ObsLeaf{.shape = {1}, .low = 0, .high = 10}};
    spec.spaces.actions = {ActionLeaf{.n = 2}};
    return spec;
}

int openDescriptors() {
    int count = 0;
    DIR* folder = ::opendir("/proc/self/fd");
    while (::readdir(folder) != nullptr) ++count;
    ::closedir(folder);
    return count;
}

}  // namespace seedbed::testing
