// SPDX-License-Identifier: Apache-2.0
// One update: gather, prepare, then epochs of minibatches whose chunks run on all threads. It proceeds in
// stages, so that it can be interrupted and continued between two chunks.
#include "core/learn/learner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/finite.hpp"
#include "core/learn/batch_evaluation.hpp"
#include "core/learn/batch_gather.hpp"
#include "core/learn/chunk_step.hpp"
#include "core/learn/chunk_worker.hpp"
#include "core/learn/learner_checks.hpp"
#include "core/learn/learning_net.hpp"
#include "core/learn/net_steps.hpp"
#include "core/learn/observation_statistics.hpp"
#include "core/learn/shards.hpp"
#include "core/learn/size.hpp"
#include "core/learn/update_backup.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Seconds; an update can be abandoned after its first minibatch only if it may take longer than this.
constexpr double kLongUpdate = 0.25;

class LearnerImpl final : public Learner {
public:
    LearnerImpl(std::unique_ptr<Algorithm> algorithm, std::vector<LearnerNet> nets, LearnerOptions options);

    void begin(const std::vector<Ring*>& rings, WindowSource& source, const Progress& progress,
               WorkerPool& pool, std::uint64_t oldest_version, const StopGrace* grace) override;
    Result<std::optional<UpdateStats>> pump(const TimeBudget& budget) override;
    Params params(std::size_t index) override {
        if (index > 0) states_[index].publish();
        return states_[index].published();
    }
    const Algorithm& algorithm() const override { return *algorithm_; }
    std::size_t networkCount() const override { return nets_.size(); }
    const NetworkDecl& network(std::size_t index) const override { return nets_[index].decl; }
    const NetPlan& networkPlan(std::size_t index) const override { return nets_[index].engine->plan(); }
    void archive(Archive& archive) override;
    void endCut() override;
    std::uint64_t optimiserSteps() const override;
    void setLive(const Json& algo_params) override { algorithm_->setLive(algo_params); }
    void setParams(std::size_t index, Params params) override {
        states_[index].set(std::move(params), counters_.version);
    }

private:
    // The next part of the update.
    enum class Stage : std::uint8_t {
        idle,
        take,
        bootstrap,
        targets,
        minibatch,
        lanes,
        chunks,
        step,
        finish
    };
    static constexpr std::size_t kStages = 9;

    Result<> advance(bool whole);
    void clear(WorkerPool& pool);
    Result<> take();
    Result<> gatherWindows();
    Result<> bootstrap(bool whole);
    Result<> beginMinibatch();
    Result<> learnChunks(bool whole);
    Result<> endMinibatch();
    void endPass();
    void keepBefore();
    Result<> checkStop() const;
    Result<> prepare();
    Result<> computeTargets();
    void rescaleValues(const TargetMoments& targets);
    Result<> evaluateTasks(std::size_t begin, std::size_t count);
    Result<> learnLane(std::size_t lane, ChunkWorker& worker);
    Result<> learnChunk(std::size_t chunk, std::size_t lane, ChunkWorker& worker);
    bool leaveDevice(const Error& error, Stage failed);
    Result<> beginChunks();
    Result<bool> updateStatistics();
    Result<> finish();
    void endUpdate();
    Result<> report();

    std::unique_ptr<Algorithm> algorithm_;
    std::vector<LearnerNet> nets_;
    LearnerOptions options_;
    LearnPlan plan_;
    std::vector<std::string> metrics_;
    std::size_t sums_stride_;  // doubles per lane, a multiple of a cache line
    bool has_memory_;          // whether a network is recurrent, so that rows are loaded by whole columns
    Shards shards_;
    EvaluateNetwork evaluate_network_;

    std::vector<LearningNet> states_;
    ObservationStatistics statistics_{nets_, states_};
    LearnerCounters counters_;
    NetSteps steps_{nets_, states_, shards_, counters_};
    std::uint64_t updates_ = 0;
    bool has_followers_ = false, has_popart_ = false;
    bool lanes_dirty_ = false;
    UpdateBackup before_;
    double update_s_ = kLongUpdate;  // duration of the latest update; the first may be long

