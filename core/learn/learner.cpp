// SPDX-License-Identifier: Apache-2.0
// One update: gather, prepare, then epochs of minibatches whose chunks run on all threads.
#include "core/learn/learner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/base/finite.hpp"
#include "core/learn/batch_gather.hpp"
#include "core/learn/chunk_step.hpp"
#include "core/learn/chunk_worker.hpp"
#include "core/learn/learning_net.hpp"
#include "core/learn/minibatches.hpp"
#include "core/learn/size.hpp"
#include "core/nn/normaliser.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Seconds; an update can be abandoned after its first minibatch only if it may take longer than this.
constexpr double kLongUpdate = 0.25;

// Rows per merge of normaliser statistics.
constexpr std::size_t kNormaliserRows = 4096;

// 1 - Var(target - value) / Var(target) over valid rows; 0 when targets do not vary.
double explainedVariance(const Batch& batch) {
    double count = 0, target_mean = 0, target_squares = 0, error_mean = 0, error_squares = 0;
    for (std::size_t row = 0; row < batch.target.size(); ++row) {
        if (batch.valid[row] == 0) continue;
        // Welford's algorithm for both variances.
        ++count;
        const double target = batch.target[row], error = target - batch.value[row];
        const double target_step = target - target_mean, error_step = error - error_mean;
        target_mean += target_step / count;
        error_mean += error_step / count;
        target_squares += target_step * (target - target_mean);
        error_squares += error_step * (error - error_mean);
    }
    return target_squares > 0 ? 1 - error_squares / target_squares : 0;
}

class LearnerImpl final : public Learner {
public:
    LearnerImpl(std::unique_ptr<Algorithm> algorithm, std::vector<LearnerNet> nets, LearnerOptions options);

    using Learner::update;
    Result<UpdateStats> update(const std::vector<Ring*>& rings, WindowSource& source,
                               const Progress& progress, WorkerPool& pool, std::uint64_t oldest_version,
                               const StopGrace* grace) override;
    Params params(std::size_t index) override {
        if (index > 0) states_[index].publish();
        return states_[index].published();
    }
    const Algorithm& algorithm() const override { return *algorithm_; }
    std::size_t networkCount() const override { return nets_.size(); }
    const NetworkDecl& network(std::size_t index) const override { return nets_[index].decl; }
    const NetPlan& networkPlan(std::size_t index) const override { return nets_[index].engine->plan(); }
    void archive(Archive& archive) override;
    void setLive(const Json& algo_params) override { algorithm_->setLive(algo_params); }
    void setParams(std::size_t index, Params params) override {
        states_[index].set(std::move(params), version_);
    }

private:
    // The state before the update, which is restored if the update is abandoned.
    struct Before {
        std::vector<std::uint8_t> algorithm, optimisers;  // archives; empty: not saved
        std::vector<std::uint64_t> versions;              // versions of the working copies
        std::uint64_t version = 0, optimiser_steps = 0;
    };

    void begin(WorkerPool& pool);
    Result<> learn(const std::vector<Ring*>& rings, WindowSource& source, std::uint64_t oldest_version,
                   const Progress& progress, UpdateStats& stats);
    Result<bool> pass(const std::vector<Ring*>& rings, const TakenWindows& taken,
                      std::uint64_t oldest_version, const Progress& progress, UpdateStats& stats);
    void keepBefore();
    void revert();
    Result<> checkStop() const;
    void archiveOptimisers(Archive& archive);
    Result<> prepare(const Progress& progress, UpdateStats& stats);
    void rescaleValues();
    Result<> evaluate(std::size_t net, bool last_row_only, float* heads);
    Result<> evaluateRows(std::size_t net, std::uint32_t first_row, float* heads);
    Result<> evaluateColumns(std::size_t net, std::uint32_t first_row, float* heads);
    Result<bool> epoch(int index, const Progress& progress, UpdateStats& stats);
    Result<> learnLane(std::size_t lane, ChunkWorker& worker);
    Result<> learnChunk(std::size_t chunk, std::size_t lane, ChunkWorker& worker);
    std::uint64_t optimiserSteps() const;
    Result<> step(const Progress& progress);
    void follow();
    bool updateNormalisers(const std::vector<Ring*>& rings, std::span<const Window> entered,
                           std::uint64_t oldest_version);
    bool hasStatistics(std::size_t net) const;
    void finish(UpdateStats& stats);

