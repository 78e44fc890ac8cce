// SPDX-License-Identifier: Apache-2.0
// Messages of a fleet: handshakes, requests, rows, windows and parameters. Accepted rows must be checkable,
// and accepted requests must be written again as the same bytes.
#include <cstring>
#include <vector>

#include "core/env/env_registry.hpp"
#include "core/env/untrusted_rows.hpp"
#include "core/fleet/window_messages.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace seedbed {
namespace {

constexpr int kFuzzEnvs = 2;
constexpr std::uint64_t kNumber = 3, kFirstRow = 8;

struct Fixture {
    EnvSpec spec = findEnv("connect_four").value()->spec(Json::object()).value();
    ExchangeLayout layout{spec, kFuzzEnvs};
    std::size_t columns = static_cast<std::size_t>(kFuzzEnvs * spec.agents);
    std::vector<std::vector<std::uint8_t>> arrays;
    std::vector<std::uint8_t*> leaves;
    std::vector<std::uint8_t> mask, flags;
    std::vector<float> rewards, actions;
    std::vector<EnvCommand> commands{EnvCommand::step, EnvCommand::reset};
    std::vector<std::uint64_t> seeds{1, 2};
    Exchange exchange;
    ActionDistribution distribution{spec.spaces, false};
    WindowLayout windows{spec, kFuzzEnvs,
                         RingSpec{.spaces = spec.spaces,
                                  .columns = kFuzzEnvs * spec.agents,
                                  .policy_words = distribution.words(),
                                  .state_words = 2,
                                  .state_every = 2},
                         2};
    Params params{std::vector<float>{1, -2, 0.5F, 3, 4}, 6};

    Fixture() {
        for (const ObsLeaf& leaf : spec.spaces.obs) arrays.emplace_back(columns * leaf.bytes());
        for (auto& array : arrays) leaves.push_back(array.data());
        mask.resize(columns * static_cast<std::size_t>(spec.spaces.maskBytes()));
        flags.resize(columns);
        rewards.resize(columns);
        actions.resize(columns * static_cast<std::size_t>(spec.spaces.actionWords()));
        exchange.leaves = leaves.data();
        exchange.mask = mask.data();
        exchange.flags = flags.data();
        exchange.rewards = rewards.data();
    }
};

Fixture& fixture() {
    static Fixture shared;
    return shared;
}

void readWindow(Fixture& f, Bytes message) {
    const auto window = f.windows.read(message, kNumber, kFirstRow);
    noteOutcome("window", window);
    if (!window) return;
    for (std::size_t i = 0; i < window->records.size(); ++i) {
        std::uint8_t* record = message.data() + window->records[i];
        const std::uint64_t row = kFirstRow + i;
        SEEDBED_CHECK(f.windows.exchange().readRows(f.windows.outcome(record), row, f.exchange).has_value(),
                      "the outcome of a record cannot be read");
        (void)f.windows.problem(f.distribution, f.windows.acted(record, row), f.mask.data(), f.flags.data());
    }
}

void readParameters(const Fixture& f, const Bytes& message) {
    const auto params = readParams(message, f.params, f.params.blob().size());
    noteOutcome("parameters", params);
    if (!params) return;
    const Bytes again = paramsMessage(*params, &f.params);
    SEEDBED_CHECK(readParams(again, f.params, f.params.blob().size())->sha256() == params->sha256(),
                  "parameters change on the way");
}

}  // namespace

std::vector<std::vector<std::uint8_t>> fuzzSeeds() {
    const Fixture& f = fixture();
    Bytes window = f.windows.begin(kNumber, kFirstRow);
    for (const std::uint64_t row : {kFirstRow, kFirstRow + 1}) f.windows.addRecord(window, row);
    f.windows.finish(window, "text");
    const Params next(std::vector<float>{1, -2, 0.25F, 3.5F, 4}, 7);
    return {window,
            paramsMessage(next, nullptr),
            paramsMessage(next, &f.params),
            beginMessage({.head = 4, .round_trip_s = 0.05}),
            f.layout.rows(kNumber),
            f.layout.request(kNumber, f.commands, f.actions.data(), f.seeds),
            controlMessage({{"op", "hello"}, {"protocol", 1}, {"version", "0.2.0"}, {"token", "1.2.3"}}),
            controlMessage({{"op", "bye"}, {"why", "refused"}, {"reason", "none"}})};
}

}  // namespace seedbed

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace seedbed;
    Fixture& f = fixture();
    const Bytes message(data, data + size);
    if (isControl(message)) {
        noteOutcome("control", readControl(message));
        return 0;
    }
    if (isOfKind(message, MessageKind::window)) {
        readWindow(f, message);
        return 0;
    }
    if (isOfKind(message, MessageKind::params)) {
        readParameters(f, message);
        return 0;
    }
    if (isOfKind(message, MessageKind::begin)) {
        noteOutcome("begin", readBegin(message));
        return 0;
    }
    std::vector<EnvCommand> commands(kFuzzEnvs);
    std::vector<float> actions(f.actions.size());
    std::vector<std::uint64_t> seeds(kFuzzEnvs);
    if (const auto number = f.layout.readRequest(message, commands, actions.data(), seeds)) {
        Bytes again = f.layout.request(*number, commands, actions.data(), seeds);
        // Padding is not part of the contents.
        std::memcpy(again.data() + 1, message.data() + 1, 7);
        std::memcpy(again.data() + 16 + kFuzzEnvs, message.data() + 16 + kFuzzEnvs, 8 - kFuzzEnvs);
        SEEDBED_CHECK(again == message, "a request is not written as it was read");
        noteOutcome("request", number);
        return 0;
    }
    const auto rows = f.layout.readRows(message, kNumber, f.exchange);
    noteOutcome("rows", rows);
    if (!rows) return 0;
    const auto agents = static_cast<std::size_t>(f.spec.agents);
    if (!flagsProblem(f.commands, f.flags, agents).empty()) return 0;
    for (std::size_t env = 0; env < kFuzzEnvs; ++env) (void)columnsProblem(f.spec, f.exchange, env);
    return 0;
}
