// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/remote_batch.hpp"

#include <algorithm>
#include <ctime>

#include "core/base/log.hpp"
#include "core/base/text.hpp"
#include "core/env/untrusted_rows.hpp"
#include "core/fleet/link_speed.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kRemoteNotices = 100;
// An actor is refused after this many failures of environments, unless as many exchanges succeeded between.
constexpr std::uint32_t kMaxEnvFailures = 10, kGoodExchanges = 1000;
constexpr double kResetFactor = 6;   // a reset may take longer than a step
constexpr double kParamsFactor = 2;  // a row may wait for parameters this many times their transfer

}  // namespace

// --- slot

bool ActorSlot::isFree() const {
    const MutexLock lock(mutex_);
    return link_ == nullptr && !is_closed_;
}

void ActorSlot::offer(Actor actor) {
    {
        const MutexLock lock(mutex_);
        link_ = std::move(actor.link);
        name_ = std::move(actor.name);
        is_offered_ = true;
    }
    changed_.notifyAll();
}

Result<ActorSlot::Actor> ActorSlot::take(const std::stop_token& stop) {
    MutexLock lock(mutex_);
    changed_.wait(lock, stop, [this]() SEEDBED_REQUIRES(mutex_) { return is_offered_ || is_closed_; });
    if (!is_offered_ || is_closed_) return fail(ErrorCode::interrupted, "stopped while waiting for an actor");
    is_offered_ = false;
    return Actor{link_, name_};
}

void ActorSlot::release() {
    const MutexLock lock(mutex_);
    link_.reset();
    name_.clear();
    ++losses_;
    sends_windows_.store(false, std::memory_order_relaxed);
}

void ActorSlot::close() {
    {
        const MutexLock lock(mutex_);
        is_closed_ = true;
    }
    changed_.notifyAll();
}

void ActorSlot::end(bool finished) {
    close();
    const MutexLock lock(mutex_);
    if (link_ == nullptr) return;
    link_->send(controlMessage({{"op", "bye"},
                                {"why", finished ? "finished" : "stopped"},
                                {"reason", finished ? "the run has finished" : "the learner was stopped"}}));
    link_.reset();
}

void ActorSlot::countRows(std::uint64_t rows) {
    rows_.fetch_add(rows, std::memory_order_relaxed);
    answered_s_.store(std::time(nullptr), std::memory_order_relaxed);
}

void ActorSlot::countWindows(std::uint64_t bytes, std::uint64_t lag) {
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    lag_.store(lag, std::memory_order_relaxed);
    sends_windows_.store(true, std::memory_order_relaxed);
}

ActorSlot::State ActorSlot::state() const {
    const MutexLock lock(mutex_);
    return {.has_actor = link_ != nullptr,
            .name = name_,
            .sends_windows = sends_windows_.load(std::memory_order_relaxed),
            .bytes = bytes_.load(std::memory_order_relaxed),
            .lag = lag_.load(std::memory_order_relaxed),
            .rows = rows_.load(std::memory_order_relaxed),
            .answered_s = answered_s_.load(std::memory_order_relaxed),
            .losses = losses_};
}

// --- batch

RemoteBatch::RemoteBatch(std::shared_ptr<ActorSlot> slot, EnvSpec spec, int count, double stall_s,
                         std::optional<WindowSpec> windows)
    : slot_(std::move(slot)),
      spec_(std::move(spec)),
      count_(count),
      stall_s_(stall_s),
      layout_(spec_, count),
      window_spec_(std::move(windows)),
      sent_(static_cast<std::size_t>(count), EnvCommand::rest),
      seeds_(static_cast<std::size_t>(count), 0) {}

std::size_t RemoteBatch::bytes(const GroupSpec& group, const NetPlan& net, bool sends_windows) {
    const ExchangeLayout exchange(group.env_spec, group.envs);
    const auto envs = static_cast<std::size_t>(group.envs);
    // Rows are in the link and in the message; a request has commands, seeds and actions.
    const std::size_t bytes =
        2 * exchange.maxBytes() +
        envs * (sizeof(EnvCommand) + sizeof(std::uint64_t) +
                static_cast<std::size_t>(group.env_spec.agents * group.env_spec.spaces.actionWords()) *
                    sizeof(float));
    if (!sends_windows) return bytes;
    const WindowLayout layout(group.env_spec, group.envs,
                              ActorGroup::ringSpec(group, group.env_spec, net.state_words),
                              group.state_every);
    return bytes + WindowReceiver::bytes(layout, net.param_floats * sizeof(float));
}

void RemoteBatch::notice(std::string text) {
    if (notices_.size() < kRemoteNotices) notices_.push_back(std::move(text));
}

void RemoteBatch::failAll() {
    std::fill_n(exchange_.flags, static_cast<std::size_t>(count_ * spec_.agents), column_flag::failed);
}