    std::unique_ptr<Algorithm> algorithm_;
    std::vector<LearnerNet> nets_;
    LearnerOptions options_;
    LearnPlan plan_;
    std::vector<std::string> metrics_;
    std::size_t sums_stride_;  // doubles per lane, a multiple of a cache line
    bool has_memory_;          // whether a network is recurrent, so that rows are loaded by whole columns
    Minibatches minibatches_;
    EvaluateNetwork evaluate_network_;

    std::vector<LearningNet> states_;
    std::uint64_t version_ = 0;  // newest version number
    std::uint64_t updates_ = 0;
    bool has_followers_ = false, has_popart_ = false;
    std::uint64_t optimiser_steps_ = 0;  // counted only if networks follow others
    bool lanes_dirty_ = false;
    Before before_;
    double update_s_ = kLongUpdate;  // duration of the latest update; the first may be long

    // State of the current update.
    WorkerPool* pool_ = nullptr;
    const StopGrace* grace_ = nullptr;  // null if the update must be completed
    BatchSource source_;
    Batch batch_;
    std::vector<std::unique_ptr<ChunkWorker>> workers_;
    Minibatch minibatch_;
    std::uint64_t optimiser_step_ = 0;  // optimiserSteps() before the minibatch
    std::vector<double> lane_sums_, minibatch_sums_, total_sums_;
    std::vector<float> priorities_;  // one per column; empty without prioritised replay
    bool ended_early_ = false;       // by Algorithm::minibatchDone()
    double total_valid_ = 0, grad_norm_ = 0, learning_rate_ = 0, evaluate_s_ = 0;
    std::vector<float> last_heads_, normaliser_values_;
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
      minibatches_(cutOptions(plan_, has_memory_, options_.chunk_rows, options_.lanes, options_.seed)) {
    for (LearnerNet& net : nets_) {
        LearningNet& state = states_.emplace_back(net.engine->plan(), net.decl.trained, options_.optimiser);
        state.set(std::move(net.params), version_);
        has_followers_ |= net.decl.follow.has_value();
        has_popart_ |= hasPopArt(net.engine->plan());
    }
    minibatch_sums_.resize(metrics_.size());
    total_sums_.resize(metrics_.size());
    evaluate_network_ = [this](std::size_t net, std::vector<float>& heads) -> Result<const NetPlan*> {
        SEEDBED_CHECK(net < nets_.size(), "unknown network");
        heads.resize(size(batch_.steps + 1) * size(batch_.columns) * size(networkPlan(net).head_words));
        const auto begin = Clock::now();
        SEEDBED_TRY(evaluate(net, false, heads.data()));
        evaluate_s_ += since(begin);
        return &networkPlan(net);
    };
}

void LearnerImpl::begin(WorkerPool& pool) {
    pool_ = &pool;
    while (workers_.size() < size(pool.threads())) workers_.push_back(std::make_unique<ChunkWorker>(nets_));
    for (auto& worker : workers_) worker->seconds = {};
    // An error in the previous update left partial sums.
    if (lanes_dirty_)
        for (LearningNet& state : states_) state.lanes.clear();
    lanes_dirty_ = true;
    std::fill(total_sums_.begin(), total_sums_.end(), 0.0);
    total_valid_ = grad_norm_ = evaluate_s_ = 0;
    ended_early_ = false;
}

Result<UpdateStats> LearnerImpl::update(const std::vector<Ring*>& rings, WindowSource& source,
                                        const Progress& progress, WorkerPool& pool,
                                        std::uint64_t oldest_version, const StopGrace* grace) {
    UpdateStats stats;
    begin(pool);
    const auto began = Clock::now();
    grace_ = grace;
    if (grace_ != nullptr) keepBefore();
    Result<> learned = learn(rings, source, oldest_version, progress, stats);
    if (!learned && learned.error().code == ErrorCode::interrupted) revert();
    if (!learned) return tl::unexpected<Error>(std::move(learned).error());
    lanes_dirty_ = false;
    update_s_ = since(began);
    return stats;
}

Result<> LearnerImpl::learn(const std::vector<Ring*>& rings, WindowSource& source,
                            std::uint64_t oldest_version, const Progress& progress, UpdateStats& stats) {
    bool any = false;
    while (const TakenWindows* taken = source.take()) {
        SEEDBED_ASSIGN(const bool learned, pass(rings, *taken, oldest_version, progress, stats));
        any |= learned;
        if (learned) source.done(priorities_);
        if (ended_early_) break;
    }
    const auto clock = Clock::now();
    const bool counted = updateNormalisers(rings, source.entered(), oldest_version);
    stats.optimiser_s += since(clock);
    // A replay fills before the first pass.
    if (!any && counted) states_[0].publish();
    if (!any) return {};
    stats.stepped = stats.minibatches > 0;
    finish(stats);
    return {};
}

// Returns false if no row is valid.
Result<bool> LearnerImpl::pass(const std::vector<Ring*>& rings, const TakenWindows& taken,
                               std::uint64_t oldest_version, const Progress& progress, UpdateStats& stats) {
    const auto clock = Clock::now();
    source_.assign(rings, taken.windows, oldest_version);
    if (!taken.relabels.empty()) source_.relabel(taken.relabels, *options_.goal);
    SEEDBED_TRY(source_.fill(batch_, *pool_));
    batch_.weight.assign(taken.weights.begin(), taken.weights.end());
    batch_.current_version = static_cast<std::uint32_t>(states_[0].current().version());
    batch_.repeat = taken.repeat;
    if (plan_.replay && plan_.replay->prioritised) priorities_.assign(size(batch_.columns), 0.0f);
    if (has_popart_) batch_.value_scale = popArtScale(networkPlan(0), states_[0].working());
    stats.gather_s += since(clock);
    if (!minibatches_.collect(batch_)) return false;
    SEEDBED_TRY(prepare(progress, stats));
    SEEDBED_TRY(checkStop());
    if (has_popart_) rescaleValues();
    SEEDBED_TRY(minibatches_.shuffle(updates_, taken.repeat, *pool_));

    for (int index = 0; index < plan_.epochs && !ended_early_; ++index) {
        SEEDBED_ASSIGN(const bool go_on, epoch(index, progress, stats));
        ended_early_ = !go_on;
    }
    return true;
}

Result<> LearnerImpl::checkStop() const {
    if (grace_ == nullptr || !grace_->isOver()) return {};
    return fail(ErrorCode::interrupted, "stopped during an update");
}

// The published versions serve as the copy of the parameters; a short update is abandoned only while they are
// unchanged.
void LearnerImpl::keepBefore() {
    Archive algorithm = Archive::saving(), optimisers = Archive::saving();
    algorithm_->archive(algorithm);
    if (update_s_ >= kLongUpdate) {
        std::size_t floats = 0;
        for (std::size_t net = 0; net < nets_.size(); ++net)
            floats += nets_[net].decl.trained ? 2 * networkPlan(net).param_floats : 0;
        optimisers.reserve(floats * sizeof(float) + 64);
        archiveOptimisers(optimisers);
    }
    before_ = {.algorithm = std::move(algorithm).take(),
               .optimisers = std::move(optimisers).take(),
               .versions = {},
               .version = version_,
               .optimiser_steps = optimiser_steps_};
    for (LearningNet& state : states_) {
        if (!before_.optimisers.empty()) state.publish();
        before_.versions.push_back(state.current().version());
    }
}

void LearnerImpl::revert() {
    Archive algorithm = Archive::loading(std::move(before_.algorithm));
    algorithm_->archive(algorithm);
    SEEDBED_CHECK(algorithm.finish().has_value());
    if (!before_.optimisers.empty()) {
        Archive optimisers = Archive::loading(std::move(before_.optimisers));
        archiveOptimisers(optimisers);
        SEEDBED_CHECK(optimisers.finish().has_value());
        for (std::size_t net = 0; net < states_.size(); ++net) states_[net].revert(before_.versions[net]);
    }
    version_ = before_.version;
    optimiser_steps_ = before_.optimiser_steps;
}

Result<> LearnerImpl::prepare(const Progress& progress, UpdateStats& stats) {
    // Row T is evaluated without sampling and without changing any state.
    const PlanHead* value = nullptr;
    for (const PlanHead& head : networkPlan(0).heads)
        if (head.kind == "value" && value == nullptr) value = &head;
    if (value != nullptr && plan_.rows_ahead == 0) {
        const std::size_t words = size(networkPlan(0).head_words), columns = size(batch_.columns);
        if (last_heads_.size() < columns * words) last_heads_.resize(columns * words);
        SEEDBED_TRY(evaluate(0, true, last_heads_.data()));
        for (std::size_t n = 0; n < columns; ++n)
            batch_.last_value[n] = last_heads_[n * words + size(value->begin)];
    }
    evaluate_s_ = 0;
    const auto clock = Clock::now();
    SEEDBED_TRY(algorithm_->prepare(batch_, progress, evaluate_network_));
    stats.targets_s += since(clock) - evaluate_s_;

    const std::size_t rows = size(batch_.rows());
    for (const auto* computed : {&batch_.advantage, &batch_.target, &batch_.second_target}) {
        SEEDBED_CHECK(computed->empty() || computed->size() == rows);
        if (firstNonFinite(computed->data(), computed->size()) != computed->size())
            return failNonFinite(
                std::string(computed == &batch_.advantage ? "an advantage" : "a value target") +
                " is not a finite number");
    }
    return {};
}

// The outputs of the networks stay the same.
void LearnerImpl::rescaleValues() {
    const TargetMoments targets = algorithm_->targetMoments();
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!hasPopArt(networkPlan(net))) continue;
        updatePopArt(networkPlan(net), states_[net].working(), targets, algorithm_->popArtRate());
        states_[net].changed(version_);
    }
    batch_.value_scale = popArtScale(networkPlan(0), states_[0].working());
    // A short update is completed once parameters have changed.
    if (before_.optimisers.empty()) grace_ = nullptr;
}

