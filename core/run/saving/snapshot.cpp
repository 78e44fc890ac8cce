// SPDX-License-Identifier: Apache-2.0
#include "core/run/saving/snapshot.hpp"

#include <utility>

#include "core/base/os/memory.hpp"
#include "core/env/reward_view_of.hpp"
#include "core/run/build_info.hpp"
#include "core/run/resume.hpp"

namespace seedbed {
namespace {

// For a state that has not been evaluated.
Provenance provenanceOf(const TrainingConfig& config, RunId run, std::int64_t steps, std::int64_t updates) {
    return {.env = config.env_id,
            .env_params = config.env_params,
            .algo = config.algo_id,
            .config = config.document,
            .run = std::to_string(run),
            .steps = steps,
            .updates = updates,
            .build = buildText(),
            .evaluation = Json()};
}

}  // namespace

Result<CheckpointData> takeSnapshot(RunId id, Session& session, const TrainingConfig& config,
                                    RunCounters counters, const std::optional<EvaluationResult>& evaluation,
                                    SnapshotBuffers buffers) {
    CheckpointData data;
    data.step = static_cast<std::int64_t>(session.progress().steps);
    data.updates = static_cast<std::int64_t>(session.progress().updates);
    Learner& learner = session.learner();
    counters.versions.clear();
    for (std::size_t i = 0; i < learner.networkCount(); ++i) {
        data.networks.push_back({learner.network(i).name, learner.networkPlan(i).spec, learner.params(i)});
        counters.versions.push_back(data.networks.back().params.version());
    }
    data.policies = session.plan().policies;
    data.squash = config.network.squash;
    SEEDBED_ASSIGN(const EnvEntry* env, findEnv(config.env_id));
    SEEDBED_ASSIGN(data.reward, rewardViewOf(*env, config.env_params));
    data.provenance = provenanceOf(config, id, data.step, data.updates);
    data.info = {{"made_by", exactnessFacts(session.plan())}};
    if (evaluation && evaluation->isComplete() && counters.evaluated_version == learner.params().version()) {
        const Summary& s = evaluation->summary;
        data.score = s.mean;
        data.provenance.evaluation = {
            {"n", s.n}, {"mean", s.mean}, {"std", s.std}, {"iqm", s.iqm}, {"ci95", {s.ci_low, s.ci_high}}};
    }
    // The run's memory use is highest during the copy, so free heap blocks are returned first.
    releaseFreeMemory();
    Archive state = Archive::savingInto(std::move(buffers.session));
    Archive windows = Archive::savingInto(std::move(buffers.windows));
    // Reserved memory that is not used costs nothing, whereas growing the vector would copy it.
    state.reserve(session.plan().memory.saving);
    if (session.hasOpenWindows()) windows.reserve(session.plan().memory.rings);
    SEEDBED_TRY(session.archive(state, &windows));
    data.files.push_back({kSessionFile, std::move(state).take()});
    if (session.hasOpenWindows()) data.files.push_back({kWindowsFile, std::move(windows).take()});
    Archive run_archive = Archive::saving();
    SEEDBED_TRY(counters.archive(run_archive));
    data.files.push_back({kCountersFile, std::move(run_archive).take()});
    return data;
}

}  // namespace seedbed
