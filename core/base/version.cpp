// SPDX-License-Identifier: Apache-2.0
#include "core/base/version.hpp"

namespace seedbed {

// Only this file uses the macro, so a version change recompiles nothing else.
const char* const kVersion = SEEDBED_VERSION;

}  // namespace seedbed