    // State of the current update.
    Stage stage_ = Stage::idle;
    std::array<WorkTime, kStages> stage_times_;
    const std::vector<Ring*>* rings_ = nullptr;
    WindowSource* windows_ = nullptr;
    const TakenWindows* taken_ = nullptr;
    Progress progress_;
    std::uint64_t oldest_version_ = 0;
    UpdateStats stats_;
    double elapsed_s_ = 0;
    bool any_ = false;            // whether a pass had valid rows
    std::size_t tasks_done_ = 0;  // of bootstrap()
    Result<> own_;                // with ranks: an error that the others do not know yet
    int epoch_ = 0, next_minibatch_ = 0;
    std::size_t lanes_done_ = 0, chunks_done_ = 0;  // chunks_done_: of each of the next lanes
    WorkerPool* pool_ = nullptr;
    const StopGrace* grace_ = nullptr;  // null if the update must be completed
    BatchSource source_;
    Batch batch_;
    std::vector<std::unique_ptr<ChunkWorker>> workers_;
    BatchEvaluation evaluation_;
    std::uint64_t optimiser_step_ = 0;  // optimiserSteps() before the minibatch
    std::vector<double> lane_sums_, minibatch_sums_, total_sums_;
    std::vector<float> priorities_;  // one per column; empty without prioritised replay
    bool ended_early_ = false;       // by Algorithm::minibatchDone()
    double total_valid_ = 0, grad_norm_ = 0, learning_rate_ = 0, evaluate_s_ = 0;
    std::vector<float> last_heads_;
};

LearnerImpl::LearnerImpl(std::unique_ptr<Algorithm> algorithm, std::vector<LearnerNet> nets,
                         LearnerOptions options)
    : algorithm_(std::move(algorithm)),
      nets_(std::move(nets)),
      options_(std::move(options)),
      plan_(algorithm_->plan()),
      metrics_(algorithm_->metrics()),
      sums_stride_((metrics_.size() + 7) / 8 * 8),
      has_memory_(std::ranges::any_of(
          nets_, [](const LearnerNet& net) { return net.engine->plan().state_words > 0; })),
      shards_(cutOptions(plan_, has_memory_, options_), options_.shards, options_.collective),
      evaluation_({.nets = nets_,
                   .states = states_,
                   .minibatches = shards_.sizes(),
                   .source = source_,
                   .batch = batch_,
                   .workers = workers_,
                   .chunk_rows = size(options_.chunk_rows),
                   .by_columns = has_memory_}) {
    for (LearnerNet& net : nets_) {
        LearningNet& state = states_.emplace_back(net.engine->plan(), net.decl.trained, options_.optimiser);
        state.set(std::move(net.params), counters_.version);
        has_followers_ |= net.decl.follow.has_value();
        has_popart_ |= hasPopArt(net.engine->plan());
    }
    steps_.useDevices(options_);
    batch_.shards = static_cast<int>(shards_.owned());
    minibatch_sums_.resize(metrics_.size());
    total_sums_.resize(metrics_.size());
    evaluate_network_ = [this](std::size_t net, std::vector<float>& heads) -> Result<const NetPlan*> {
        SEEDBED_CHECK(net < nets_.size(), "unknown network");
        heads.resize(size(batch_.steps + 1) * size(batch_.columns) * size(networkPlan(net).head_words));
        const auto begin = Clock::now();
        SEEDBED_TRY(evaluateTasks(0, evaluation_.begin(net, false, heads.data())));
        evaluate_s_ += since(begin);
        return &networkPlan(net);
    };
}

void LearnerImpl::clear(WorkerPool& pool) {
    pool_ = &pool;
    while (workers_.size() < size(pool.threads())) workers_.push_back(std::make_unique<ChunkWorker>(nets_));
    for (auto& worker : workers_) {
        worker->seconds = {};
        worker->passes.assign(nets_.size(), {});
    }
    steps_.begin();
    std::fill(total_sums_.begin(), total_sums_.end(), 0.0);
    total_valid_ = grad_norm_ = evaluate_s_ = elapsed_s_ = 0;
    ended_early_ = any_ = false;
    own_ = {};
    stats_ = {};
}

void LearnerImpl::begin(const std::vector<Ring*>& rings, WindowSource& source, const Progress& progress,
                        WorkerPool& pool, std::uint64_t oldest_version, const StopGrace* grace) {
    SEEDBED_CHECK(stage_ == Stage::idle, "the previous update has not ended");
    const auto began = Clock::now();
    clear(pool);
    rings_ = &rings;
    windows_ = &source;
    progress_ = progress;
    oldest_version_ = oldest_version;
    grace_ = grace;
    if (grace_ != nullptr) keepBefore();
    stage_ = Stage::take;
    elapsed_s_ = since(began);
}

