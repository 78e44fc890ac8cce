// SPDX-License-Identifier: Apache-2.0
// Runs the tests, or with --child=ROLE one role of the other process.
#include <string_view>

#include <gtest/gtest.h>

#include "tests/unit/ipc/child.hpp"

int main(int argc, char** argv) {
    constexpr std::string_view kChild = "--child=";
    if (argc == 2 && std::string_view(argv[1]).starts_with(kChild))
        return seedbed::testing::runRole(argv[1] + kChild.size());
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
