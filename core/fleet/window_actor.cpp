// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/window_actor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/env/untrusted_rows.hpp"

namespace seedbed {
namespace {

constexpr double kFlushS = 1;  // slow environments send windows with fewer rows
constexpr int kMaxLength = 1 << 20;
constexpr int kMeasuredRows = 8;
constexpr double kMeasuringS = 1;  // slow environments are measured over fewer rows

// Environments that keep the outcome of each exchange as the environments reported it. Never fails: after an
// error all environments are flagged as failed and start again in a new batch.
class RecordedBatch final : public EnvBatch {
public:
    RecordedBatch(ActorEnvs envs, EnvSpec spec, std::unique_ptr<EnvBatch> batch)
        : envs_(std::move(envs)),
          spec_(std::move(spec)),
          batch_(std::move(batch)),
          layout_(spec_, envs_.count),
          outcome_(layout_.rowsBytes()) {}

    const Bytes& outcome() const { return outcome_; }
    std::string takeText() { return std::exchange(text_, {}); }

    int count() const override { return envs_.count; }
    const EnvSpec& spec() const override { return spec_; }
    Result<> begin(const Exchange& exchange) override {
        exchange_ = exchange;
        return {};
    }
    Result<> await() override {
        const auto agents = static_cast<std::size_t>(spec_.agents);
        if (Result<> done = envs_.exchange(batch_, exchange_); !done) {
            batch_.reset();
            std::fill_n(exchange_.flags, static_cast<std::size_t>(envs_.count) * agents, column_flag::failed);
            note(done.error().text());
        } else {
            for (const std::string& notice : batch_->takeNotices()) note(notice);
            checkEnvs(agents);
        }
        record(agents);
        return {};
    }
    void draw(int, Scene&) const override {}
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override {}
    Json state(int) const override { return Json::object(); }
    Result<> setState(int, const Json&) override { return {}; }

private:
    // The learner refuses values outside of their spaces.
    void checkEnvs(std::size_t agents) {
        for (std::size_t env = 0; env < static_cast<std::size_t>(envs_.count); ++env) {
            std::uint8_t* flags = exchange_.flags + env * agents;
            if ((flags[0] & column_flag::failed) != 0) continue;
            const std::string problem = columnsProblem(spec_, exchange_, env);
            if (problem.empty()) continue;
            std::fill_n(flags, agents, column_flag::failed);
            note("environment " + std::to_string(env) + ": " + problem);
        }
    }
    void record(std::size_t agents) {
        std::vector<std::uint8_t*> leaves;
        Exchange to;
        layout_.place(outcome_, leaves, to);
        const std::size_t columns = static_cast<std::size_t>(envs_.count) * agents;
        for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
            std::memcpy(leaves[leaf], exchange_.leaves[leaf], columns * spec_.spaces.obs[leaf].bytes());
        if (to.mask != nullptr)
            std::memcpy(to.mask, exchange_.mask,
                        columns * static_cast<std::size_t>(spec_.spaces.maskBytes()));
        std::copy_n(exchange_.rewards, columns, to.rewards);
        std::copy_n(exchange_.flags, columns, to.flags);
    }
    void note(const std::string& text) {
        if (text_.size() < ExchangeLayout::kTextBytes) text_ += (text_.empty() ? "" : "; ") + text;
    }

