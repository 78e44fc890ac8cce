// SPDX-License-Identifier: Apache-2.0
// The learner's cost per decision of environments on other machines, and that of plain messages of the same
// sizes over the same transport. fleet_bench.py starts it.
//   bench_fleet rows FOLDER ENV COUNT SECONDS    waits for one actor; prints JSON
//   bench_fleet raw FOLDER ENV COUNT SECONDS     waits for one echo; prints JSON
//   bench_fleet echo CREDENTIALS BYTES           answers each message with one of BYTES bytes
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/mutex.hpp"
#include "core/env/env_registry.hpp"
#include "core/fleet/fleet_server.hpp"
#include "core/fleet/messages.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;

// CPU seconds of all threads of this process.
double cpuSeconds() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

// Repeats `exchange` for `seconds` and prints the times per decision and per exchange.
Result<> measure(const std::string& name, int count, double seconds,
                 const std::function<Result<>()>& exchange) {
    for (int i = 0; i < 200; ++i) SEEDBED_TRY(exchange());
    const auto begin = Clock::now();
    const double cpu = cpuSeconds();
    std::int64_t exchanges = 0;
    double wall = 0;
    while (wall < seconds) {
        for (int i = 0; i < 20; ++i) SEEDBED_TRY(exchange());
        exchanges += 20;
        wall = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    const double used = cpuSeconds() - cpu;
    const auto decisions = static_cast<double>(exchanges * count);
    const Json result{{"case", name},
                      {"environments", count},
                      {"cpu_us_per_decision", used * 1e6 / decisions},
                      {"cpu_us_per_exchange", used * 1e6 / static_cast<double>(exchanges)},
                      {"wall_us_per_exchange", wall * 1e6 / static_cast<double>(exchanges)},
                      {"decisions_per_s", decisions / wall}};
    std::printf("%s\n", result.dump().c_str());
    return {};
}

Result<> writeCredentials(FileSystem& files, const std::filesystem::path& folder, int port) {
    SEEDBED_ASSIGN(const FleetAuthority authority, FleetAuthority::open(files, folder));
    SEEDBED_ASSIGN(const ActorCredentials credentials,
                   authority.actor(1, "127.0.0.1:" + std::to_string(port), std::time(nullptr), 3600));
    return writeFileAtomically(files, folder / "actor.json", credentials.json());
}

Result<> rows(const std::filesystem::path& folder, const std::string& env, int count, double seconds) {
    RealFileSystem files;
    FleetServer server(files, folder);
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(env));
    SEEDBED_ASSIGN(EnvSpec spec, entry->spec(Json::object()));
    std::vector<GroupSpec> specs(1);
    specs[0].env = entry;
    specs[0].env_params = Json::object();
    specs[0].env_spec = spec;
    specs[0].envs = count;
    SEEDBED_TRY(server.provide(specs, {.address = "127.0.0.1:0", .stall_s = 60}));
    server.admit(1);
    SEEDBED_TRY(writeCredentials(files, folder, server.port()));
    SEEDBED_ASSIGN(const auto batch, specs[0].make());
    const std::size_t columns = static_cast<std::size_t>(count) * static_cast<std::size_t>(spec.agents);
    std::vector<std::vector<std::uint8_t>> arrays;
    std::vector<std::uint8_t*> leaves;
    for (const ObsLeaf& leaf : spec.spaces.obs) arrays.emplace_back(columns * leaf.bytes());
    for (auto& array : arrays) leaves.push_back(array.data());
    std::vector<float> actions(columns * static_cast<std::size_t>(spec.spaces.actionWords())),
        rewards(columns);
    std::vector<std::uint8_t> flags(columns);
    std::vector<EnvCommand> commands(static_cast<std::size_t>(count), EnvCommand::reset);
    std::vector<Rng> rngs(static_cast<std::size_t>(count));
    const auto exchange = [&]() -> Result<> {
        SEEDBED_TRY(batch->begin({.actions = actions.data(),
                                  .commands = commands.data(),
                                  .rngs = rngs.data(),
                                  .leaves = leaves.data(),
                                  .rewards = rewards.data(),
                                  .flags = flags.data()}));
        SEEDBED_TRY(batch->await());
        if ((flags[0] & column_flag::failed) != 0) return fail("the actor failed");
        commands.assign(commands.size(), EnvCommand::step);
        return {};
    };
    SEEDBED_TRY(measure("rows", count, seconds, exchange));
    server.end(true);
    return {};
}

Result<> raw(const std::filesystem::path& folder, const std::string& env, int count, double seconds) {
    RealFileSystem files;
    SEEDBED_ASSIGN(LinkTransport * transport, loadLinkTransport());
    SEEDBED_ASSIGN(const FleetAuthority authority, FleetAuthority::open(files, folder));
    SEEDBED_ASSIGN(const LinkIdentity identity, authority.learner(std::time(nullptr)));
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(env));
    SEEDBED_ASSIGN(const EnvSpec spec, entry->spec(Json::object()));
    Mutex mutex;
    ConditionVariable changed;
    std::unique_ptr<Link> link;
    SEEDBED_ASSIGN(const auto listener,
                   transport->listen("127.0.0.1:0", identity, std::size_t{1} << 28, [&](auto arrived) {
                       const MutexLock lock(mutex);
                       link = std::move(arrived);
                       changed.notifyAll();
                   }));
    SEEDBED_TRY(writeCredentials(files, folder, listener->port()));
    {
        MutexLock lock(mutex);
        changed.wait(lock, [&] { return link != nullptr; });
    }
    const ExchangeLayout layout(spec, count);
    const std::vector<EnvCommand> commands(static_cast<std::size_t>(count), EnvCommand::step);
    const std::vector<std::uint64_t> seeds(commands.size());
    const std::vector<float> actions(commands.size() * static_cast<std::size_t>(spec.agents) *
                                     static_cast<std::size_t>(spec.spaces.actionWords()));
    const std::size_t bytes = layout.request(0, commands, actions.data(), seeds).size();
    const auto exchange = [&]() -> Result<> {
        link->send(Bytes(bytes));
        SEEDBED_ASSIGN([[maybe_unused]] const Bytes answer, link->receive(60, {}));
        return {};
    };
    SEEDBED_TRY(measure("raw", count, seconds, exchange));
    link.reset();
    return {};
}

Result<> echo(const std::string& file, std::size_t bytes) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const std::string text, readFile(files, file));
    SEEDBED_ASSIGN(const ActorCredentials credentials, ActorCredentials::parse(text));
    SEEDBED_ASSIGN(LinkTransport * transport, loadLinkTransport());
    SEEDBED_ASSIGN(const auto link, transport->connect(credentials.address, credentials.identity,
                                                       std::size_t{1} << 28, 30, {}));
    while (link->receive(-1, {})) link->send(Bytes(bytes));
    return {};
}

Result<> run(const std::vector<std::string>& words) {
    if (words.size() == 3 && words[0] == "echo")
        return echo(words[1], static_cast<std::size_t>(std::atoll(words[2].c_str())));
    if (words.size() != 5) return fail("see the first lines of tests/bench/fleet/fleet.cpp");
    const auto part = words[0] == "raw" ? raw : rows;
    return part(words[1], words[2], std::atoi(words[3].c_str()), std::atof(words[4].c_str()));
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) {
    const auto result = seedbed::run({argv + 1, argv + argc});
    if (!result) std::fprintf(stderr, "%s\n", result.error().text().c_str());
    return result ? 0 : 1;
}