Result<> LearnerImpl::evaluate(std::size_t net, bool last_row_only, float* heads) {
    const auto first_row = last_row_only ? static_cast<std::uint32_t>(batch_.rows()) : 0u;
    return has_memory_ ? evaluateColumns(net, first_row, heads) : evaluateRows(net, first_row, heads);
}

Result<> LearnerImpl::evaluateRows(std::size_t net, std::uint32_t first_row, float* heads) {
    const struct {
        LearnerImpl* self;
        std::size_t net, rows, chunk;
        std::uint32_t first_row;
        float* heads;
    } work{this,      net,  size((batch_.steps + 1) * batch_.columns) - first_row, size(options_.chunk_rows),
           first_row, heads};
    return pool_->run(
        (work.rows + work.chunk - 1) / work.chunk, [&work](std::size_t task, int thread) -> Result<> {
            LearnerImpl& self = *work.self;
            SEEDBED_TRY(self.checkStop());
            ChunkWorker& worker = *self.workers_[size(thread)];
            const std::size_t begin = task * work.chunk, count = std::min(work.chunk, work.rows - begin);
            worker.rows().resize(count);
            std::iota(worker.rows().begin(), worker.rows().end(),
                      work.first_row + static_cast<std::uint32_t>(begin));
            worker.begin(self.source_, self.batch_, static_cast<int>(count));
            SEEDBED_TRY(worker.forward(work.net, self.states_[work.net].current(), worker.rows().size(),
                                       Keep::nothing));
            const std::size_t words = size(self.networkPlan(work.net).head_words);
            std::copy_n(worker.heads(work.net), count * words, work.heads + begin * words);
            return {};
        });
}

