// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the page of one run.
#pragma once

#include "ui/models/run_id.hpp"

namespace seedbed::ui {

struct DashboardLink {
    static constexpr auto kPage = "run";
    RunId run = 0;
};

}  // namespace seedbed::ui
