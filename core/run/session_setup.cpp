// SPDX-License-Identifier: Apache-2.0
#include "core/run/session_setup.hpp"

#include <string_view>

#include "core/base/os/memory.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/resume.hpp"
#include "core/run/weights/init_weights.hpp"
#include "core/run/weights/rivals.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

Result<> SessionSetup::create() {
    TrainingConfig& config = state_.config;
    TrainingConfig planned = config;
    if (planned.run.engine == "auto" && !preferred_engine_.empty()) planned.run.engine = preferred_engine_;
    if (link_ != nullptr && planned.run.threads == 0) planned.run.threads = link_->threads;
    const RankPart part = link_ == nullptr ? RankPart{} : RankPart{link_->rank(), link_->ranks()};
    auto plan = Session::plan(planned, part);
    // The preferred engine is not available on this machine, so use another one.
    if (!plan && plan.error().code == ErrorCode::device && planned.run.engine != config.run.engine)
        plan = Session::plan(config, part);
    if (!plan) return tl::unexpected<Error>(std::move(plan).error());
    if (!state_.endSession())
        notices_.notify("an environment of the previous session does not return; its thread keeps running");
    state_.env_file = envFileOf(files_, config.env_id, plan->env.files);
    SEEDBED_ASSIGN(state_.session, Session::create(std::move(*plan), stop_, link_));
    state_.session->setStopRequested(stop_run_);
    state_.session->setStopBudget(&stop_budget_);
    state_.session->setBeforeLearning([this] { progress_.beginLearning(); });
    // Used by the next session, after a rollback.
    preferred_engine_ = state_.session->plan().engine.id;
    const Json& auto_choice = state_.session->plan().auto_choice;
    if (!auto_choice.is_null()) config.recorded_auto = auto_choice;
    return {};
}

Result<> SessionSetup::createNew(const std::string& init_from) {
    SEEDBED_TRY(create());
    SEEDBED_TRY(loadRivals());
    return init_from.empty() ? Result<>() : initFrom(init_from);
}

RunResolver SessionSetup::resolver() const {
    return [this](std::string_view run) -> Result<RunId> {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
        return reader.resolveRun(run);
    };
}

Result<> SessionSetup::loadRivals() {
    SEEDBED_ASSIGN(Rivals rivals,
                   seedbed::loadRivals(files_, data_folder_, state_.config.self_play.rivalNames(),
                                       state_.session->plan().net, resolver()));
    for (const std::string& notice : rivals.notices) notices_.notify(notice);
    state_.session->setRivals(std::move(rivals.params));
    return {};
}

Result<> SessionSetup::initFrom(const std::string& name) {
    SEEDBED_ASSIGN(const LoadedPolicy loaded, loadPolicy(files_, data_folder_, name, resolver()));
    for (const std::string& notice : loaded.notices) notices_.notify(notice);
    return initWeights(loaded, name, *state_.session);
}

Result<> SessionSetup::restoreFrom(LoadedCheckpoint checkpoint) {
    for (const std::string& notice : checkpoint.notices) notices_.notify(notice);
    state_.counters = RunCounters{};
    SEEDBED_TRY(restore(checkpoint, *state_.session, state_.counters));
    state_.replays.moveFrom(checkpoint.data);
    checkpoint = LoadedCheckpoint{};  // frees the loaded data before the run allocates more
    releaseFreeMemory();
    state_.last_evaluation.reset();
    const RunCounters& counters = state_.counters;
    if (!counters.evaluation.empty())
        state_.last_evaluation = summariseEvaluation(counters.evaluation, counters.evaluation_decisions);
    return {};
}

Result<> SessionSetup::restoreSurvived(const Survived& survived) {
    Archive params = Archive::loading(survived.params), archive = Archive::loading(survived.archive);
    archiveParams(params, state_.session->learner());
    SEEDBED_TRY(params.finish());
    SEEDBED_TRY(state_.session->archive(archive));
    return archive.finish();
}

Result<> SessionSetup::takeLearner(RunId run, std::int64_t step) {
    const CheckpointStore folder(files_, data_folder_, run);
    SEEDBED_ASSIGN(LoadedCheckpoint checkpoint, folder.load(std::to_string(step)));
    SEEDBED_TRY(seedbed::takeLearner(checkpoint, *state_.session));
    checkpoint = LoadedCheckpoint{};
    releaseFreeMemory();
    return {};
}

}  // namespace seedbed
