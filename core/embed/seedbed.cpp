// SPDX-License-Identifier: Apache-2.0
// Implements the C API: checks arguments and threads, and turns errors and exceptions into codes.
#include "core/embed/seedbed.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/json.hpp"
#include "core/base/thread.hpp"
#include "core/config/json_text.hpp"
#include "core/embed/built_in_batch.hpp"
#include "core/embed/export_policy.hpp"
#include "core/embed/guard.hpp"
#include "core/embed/options.hpp"
#include "core/embed/trainer.hpp"
#include "core/policy/runtime/policy_handle.hpp"

using namespace seedbed;

struct seedbed_trainer {
    std::unique_ptr<Trainer> trainer;
};

struct seedbed_batch {
    std::unique_ptr<BuiltInBatch> batch;
};

namespace {

int codeOf(Trainer& trainer, const Result<>& result) {
    if (result) return SEEDBED_OK;
    if (trainer.takeHostFailure()) return fails(SEEDBED_BAD_ENVIRONMENT, result.error().text());
    return fails(apiError(result.error()));
}

// Like guarded(), for functions of the owner; the body returns Result<>.
template <class Body>
int owned(seedbed_trainer* trainer, const Body& body) noexcept {
    return guarded([&] {
        if (trainer == nullptr) return fails(SEEDBED_BAD_ARGUMENT, "the trainer is NULL");
        Trainer& self = *trainer->trainer;
        if (!self.isOwner())
            return fails(SEEDBED_WRONG_THREAD, "only the thread that created the trainer may call this");
        if (self.hasThread())
            return fails(SEEDBED_WRONG_ORDER, "the trainer's own thread is running; call seedbed_stop()");
        if (self.isWorking())
            return fails(SEEDBED_WRONG_THREAD, "a callback of the environment cannot call its trainer");
        self.takeHostFailure();
        return codeOf(self, body(self));
    });
}

// Like guarded(), for functions of any thread.
template <class Body>
int shared(seedbed_trainer* trainer, const Body& body) noexcept {
    return guarded([&] {
        if (trainer == nullptr) return fails(SEEDBED_BAD_ARGUMENT, "the trainer is NULL");
        return body(*trainer->trainer);
    });
}

// The result of seedbed_metrics().
struct MetricsText {
    std::string text;
};

constexpr double kLongestBudget = 1e9;  // milliseconds

constexpr int kMostEnvironments = 1 << 20, kMostThreads = 1024, kLargestSide = 8192;

// Like guarded(), for a function of a batch; the body returns a code.
template <class Batch, class Body>
int withBatch(Batch* batch, const Body& body) noexcept {
    return guarded([&] {
        if (batch == nullptr) return fails(SEEDBED_BAD_ARGUMENT, "the batch is NULL");
        return body(*batch->batch);
    });
}

int codeOfStep(const Result<>& done) {
    return done ? int{SEEDBED_OK} : fails(SEEDBED_BAD_ARGUMENT, done.error().text());
}

Result<std::unique_ptr<BuiltInBatch>> make(const char* built_in, const char* settings, int environments,
                                           std::uint64_t seed, int threads) {
    Json values = Json::object();
    if (settings != nullptr && *settings != '\0') {
        SEEDBED_ASSIGN(values, parseJsonText(settings, "settings"));
    }
    return BuiltInBatch::create(built_in, values, environments, seed, threads);
}

}  // namespace

