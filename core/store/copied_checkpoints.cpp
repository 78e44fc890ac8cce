// SPDX-License-Identifier: Apache-2.0
#include "core/store/copied_checkpoints.hpp"

#include <filesystem>

#include "core/store/database.hpp"

namespace seedbed {

Result<std::vector<CopiedCheckpoint>> checkpointRowsOf(Database& database, RunId run) {
    std::vector<CopiedCheckpoint> rows;
    SEEDBED_ASSIGN(Statement list,
                   database.prepare(
                       "SELECT step, segment, folder, params_sha256, superseded_by, milestone, removed FROM "
                       "checkpoint_rows WHERE run_id = ? ORDER BY step, segment"));
    SEEDBED_TRY(list.each(
        [&] {
            rows.push_back({run, list.integer(0), list.integer(1),
                            std::filesystem::path(list.text(2)).filename().string(), list.text(3),
                            list.integer(4) != 0, list.integer(5) != 0, list.integer(6) != 0});
        },
        run));
    return rows;
}

Result<> updateRemovedFlags(Database& database, const std::vector<CopiedCheckpoint>& before,
                            const std::vector<CopiedCheckpoint>& after) {
    SEEDBED_CHECK(before.size() == after.size());
    SEEDBED_ASSIGN(
        Statement update,
        database.prepare("UPDATE checkpoint_rows SET removed = ?4 WHERE run_id = ?1 AND step = ?2 AND "
                         "segment = ?3"));
    for (std::size_t i = 0; i < after.size(); ++i)
        if (after[i].removed != before[i].removed)
            SEEDBED_TRY(update.run(after[i].run, after[i].step, after[i].segment, after[i].removed));
    return {};
}

}  // namespace seedbed