// `refuse`: the actor must not connect again.
void RemoteBatch::lose(const std::string& reason, bool refuse) {
    notice("actor " + actor_.name + ": " + reason + "; its environments start again when an actor connects");
    // An actor that does not read would keep its messages in memory.
    if (!refuse && actor_.link->unsent() > 0) actor_.link->cut();
    else
        actor_.link->send(
            controlMessage({{"op", "bye"}, {"why", refuse ? "refused" : "lost"}, {"reason", reason}}));
    actor_ = {};
    windows_.reset();
    has_actions_ = false;
    slot_->release();
    failAll();
}

void RemoteBatch::follow(const ActingParams& params, Ring& ring) {
    params_ = &params;
    ring_ = &ring;
}

bool RemoteBatch::act() {
    if (!std::exchange(has_actions_, false)) return false;
    const WindowLayout& layout = windows_->layout();
    const std::uint64_t row = windows_->row();
    layout.copy(layout.acted(windows_->record(), row), layout.acted(*ring_, row));
    std::fill_n(ring_->version(row), ring_->columns(), static_cast<std::uint32_t>(windows_->version()));
    windows_->pop();
    // await() reports errors.
    windows_->advance(exchange_.stopToken());
    return true;
}

bool RemoteBatch::ready() {
    if (actor_.link == nullptr || !is_posted_) return true;
    return windows_ != nullptr ? windows_->isReady() : actor_.link->isReady();
}

void RemoteBatch::post() {
    is_posted_ = true;
    if (windows_ != nullptr) return;
    actor_.link->send(layout_.request(++sequence_, sent_, exchange_.actions, seeds_));
}

Result<> RemoteBatch::begin(const Exchange& exchange) {
    exchange_ = exchange;
    is_posted_ = false;
    for (std::size_t env = 0; env < sent_.size(); ++env) {
        sent_[env] = exchange.commands[env];
        if (sent_[env] != EnvCommand::reset) continue;
        const std::uint64_t high = exchange.rngs[env].nextU32();
        seeds_[env] = high << 32 | exchange.rngs[env].nextU32();
    }
    if (actor_.link != nullptr) post();
    return {};
}

// The environments of a new actor have no episodes to continue.
Result<> RemoteBatch::waitForActor() {
    if (std::ranges::find(sent_, EnvCommand::step) != sent_.end()) {
        failAll();
        return {};
    }
    is_waiting_.store(true, std::memory_order_release);
    auto actor = slot_->take(exchange_.stopToken());
    Result<> begun;
    if (actor) {
        actor_ = std::move(*actor);
        failures_ = good_exchanges_ = 0;
        begun = beginWindows();  // measurements may take long
    }
    is_waiting_.store(false, std::memory_order_release);
    if (!actor) return tl::unexpected<Error>(std::move(actor).error());
    if (!begun) {
        if (begun.error().code == ErrorCode::interrupted) return begun;
        lose(begun.error().text(), begun.error().code == ErrorCode::config);
        return {};
    }
    post();
    return {};
}

// Lets a new actor choose the actions, if this is the form of the fleet.
Result<> RemoteBatch::beginWindows() {
    if (!window_spec_) return {};
    SEEDBED_CHECK(params_ != nullptr, "actors need parameters to choose actions");
    const double timeout_s = kResetFactor * stall_s_;
    const std::stop_token stop = exchange_.stopToken();
    WindowLayout layout(spec_, count_, ring_->spec(), window_spec_->length);
    FormCosts costs{.link = {},
                    .row_s = 0,
                    .row_bytes = layout_.rowsBytes(),
                    .param_bytes = window_spec_->param_bytes,
                    .length = window_spec_->length,
                    .max_lag = window_spec_->max_lag};
    SEEDBED_ASSIGN(costs.link, measureLink(*actor_.link, timeout_s, stop, window_spec_->now_s));
    if (window_spec_->is_automatic) {
        SEEDBED_ASSIGN(costs.row_s, measureRow(*actor_.link, kCreateS + timeout_s, stop));
        const bool is_preferred = prefersWindows(costs);
        notice("actor " + actor_.name + ": " + costsText(costs) + "; " +
               (is_preferred ? "it chooses the actions (windows)" : "the learner chooses the actions"));
        if (!is_preferred) return {};
    }
    params_s_ = static_cast<double>(costs.param_bytes) / costs.link.bytes_per_s;
    windows_ = std::make_unique<WindowReceiver>(
        actor_.link, std::move(layout), *params_,
        Beginning{.head = ring_->head(), .round_trip_s = costs.link.round_trip_s});
    return {};
}

Result<> RemoteBatch::await() {
    if (actor_.link == nullptr) SEEDBED_TRY(waitForActor());
    if (!std::exchange(is_posted_, false)) return {};
    const bool resets = std::ranges::find(sent_, EnvCommand::reset) != sent_.end();
    // A row of a window may contain a reset, or wait for parameters.
    const bool takes_longer = resets || windows_ != nullptr;
    const double params_s = windows_ != nullptr ? kParamsFactor * params_s_ : 0;
    const Result<std::string> text = receive(params_s + (takes_longer ? kResetFactor * stall_s_ : stall_s_));
    if (!text && text.error().code == ErrorCode::interrupted)
        return tl::unexpected<Error>(Error(text.error()));
    if (!text) {
        lose(text.error().text(), text.error().code == ErrorCode::config);
        return {};
    }
    if (!text->empty()) notice("actor " + actor_.name + ": " + printableText(*text));
    countFailures();
    return {};
}

