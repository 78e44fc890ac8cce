// SPDX-License-Identifier: GPL-3.0-or-later
// The id of a run, for headers that need nothing else from the store.
#pragma once

#include <cstdint>

namespace seedbed {

using RunId = std::int64_t;  // the same alias as in core/store/records.hpp

}  // namespace seedbed
