// SPDX-License-Identifier: Apache-2.0
// Makes operator new and SQLite's allocations fail on demand, in all threads of this program.
#pragma once

#include <cstdint>

namespace seedbed::testing {

struct FailingMemory {
    // Allocation number `at` (from 1) fails, and with `forever` all later ones; 0: none.
    static void failAt(std::int64_t at, bool forever);
    static std::int64_t count();     // allocations since failAt()
    static std::int64_t failures();  // how many of them failed
    // Call once, before SQLite is used; its allocations then count too.
    static void includeSqlite();
};

}  // namespace seedbed::testing
