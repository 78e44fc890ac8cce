// SPDX-License-Identifier: Apache-2.0
// The state of a run (session.bin, windows.bin, run.bin) with arbitrary bytes: refused with an error, or
// 1,000 decisions are played and, in sessions, learned from. Environments are tested without a network, which
// would take nearly all of the time; sessions of every kind are tested in small environments.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/env/env_registry.hpp"
#include "core/env/random_policy.hpp"
#include "core/env/vector_env.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/session/state_kinds.hpp"

namespace {

using namespace seedbed;
using Bytes = std::vector<std::uint8_t>;

// The first two bytes of an input. First byte: what is loaded; second byte: which environment or session. The
// remaining bytes are the state, or for `changes` the changes to a saved state.
enum class Part : std::uint8_t { counters, environment, session, changes };
constexpr std::uint8_t kParts = 4;

constexpr std::uint64_t kDecisions = 1000;

// --- environments ---

struct Played {
    std::unique_ptr<Ring> ring;
    std::unique_ptr<VectorEnv> envs;

    explicit Played(const std::string& id) {
        const EnvEntry& entry = *envRegistry().find(id);
        auto batch = entry.make(Json::object(), 2);
        SEEDBED_CHECK(batch.has_value(), batch.error().text());
        RingSpec spec{.spaces = (*batch)->spec().spaces, .columns = 2 * (*batch)->spec().agents, .rows = 0};
        spec.rows = spec.history() + 2;
        auto created = Ring::create(spec);
        SEEDBED_CHECK(created.has_value(), created.error().text());
        ring = std::move(*created);
        const int horizon = (*batch)->spec().horizon;
        envs = std::make_unique<VectorEnv>(std::move(*batch), *ring,
                                           VectorEnvOptions{.seed = 1, .horizon = horizon});
        SEEDBED_CHECK(envs->reset().has_value());
    }
    Result<> step(std::uint64_t decisions) {
        Rng rng(1, RngPurpose::action);
        std::vector<EpisodeEnd> ended;
        const Spaces& spaces = envs->spec().spaces;
        for (std::uint64_t done = 0; done < decisions; done += static_cast<std::uint64_t>(ring->columns())) {
            const std::uint64_t t = ring->head();
            randomActions(spaces, ring->columns(), spaces.has_mask ? ring->mask(t) : nullptr, rng,
                          ring->action(t));
            ended.clear();
            SEEDBED_TRY(envs->step(ended));
        }
        return {};
    }
};

const std::string& environment(std::uint8_t number) {
    static const std::vector<std::string> ids = envRegistry().ids();
    return ids[number % ids.size()];
}

Result<> playEnvironment(const std::string& id, Bytes state) {
    Played played(id);
    Archive archive = Archive::loading(std::move(state));
    SEEDBED_TRY(played.envs->archive(archive));
    SEEDBED_TRY(archive.finish());
    return played.step(kDecisions);
}

Bytes savedEnvironment(const std::string& id) {
    Played played(id);
    SEEDBED_CHECK(played.step(20).has_value());
    Archive archive = Archive::saving();
    SEEDBED_CHECK(played.envs->archive(archive).has_value());
    return archive.bytes();
}

// --- sessions ---

using Kind = test::StateKind;

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = test::stateKinds();
    return all;
}

const Kind& kindOf(std::uint8_t number) { return kinds()[number % kinds().size()]; }

std::unique_ptr<Session> makeSession(const Kind& kind) {
    Json document{
        {"env", {{"id", "two_state"}}},
        {"algo", {{"id", "ppo"}, {"rollout_length", 4}, {"epochs", 1}, {"minibatches", 1}}},
        {"network", {{"encoder", "flat"}, {"hidden", {2}}}},
        {"actor", {{"num_envs", 2}, {"groups", 2}}},
        {"run", {{"engine", "reference"}, {"threads", 1}, {"inference", "inline"}, {"schedule", "sync"}}}};
    document.merge_patch(kind.changes);
    const auto config = parseTrainingConfig(document);
    SEEDBED_CHECK(config.has_value(), config.error().text());
    auto plan = Session::plan(*config);
    SEEDBED_CHECK(plan.has_value(), plan.error().text());
    auto session = Session::create(std::move(*plan));
    SEEDBED_CHECK(session.has_value(), session.error().text());
    return std::move(*session);
}

