// SPDX-License-Identifier: Apache-2.0
#include "core/run/tensorboard/import_curves.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/text.hpp"
#include "core/run/build_info.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"

namespace seedbed {
namespace {

using tensorboard::ScalarCurve;

// Stable-Baselines3: docs/guide/tensorboard and common/logger; CleanRL: docs/get-started/basic-usage.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSeedbedNames{{
    {"rollout/ep_rew_mean", "episode/return"},
    {"rollout/ep_len_mean", "episode/length"},
    {"eval/mean_reward", "eval/return"},
    {"time/fps", "speed/env_steps_per_s"},
    {"charts/episodic_return", "episode/return"},
    {"charts/episodic_length", "episode/length"},
    {"charts/SPS", "speed/env_steps_per_s"},
    {"losses/value_loss", "loss/value"},
    {"losses/policy_loss", "loss/policy"},
}};
// One point per episode.
constexpr std::string_view kEpisodeReturns = "charts/episodic_return";
constexpr std::string_view kEpisodeLengths = "charts/episodic_length";

const ScalarCurve* findCurve(const std::vector<ScalarCurve>& curves, std::string_view tag) {
    const auto at = std::find_if(curves.begin(), curves.end(),
                                 [tag](const ScalarCurve& curve) { return curve.tag == tag; });
    return at == curves.end() ? nullptr : &*at;
}

std::vector<EpisodeRecord> episodesOf(const std::vector<ScalarCurve>& curves) {
    std::vector<EpisodeRecord> episodes;
    const ScalarCurve* returns = findCurve(curves, kEpisodeReturns);
    if (returns == nullptr) return episodes;
    const ScalarCurve* lengths = findCurve(curves, kEpisodeLengths);
    const bool paired = lengths != nullptr && lengths->steps == returns->steps;
    for (std::size_t i = 0; i < returns->steps.size(); ++i) {
        const double length = paired ? lengths->values[i] : 0;
        episodes.push_back({.step = returns->steps[i],
                            .time = returns->times[i],
                            .episode_return = returns->values[i],
                            .length = length >= 1 && length < 1e15 ? static_cast<std::int64_t>(length) : 0,
                            .column = 0});
    }
    return episodes;
}

// Totals for lists: the last step, and the time between the first and the last point.
RunProgress progressOf(const std::vector<ScalarCurve>& curves) {
    RunProgress progress;
    double first = 0, last = 0;
    for (const ScalarCurve& curve : curves) {
        progress.steps = std::max(progress.steps, curve.steps.back());
        const auto [low, high] = std::minmax_element(curve.times.begin(), curve.times.end());
        first = first == 0 ? *low : std::min(first, *low);
        last = std::max(last, *high);
    }
    progress.frames = progress.steps;
    progress.train_seconds = std::max(0.0, last - first);
    return progress;
}

NewRun rowOf(const CurveImport& import) {
    NewRun row;
    row.name = import.name;
    row.env = import.env.value("id", "");
    row.algo = import.algo;
    row.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(import.seed, 0));
    row.engine = "";
    row.config = {{"env", import.env}, {"algo", {{"id", import.algo}}}, {"run", {{"seed", row.seed}}}};
    row.auto_settings = {{kImportedFrom, {{"format", "tensorboard"}, {"from", import.from}}}};
    return row;
}

Result<> writeRows(const Path& data_folder, const RunLock& lock, const CurveImport& import,
                   const System& system) {
    RunWriterOptions options;
    options.system = system;
    SEEDBED_ASSIGN(const auto writer, RunWriter::open(data_folder, lock, options));
    writer->event({.step = 0,
                   .time = system.wallSeconds(),
                   .level = EventLevel::info,
                   .kind = "imported",
                   .text = "curves imported from " + import.from,
                   .data = Json::object()});
    writer->episodes(episodesOf(import.curves));
    std::vector<ScalarCurve> curves = import.curves;
    useSeedbedNames(curves);
    for (const ScalarCurve& curve : curves)
        for (std::size_t i = 0; i < curve.steps.size(); ++i) {
            const RunWriter::Value value{curve.tag, curve.values[i]};
            writer->metrics(curve.steps[i], curve.times[i], {&value, 1});
        }
    writer->progress(progressOf(curves));
    writer->status(RunStatus::finished);
    return writer->flush();
}

}  // namespace

NamedRun readRunName(const std::string& folder) {
    NamedRun run;
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= folder.size();) {
        const std::size_t end = std::min(folder.find("__", begin), folder.size());
        parts.push_back(folder.substr(begin, end - begin));
        begin = end + 2;
    }
    if (parts.size() == 4) {
        const auto seed = parseInteger(parts[2]);
        run = {.env = parts[0], .algo = parts[1], .seed = seed.value_or(0)};
        return run;
    }
    const auto last = folder.rfind('_');
    if (last != std::string::npos && last > 0 && parseInteger(folder.substr(last + 1)))
        run.algo = folder.substr(0, last);
    return run;
}

void useSeedbedNames(std::vector<ScalarCurve>& curves) {
    std::set<std::string, std::less<>> taken;
    for (const ScalarCurve& curve : curves) taken.insert(curve.tag);
    for (const auto& [theirs, ours] : kSeedbedNames) {
        const auto at = std::find_if(curves.begin(), curves.end(),
                                     [&](const ScalarCurve& curve) { return curve.tag == theirs; });
        if (at != curves.end() && taken.insert(std::string(ours)).second) at->tag = ours;
    }
}

Result<RunId> importCurves(const Path& data_folder, const CurveImport& import, const System& system) {
    SEEDBED_ASSIGN(Store store, Store::open(data_folder, {}, system));
    SEEDBED_ASSIGN(OwnedRun owned, store.createRun(rowOf(import)));
    SEEDBED_TRY(store.beginSegment(*owned.lock, 0, processInfo(0)));
    const Result<> written = writeRows(data_folder, *owned.lock, import, system);
    owned.lock.reset();  // the store changes an owned run only through its writer
    if (written) return owned.id;
    (void)store.setStatus(owned.id, RunStatus::failed, "importing curves failed: " + written.error().text());
    return tl::unexpected<Error>(written.error());
}

}  // namespace seedbed
