// SPDX-License-Identifier: Apache-2.0
// The version of the program, as shown by --version and stored in databases and checkpoints.
#pragma once

namespace seedbed {

extern const char* const kVersion;

}  // namespace seedbed