Result<> LearnerImpl::evaluateColumns(std::size_t net, std::uint32_t first_row, float* heads) {
    const struct {
        LearnerImpl* self;
        std::size_t net, columns, chunk, steps;
        std::uint32_t first_row;
        float* heads;
    } work{this,
           net,
           size(batch_.columns),
           minibatches_.columnsPerChunk(batch_.steps + 1),
           size(batch_.steps + 1),
           first_row,
           heads};
    return pool_->run(
        (work.columns + work.chunk - 1) / work.chunk, [&work](std::size_t task, int thread) -> Result<> {
            LearnerImpl& self = *work.self;
            SEEDBED_TRY(self.checkStop());
            ChunkWorker& worker = *self.workers_[size(thread)];
            const std::size_t begin = task * work.chunk, count = std::min(work.chunk, work.columns - begin);
            worker.rows().clear();
            for (std::size_t t = 0; t < work.steps; ++t)
                for (std::size_t s = 0; s < count; ++s)
                    worker.rows().push_back(static_cast<std::uint32_t>(t * work.columns + begin + s));
            worker.begin(self.source_, self.batch_, static_cast<int>(count));
            SEEDBED_TRY(worker.forward(work.net, self.states_[work.net].current(), worker.rows().size(),
                                       Keep::nothing));
            const std::size_t words = size(self.networkPlan(work.net).head_words);
            for (std::size_t i = 0; i < worker.rows().size(); ++i)
                if (worker.rows()[i] >= work.first_row)
                    std::copy_n(worker.heads(work.net) + i * words, words,
                                work.heads + (worker.rows()[i] - work.first_row) * words);
            return {};
        });
}

