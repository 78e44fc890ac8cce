// SPDX-License-Identifier: Apache-2.0
// The other process of the tests: this test program, started with a role.
#pragma once

#include <string>
#include <vector>

#include "core/ipc/child_process.hpp"
#include "core/ipc/json_socket.hpp"

namespace seedbed::testing {

// A child that runs `role` (child_roles.cpp); `descriptors` become its descriptors 3, 4, ...
ChildOptions childWith(const std::string& role, std::vector<int> descriptors = {});
// Runs a role in this process and returns the exit code.
int runRole(const std::string& role);

// Far longer than any normal wait; a test that waits this long has found a lost wake-up.
constexpr int kTooLongMs = 120'000;

}  // namespace seedbed::testing
