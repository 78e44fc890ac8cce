// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that differ from a run in their seed only.
#pragma once

#include <vector>

#include <QStringList>

#include "core/store/store_reader.hpp"
#include "ui/models/run_id.hpp"

namespace seedbed::ui {

struct RunSeeds {
    std::vector<RunId> runs{};  // finished, with the run itself
    int waiting = 0;            // queued or training
    QStringList next{};         // seeds to add for five runs; empty if these exist or wait
};

// Among the newest runs of its environment. error: from the store. Thread: any.
Result<RunSeeds> readSeeds(StoreReader& reader, const RunRecord& run);

// Words of `seedbed queue add` for the same settings, without seeds.
QStringList againArguments(const Json& config);

}  // namespace seedbed::ui
