// SPDX-License-Identifier: Apache-2.0
// System calls of this process, SQLite's included, that signals interrupt on demand.
#pragma once

namespace seedbed::testing {

struct SystemCalls {
    // From now on call number `at` (from 1) is interrupted before it does anything, and with `forever` every
    // later one too; each of them `times` times before it may pass. 0: none.
    static void interruptAt(int at, bool forever, int times);
    static int count();        // calls since interruptAt(), repeated ones included
    static int interrupted();  // of these
};

}  // namespace seedbed::testing