    ActorEnvs envs_;
    EnvSpec spec_;
    std::unique_ptr<EnvBatch> batch_;  // null after an error
    ExchangeLayout layout_;
    Bytes outcome_;
    std::string text_;
    Exchange exchange_;
};

// The number of windows that may be open: one is being sent and one waits for the learner; the others are on
// the way, for two round trips, because a lost packet takes a second one.
class OpenWindows {
public:
    OpenWindows(double round_trip_s, std::size_t most)
        : round_trip_s_(round_trip_s), most_(static_cast<double>(most)) {}
    bool mayBegin() const { return static_cast<double>(sent_ - consumed_) < limit_; }
    // `made_s`: the time to make a whole window, without pauses.
    void sent(double made_s) {
        ++sent_;
        limit_ = std::min(2 + std::ceil(2 * round_trip_s_ / std::max(made_s, 1e-6)), most_);
    }
    // error: more windows were consumed than sent.
    Result<> consumed(std::uint64_t number) {
        if (number != ++consumed_ || consumed_ > sent_) return fail("the learner broke the protocol");
        return {};
    }

private:
    std::uint64_t sent_ = 0, consumed_ = 0;
    double limit_ = 2, round_trip_s_, most_;
};

}  // namespace

Result<std::unique_ptr<WindowActor>> WindowActor::create(const Json& welcome, const ActorEnvs& envs,
                                                         const EnvSpec& spec) try {
    std::unique_ptr<WindowActor> actor(new WindowActor);
    actor->envs_ = envs;
    const Json& window = welcome.at("windows");
    SEEDBED_ASSIGN(const NetSpec net, netSpecFromJson(window.at("network")));
    SEEDBED_ASSIGN(const NetPlan plan, buildPlan(net));
    SEEDBED_ASSIGN(actor->net_, compileNet("native", plan, {}));
    actor->length_ = window.at("length").get<int>();
    actor->stall_s_ = window.at("stall_s").get<double>();
    if (actor->length_ < 1 || actor->length_ > kMaxLength)
        return fail(ErrorCode::config,
                    "the learner requests windows of " + std::to_string(actor->length_) + " rows");
    actor->spec_ = {.env = envs.entry,
                    .env_params = envs.params,
                    .env_spec = spec,
                    .distribution = ActionDistribution(net.spaces, net.squash),
                    .net = actor->net_.get(),
                    .envs = envs.count,
                    .first_env = envs.first,
                    .rows = 1,
                    .state_every = actor->length_,
                    .seed = window.at("seed").get<std::uint64_t>()};
    return actor;
} catch (const Json::exception&) {
    return fail(ErrorCode::config, "the learner's description of the network cannot be read");
}

Result<double> WindowActor::measureRow(std::unique_ptr<EnvBatch>& batch, const std::stop_token& stop) const {
    SEEDBED_ASSIGN(const double row_s, measureRowWith(std::move(batch), stop));
    // New ones, so that the measurement changes no row; the measured ones no longer exist.
    // Created at the first exchange if this fails.
    auto made = envs_.make();
    batch = made ? std::move(*made) : nullptr;
    return row_s;
}

Result<double> WindowActor::measureRowWith(std::unique_ptr<EnvBatch> batch,
                                           const std::stop_token& stop) const {
    GroupSpec spec = spec_;
    spec.stop = stop;
    spec.make = [&]() -> Result<std::unique_ptr<EnvBatch>> {
        if (batch == nullptr) return envs_.make();
        return std::move(batch);
    };
    SEEDBED_ASSIGN(const auto group, ActorGroup::create(spec));
    const Acting acting{.params = initialParams(net_->plan(), spec.seed)};
    ThreadTimes times;
    std::vector<EpisodeEnd> ended;
    SEEDBED_TRY(group->restart());
    SEEDBED_TRY(group->act(acting, times));
    const double begun_s = secondsNow();
    int rows = 0;
    while (rows == 0 || (rows < kMeasuredRows && secondsNow() - begun_s < kMeasuringS)) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the actor was stopped");
        SEEDBED_TRY(group->step(ended, times));
        SEEDBED_TRY(group->act(acting, times));
        ++rows;
    }
    return (secondsNow() - begun_s) / rows;
}

Result<Json> WindowActor::run(Link& link, const Beginning& beginning, std::unique_ptr<EnvBatch> batch,
                              const std::stop_token& stop) {
    const std::uint64_t head = beginning.head;
    GroupSpec spec = spec_;
    RecordedBatch* recorded = nullptr;
    spec.stop = stop;
    spec.make = [&]() -> Result<std::unique_ptr<EnvBatch>> {
        auto made = std::make_unique<RecordedBatch>(envs_, spec_.env_spec, std::move(batch));
        recorded = made.get();
        return made;
    };
    SEEDBED_ASSIGN(const auto group, ActorGroup::create(spec));
    Ring& ring = group->ring();
    ring.beginAt(head);
    // As after a resume: the random numbers of the rows that the learner has are not repeated.
    if (head > 0) group->env().skipStreams();
    const WindowLayout layout(spec_.env_spec, spec_.envs, ring.spec(), length_);

    Acting acting;
    OpenWindows open(beginning.round_trip_s, layout.maxOpen());
    std::uint64_t number = 1;
    Bytes window = layout.begin(number, head + 1);
    std::uint64_t first_row = head + 1;
    double made_s = 0;  // time to make the window, without pauses
    ThreadTimes times;
    std::vector<EpisodeEnd> ended;
    while (true) {
        while (link.isReady() || acting.params.empty() || !open.mayBegin()) {
            SEEDBED_ASSIGN(const Bytes message, link.receive(-1, stop));
            if (isControl(message)) return readControl(message);
            if (isOfKind(message, MessageKind::consumed)) {
                SEEDBED_TRY(open.consumed(messageNumber(message)));
            } else {
                SEEDBED_ASSIGN(acting.params, readParams(message, acting.params, net_->plan().param_floats));
            }
        }
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the actor was stopped");
        const double step_s = secondsNow();
        SEEDBED_TRY(group->needsRestart() ? group->restart() : group->step(ended, times));
        ended.clear();
        SEEDBED_TRY(group->act(acting, times));
        const std::uint64_t row = ring.head();
        std::uint8_t* record = window.data() + layout.addRecord(window, row);
        const std::span<std::uint8_t> outcome = layout.outcome(record);
        std::copy(recorded->outcome().begin() + kMessageHeader, recorded->outcome().end(),
                  outcome.begin() + kMessageHeader);
        layout.setVersion(record, acting.params.version());
        layout.copy(layout.acted(ring, row), layout.acted(record, row));
        made_s += secondsNow() - step_s;
        if (row % static_cast<std::uint64_t>(length_) != 0 && made_s < std::min(kFlushS, stall_s_)) continue;
        layout.finish(window, recorded->takeText());
        link.send(std::move(window));
        // A window that begins or ends early does not count as fast.
        open.sent(std::exchange(made_s, 0) * length_ / static_cast<double>(row - first_row + 1));
        first_row = row + 1;
        window = layout.begin(++number, first_row);
    }
}

}  // namespace seedbed