Result<std::optional<UpdateStats>> LearnerImpl::pump(const TimeBudget& budget) {
    SEEDBED_CHECK(stage_ != Stage::idle, "no update has begun");
    const auto began = Clock::now();
    do {
        const auto at = static_cast<std::size_t>(stage_);
        const auto clock = Clock::now();
        const bool is_alone = stage_ == Stage::bootstrap || stage_ == Stage::chunks;
        Result<> done =
            is_alone ? guarded([&] { return advance(!budget.isLimited()); }) : advance(!budget.isLimited());
        // The other ranks learn of the error in the next step that all ranks take together.
        if (!done && is_alone && shards_.hasRanks()) own_ = std::exchange(done, {});
        if (!done && leaveDevice(done.error(), static_cast<Stage>(at))) continue;
        if (!done) {
            stage_ = Stage::idle;
            lanes_dirty_ = true;
            if (done.error().code == ErrorCode::interrupted) counters_ = before_.revert(*algorithm_, states_);
            steps_.endFailed();
            return tl::unexpected<Error>(std::move(done).error());
        }
        stage_times_[at].add(Clock::now() - clock);
    } while (stage_ != Stage::idle && budget.fits(stage_times_[static_cast<std::size_t>(stage_)].expected()));
    elapsed_s_ += since(began);
    if (stage_ != Stage::idle) return std::optional<UpdateStats>();
    update_s_ = elapsed_s_;
    return std::optional(std::move(stats_));
}

// If training may continue without its device after `error`, repeats the part of the update in which it
// occurred.
bool LearnerImpl::leaveDevice(const Error& error, Stage failed) {
    if (!steps_.leaveDevice(error)) return false;
    tasks_done_ = 0;
    const bool of_minibatch = failed == Stage::minibatch || failed == Stage::chunks || failed == Stage::step;
    stage_ = of_minibatch ? Stage::lanes : failed;
    return true;
}

// One stage, or, unless `whole`, a part of it that takes about as long as one chunk per thread.
Result<> LearnerImpl::advance(bool whole) {
    switch (stage_) {
        case Stage::idle: break;
        case Stage::take: return take();
        case Stage::bootstrap: return bootstrap(whole);
        case Stage::targets: return prepare();
        case Stage::minibatch: return beginMinibatch();
        case Stage::lanes: return beginChunks();
        case Stage::chunks: return learnChunks(whole);
        case Stage::step: return endMinibatch();
        case Stage::finish: return finish();
    }
    return {};
}

// Gathers the windows of the next pass.
Result<> LearnerImpl::take() {
    // An error in the previous update left partial sums.
    if (lanes_dirty_)
        for (LearningNet& state : states_) SEEDBED_TRY(state.clearLanes());
    lanes_dirty_ = false;
    if (has_popart_) SEEDBED_TRY(steps_.fetch());
    stage_ = Stage::finish;
    if (ended_early_) return {};
    taken_ = windows_->take();
    if (taken_ == nullptr) return {};
    const auto clock = Clock::now();
    const Result<> gathered = guarded([this] { return gatherWindows(); });
    stats_.gather_s += since(clock);
    SEEDBED_ASSIGN(const bool any, shards_.collect(batch_, gathered));
    // Without a valid row there is nothing to learn from this pass.
    stage_ = any ? Stage::bootstrap : Stage::take;
    tasks_done_ = 0;
    return {};
}

Result<> LearnerImpl::gatherWindows() {
    source_.assign(*rings_, taken_->windows, oldest_version_);
    if (!taken_->relabels.empty()) source_.relabel(taken_->relabels, *options_.goal);
    SEEDBED_TRY(source_.fill(batch_, *pool_));
    batch_.weight.assign(taken_->weights.begin(), taken_->weights.end());
    batch_.current_version = static_cast<std::uint32_t>(states_[0].current().version());
    batch_.repeat = taken_->repeat;
    if (plan_.replay && plan_.replay->prioritised) priorities_.assign(size(batch_.columns), 0.0f);
    if (has_popart_) batch_.value_scale = popArtScale(networkPlan(0), states_[0].working());
    return {};
}

Result<> LearnerImpl::checkStop() const {
    if (grace_ == nullptr || !grace_->isOver()) return {};
    return fail(ErrorCode::interrupted, "stopped during an update");
}

// A short update is abandoned only while the parameters are unchanged.
void LearnerImpl::keepBefore() {
    std::size_t floats = 0;
    for (std::size_t net = 0; net < nets_.size(); ++net)
        floats += nets_[net].decl.trained ? 2 * networkPlan(net).param_floats : 0;
    // Ranks abandon an update together, whether or not it is short for each of them.
    const bool is_long = update_s_ >= kLongUpdate || shards_.hasRanks();
    before_.keep(*algorithm_, states_, counters_, is_long, floats);
}

