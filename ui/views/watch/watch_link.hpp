// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the page that shows agents playing.
#pragma once

#include <cstdint>
#include <optional>

#include <QString>

#include "ui/models/run_id.hpp"

namespace seedbed::ui {

struct WatchLink {
    static constexpr auto kPage = "watch";
    RunId run = 0;
    std::optional<std::int64_t> checkpoint_step{};  // in agent steps; unset: the newest policy
    QString policy{};                               // an imported policy, instead of a run
};

}  // namespace seedbed::ui
