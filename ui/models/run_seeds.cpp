// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_seeds.hpp"

#include <algorithm>

#include "ui/models/compare_data.hpp"
#include "ui/models/run_report.hpp"

namespace seedbed::ui {
namespace {

constexpr int kEnoughSeeds = 5;
constexpr std::size_t kMostRead = 50;

}  // namespace

Result<RunSeeds> readSeeds(StoreReader& reader, const RunRecord& run) {
    SEEDBED_ASSIGN(const std::vector<RunRecord> all, reader.runs());
    std::vector<RunId> alike{run.id};
    for (auto other = all.rbegin(); other != all.rend() && alike.size() < kMostRead; ++other)
        if (other->id != run.id && !other->in_trash && other->env == run.env && other->algo == run.algo)
            alike.push_back(other->id);
    SEEDBED_ASSIGN(ComparedRuns read, readCompared(reader, alike, ScoreAt::last_step));
    const CompareData data = compareRead(std::move(read), {});
    RunSeeds seeds;
    for (const ComparedGroup& group : data.groups) {
        if (std::find(group.runs.begin(), group.runs.end(), run.id) == group.runs.end()) continue;
        for (const ComparedRun& one : data.runs) {
            if (std::find(group.runs.begin(), group.runs.end(), one.record.id) == group.runs.end()) continue;
            if (one.record.status == RunStatus::finished) seeds.runs.push_back(one.record.id);
            else if (one.record.status == RunStatus::queued || isLive(one.record.status)) ++seeds.waiting;
        }
        const int missing = kEnoughSeeds - static_cast<int>(seeds.runs.size()) - seeds.waiting;
        if (missing > 0) seeds.next = nextSeeds(data, group, missing);
    }
    return seeds;
}

QStringList againArguments(const Json& config) {
    QStringList words{configText(config, QStringLiteral("env.id")), QStringLiteral("--preset"),
                      QStringLiteral("none")};
    for (const auto& [name, value] : ui::settingsOf(config, Json::object(), KeepMachine::yes))
        words << QStringLiteral("--%1=%2").arg(name, value);
    return words;
}

}  // namespace seedbed::ui