// The checked flags and unchecked values of the answer or the next row. error: config, if the actor breaks
// the protocol.
Result<std::string> RemoteBatch::receive(double timeout_s) {
    if (actor_.link->unsent() > kMaxUnsent) return seedbed::fail("it does not read the learner's messages");
    auto text = windows_ != nullptr ? receiveRow(timeout_s) : receiveAnswer(timeout_s);
    if (!text && text.error().code == ErrorCode::stalled)
        return seedbed::fail("it did not answer within " + formatDuration(timeout_s) + " (actor.stall_s)");
    return text;
}

Result<std::string> RemoteBatch::receiveAnswer(double timeout_s) {
    SEEDBED_ASSIGN(const Bytes message, actor_.link->receive(timeout_s, exchange_.stopToken()));
    if (isControl(message)) return tl::unexpected<Error>(departureOf(message));
    auto text = layout_.readRows(message, sequence_, exchange_);
    if (!text) return brokenProtocol(text.error().text());
    const auto agents = static_cast<std::size_t>(spec_.agents);
    const std::string problem = flagsProblem(sent_, {exchange_.flags, sent_.size() * agents}, agents);
    if (!problem.empty()) return brokenProtocol(problem);
    flagImpossible();
    return text;
}

// An actor that chooses the actions has checked its environments. If the learner flagged a further one as
// failed, their episodes would differ, so the whole actor is refused.
Result<std::string> RemoteBatch::receiveRow(double timeout_s) {
    SEEDBED_TRY(windows_->await(timeout_s, exchange_.stopToken()));
    const std::uint64_t row = windows_->row();
    const WindowLayout& layout = windows_->layout();
    std::uint8_t* record = windows_->record();
    if (auto read = layout_.readRows(layout.outcome(record), row, exchange_); !read)
        return brokenProtocol(read.error().text());
    const auto agents = static_cast<std::size_t>(spec_.agents);
    std::string problem = flagsProblem(sent_, {exchange_.flags, sent_.size() * agents}, agents);
    for (std::size_t env = 0; env < sent_.size() && problem.empty(); ++env)
        if ((exchange_.flags[env * agents] & column_flag::failed) == 0)
            problem = columnsProblem(spec_, exchange_, env);
    if (problem.empty())
        problem = layout.problem(window_spec_->distribution, layout.acted(record, row), exchange_.mask,
                                 exchange_.flags);
    if (!problem.empty()) return brokenProtocol(problem);
    has_actions_ = true;
    if (const std::uint64_t bytes = windows_->takeBytes(); bytes > 0)
        slot_->countWindows(bytes, windows_->lag());
    return windows_->takeText();
}

// Flags environments with impossible values as failed.
void RemoteBatch::flagImpossible() {
    const auto agents = static_cast<std::size_t>(spec_.agents);
    for (std::size_t env = 0; env < sent_.size(); ++env) {
        std::uint8_t* flags = exchange_.flags + env * agents;
        if ((flags[0] & column_flag::failed) != 0) continue;
        const std::string problem = columnsProblem(spec_, exchange_, env);
        if (problem.empty()) continue;
        std::fill_n(flags, agents, column_flag::failed);
        failure_ = "environment " + std::to_string(env) + ": " + problem;
        notice("actor " + actor_.name + ": " + failure_);
    }
}

// Refuses an actor whose environments fail repeatedly.
void RemoteBatch::countFailures() {
    const auto agents = static_cast<std::size_t>(spec_.agents);
    std::uint32_t failed = 0;
    for (std::size_t env = 0; env < sent_.size(); ++env)
        failed += (exchange_.flags[env * agents] & column_flag::failed) != 0 ? 1 : 0;
    const std::string reason = failure_.empty() ? "an environment failed" : std::exchange(failure_, {});
    slot_->countRows(sent_.size() * agents);
    if (failed > 0) {
        failures_ += failed;
        good_exchanges_ = 0;
        if (failures_ >= kMaxEnvFailures + static_cast<std::uint32_t>(count_))
            lose("its environments fail repeatedly: " + reason, true);
    } else if (failures_ > 0 && ++good_exchanges_ >= kGoodExchanges) {
        failures_ = 0;
    }
}

void RemoteBatch::draw(int, Scene& scene) const {
    scene.clear(0, 0, 1, 1);
    scene.label(0.5F, 0.5F, 0.05F, "This environment runs on another machine.", {90, 90, 90, 255});
}

Result<> RemoteBatch::setState(int, const Json&) {
    return seedbed::fail("the state of an environment on another machine cannot be set");
}

}  // namespace seedbed
