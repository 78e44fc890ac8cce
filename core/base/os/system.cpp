// SPDX-License-Identifier: Apache-2.0
// The system's file system and clock; neither has any state, so one object of each is shared.
#include "core/base/os/system.hpp"

namespace seedbed {

System realSystem() {
    static RealFileSystem files;
    static const RealClock clock;
    return {&files, &clock};
}

}  // namespace seedbed