// Row T is evaluated without sampling and without changing any state.
Result<> LearnerImpl::bootstrap(bool whole) {
    stage_ = Stage::targets;
    const PlanHead* value = nullptr;
    for (const PlanHead& head : networkPlan(0).heads)
        if (head.kind == "value" && value == nullptr) value = &head;
    if (value == nullptr || plan_.rows_ahead != 0) return {};
    const std::size_t words = size(networkPlan(0).head_words), columns = size(batch_.columns);
    if (last_heads_.size() < columns * words) last_heads_.resize(columns * words);
    const std::size_t tasks = evaluation_.begin(0, true, last_heads_.data());
    const std::size_t left = tasks - tasks_done_;
    const std::size_t count = whole ? left : std::min(size(pool_->threads()), left);
    SEEDBED_TRY(evaluateTasks(tasks_done_, count));
    tasks_done_ += count;
    if (tasks_done_ < tasks) {
        stage_ = Stage::bootstrap;
        return {};
    }
    for (std::size_t n = 0; n < columns; ++n)
        batch_.last_value[n] = last_heads_[n * words + size(value->begin)];
    return {};
}

Result<> LearnerImpl::evaluateTasks(std::size_t begin, std::size_t count) {
    return pool_->run(count, [this, begin](std::size_t task, int thread) -> Result<> {
        SEEDBED_TRY(checkStop());
        return evaluation_.run(begin + task, size(thread));
    });
}

Result<> LearnerImpl::prepare() {
    Result<> computed = std::exchange(own_, {});
    if (computed) computed = guarded([this] { return computeTargets(); });
    if (has_popart_) {
        SEEDBED_ASSIGN(const TargetMoments targets, shards_.add(algorithm_->targetMoments(), computed));
        rescaleValues(targets);
    } else if (!computed) {
        // Reported with the first minibatch, see beginMinibatch().
        if (!shards_.hasRanks()) return computed;
        own_ = std::move(computed);
    }
    epoch_ = next_minibatch_ = 0;
    stage_ = Stage::minibatch;
    if (plan_.skips_forced) {
        // prepare() has excluded rows.
        SEEDBED_ASSIGN(const bool any, shards_.collect(batch_, own_));
        if (!any) stage_ = Stage::take;
    }
    if (own_) SEEDBED_TRY(shards_.shuffle(updates_, taken_->repeat, *pool_));
    return {};
}

Result<> LearnerImpl::computeTargets() {
    evaluate_s_ = 0;
    const auto clock = Clock::now();
    SEEDBED_TRY(algorithm_->prepare(batch_, progress_, evaluate_network_));
    stats_.targets_s += since(clock) - evaluate_s_;

    const std::size_t rows = size(batch_.rows());
    for (const auto* computed : {&batch_.advantage, &batch_.target, &batch_.second_target}) {
        SEEDBED_CHECK(computed->empty() || computed->size() == rows);
        if (firstNonFinite(computed->data(), computed->size()) != computed->size())
            return failNonFinite(
                std::string(computed == &batch_.advantage ? "an advantage" : "a value target") +
                " is not a finite number");
    }
    return checkStop();
}

// Updates the PopArt statistics; the outputs of the networks stay the same.
void LearnerImpl::rescaleValues(const TargetMoments& targets) {
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!hasPopArt(networkPlan(net))) continue;
        updatePopArt(networkPlan(net), states_[net].working(), targets, algorithm_->popArtRate());
        states_[net].changed(counters_.version);
    }
    batch_.value_scale = popArtScale(networkPlan(0), states_[0].working());
    // A short update is completed once parameters have changed.
    if (!before_.hasOptimisers()) grace_ = nullptr;
}

Result<> LearnerImpl::beginMinibatch() {
    if (next_minibatch_ == plan_.minibatches) {
        next_minibatch_ = 0;
        ++epoch_;
    }
    if (epoch_ >= plan_.epochs) {
        endPass();
        return {};
    }
    SEEDBED_TRY(shards_.cut(batch_, epoch_, next_minibatch_++, own_));
    const Minibatch& first = shards_.minibatch();
    if (first.valid_rows == 0) return {};
    // Algorithms that need the rows of the whole minibatch have only one shard.
    algorithm_->minibatchBegin(batch_, {{first.units, first.count}, first.steps, size(batch_.columns)});
    return beginChunks();
}

