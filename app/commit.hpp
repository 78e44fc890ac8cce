// SPDX-License-Identifier: Apache-2.0
// The commit that the programs were built from, shown by --version.
#pragma once

namespace seedbed {

// 12 hexadecimal digits, "-dirty" appended if files differed from the commit; "unknown" without Git.
extern const char* const kCommit;

}  // namespace seedbed
