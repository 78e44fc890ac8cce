// SPDX-License-Identifier: Apache-2.0
// A learner's group whose actors choose the actions, without a session, and a connection without another
// side: for tests of windows.
#pragma once

#include <cmath>
#include <cstring>
#include <ctime>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/fleet/link_speed.hpp"
#include "core/fleet/window_actor.hpp"
#include "core/fleet/window_receiver.hpp"
#include "core/session/acting_params.hpp"
#include "core/session/session.hpp"
#include "tests/unit/fleet/fleet_rig.hpp"

namespace seedbed::test {

inline constexpr int kLength = 5;

// A group of a learner, without a session.
class WindowRig {
public:
    explicit WindowRig(const Json& changes = Json::object()) : server_(files_, folder_.path()) {
        Json document{{"env", {{"id", "cartpole"}}},
                      {"actor", {{"num_envs", 3}, {"groups", 1}, {"fleet", "x"}, {"fleet_form", "windows"}}},
                      {"run", {{"schedule", "async"}, {"engine", "native"}, {"threads", 1}}},
                      {"algo", {{"id", "vtrace"}, {"rollout_length", kLength}}}};
        document.merge_patch(changes);
        const SessionPlan plan = Session::plan(parseTrainingConfig(document).value()).value();
        net_plan_ = buildPlan(plan.net).value();
        net_ = compileNet("native", net_plan_, {}).value();
        specs_ = plan.groupSpecs(net_.get());
        publish(1);
    }
    void publish(std::uint64_t version) {
        const Params initial = initialParams(net_plan_, version);
        params_ = Params(std::vector<float>(initial.blob().begin(), initial.blob().end()), version);
        acting_.publish(params_);
    }
    void listen() {
        ASSERT_TRUE(server_.provide(specs_, {.address = "127.0.0.1:0", .stall_s = 60, .form = "windows"}));
        server_.admit(kRun);
        group_ = ActorGroup::create(specs_.front()).value();
        group_->follow(acting_);
    }
    std::unique_ptr<ActorGroup> local() const {
        GroupSpec spec = specs_.front();
        spec.make = [spec] { return spec.env->make(spec.env_params, spec.envs); };
        return ActorGroup::create(spec).value();
    }
    // The next row, with its actions.
    void advance(ActorGroup& group) {
        const Result<> done = group.needsRestart() ? group.restart() : group.step(ended_, times_);
        ASSERT_TRUE(done.has_value()) << done.error().text();
        if (group.span().acted()) return;  // by the actor
        ASSERT_TRUE(group.act({.params = params_}, times_).has_value());
    }
    ActorCredentials credentials() const {
        RealFileSystem files;
        return FleetAuthority::open(files, folder_.path())
            ->actor(kRun, "127.0.0.1:" + std::to_string(server_.port()), std::time(nullptr), 3600)
            .value();
    }
    // A scripted actor until it has received its parameters.
    std::unique_ptr<Link> join() const {
        const ActorCredentials known = credentials();
        auto link = (*loadLinkTransport())->connect(known.address, known.identity, 1 << 26, 30, {}).value();
        link->send(controlMessage(helloOf(known)));
        EXPECT_TRUE(control(*link).contains("windows"));
        link->send(controlMessage({{"op", "ready"}, {"spec", specHash(specs_.front().env_spec)}}));
        while (true) {
            const Bytes message = link->receive(60, {}).value();
            if (!isControl(message)) break;
            link->send(pongOf(readControl(message).value()));
        }
        return link;
    }
    WindowLayout layout() const {
        const GroupSpec& spec = specs_.front();
        return {spec.env_spec, spec.envs, ActorGroup::ringSpec(spec, spec.env_spec, net_plan_.state_words),
                kLength};
    }
    // A window with one row at the beginning of all episodes.
    Bytes window(std::uint64_t number, std::uint64_t row, std::uint64_t version, bool first = true) const {
        const WindowLayout layout = this->layout();
        Bytes message = layout.begin(number, row);
        std::uint8_t* record = message.data() + layout.addRecord(message, row);
        layout.setVersion(record, version);
        const auto columns = static_cast<std::size_t>(3 * specs_.front().env_spec.agents);
        std::fill_n(layout.acted(record, row).log_prob, columns, std::log(0.5F));
        const Exchange out = outcome(record);
        std::memset(out.flags, first ? column_flag::first : 0, columns);
        const auto mask_bytes = static_cast<std::size_t>(specs_.front().env_spec.spaces.maskBytes());
        if (out.mask != nullptr) std::memset(out.mask, 1, columns * mask_bytes);
        return message;
    }
    // The arrays of a record, without observations.
    Exchange outcome(std::uint8_t* record) const {
        std::vector<std::uint8_t*> leaves;
        Exchange out;
        const WindowLayout layout = this->layout();
        layout.exchange().place(layout.outcome(record), leaves, out);
        return out;
    }
    const GroupSpec& spec() const { return specs_.front(); }
    const NetPlan& plan() const { return net_plan_; }
    std::unique_ptr<WindowActor> actor() const {
        const Json windows{
            {"network", toJson(net_plan_.spec)}, {"length", kLength}, {"seed", 1}, {"stall_s", 60}};
        const GroupSpec& spec = specs_.front();
        return WindowActor::create({{"windows", windows}}, {spec.env, spec.env_params, 0, spec.envs},
                                   spec.env_spec)
            .value();
    }
    ActorGroup& group() { return *group_; }
    const ActingParams& acting() const { return acting_; }
    FleetServer& server() { return server_; }
    const Params& params() const { return params_; }
    std::size_t floats() const { return net_plan_.param_floats; }

private:
    testing::TemporaryFolder folder_;
    RealFileSystem files_;
    FleetServer server_;
    NetPlan net_plan_;
    std::unique_ptr<EngineNet> net_;
    std::vector<GroupSpec> specs_;
    ActingParams acting_{0};
    Params params_;
    std::unique_ptr<ActorGroup> group_;
    std::vector<EpisodeEnd> ended_;
    ThreadTimes times_;
};

// A connection without another side.
class QueueLink : public Link {
public:
    void send(Bytes message) override { out.push_back(std::move(message)); }
    std::size_t unsent() override { return waiting; }
    void cut() override { is_cut = true; }
    bool isReady() override { return !in.empty(); }
    Result<Bytes> receive(double, const std::stop_token& stop) override {
        can_stop = can_stop && stop.stop_possible();
        if (in.empty()) return fail("the connection was lost");
        Bytes message = std::move(in.front());
        in.pop_front();
        return message;
    }
    std::deque<Bytes> in, out;
    std::size_t waiting = 0;
    bool is_cut = false;
    bool can_stop = true;  // a stop request would have ended all calls of receive()
};

}  // namespace seedbed::test
