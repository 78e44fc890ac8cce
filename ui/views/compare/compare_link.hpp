// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the page that compares runs.
#pragma once

#include <vector>

#include "ui/models/run_id.hpp"

namespace seedbed::ui {

struct CompareLink {
    static constexpr auto kPage = "compare";
    // To compare, and to select in the table; none: shows the page as it was.
    std::vector<RunId> runs;
};

}  // namespace seedbed::ui
