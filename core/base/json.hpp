// SPDX-License-Identifier: Apache-2.0
// The one JSON type of the project: object keys keep the order in which they were described.
#pragma once

#include <nlohmann/json.hpp>

namespace seedbed {

using Json = nlohmann::ordered_json;

}  // namespace seedbed