Result<bool> LearnerImpl::epoch(int index, const Progress& progress, UpdateStats& stats) {
    for (int m = 0; m < plan_.minibatches; ++m) {
        minibatch_ = minibatches_.minibatch(batch_, index, m);
        if (minibatch_.valid_rows == 0) continue;
        algorithm_->minibatchBegin(
            batch_, {{minibatch_.units, minibatch_.count}, minibatch_.steps, size(batch_.columns)});
        if (lane_sums_.size() < minibatch_.lanes * sums_stride_)
            lane_sums_.resize(minibatch_.lanes * sums_stride_);
        optimiser_step_ = optimiserSteps();
        for (std::size_t net = 0; net < nets_.size(); ++net)
            if (isSteppedAt(nets_[net].decl, optimiser_step_)) states_[net].lanes.require(minibatch_.lanes);
        SEEDBED_TRY(pool_->run(minibatch_.lanes, [this](std::size_t lane, int thread) {
            return learnLane(lane, *workers_[size(thread)]);
        }));

        std::fill(minibatch_sums_.begin(), minibatch_sums_.end(), 0.0);
        for (std::size_t lane = 0; lane < minibatch_.lanes; ++lane)
            for (std::size_t i = 0; i < metrics_.size(); ++i)
                minibatch_sums_[i] += lane_sums_[lane * sums_stride_ + i];
        const auto clock = Clock::now();
        learning_rate_ = algorithm_->learningRate(progress);
        SEEDBED_TRY(step(progress));
        stats.optimiser_s += since(clock);
        // A short update must be completed, since the state of its optimisers was not saved.
        if (before_.optimisers.empty()) grace_ = nullptr;

        for (std::size_t i = 0; i < metrics_.size(); ++i) total_sums_[i] += minibatch_sums_[i];
        total_valid_ += minibatch_.valid_rows;
        ++stats.minibatches;
        if (!algorithm_->minibatchDone(minibatch_sums_, minibatch_.valid_rows)) return false;
    }
    return true;
}

Result<> LearnerImpl::learnLane(std::size_t lane, ChunkWorker& worker) {
    std::fill_n(lane_sums_.begin() + static_cast<std::ptrdiff_t>(lane * sums_stride_), sums_stride_, 0.0);
    const Part chunks = partOf(minibatch_.chunks, minibatch_.lanes, lane);
    for (std::size_t chunk = chunks.begin; chunk < chunks.end; ++chunk)
        SEEDBED_TRY(learnChunk(chunk, lane, worker));
    return {};
}