Result<> LearnerImpl::beginChunks() {
    const std::size_t lanes = shards_.lanes().size();
    lane_sums_.assign(std::max(lane_sums_.size(), lanes * sums_stride_), 0.0);
    optimiser_step_ = optimiserSteps();
    for (std::size_t net = 0; net < nets_.size(); ++net)
        if (isSteppedAt(nets_[net].decl, optimiser_step_)) SEEDBED_TRY(states_[net].requireLanes(lanes));
    lanes_done_ = chunks_done_ = 0;
    stage_ = Stage::chunks;
    return {};
}

// All lanes, or the next chunk of as many lanes as there are threads.
Result<> LearnerImpl::learnChunks(bool whole) {
    const std::vector<LaneWork>& lanes = shards_.lanes();
    if (whole && lanes_done_ + chunks_done_ == 0) {
        stage_ = Stage::step;
        // If there are few lanes, each uses a separate worker, so that the other workers need no memory for
        // activations.
        return pool_->run(lanes.size(), [this, count = lanes.size()](std::size_t lane, int thread) {
            return learnLane(lane, *workers_[count < workers_.size() ? lane : size(thread)]);
        });
    }
    const std::size_t count = std::min(size(pool_->threads()), lanes.size() - lanes_done_);
    SEEDBED_TRY(pool_->run(count, [this](std::size_t index, int) -> Result<> {
        const std::size_t lane = lanes_done_ + index;
        const Part chunks = shards_.lanes()[lane].chunks;
        if (chunks_done_ >= chunks.size()) return {};
        return learnChunk(chunks.begin + chunks_done_, lane, *workers_[index]);
    }));
    ++chunks_done_;
    if (chunks_done_ < shards_.longestLane()) return {};
    chunks_done_ = 0;
    lanes_done_ += count;
    if (lanes_done_ == lanes.size()) stage_ = Stage::step;
    return {};
}

Result<> LearnerImpl::endMinibatch() {
    SEEDBED_TRY(shards_.sumMetrics(lane_sums_, sums_stride_, minibatch_sums_, std::exchange(own_, {})));
    const auto clock = Clock::now();
    learning_rate_ = algorithm_->learningRate(progress_);
    SEEDBED_ASSIGN(const double norm, steps_.step(*algorithm_, progress_, optimiser_step_, *pool_));
    grad_norm_ += norm;
    stats_.optimiser_s += since(clock);
    // A short update must be completed, since the state of its optimisers was not saved.
    if (!before_.hasOptimisers()) grace_ = nullptr;

    for (std::size_t i = 0; i < metrics_.size(); ++i) total_sums_[i] += minibatch_sums_[i];
    total_valid_ += shards_.minibatch().valid_rows;
    ++stats_.minibatches;
    stage_ = Stage::minibatch;
    ended_early_ = !algorithm_->minibatchDone(minibatch_sums_, shards_.minibatch().valid_rows);
    if (ended_early_) endPass();
    return {};
}

void LearnerImpl::endPass() {
    any_ = true;
    windows_->done(priorities_);
    stage_ = Stage::take;
}

Result<> LearnerImpl::learnLane(std::size_t lane, ChunkWorker& worker) {
    const Part chunks = shards_.lanes()[lane].chunks;
    for (std::size_t chunk = chunks.begin; chunk < chunks.end; ++chunk)
        SEEDBED_TRY(learnChunk(chunk, lane, worker));
    return {};
}

Result<> LearnerImpl::learnChunk(std::size_t index, std::size_t lane, ChunkWorker& worker) {
    SEEDBED_TRY(checkStop());
    const LaneWork& work = shards_.lanes()[lane];
    const int sequences = shards_.chunkRows(batch_, work, index, worker.rows());
    worker.begin(source_, batch_, sequences, plan_.burnIn());
    double* sums = lane_sums_.data() + lane * sums_stride_;
    // Priorities, windows and units have the same order.
    float* priorities = priorities_.empty() ? nullptr : &priorities_[worker.rows()[0]];
    const ChunkStep::Shared shared{.nets = nets_,
                                   .states = states_,
                                   .minibatch = shards_.minibatch(work.shard),
                                   .plan = plan_,
                                   .seed = options_.seed,
                                   .optimiser_step = optimiser_step_};
    ChunkStep step(worker, shared, lane, sums, priorities);
    const PhaseSeconds before = worker.seconds;
    const auto clock = Clock::now();
    algorithm_->learn(step);
    const PhaseSeconds& after = worker.seconds;
    worker.seconds.loss += since(clock) - (after.gather - before.gather) - (after.forward - before.forward) -
                           (after.backward - before.backward);
    SEEDBED_TRY(Result<>(step.status()));
    for (std::size_t i = 0; i < metrics_.size(); ++i)
        if (!std::isfinite(sums[i]))
            return failNonFinite("the metric '" + metrics_[i] + "' of the loss is not a finite number");
    return {};
}

