// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_seeds.hpp"

#include <algorithm>

#include <QRegularExpression>

#include "ui/models/catalogue.hpp"
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
        seeds.preset = group.preset;
        seeds.name = group.name;
    }
    return seeds;
}

QStringList againArguments(const Json& config, const std::string& preset, const std::string& name,
                           const Catalogue* catalogue) {
    const QString env = configText(config, QStringLiteral("env.id"));
    QString known = QStringLiteral("none");
    if (catalogue != nullptr)
        for (const PresetInfo* each : catalogue->presetsOf(env))
            if (each->name.toStdString() == preset) known = each->name;
    // All settings are named, so the preset changes none.
    QStringList words{env, QStringLiteral("--preset"), known};
    static const QRegularExpression seed(QStringLiteral("\\s*\\bseed=\\d+"));
    if (const QString base = QString::fromStdString(name).remove(seed).trimmed(); !base.isEmpty())
        words << QStringLiteral("--name=%1").arg(base);
    for (const auto& [name, value] : ui::settingsOf(config, Json::object(), KeepMachine::yes))
        words << QStringLiteral("--%1=%2").arg(name, value);
    return words;
}

}  // namespace seedbed::ui