Result<> LearnerImpl::learnChunk(std::size_t index, std::size_t lane, ChunkWorker& worker) {
    SEEDBED_TRY(checkStop());
    const int sequences = minibatches_.chunkRows(batch_, minibatch_, index, worker.rows());
    worker.begin(source_, batch_, sequences, plan_.burnIn());
    double* sums = lane_sums_.data() + lane * sums_stride_;
    // Priorities are in the order of the windows, which is also that of the units.
    float* priorities = priorities_.empty() ? nullptr : &priorities_[worker.rows()[0]];
    const ChunkStep::Shared shared{.nets = nets_,
                                   .states = states_,
                                   .minibatch = minibatch_,
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

// Of the network that steps most often, in the whole run.
std::uint64_t LearnerImpl::optimiserSteps() const {
    std::uint64_t steps = 0;
    for (const LearningNet& state : states_)
        if (state.optimiser) steps = std::max(steps, state.optimiser->steps());
    return steps;
}

// Checks all gradients before changing the first network.
Result<> LearnerImpl::step(const Progress& progress) {
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!isSteppedAt(nets_[net].decl, optimiser_step_) ||
            states_[net].lanes.sum(minibatch_.lanes, *pool_))
            continue;
        const std::vector<float>& gradient = states_[net].lanes.total();
        std::string culprit = "?";
        for (const ParamEntry& entry : networkPlan(net).params)
            if (firstNonFinite(gradient.data() + entry.offset, entry.count) != entry.count) {
                culprit = entry.name;
                break;
            }
        return failNonFinite("the gradient of parameter '" + culprit + "' of network '" +
                             nets_[net].decl.name + "' is not a finite number");
    }
    double squares = 0;
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!isSteppedAt(nets_[net].decl, optimiser_step_)) continue;
        LearningNet& state = states_[net];
        const Optimiser::StepInfo info = state.optimiser->step(state.working(), state.lanes.total(),
                                                               algorithm_->networkRate(net, progress), pool_);
        if (!info.finite)
            return failNonFinite("the gradient of parameter '" + info.culprit + "' of network '" +
                                 nets_[net].decl.name + "' is too large");
        state.lanes.clearSum();
        squares += info.grad_norm * info.grad_norm;
        state.changed(version_);
    }
    grad_norm_ += std::sqrt(squares);
    if (has_followers_) follow();
    return {};
}

void LearnerImpl::follow() {
    ++optimiser_steps_;
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        const std::optional<Follow>& rule = nets_[net].decl.follow;
        if (!rule || optimiser_steps_ % static_cast<std::uint64_t>(rule->every) != 0) continue;
        states_[net].approach(states_[rule->of].working(), rule->tau);
        states_[net].changed(version_);
    }
}

// Networks that follow another one share its statistics, so that both see the same observations.
bool LearnerImpl::hasStatistics(std::size_t net) const {
    return (nets_[net].decl.trained || nets_[net].decl.follow) && networkPlan(net).spec.normalise_obs;
}

// Called after the update: the update itself uses the same statistics as acting, so that its ratios start at
// exactly 1. Uses single frames of valid rows. Returns whether there were any.
bool LearnerImpl::updateNormalisers(const std::vector<Ring*>& rings, std::span<const Window> entered,
                                    std::uint64_t oldest_version) {
    bool any = false;
    for (std::size_t net = 0; net < nets_.size(); ++net) any |= hasStatistics(net);
    if (!any || entered.empty()) return false;
    source_.assign(rings, {entered.begin(), entered.end()}, oldest_version);
    any = false;
    const auto rows = static_cast<std::uint32_t>(source_.steps() * source_.columns());
    for (std::size_t leaf = 0; leaf < networkPlan(0).spec.spaces.obs.size(); ++leaf) {
        const ObsLeaf& spec = networkPlan(0).spec.spaces.obs[leaf];
        if (spec.kind != ObsLeaf::Kind::vector) continue;
        const std::size_t words = spec.elements();
        std::size_t filled = 0;
        const auto merge = [&] {
            for (std::size_t net = 0; net < nets_.size(); ++net)
                if (hasStatistics(net)) {
                    updateNormaliser(networkPlan(net), states_[net].working(), static_cast<int>(leaf),
                                     normaliser_values_.data(), filled);
                    states_[net].changed(version_);
                }
            any = true;
            filled = 0;
        };
        normaliser_values_.resize(std::max(
            normaliser_values_.size(), std::min(kNormaliserRows, static_cast<std::size_t>(rows)) * words));
        for (std::uint32_t row = 0; row < rows; ++row) {
            const RowRef element = source_.ref(row);
            Ring& ring = *rings[size(element.group)];
            if (!source_.isValid(element)) continue;
            const auto* frame = reinterpret_cast<const float*>(ring.obs(static_cast<int>(leaf), element.t));
            std::copy_n(frame + size(element.column) * words, words,
                        normaliser_values_.begin() + static_cast<std::ptrdiff_t>(filled * words));
            if (++filled == kNormaliserRows) merge();
        }
        if (filled > 0) merge();
    }
    return any;
}