// The optimiser steps, in the whole run, of the network that steps most often.
std::uint64_t LearnerImpl::optimiserSteps() const {
    std::uint64_t steps = 0;
    for (const LearningNet& state : states_)
        if (state.optimiser) steps = std::max(steps, state.optimiser->steps());
    return steps;
}

// Called after the update: the update itself uses the same statistics as acting, so that its ratios start at
// exactly 1. Returns whether there were valid rows.
Result<bool> LearnerImpl::updateStatistics() {
    const std::span<const Window> entered = windows_->entered();
    if (entered.empty() || !statistics_.any()) return false;
    source_.assign(*rings_, {entered.begin(), entered.end()}, oldest_version_);
    return statistics_.update(*rings_, source_, shards_, counters_.version);
}

Result<> LearnerImpl::finish() {
    stage_ = Stage::idle;
    const auto clock = Clock::now();
    SEEDBED_TRY(steps_.fetch());
    SEEDBED_ASSIGN(const bool counted, updateStatistics());
    stats_.optimiser_s += since(clock);
    // While a replay fills, the statistics change without a pass.
    if (!any_ && counted) states_[0].publish();
    if (!any_) return {};
    endUpdate();
    return report();
}

// Publishes the new parameters and counts the update.
void LearnerImpl::endUpdate() {
    stats_.stepped = stats_.minibatches > 0;
    algorithm_->updateDone(total_sums_, total_valid_);
    for (std::size_t net = 0; net < nets_.size(); ++net)
        if (nets_[net].decl.trained) states_[net].renumber(counters_.version);
    // Actors use the first network only; params() publishes the others.
    states_[0].publish();
    ++updates_;
}

void LearnerImpl::endCut() {
    SEEDBED_CHECK(stage_ == Stage::idle);
    endUpdate();
}

Result<> LearnerImpl::report() {
    stats_.metrics.reserve(metrics_.size() + 3);
    for (std::size_t i = 0; i < metrics_.size(); ++i)
        stats_.metrics.emplace_back(metrics_[i], total_valid_ > 0 ? total_sums_[i] / total_valid_ : 0.0);
    stats_.metrics.emplace_back(
        "grad/norm", stats_.minibatches > 0 ? grad_norm_ / static_cast<double>(stats_.minibatches) : 0.0);
    stats_.metrics.emplace_back("optimiser/learning_rate", learning_rate_);
    if (has_popart_) stats_.metrics.emplace_back("value/scale", batch_.value_scale);
    if (!batch_.target.empty()) {
        SEEDBED_ASSIGN(const ValueMoments moments, shards_.valueMomentsOf(batch_));
        stats_.metrics.emplace_back("value/explained_variance", moments.explainedVariance());
    }
    stats_.passes.assign(nets_.size(), {});
    for (const auto& worker : workers_) {
        stats_.gather_s += worker->seconds.gather;
        stats_.forward_s += worker->seconds.forward;
        stats_.loss_s += worker->seconds.loss;
        stats_.backward_s += worker->seconds.backward;
        for (std::size_t net = 0; net < nets_.size(); ++net) stats_.passes[net] += worker->passes[net];
    }
    return {};
}

void LearnerImpl::archive(Archive& archive) {
    archive.any(updates_, counters_.version);
    if (has_followers_) archive.any(counters_.optimiser_steps);
    algorithm_->archive(archive);
    archiveOptimisers(archive, states_);
    for (const LearningNet& state : states_) {
        counters_.version =
            std::max({counters_.version, state.current().version(), state.published().version()});
    }
}

}  // namespace

Result<std::unique_ptr<Learner>> Learner::create(std::unique_ptr<Algorithm> algorithm,
                                                 std::vector<LearnerNet> nets, LearnerOptions options) {
    SEEDBED_CHECK(algorithm != nullptr && !nets.empty());
    SEEDBED_TRY(checkLearnerNets(*algorithm, nets));
    SEEDBED_TRY(checkLearnerOptions(options));
    return std::make_unique<LearnerImpl>(std::move(algorithm), std::move(nets), std::move(options));
}

}  // namespace seedbed
