// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the export dialog.
#pragma once

#include <cstdint>
#include <optional>

#include <QString>

#include "ui/models/run_id.hpp"

namespace seedbed::ui {

struct ExportLink {
    static constexpr auto kPage = "export";
    RunId run = 0;
    std::optional<std::int64_t> checkpoint_step{};  // in agent steps; unset: the best one, else the newest
    QString policy{};                               // an imported policy, instead of a run
};

}  // namespace seedbed::ui