void LearnerImpl::finish(UpdateStats& stats) {
    algorithm_->updateDone(total_sums_, total_valid_);
    for (std::size_t net = 0; net < nets_.size(); ++net)
        if (nets_[net].decl.trained) states_[net].changed(version_);
    // Actors use the first network only; params() publishes the others.
    states_[0].publish();
    ++updates_;

    stats.metrics.reserve(metrics_.size() + 3);
    for (std::size_t i = 0; i < metrics_.size(); ++i)
        stats.metrics.emplace_back(metrics_[i], total_valid_ > 0 ? total_sums_[i] / total_valid_ : 0.0);
    stats.metrics.emplace_back(
        "grad/norm", stats.minibatches > 0 ? grad_norm_ / static_cast<double>(stats.minibatches) : 0.0);
    stats.metrics.emplace_back("optimiser/learning_rate", learning_rate_);
    if (has_popart_) stats.metrics.emplace_back("value/scale", batch_.value_scale);
    if (!batch_.target.empty())
        stats.metrics.emplace_back("value/explained_variance", explainedVariance(batch_));
    for (const auto& worker : workers_) {
        stats.gather_s += worker->seconds.gather;
        stats.forward_s += worker->seconds.forward;
        stats.loss_s += worker->seconds.loss;
        stats.backward_s += worker->seconds.backward;
    }
}

void LearnerImpl::archiveOptimisers(Archive& archive) {
    for (LearningNet& state : states_)
        if (state.optimiser) state.optimiser->archive(archive);
}

void LearnerImpl::archive(Archive& archive) {
    archive.any(updates_, version_);
    if (has_followers_) archive.any(optimiser_steps_);
    algorithm_->archive(archive);
    archiveOptimisers(archive);
    for (const LearningNet& state : states_) {
        version_ = std::max({version_, state.current().version(), state.published().version()});
    }
}

}  // namespace

Result<std::unique_ptr<Learner>> Learner::create(std::unique_ptr<Algorithm> algorithm,
                                                 std::vector<LearnerNet> nets, LearnerOptions options) {
    SEEDBED_CHECK(algorithm != nullptr && !nets.empty());
    const std::vector<NetworkDecl> decls = algorithm->networks();
    SEEDBED_CHECK(decls.size() == nets.size(), "one network for each declaration of the algorithm");
    if (options.chunk_rows < 1 || options.lanes < 1)
        return fail(ErrorCode::config, "chunk_rows and lanes must be at least 1");
    const LearnPlan plan = algorithm->plan();
    if (plan.rollout_length < 1 || plan.epochs < 1 || plan.minibatches < 1)
        return fail(ErrorCode::config, "rollout_length, epochs and minibatches must be at least 1");
    SEEDBED_CHECK(plan.replay ? plan.epochs == 1 && plan.minibatches == 1 : plan.rows_ahead < 2,
                  "a replay gives single minibatches; other windows have at most one row ahead");
    for (std::size_t i = 0; i < nets.size(); ++i) {
        SEEDBED_CHECK(nets[i].engine != nullptr && nets[i].decl.name == decls[i].name, decls[i].name);
        const std::optional<Follow>& follow = decls[i].follow;
        SEEDBED_CHECK(!follow || (!decls[i].trained && follow->of < nets.size() && follow->every > 0 &&
                                  nets[follow->of].engine->plan().spec == nets[i].engine->plan().spec),
                      "a network follows a network of the same shape");
        SEEDBED_CHECK(decls[i].every >= 1 &&
                      nets[i].engine->plan().spec.action_input == decls[i].action_input);
        nets[i].decl = decls[i];
        const NetPlan& net = nets[i].engine->plan();
        for (const HeadSpec& head : decls[i].heads)
            if (net.head(head.name) == nullptr)
                return fail(ErrorCode::config,
                            "network '" + decls[i].name + "' has no head '" + head.name + "'");
        if (nets[i].params.empty() || nets[i].params.blob().size() != net.param_floats)
            return fail(ErrorCode::config, "the parameters given for network '" + decls[i].name +
                                               "' have the wrong size: the network has " +
                                               std::to_string(net.param_floats) + " floats");
    }
    return std::make_unique<LearnerImpl>(std::move(algorithm), std::move(nets), std::move(options));
}

}  // namespace seedbed