struct Saved {
    Bytes session, windows;
};

const Saved& savedSession(const Kind& kind) {
    static std::vector<Saved> known(kinds().size());
    Saved& saved = known[static_cast<std::size_t>(&kind - kinds().data())];
    if (!saved.session.empty()) return saved;
    const auto session = makeSession(kind);
    for (int update = 0; update < 6; ++update) SEEDBED_CHECK(session->iterate().has_value());
    Archive archive = Archive::saving(), windows = Archive::saving();
    SEEDBED_CHECK(session->archive(archive, &windows).has_value());
    saved = {archive.bytes(), windows.bytes()};
    return saved;
}

// Each change has three bytes: an offset of two bytes, and the new value of the byte at that offset. Offsets
// below 32,768 are in the state without windows.
Saved changed(Saved saved, const Bytes& changes) {
    for (std::size_t i = 0; i + 2 < changes.size(); i += 3) {
        const std::size_t place = std::size_t{changes[i]} << 8 | changes[i + 1];
        Bytes& bytes = place < 0x8000 || saved.windows.empty() ? saved.session : saved.windows;
        bytes[place % 0x8000 % bytes.size()] = changes[i + 2];
    }
    return saved;
}

Result<> playSession(const Kind& kind, Saved saved) {
    const auto session = makeSession(kind);
    Archive archive = Archive::loading(std::move(saved.session));
    Archive windows = Archive::loading(std::move(saved.windows));
    SEEDBED_TRY(session->archive(archive, session->hasOpenWindows() ? &windows : nullptr));
    SEEDBED_TRY(archive.finish());
    if (session->hasOpenWindows()) SEEDBED_TRY(windows.finish());
    for (std::uint64_t decisions = 0; decisions < kDecisions;) {
        SEEDBED_ASSIGN(const IterationStats stats, session->iterate());
        decisions += stats.decisions;
    }
    return {};
}

Bytes input(Part part, std::size_t number, const Bytes& bytes) {
    Bytes all{static_cast<std::uint8_t>(part), static_cast<std::uint8_t>(number)};
    all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const auto part = static_cast<Part>(data[0] % kParts);
    Bytes bytes(data + 2, data + size);
    if (part == Part::counters) {
        RunCounters memory;
        Archive archive = Archive::loading(std::move(bytes));
        noteOutcome("counters", memory.archive(archive));
    } else if (part == Part::environment) {
        const std::string& id = environment(data[1]);
        noteOutcome(id.c_str(), playEnvironment(id, std::move(bytes)));
    } else {
        const Kind& kind = kindOf(data[1]);
        const Saved& saved = savedSession(kind);
        noteOutcome(kind.name.c_str(),
                    playSession(kind, part == Part::session ? Saved{std::move(bytes), saved.windows}
                                                            : changed(saved, bytes)));
    }
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
    std::vector<Bytes> seeds{input(Part::counters, 0, archive.bytes())};
    const std::size_t environments = envRegistry().ids().size();
    for (std::size_t i = 0; i < environments; ++i)
        seeds.push_back(
            input(Part::environment, i, savedEnvironment(environment(static_cast<std::uint8_t>(i)))));
    for (std::size_t i = 0; i < kinds().size(); ++i) {
        seeds.push_back(input(Part::session, i, savedSession(kinds()[i]).session));
        seeds.push_back(input(Part::changes, i, {0, 200, 255, 1, 9, 200, 0x90, 40, 7}));
    }
    return seeds;
}
