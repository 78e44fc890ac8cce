// SPDX-License-Identifier: Apache-2.0
// The state of a run (session.bin, run.bin) with bytes of somebody else: refused, or taken without harm; a
// session that refused them can load again.
#include <cstdint>
#include <memory>

#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace seedbed;

std::unique_ptr<Session> makeSession() {
    const auto config = parseTrainingConfig(
        {{"env", {{"id", "catch"}}},
         {"algo", {{"id", "ppo"}, {"rollout_length", 4}, {"epochs", 1}, {"minibatches", 1}}},
         {"network", {{"hidden", {4}}, {"core", "lstm"}, {"core_size", 4}}},
         {"actor", {{"num_envs", 2}, {"groups", 1}}},
         {"run", {{"engine", "reference"}, {"threads", 1}}}});
    SEEDBED_CHECK(config.has_value(), config.error().text());
    auto plan = Session::plan(*config);
    SEEDBED_CHECK(plan.has_value(), plan.error().text());
    auto session = Session::create(std::move(*plan));
    SEEDBED_CHECK(session.has_value(), session.error().text());
    return std::move(*session);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static std::unique_ptr<Session> session;
    static const std::vector<std::uint8_t> good = [] {
        session = makeSession();
        (void)session->iterate();
        Archive archive = Archive::saving();
        SEEDBED_CHECK(session->archive(archive).has_value());
        return archive.bytes();
    }();
    std::vector<std::uint8_t> bytes(data + 1, data + size);
    if (data[0] % 2 == 0) {
        RunCounters memory;
        Archive archive = Archive::loading(std::move(bytes));
        (void)memory.archive(archive);
        return 0;
    }
    // The input is laid over what is right, so that it reaches what comes after the first numbers: pairs of
    // place and value.
    std::vector<std::uint8_t> patched = good;
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3)
        patched[(std::size_t{bytes[i]} << 8 | bytes[i + 1]) % patched.size()] = bytes[i + 2];
    if (data[0] % 4 == 1) patched = std::move(bytes);
    Archive archive = Archive::loading(std::move(patched));
    (void)session->archive(archive);
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    RunCounters memory;
    for (int i = 0; i < 5; ++i) memory.addReturn(i);
    memory.evaluation = {{1, 2}, {3, 4}};
    memory.versions = {7};
    Archive archive = Archive::saving();
    (void)memory.archive(archive);
    std::vector<std::vector<std::uint8_t>> seeds{archive.bytes(), {3, 0, 1, 255, 0, 9, 200}, {3, 2, 0, 1}};
    seeds[0].insert(seeds[0].begin(), 0);
    const auto session = makeSession();
    (void)session->iterate();
    Archive whole = Archive::saving();
    (void)session->archive(whole);
    seeds.push_back(whole.bytes());
    seeds.back().insert(seeds.back().begin(), 1);
    return seeds;
}