extern "C" {

int seedbed_api_version(void) { return SEEDBED_API_VERSION; }

const char* seedbed_error(void) {
    try {
        return lastError().c_str();
    } catch (...) {
        return "out of memory";
    }
}

int seedbed_create(const seedbed_options* options, seedbed_trainer** trainer) {
    if (trainer != nullptr) *trainer = nullptr;
    return guarded([&] {
        if (trainer == nullptr) return fails(SEEDBED_BAD_ARGUMENT, "the pointer for the trainer is NULL");
        const auto known =
            versioned(options, seedbed_options SEEDBED_OPTIONS_INIT, sizeof(seedbed_options), "options");
        if (!known) return fails(known.error());
        auto request = trainerRequest(*known);
        if (!request) return fails(request.error());
        const auto host = request->host;
        auto made = Trainer::create(std::move(*request));
        if (!made && host != nullptr && host->hasFailed())
            return fails(SEEDBED_BAD_ENVIRONMENT, made.error().text());
        if (!made) return fails(apiError(made.error()));
        auto handle = std::make_unique<seedbed_trainer>();
        handle->trainer = std::move(*made);
        *trainer = handle.release();
        return int{SEEDBED_OK};
    });
}

int seedbed_destroy(seedbed_trainer* trainer) {
    if (trainer == nullptr) return SEEDBED_OK;
    const int code = owned(trainer, [](Trainer& self) { return self.end(); });
    // A trainer that is in use by another thread, or by a caller of this function, stays valid.
    if (code == SEEDBED_WRONG_THREAD || code == SEEDBED_WRONG_ORDER) return code;
    delete trainer;
    return code;
}

int seedbed_train(seedbed_trainer* trainer, int64_t steps) {
    if (steps < 0) return invalid("steps is negative");
    return owned(trainer, [&](Trainer& self) { return self.train(steps); });
}

int seedbed_pump(seedbed_trainer* trainer, double budget_ms) {
    if (std::isnan(budget_ms)) return invalid("budget_ms is NaN");
    return owned(trainer, [&](Trainer& self) -> Result<> {
        if (budget_ms < 0) return self.pump(TimeBudget::unlimited());
        const std::chrono::duration<double, std::milli> limit(std::min(budget_ms, kLongestBudget));
        return self.pump(TimeBudget(std::chrono::duration_cast<std::chrono::nanoseconds>(limit)));
    });
}

int seedbed_begin(seedbed_trainer* trainer, const void* const* observations, const unsigned char* mask) {
    return owned(trainer, [&](Trainer& self) { return self.begin(observations, mask); });
}

int seedbed_act(seedbed_trainer* trainer, float* actions, unsigned char* restart) {
    if (actions == nullptr) return invalid("actions is NULL");
    return owned(trainer, [&](Trainer& self) { return self.act(actions, restart); });
}

int seedbed_report(seedbed_trainer* trainer, const seedbed_outcome* outcome) {
    return guarded([&] {
        const auto known = versioned(outcome, seedbed_outcome{}, sizeof(seedbed_outcome), "outcome");
        if (!known) return fails(known.error());
        return owned(trainer, [&](Trainer& self) {
            return self.report({.observations = known->observations,
                                .mask = known->mask,
                                .rewards = known->rewards,
                                .terminated = known->terminated,
                                .truncated = known->truncated,
                                .keeps_last = known->keeps_last != 0});
        });
    });
}

int seedbed_start(seedbed_trainer* trainer) {
    return owned(trainer, [](Trainer& self) { return self.start(); });
}

int seedbed_stop(seedbed_trainer* trainer) {
    return shared(trainer, [](Trainer& self) {
        if (!self.isOwner())
            return fails(SEEDBED_WRONG_THREAD, "only the thread that created the trainer may call this");
        return codeOf(self, self.stop());
    });
}

int seedbed_set(seedbed_trainer* trainer, const char* key, const char* value) {
    return shared(trainer, [&](Trainer& self) {
        if (key == nullptr || value == nullptr) return fails(SEEDBED_BAD_ARGUMENT, "key or value is NULL");
        const Result<> set = self.set(key, value);
        return set ? int{SEEDBED_OK} : fails(apiError(set.error()));
    });
}

int seedbed_get_progress(seedbed_trainer* trainer, seedbed_progress* progress) {
    return shared(trainer, [&](Trainer& self) {
        const auto known = versioned(progress, seedbed_progress{}, sizeof(seedbed_progress), "progress");
        if (!known) return fails(known.error());
        const TrainerProgress now = self.progress();
        *progress = {.struct_size = known->struct_size,
                     .run = now.run,
                     .steps = now.steps,
                     .updates = now.updates,
                     .episodes = now.episodes,
                     .mean_return = now.mean_return,
                     .is_learning = now.is_learning ? 1 : 0,
                     .goal_reached = now.goal_reached ? 1 : 0};
        return int{SEEDBED_OK};
    });
}

int seedbed_get_metric(seedbed_trainer* trainer, const char* name, double* value) {
    return shared(trainer, [&](Trainer& self) {
        if (name == nullptr || value == nullptr) return fails(SEEDBED_BAD_ARGUMENT, "name or value is NULL");
        const std::optional<double> metric = self.metric(name);
        if (!metric)
            return fails(SEEDBED_BAD_ARGUMENT, "the latest update has no metric '" + std::string(name) + "'");
        *value = *metric;
        return int{SEEDBED_OK};
    });
}

const char* seedbed_metrics(seedbed_trainer* trainer) {
    const char* text = nullptr;
    shared(trainer, [&](Trainer& self) {
        std::string& kept = perThread<MetricsText>().text;
        kept = self.metricsText();
        text = kept.c_str();
        return int{SEEDBED_OK};
    });
    return text;
}

int seedbed_save(seedbed_trainer* trainer, const char* folder) {
    return owned(trainer, [&](Trainer& self) -> Result<> {
        if (folder == nullptr) return self.save();
        SEEDBED_TRY(self.completeUpdate());
        SEEDBED_ASSIGN(const PolicyBundle bundle, self.policy());
        RealFileSystem files(FileAccess::umask);
        return savePolicy(files, Path(folder), bundle);
    });
}

int seedbed_export(seedbed_trainer* trainer, const char* target, const char* folder) {
    if (target == nullptr || folder == nullptr) return invalid("target or folder is NULL");
    return owned(trainer, [&](Trainer& self) -> Result<> {
        SEEDBED_TRY(self.completeUpdate());
        SEEDBED_ASSIGN(PolicyBundle bundle, self.policy());
        return exportTo(Path(folder), target, std::move(bundle));
    });
}

seedbed_policy* seedbed_get_policy(seedbed_trainer* trainer) {
    seedbed_policy* made = nullptr;
    shared(trainer, [&](Trainer& self) {
        Result<PolicyBundle> bundle = self.policy();
        if (!bundle) return fails(apiError(bundle.error()));
        auto policy = policyHandle(std::move(*bundle));
        if (!policy) return fails(apiError(policy.error()));
        made = policy->release();
        return int{SEEDBED_OK};
    });
    return made;
}

int seedbed_batch_create(const char* built_in, const char* settings, int environments, uint64_t seed,
                         int threads, seedbed_batch** batch) {
    if (batch != nullptr) *batch = nullptr;
    if (built_in == nullptr || batch == nullptr) return invalid("built_in or batch is NULL");
    if (environments < 1 || environments > kMostEnvironments)
        return invalid("the number of environments must be 1 to 1048576");
    if (threads < 0 || threads > kMostThreads) return invalid("the number of threads must be 0 to 1024");
    return guarded([&] {
        auto made = make(built_in, settings, environments, seed, std::max(1, threads));
        if (!made) return fails(apiError(made.error()));
        *batch = new seedbed_batch{std::move(*made)};
        return int{SEEDBED_OK};
    });
}

void seedbed_batch_free(seedbed_batch* batch) { delete batch; }

const char* seedbed_batch_description(const seedbed_batch* batch) {
    return batch == nullptr ? nullptr : batch->batch->description().c_str();
}

int seedbed_batch_get_arrays(seedbed_batch* batch, seedbed_batch_arrays* arrays) {
    return withBatch(batch, [&](BuiltInBatch& self) {
        const auto known = versioned(arrays, seedbed_batch_arrays{}, sizeof(seedbed_batch_arrays), "arrays");
        if (!known) return fails(known.error());
        *arrays = {.struct_size = known->struct_size,
                   .columns = self.columns(),
                   .observations = self.own().observations,
                   .mask = self.own().mask,
                   .rewards = self.own().rewards,
                   .terminated = self.own().terminated,
                   .truncated = self.own().truncated};
        return int{SEEDBED_OK};
    });
}

int seedbed_batch_reset(seedbed_batch* batch, const unsigned char* chosen, const uint64_t* seeds) {
    return withBatch(batch, [&](BuiltInBatch& self) {
        const Result<> done = self.reset(chosen, seeds);
        return done ? int{SEEDBED_OK} : fails(apiError(done.error()));
    });
}

int seedbed_batch_step(seedbed_batch* batch, const float* actions) {
    if (actions == nullptr) return invalid("actions is NULL");
    return withBatch(batch, [&](BuiltInBatch& self) { return codeOfStep(self.step(actions, self.own())); });
}

int seedbed_batch_step_into(seedbed_batch* batch, const float* actions, const int64_t* choices,
                            const seedbed_batch_output* output) {
    if ((actions == nullptr) == (choices == nullptr))
        return invalid("one of actions and choices must be NULL");
    return withBatch(batch, [&](BuiltInBatch& self) {
        const auto to = versioned(output, seedbed_batch_output{}, sizeof(seedbed_batch_output), "output");
        if (!to) return fails(to.error());
        bool has_all = to->observations != nullptr && to->rewards != nullptr && to->terminated != nullptr &&
                       to->truncated != nullptr && (to->mask != nullptr || self.own().mask == nullptr);
        for (std::size_t leaf = 0; has_all && leaf < self.spec().spaces.obs.size(); ++leaf)
            has_all = to->observations[leaf] != nullptr;
        if (!has_all) return fails(SEEDBED_BAD_ARGUMENT, "an array of output is NULL");
        const BuiltInBatch::Output arrays{.observations = to->observations,
                                          .mask = to->mask,
                                          .rewards = to->rewards,
                                          .terminated = to->terminated,
                                          .truncated = to->truncated};
        return codeOfStep(actions != nullptr ? self.step(actions, arrays) : self.step(choices, arrays));
    });
}

int seedbed_batch_draw(const seedbed_batch* batch, int environment, int height, int width,
                       unsigned char* rgb) {
    if (rgb == nullptr) return invalid("rgb is NULL");
    return withBatch(batch, [&](const BuiltInBatch& self) {
        if (environment < 0 || environment >= self.count())
            return fails(SEEDBED_BAD_ARGUMENT, "there is no environment " + std::to_string(environment));
        if (std::min(height, width) < 1 || std::max(height, width) > kLargestSide)
            return fails(SEEDBED_BAD_ARGUMENT, "height and width must be 1 to 8192");
        self.draw(environment, height, width, rgb);
        return int{SEEDBED_OK};
    });
}

}  // extern "C"
