// SPDX-License-Identifier: Apache-2.0
// Collects what a checkpoint holds.
#include "core/run/snapshot.hpp"

#include <utility>

#include "core/base/memory.hpp"
#include "core/env/reward_view_of.hpp"
#include "core/run/resume.hpp"
#include "core/run/run_facts.hpp"

namespace seedbed {

Result<CheckpointData> takeSnapshot(RunId id, Session& session, const TrainingConfig& config,
                                    RunCounters memory, const std::optional<EvaluationResult>& evaluation,
                                    std::size_t& session_bytes) {
    CheckpointData data;
    data.step = static_cast<std::int64_t>(session.progress().steps);
    data.updates = static_cast<std::int64_t>(session.progress().updates);
    Learner& learner = session.learner();
    memory.versions.clear();
    for (std::size_t i = 0; i < learner.networkCount(); ++i) {
        data.networks.push_back({learner.network(i).name, learner.networkPlan(i).spec, learner.params(i)});
        memory.versions.push_back(data.networks.back().params.version());
    }
    data.squash = config.network.squash;
    SEEDBED_ASSIGN(data.reward, rewardViewOf(*envRegistry().find(config.env_id), config.env_params));
    data.provenance = provenanceOf(config, id, data.step, data.updates);
    data.info = {{"made_by", exactnessFacts(session.plan())}};
    if (evaluation && memory.evaluated_version == learner.params().version()) {
        const Summary& s = evaluation->summary;
        data.score = s.mean;
        data.provenance.evaluation = {
            {"n", s.n}, {"mean", s.mean}, {"std", s.std}, {"iqm", s.iqm}, {"ci95", {s.ci_low, s.ci_high}}};
    }
    // What is copied now is the most memory that a run takes beside its work: holes in the heap must not add
    // to it.
    releaseFreeMemory();
    Archive state = Archive::saving(), windows = Archive::saving();
    state.reserve(session_bytes +
                  session_bytes / 16);  // it grows and shrinks a little with what the environments hold
    SEEDBED_TRY(session.archive(state, &windows));
    session_bytes = state.bytes().size();
    data.files.push_back({kSessionFile, std::move(state).take()});
    if (session.hasOpenWindows()) data.files.push_back({kWindowsFile, std::move(windows).take()});
    Archive counters = Archive::saving();
    SEEDBED_TRY(memory.archive(counters));
    data.files.push_back({kMemoryFile, std::move(counters).take()});
    return data;
}

}  // namespace seedbed
