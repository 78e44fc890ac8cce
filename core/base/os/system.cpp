// SPDX-License-Identifier: Apache-2.0
// The real implementations, which have no state.
#include "core/base/os/system.hpp"

namespace seedbed {

System realSystem() {
    static RealFileSystem files;
    static const RealClock clock;
    return {&files, &clock};
}

}  // namespace seedbed
