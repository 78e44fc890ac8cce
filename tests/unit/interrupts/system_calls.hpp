// SPDX-License-Identifier: Apache-2.0
// System calls of this process, including SQLite's, that signals interrupt on demand.
#pragma once

namespace seedbed::testing {

struct SystemCalls {
    // Interrupts call number `at` (from 1) before it has an effect, and with `forever` all later ones, each
    // `times` times in a row; 0: none.
    static void interruptAt(int at, bool forever, int times);
    static int count();        // calls since interruptAt(), including repeated ones
    static int interrupted();  // interrupted calls among them
};

}  // namespace seedbed::testing
