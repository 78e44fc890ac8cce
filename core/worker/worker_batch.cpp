// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_batch.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/repeated_texts.hpp"
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/base/thread.hpp"
#include "core/env/untrusted_rows.hpp"

namespace seedbed {
namespace {

using namespace column_flag;

constexpr int kMaxFailures = 10;                    // limit for consecutive failures
constexpr std::int64_t kFirstPauseNs = 50'000'000;  // pause before the second attempt; doubles for each
                                                    // further one
constexpr std::int64_t kLongestPauseNs = 10'000'000'000;
constexpr std::int64_t kStableNs = 10'000'000'000;  // time without failures after which earlier failures of a
                                                    // worker are forgotten
constexpr std::size_t kNotices = 100;
constexpr std::size_t kReasonLength = 80;   // bytes of the reason shown for a missing picture
constexpr std::uint32_t kGoodSteps = 1000;  // number of successful steps after which earlier failures of an
                                            // environment are forgotten

std::int64_t nowNs() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

void WorkerBatch::Retry::failed() {
    ++failures;
    const int doublings = std::min(failures - 2, 20);
    at_ns = failures < 2 ? 0 : nowNs() + std::min(kLongestPauseNs, kFirstPauseNs << doublings);
}

bool WorkerBatch::Retry::isOver() const { return failures >= kMaxFailures; }

Result<std::unique_ptr<WorkerBatch>> WorkerBatch::create(const WorkerPlan& plan, EnvSpec spec) {
    std::unique_ptr<WorkerBatch> batch(new WorkerBatch(plan, std::move(spec)));
    SEEDBED_TRY(batch->revive());
    return batch;
}

WorkerBatch::WorkerBatch(const WorkerPlan& plan, EnvSpec spec)
    : plan_(plan), use_(plan.id), spec_(std::move(spec)) {
    const auto envs = static_cast<std::size_t>(plan_.count);
    retries_.resize(envs);
    good_steps_.assign(envs, 0);
    needs_seed_.assign(envs, 1);
    seeds_.assign(envs, 0);
    not_restored_.assign(envs, 0);
    sent_.assign(envs, EnvCommand::rest);
    flags_.assign(envs * agents(), 0);
}

// A process that failed, or whose environments do not repeat their results, is not used again.
WorkerBatch::~WorkerBatch() {
    if (!plan_.keep || worker_ == nullptr || posted_ || broken_ || !worker_->spec().env.repeats) return;
    keepIdleWorker(plan_, std::move(worker_));
}

struct WorkerBatch::Start {
    WorkerPlan plan;
    double pause_s = 0;
    std::stop_token stop;
    Mutex mutex;
    std::optional<Result<std::unique_ptr<WorkerProcess>>> result SEEDBED_GUARDED_BY(mutex);
};

Result<> WorkerBatch::revive() {
    std::unique_ptr<WorkerProcess> worker;
    if (plan_.keep) worker = takeIdleWorker(plan_);
    if (worker == nullptr) {
        SEEDBED_ASSIGN(worker, WorkerProcess::start(plan_));
    }
    return adopt(std::move(worker));
}

// Reports changed files, because each new process reads the files again.
void WorkerBatch::noticeChangedFiles(const std::vector<EnvFile>& now) {
    for (const EnvFile& file : now) {
        const auto same = [&](const EnvFile& other) { return other.path == file.path; };
        const auto before = std::ranges::find_if(spec_.files, same);
        if (before != spec_.files.end() && before->sha256 != file.sha256 && notices_.size() < kNotices)
            notices_.push_back("'" + file.path + "' has changed since the environments of '" + plan_.id +
                               "' were first created; they now use the new file");
    }
    if (!now.empty()) spec_.files = now;
}

// error: its spaces are different.
Result<> WorkerBatch::adopt(std::unique_ptr<WorkerProcess> worker) {
    worker_ = std::move(worker);
    const EnvSpec& now = worker_->spec().env;
    if (now.spaces != spec_.spaces || now.agents != spec_.agents) {
        worker_.reset();
        has_changed_ = true;
        return seedbed::fail(ErrorCode::config,
                             "the observations or actions of '" + plan_.id + "' have changed");
    }
    noticeChangedFiles(now.files);
    can_save_ = worker_->spec().can_save;
    started_ns_ = answered_ns_ = nowNs();
    exchanges_ = 0;
    return {};
}

// --- failures

void WorkerBatch::fail(std::size_t env, const std::string& reason) {
    for (std::size_t column = env * agents(); column < (env + 1) * agents(); ++column)
        exchange_.flags[column] = failed;
    needs_seed_[env] = 1;
    retries_[env].failed();
    good_steps_[env] = 0;
    reason_ = reason;
    if (notices_.size() >= kNotices) return;
    const std::string name = "environment " + std::to_string(env) + " of '" + plan_.id + "' failed";
    notices_.push_back(name + ": " + reason);
    if (retries_[env].isOver())
        notices_.push_back(name + " " + std::to_string(kMaxFailures) + " times in a row and " +
                           std::string(kLeftOut));
}

void WorkerBatch::failAll() {
    std::fill_n(exchange_.flags, flags_.size(), failed);
    std::fill(needs_seed_.begin(), needs_seed_.end(), std::uint8_t{1});
}

// Discards a process that can no longer be used.
void WorkerBatch::lose(const Error& error) {
    if (worker_ != nullptr && (answered_ns_ - started_ns_ > kStableNs || exchanges_ >= kGoodSteps))
        worker_retry_ = {};
    worker_.reset();
    broken_.reset();
    worker_retry_.failed();
    reason_ = error.text();
    // Logged immediately, since the rollout that collects the notices may take minutes.
    if (error.code == ErrorCode::stalled && !worker_retry_.isOver())
        log::warning(reason_.substr(0, reason_.find('\n')) + "; starting its process again (" +
                     std::to_string(worker_retry_.failures) + " of " + std::to_string(kMaxFailures - 1) +
                     ")");
    if (notices_.size() < kNotices)
        notices_.push_back(error.text() + "; its environments start again in a new process");
    failAll();
}

// Waits until `until_ns` of the monotonic clock. error: interrupted.
Result<> WorkerBatch::pause(std::int64_t until_ns) const {
    const std::stop_token stop = exchange_.stopToken();
    sleepFor(static_cast<double>(std::max<std::int64_t>(0, until_ns - nowNs())) * 1e-9, stop);
    if (!stop.stop_requested()) return {};
    return seedbed::fail(ErrorCode::interrupted, "stopped while '" + plan_.id + "' was waiting to restart");
}

void WorkerBatch::startInBackground() {
    start_ = std::make_shared<Start>();
    start_->plan = plan_;
    start_->pause_s = static_cast<double>(std::max<std::int64_t>(0, worker_retry_.at_ns - nowNs())) * 1e-9;
    start_->stop = exchange_.stopToken();
    // Detached, so that the batch does not wait for a start that hangs.
    NamedThread(
        "worker start",
        [start = start_](const std::stop_token&) -> Result<> {
            sleepFor(start->pause_s, start->stop);
            if (start->stop.stop_requested()) return {};
            auto started = WorkerProcess::start(start->plan);
            const MutexLock lock(start->mutex);
            start->result = std::move(started);
            return {};
        },
        nullptr)
        .detach();
}

// Adopts the worker that was started in the background; false while it is still starting. error: it cannot be
// used for this batch.
Result<bool> WorkerBatch::adoptStarted() {
    if (start_ == nullptr) {
        startInBackground();
        return false;
    }
    {
        const MutexLock lock(start_->mutex);
        if (!start_->result) return false;
    }
    const std::shared_ptr<Start> start = std::exchange(start_, nullptr);
    const MutexLock lock(start->mutex);
    Result<> adopted;
    if (*start->result) adopted = adopt(std::move(**start->result));
    else adopted = tl::unexpected<Error>(start->result->error());
    if (adopted) return true;
    if (has_changed_) return tl::unexpected<Error>(adopted.error());
    lose(adopted.error());
    return false;
}

// --- exchanges

Result<> WorkerBatch::begin(const Exchange& exchange) {
    exchange_ = exchange;
    posted_ = false;
    if (broken_) lose(Error(*broken_));
    if (worker_ == nullptr) {
        if (worker_retry_.isOver())
            return seedbed::fail("the process of '" + plan_.id + "' failed " + std::to_string(kMaxFailures) +
                                 " times in a row: " + reason_);
        if (!plan_.waits) {
            SEEDBED_ASSIGN(const bool is_there, adoptStarted());
            if (!is_there) {
                failAll();
                return {};
            }
        } else {
            SEEDBED_TRY(pause(worker_retry_.at_ns));
            if (Result<> revived = revive(); !revived) {
                if (has_changed_) return revived;
                lose(revived.error());
                return {};
            }
        }
    }
    const std::int64_t now = nowNs();
    std::int64_t next = now + kLongestPauseNs;  // time when the first of the waiting environments is retried
    bool any = false, any_left = false;
    makes_envs_ = false;
    for (std::size_t env = 0; env < sent_.size(); ++env) {
        EnvCommand command = exchange.commands[env];
        const Retry& retry = retries_[env];
        if (command == EnvCommand::reset && retry.isOver()) command = EnvCommand::rest;
        else any_left = true;
        if (command == EnvCommand::reset && retry.at_ns > now) {
            next = std::min(next, retry.at_ns);
            command = EnvCommand::rest;
        }
        if (command == EnvCommand::reset) {
            not_restored_[env] = 0;
            makes_envs_ = makes_envs_ || retry.failures > 0;
        }
        if (not_restored_[env] != 0) command = EnvCommand::rest;
        any = any || command != EnvCommand::rest || not_restored_[env] != 0;
        sent_[env] = command;
        if (needs_seed_[env] != 0) seeds_[env] = exchange.rngs[env].nextU32();
        needs_seed_[env] = 0;
        worker_->seeds()[env] = seeds_[env];
    }
    if (!any_left)
        return seedbed::fail("all environments of '" + plan_.id + "' failed " + std::to_string(kMaxFailures) +
                             " times in a row: " + reason_);
    // Without an environment to step, this would fill the ring with useless rows.
    if (!any && plan_.waits) SEEDBED_TRY(pause(next));
    std::memcpy(worker_->commands(), sent_.data(), sent_.size());
    std::copy_n(exchange.actions, flags_.size() * static_cast<std::size_t>(spec_.spaces.actionWords()),
                worker_->actions());
    if (const Result<> sent = worker_->post(); !sent) lose(sent.error());
    else posted_ = true;
    return {};
}

Result<> WorkerBatch::await() {
    if (!posted_) return {};
    posted_ = false;
    if (const Result<> answered = worker_->await(makes_envs_); !answered) {
        lose(answered.error());
        return {};
    }
    answered_ns_ = nowNs();
    ++exchanges_;
    std::copy_n(worker_->flags(), flags_.size(), flags_.data());
    if (const std::string problem = flagsProblem(sent_, flags_, agents()); !problem.empty()) {
        lose({ErrorCode::failure, "the process of '" + plan_.id + "' broke the protocol: " + problem, {}});
        return {};
    }
    std::copy_n(flags_.data(), flags_.size(), exchange_.flags);
    std::copy_n(worker_->rewards(), flags_.size(), exchange_.rewards);
    copyObservations();
    const bool any_failed =
        std::any_of(flags_.begin(), flags_.end(), [](std::uint8_t flag) { return (flag & failed) != 0; });
    std::vector<std::pair<int, std::string>> errors;
    if (any_failed) errors = worker_->takeErrors();
    for (std::size_t env = 0; env < sent_.size(); ++env) {
        const std::uint8_t flag = flags_[env * agents()];
        if (sent_[env] == EnvCommand::rest) {
            if (exchange_.commands[env] == EnvCommand::reset || not_restored_[env] != 0)
                std::fill_n(exchange_.flags + env * agents(), agents(), failed);
            continue;
        }
        if ((flag & failed) != 0) {
            const auto found = std::find_if(errors.begin(), errors.end(), [&](const auto& error) {
                return error.first == static_cast<int>(env);
            });
            fail(env, found != errors.end() ? found->second : "no reason was given");
            continue;
        }
        if (const std::string problem = columnsProblem(spec_, exchange_, env); !problem.empty()) {
            fail(env, problem);
            continue;
        }
        if ((flag & first) != 0) needs_seed_[env] = 1;
        if (++good_steps_[env] >= kGoodSteps || (flag & (terminated | truncated)) != 0) retries_[env] = {};
    }
    return {};
}

// Copies the observations once, directly into the rows that the learner reads.
void WorkerBatch::copyObservations() {
    const Spaces& spaces = spec_.spaces;
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        std::memcpy(exchange_.leaves[leaf], worker_->leaf(leaf), spaces.obs[leaf].bytes() * flags_.size());
    if (exchange_.mask != nullptr)
        std::memcpy(exchange_.mask, worker_->mask(),
                    static_cast<std::size_t>(spaces.maskBytes()) * flags_.size());
}

// --- other operations

void WorkerBatch::draw(int env, Scene& scene) const {
    scene.clear(0, 0, 1, 1);
    if (worker_ == nullptr || posted_ || broken_) return;
    const Result<> drawn = worker_->picture(env, scene);
    if (drawn) return;
    if (drawn.error().code != WorkerProcess::kRefused) broken_ = drawn.error();
    const std::string reason = drawn.error().text();
    scene.missing = reason.substr(0, reason.find('\n'));
    if (!std::exchange(has_no_picture_, true))
        log::warning("no picture of '" + plan_.id + "': " + scene.missing);
    scene.label(0.5F, 0.45F, 0.05F, "There is no picture:", {90, 90, 90, 255});
    scene.label(0.5F, 0.55F, 0.03F, reason.substr(0, std::min(reason.find('\n'), kReasonLength)),
                {90, 90, 90, 255});
}

void WorkerBatch::archive(int env, Archive& archive) {
    const auto e = static_cast<std::size_t>(env);
    // An empty state means that the state is unknown.
    std::string state;
    if (!archive.isLoading() && not_restored_[e] == 0) state = saveState(env).value_or("");
    archive.any(state).any(seeds_[e]).field("needs_seed", needs_seed_[e], range(std::uint8_t{0}, 1));
    if (!archive.isLoading() || archive.failed()) return;
    const Result<> loaded = state.empty() ? seedbed::fail("it was not saved") : loadState(env, state);
    not_restored_[e] = loaded ? 0 : 1;
    if (!loaded && notices_.size() < kNotices)
        notices_.push_back("the state of environment " + std::to_string(env) + " of '" + plan_.id +
                           "' was not restored, and its episode starts again: " + loaded.error().text());
}

// error: there is no worker, or it could not save the state.
Result<std::string> WorkerBatch::saveState(int env) const {
    if (worker_ == nullptr || posted_ || broken_) return seedbed::fail("its process is not running");
    const auto reply = worker_->request({{"op", "save"}, {"env", env}});
    if (!reply && reply.error().code != WorkerProcess::kRefused) broken_ = reply.error();
    if (!reply) return tl::unexpected<Error>(reply.error());
    const auto state = reply->find("state");
    if (state == reply->end() || !state->is_string()) return seedbed::fail("it sent no state");
    return state->get<std::string>();
}

Result<> WorkerBatch::loadState(int env, const std::string& state) {
    if (worker_ == nullptr || posted_ || broken_) return seedbed::fail("its process is not running");
    const auto reply = worker_->request({{"op", "load"}, {"env", env}, {"state", state}});
    if (!reply && reply.error().code != WorkerProcess::kRefused) broken_ = reply.error();
    return reply.map([](const Json&) {});
}

Json WorkerBatch::state(int env) const {
    if (worker_ == nullptr || posted_ || broken_) return Json::object();
    const auto reply = worker_->request({{"op", "state"}, {"env", env}});
    if (!reply && reply.error().code != WorkerProcess::kRefused) broken_ = reply.error();
    return reply ? reply->value("state", Json::object()) : Json::object();
}

Result<> WorkerBatch::setState(int, const Json&) {
    return seedbed::fail("the state of '" + plan_.id + "' cannot be set");
}

}  // namespace seedbed
