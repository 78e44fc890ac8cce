// SPDX-License-Identifier: Apache-2.0
// The state of a run (session.bin, windows.bin, run.bin) with arbitrary bytes, in every environment and both
// schedules: refused with an error, or 1,000 steps are played and learned from.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/env/env_registry.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace seedbed;

constexpr std::uint64_t kSteps = 1000;

// The first two bytes of an input. First byte: bit 0 selects the counters (0) or a session (1), bit 1 all
// bytes of a state (0) or changes to a saved one (1), bit 2 the schedule. Second byte: the environment.
struct Choice {
    bool counters, whole, async;
    std::string env;

    Choice(std::uint8_t kind, std::uint8_t number)
        : counters(kind % 2 == 0), whole((kind & 2) == 0), async((kind & 4) != 0) {
        const std::vector<std::string> ids = envRegistry().ids();
        env = ids[number % ids.size()];
    }
};

std::unique_ptr<Session> makeSession(const Choice& choice) {
    const auto config = parseTrainingConfig(
        {{"env", {{"id", choice.env}}},
         {"algo", {{"id", "ppo"}, {"rollout_length", 4}, {"epochs", 1}, {"minibatches", 1}}},
         {"network",
          {{"encoder", "flat"},
           {"hidden", {4}},
           {"core", "lstm"},
           {"core_size", 4},
           {"previous_action", true},
           {"previous_reward", true}}},
         {"actor", {{"num_envs", 2}, {"groups", 2}, {"threads", choice.async ? 1 : 0}}},
         {"run",
          {{"engine", "reference"},
           {"threads", 1},
           {"inference", "inline"},
           {"schedule", choice.async ? "async" : "sync"}}}});
    SEEDBED_CHECK(config.has_value(), config.error().text());
    auto plan = Session::plan(*config);
    SEEDBED_CHECK(plan.has_value(), plan.error().text());
    auto session = Session::create(std::move(*plan));
    SEEDBED_CHECK(session.has_value(), session.error().text());
    return std::move(*session);
}

struct Saved {
    std::vector<std::uint8_t> session, windows;
};

Saved save(const Choice& choice) {
    const auto session = makeSession(choice);
    for (int update = 0; update < 3; ++update) SEEDBED_CHECK(session->iterate().has_value());
    Archive archive = Archive::saving(), windows = Archive::saving();
    SEEDBED_CHECK(session->archive(archive, &windows).has_value());
    return {archive.bytes(), windows.bytes()};
}

const Saved& savedOf(const Choice& choice) {
    static std::map<std::pair<std::string, bool>, Saved> known;
    const auto [found, is_new] = known.try_emplace({choice.env, choice.async});
    if (is_new) found->second = save(choice);
    return found->second;
}

// Each change has three bytes: an offset of two bytes, and the new value of the byte at that offset. Offsets
// below 32,768 are in the state without windows.
void change(Saved& saved, const std::uint8_t* data, std::size_t size) {
    for (std::size_t i = 0; i + 2 < size; i += 3) {
        const std::size_t place = std::size_t{data[i]} << 8 | data[i + 1];
        auto& bytes = place < 0x8000 || saved.windows.empty() ? saved.session : saved.windows;
        bytes[place % 0x8000 % bytes.size()] = data[i + 2];
    }
}

Result<> play(Session& session) {
    std::uint64_t steps = 0;
    while (steps < kSteps) {
        SEEDBED_ASSIGN(const IterationStats stats, session.iterate());
        steps += stats.decisions;
    }
    return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const Choice choice(data[0], data[1]);
    std::vector<std::uint8_t> bytes(data + 2, data + size);
    if (choice.counters) {
        RunCounters memory;
        Archive archive = Archive::loading(std::move(bytes));
        noteOutcome("counters", memory.archive(archive));
        return 0;
    }
    Saved saved = savedOf(choice);
    if (choice.whole) saved.session = std::move(bytes);
    else change(saved, bytes.data(), bytes.size());
    const auto session = makeSession(choice);
    Archive archive = Archive::loading(std::move(saved.session));
    Archive windows = Archive::loading(std::move(saved.windows));
    Result<> result = session->archive(archive, session->hasOpenWindows() ? &windows : nullptr);
    if (result) result = archive.finish();
    if (result && session->hasOpenWindows()) result = windows.finish();
    if (result) result = play(*session);
    noteOutcome(choice.async ? "async" : "sync", result);
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    RunCounters memory;
    for (int i = 0; i < 5; ++i) memory.addReturn(i);
    memory.evaluation_every = 100;
    memory.evaluation = {{1, 2}, {3, 4}};
    memory.versions = {7};
    Archive archive = Archive::saving();
    (void)memory.archive(archive);
    std::vector<std::vector<std::uint8_t>> seeds{archive.bytes()};
    seeds[0].insert(seeds[0].begin(), {0, 0});
    const auto environments = static_cast<std::uint8_t>(envRegistry().ids().size());
    for (std::uint8_t env = 0; env < environments; ++env) {
        const auto async = static_cast<std::uint8_t>(env % 4 == 0 ? 4 : 0);
        seeds.push_back({static_cast<std::uint8_t>(3 + async), env, 0, 200, 255, 1, 9, 200, 0x90, 40, 7});
    }
    const Choice first(1, 0);
    seeds.push_back(savedOf(first).session);
    seeds.back().insert(seeds.back().begin(), {1, 0});
    return seeds;
}
