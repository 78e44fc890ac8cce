// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that differ from a run in their seed only.
#pragma once

#include <string>
#include <vector>

#include <QStringList>

#include "core/store/store_reader.hpp"
#include "ui/models/run_id.hpp"

namespace seedbed::ui {

class Catalogue;

struct RunSeeds {
    std::vector<RunId> runs{};     // finished, with the run itself
    int waiting = 0;               // queued or training
    QStringList next{};            // seeds to add for five runs; empty if these exist or wait
    std::string preset{}, name{};  // of the first of them
};

// Among the newest runs of its environment. error: from the store. Thread: any.
Result<RunSeeds> readSeeds(StoreReader& reader, const RunRecord& run);

// Words of `seedbed queue add` for the same settings, without seeds. `preset`, `name`: of a run with these
// settings; a preset that the catalogue does not have is not named, and the seed is removed from the name.
QStringList againArguments(const Json& config, const std::string& preset, const std::string& name,
                           const Catalogue* catalogue);

}  // namespace seedbed::ui
