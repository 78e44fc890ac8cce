// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/fleet/fleet_rig.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/sha256.hpp"
#include "core/base/version.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed::test {

using namespace column_flag;

ActorThread::ActorThread(ActorCredentials credentials, std::string name, double give_up_s) {
    thread_ = std::thread(
        [this, own = ActorOptions{
                   .credentials = std::move(credentials), .name = std::move(name), .give_up_s = give_up_s}] {
            result_ = runActor(own, **loadLinkTransport(), stop_.get_token());
        });
}

void ActorThread::stop() {
    stop_.request_stop();
    if (thread_.joinable()) thread_.join();
}

Result<> ActorThread::result() {
    if (thread_.joinable()) thread_.join();
    return result_;
}

Columns::Columns(std::unique_ptr<EnvBatch> batch, std::uint64_t seed) : batch_(std::move(batch)) {
    const EnvSpec& spec = batch_->spec();
    const auto envs = static_cast<std::size_t>(batch_->count());
    const std::size_t columns = envs * static_cast<std::size_t>(spec.agents);
    for (std::size_t env = 0; env < envs; ++env)
        rngs_.emplace_back(seed, RngPurpose::environment, static_cast<std::uint32_t>(env));
    commands_.assign(envs, EnvCommand::reset);
    actions_.resize(columns * static_cast<std::size_t>(spec.spaces.actionWords()));
    rewards_.resize(columns);
    flags_.resize(columns);
    for (const ObsLeaf& leaf : spec.spaces.obs) leaves_.emplace_back(columns * leaf.bytes());
    mask_.resize(columns * static_cast<std::size_t>(spec.spaces.maskBytes()));
}

void Columns::step() {
    for (std::size_t i = 0; i < actions_.size(); ++i) actions_[i] = static_cast<float>((row_ / 3 + i) % 2);
    ++row_;
    std::vector<std::uint8_t*> leaves;
    for (auto& leaf : leaves_) leaves.push_back(leaf.data());
    const Exchange exchange{.actions = actions_.data(),
                            .commands = commands_.data(),
                            .rngs = rngs_.data(),
                            .leaves = leaves.data(),
                            .mask = batch_->spec().spaces.has_mask ? mask_.data() : nullptr,
                            .rewards = rewards_.data(),
                            .flags = flags_.data()};
    ASSERT_TRUE(batch_->begin(exchange).has_value());
    const Result<> done = batch_->await();
    ASSERT_TRUE(done.has_value()) << done.error().text();
    const auto agents = static_cast<std::size_t>(batch_->spec().agents);
    for (std::size_t env = 0; env < commands_.size(); ++env) {
        const std::uint8_t flag = flags_[env * agents];
        if (commands_[env] == EnvCommand::step && (flag & failed) == 0) counted_ += agents;
        const bool waits =
            (flag & failed) != 0 || ((flag & (terminated | truncated)) != 0 && (flag & first) == 0);
        commands_[env] = waits ? EnvCommand::reset : EnvCommand::step;
    }
    for (const auto& leaf : leaves_) seen_.append(leaf.begin(), leaf.end());
    seen_.append(reinterpret_cast<const char*>(rewards_.data()), rewards_.size() * sizeof(float));
    seen_.append(flags_.begin(), flags_.end());
}

bool Columns::anyFailed() const {
    return std::ranges::any_of(flags_, [](std::uint8_t flag) { return (flag & failed) != 0; });
}

void Columns::stepUntilGood() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    do step();
    while (anyFailed() && std::chrono::steady_clock::now() < until && !::testing::Test::HasFatalFailure());
    EXPECT_FALSE(anyFailed());
}

std::string Columns::takeHash() { return sha256Hex(std::exchange(seen_, {})); }

FleetRig::FleetRig(int groups, int envs, const std::string& env, double stall_s)
    : groups_(groups), envs_(envs), env_(env), stall_s_(stall_s) {
    listen();
}

void FleetRig::listen() {
    server_.reset();
    server_ = std::make_unique<FleetServer>(files_, folder_.path());
    specs_.clear();
    const EnvEntry* entry = findEnv(env_).value();
    for (int g = 0; g < groups_; ++g)
        specs_.push_back({.env = entry,
                          .env_params = Json::object(),
                          .env_spec = entry->spec(Json::object()).value(),
                          .envs = envs_,
                          .first_env = g * envs_});
    // The port of the previous listener may need a moment to become free.
    Result<> listening;
    for (int attempt = 0; attempt < 100; ++attempt) {
        listening = server_->provide(specs_, {.address = address_, .stall_s = stall_s_});
        if (listening) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ASSERT_TRUE(listening.has_value()) << listening.error().text();
    address_ = "127.0.0.1:" + std::to_string(server_->port());
    server_->admit(kRun);
}

Columns FleetRig::columns(int group, std::uint64_t seed) {
    return {specs_[static_cast<std::size_t>(group)].make().value(), seed};
}

ActorCredentials FleetRig::credentials(std::int64_t run, std::int64_t valid_s, std::int64_t issued_s) const {
    RealFileSystem files;
    return FleetAuthority::open(files, folder_.path())
        .value()
        .actor(run, address_, issued_s, valid_s)
        .value();
}

std::unique_ptr<Link> FleetRig::connect(const ActorCredentials& credentials) const {
    return (*loadLinkTransport())
        ->connect(credentials.address, credentials.identity, std::size_t{1} << 24, 30, {})
        .value();
}

std::unique_ptr<Link> FleetRig::join() const {
    const ActorCredentials known = credentials();
    std::unique_ptr<Link> link = connect(known);
    link->send(controlMessage(helloOf(known)));
    EXPECT_EQ(control(*link).at("op"), "welcome");
    link->send(controlMessage({{"op", "ready"}, {"spec", specHash(spec())}}));
    return link;
}

Json control(Link& link) {
    const auto message = link.receive(60, {});
    if (!message) {
        ADD_FAILURE() << message.error().text();
        return {{"op", ""}, {"reason", ""}};
    }
    const auto json = readControl(*message);
    if (json) return *json;
    ADD_FAILURE() << json.error().text();
    return {{"op", ""}, {"reason", ""}};
}

Json helloOf(const ActorCredentials& credentials) {
    return {{"op", "hello"},
            {"protocol", kFleetProtocol},
            {"version", kVersion},
            {"token", credentials.token},
            {"clock_s", std::time(nullptr)},
            {"name", "scripted"}};
}

}  // namespace seedbed::test
