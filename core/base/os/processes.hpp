// SPDX-License-Identifier: Apache-2.0
// The tree of processes and their processor time, from /proc.
#pragma once

#include <vector>

#include "core/base/os/files.hpp"

namespace seedbed {

// 0: there is no such process, or it cannot be read. Tests pass a different `root`.
int parentOf(int process, const Path& root = "/");
// Whether `ancestor` is the process itself or one that started it, directly or not.
bool descendsFrom(int process, int ancestor, const Path& root = "/");
// All processes that `ancestor` has started, directly or not, that still run.
std::vector<int> descendantsOf(int ancestor, const Path& root = "/");
// The processor time that all processes have used since the computer started, in seconds; 0 if unknown.
double cpuSecondsOfAll(const Path& root = "/");
// The processor time that the calling thread has used, in seconds.
double cpuSecondsOfThread();

}  // namespace seedbed
