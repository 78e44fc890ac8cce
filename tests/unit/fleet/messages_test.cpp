// SPDX-License-Identifier: Apache-2.0
// Messages of fleets: what is written is read, and other bytes are rejected.
#include "core/fleet/messages.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

constexpr int kEnvs = 3;

// The arrays of an exchange, filled with `value`.
struct Arrays {
    Arrays(const EnvSpec& spec, std::uint8_t value) {
        const auto columns = static_cast<std::size_t>(kEnvs * spec.agents);
        for (const ObsLeaf& leaf : spec.spaces.obs) {
            leaves.emplace_back(columns * leaf.bytes(), value);
            pointers.push_back(leaves.back().data());
        }
        mask.assign(columns * static_cast<std::size_t>(spec.spaces.maskBytes()), value);
        flags.assign(columns, value);
        rewards.assign(columns, value);
        exchange.leaves = pointers.data();
        exchange.mask = spec.spaces.has_mask ? mask.data() : nullptr;
        exchange.flags = flags.data();
        exchange.rewards = rewards.data();
    }
    std::vector<std::vector<std::uint8_t>> leaves;
    std::vector<std::uint8_t*> pointers;
    std::vector<std::uint8_t> mask, flags;
    std::vector<float> rewards;
    Exchange exchange;
};

class FleetMessages : public ::testing::TestWithParam<const char*> {
protected:
    EnvSpec spec_ = findEnv(GetParam()).value()->spec(Json::object()).value();
    ExchangeLayout layout_{spec_, kEnvs};
    std::size_t words_ = static_cast<std::size_t>(kEnvs * spec_.agents * spec_.spaces.actionWords());

    // A message with rows whose bytes count up.
    Bytes rows() const {
        Bytes message = layout_.rows(41);
        for (std::size_t i = 16; i < message.size(); ++i) message[i] = static_cast<std::uint8_t>(i);
        return message;
    }
};

TEST_P(FleetMessages, RequestsArriveAsTheyWereSent) {
    const std::vector<EnvCommand> commands{EnvCommand::reset, EnvCommand::step, EnvCommand::reset};
    std::vector<float> actions(words_);
    for (std::size_t i = 0; i < words_; ++i) actions[i] = 0.5F * static_cast<float>(i);
    const std::vector<std::uint64_t> seeds{~std::uint64_t{0}, 5, 17};
    const Bytes message = layout_.request(9, commands, actions.data(), seeds);
    std::vector<EnvCommand> read_commands(kEnvs);
    std::vector<float> read_actions(words_);
    std::vector<std::uint64_t> read_seeds(kEnvs, 1);
    const auto sequence = layout_.readRequest(message, read_commands, read_actions.data(), read_seeds);
    ASSERT_TRUE(sequence.has_value()) << sequence.error().text();
    EXPECT_EQ(*sequence, 9U);
    EXPECT_EQ(read_commands, commands);
    EXPECT_EQ(read_actions, actions);
    EXPECT_EQ(read_seeds, (std::vector<std::uint64_t>{~std::uint64_t{0}, 1, 17}));  // 1: no seed was sent
}

TEST_P(FleetMessages, RowsAreWrittenInPlaceAndReadWithTheirText) {
    Bytes message = layout_.rows(41);
    std::vector<std::uint8_t*> leaves;
    Exchange out;
    layout_.place(message, leaves, out);
    for (std::size_t l = 0; l < leaves.size(); ++l)
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(leaves[l]) % alignof(float), 0U);
    const auto columns = static_cast<std::size_t>(kEnvs * spec_.agents);
    for (std::size_t l = 0; l < leaves.size(); ++l)
        std::memset(leaves[l], static_cast<int>(10 + l), columns * spec_.spaces.obs[l].bytes());
    ASSERT_EQ(out.mask != nullptr, spec_.spaces.has_mask);
    if (out.mask != nullptr)
        std::memset(out.mask, 1, columns * static_cast<std::size_t>(spec_.spaces.maskBytes()));
    std::fill_n(out.rewards, columns, 2.5F);
    std::fill_n(out.flags, columns, std::uint8_t{4});
    message.insert(message.end(), {'h', 'i'});
    Arrays in(spec_, 0);
    const auto text = layout_.readRows(message, 41, in.exchange);
    ASSERT_TRUE(text.has_value()) << text.error().text();
    EXPECT_EQ(*text, "hi");
    for (std::size_t l = 0; l < leaves.size(); ++l)
        EXPECT_TRUE(std::ranges::all_of(in.leaves[l], [&](std::uint8_t v) { return v == 10 + l; }));
    EXPECT_TRUE(std::ranges::all_of(in.rewards, [](float v) { return v == 2.5F; }));
    EXPECT_TRUE(std::ranges::all_of(in.flags, [](std::uint8_t v) { return v == 4; }));
    EXPECT_TRUE(std::ranges::all_of(in.mask, [](std::uint8_t v) { return v == 1; }));
}

TEST_P(FleetMessages, OtherLengthsKindsAndNumbersAreRejected) {
    Arrays in(spec_, 0);
    const Bytes message = rows();
    for (std::size_t size = 0; size < message.size(); ++size)
        EXPECT_FALSE(layout_.readRows(
            Bytes(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size)), 41, in.exchange));
    Bytes longer = message;
    longer.resize(layout_.maxBytes() + 1);
    EXPECT_FALSE(layout_.readRows(longer, 41, in.exchange));
    EXPECT_FALSE(layout_.readRows(message, 42, in.exchange));
    Bytes other = message;
    for (const int kind : {0, 1, 3, 255}) {
        other[0] = static_cast<std::uint8_t>(kind);
        EXPECT_FALSE(layout_.readRows(other, 41, in.exchange)) << kind;
    }
    std::vector<EnvCommand> commands(kEnvs, EnvCommand::reset);
    std::vector<float> actions(words_);
    std::vector<std::uint64_t> seeds(kEnvs);
    const Bytes request = layout_.request(9, commands, actions.data(), seeds);
    for (std::size_t size = 0; size < request.size(); ++size)
        EXPECT_FALSE(
            layout_.readRequest(Bytes(request.begin(), request.begin() + static_cast<std::ptrdiff_t>(size)),
                                commands, actions.data(), seeds));
    Bytes unknown = request;
    unknown[16] = 3;
    EXPECT_FALSE(layout_.readRequest(unknown, commands, actions.data(), seeds));
}

// Random bytes in every position: nothing is read or written outside of the arrays (sanitizers check this).
TEST_P(FleetMessages, DamagedBytesAreHandled) {
    Arrays in(spec_, 0);
    std::vector<EnvCommand> commands(kEnvs, EnvCommand::reset);
    std::vector<float> actions(words_);
    std::vector<std::uint64_t> seeds(kEnvs);
    const Bytes good[] = {rows(), layout_.request(9, commands, actions.data(), seeds),
                          controlMessage({{"op", "hello"}, {"token", "1.2.3"}})};
    Rng rng(1, RngPurpose::test);
    int accepted = 0;
    for (int i = 0; i < 3000; ++i) {
        Bytes message = good[i % 3];
        for (std::uint32_t change = 0; change <= rng.below(4); ++change)
            message[rng.below(static_cast<std::uint32_t>(message.size()))] =
                static_cast<std::uint8_t>(rng.nextU32());
        if (rng.below(4) == 0) message.resize(rng.below(static_cast<std::uint32_t>(message.size() + 64)));
        accepted += layout_.readRows(message, 41, in.exchange) ? 1 : 0;
        accepted += layout_.readRequest(message, commands, actions.data(), seeds) ? 1 : 0;
        accepted += readControl(message) ? 1 : 0;
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, 3000);
}

INSTANTIATE_TEST_SUITE_P(Spaces, FleetMessages,
                         ::testing::Values("cartpole", "connect_four", "catch_pixels", "pendulum"),
                         [](const auto& info) { return std::string(info.param); });

TEST(FleetControl, OnlyObjectsWithAnOperationAreAccepted) {
    const auto read = [](const std::string& text) {
        Bytes message(text.begin(), text.end());
        message.insert(message.begin(), std::uint8_t{0});
        return readControl(message).has_value();
    };
    EXPECT_TRUE(read(R"({"op": "hello"})"));
    for (const char* text :
         {"", "[]", "{}", R"({"op": 3})", R"({"op": "a", "op": "b"})", R"({"op": "a")", "nul"})
        EXPECT_FALSE(read(text)) << text;
    EXPECT_FALSE(read(R"({"op": ")" + std::string(1 << 16, 'a') + R"("})"));
    EXPECT_FALSE(read(std::string(100, '[') + std::string(100, ']')));
    EXPECT_FALSE(readControl({}));
}

TEST(FleetControl, HashesDifferIfSpacesOrLimitsDiffer) {
    const EnvSpec spec = findEnv("cartpole").value()->spec(Json::object()).value();
    EnvSpec other = spec;
    other.title = "other words";
    EXPECT_EQ(specHash(other), specHash(spec));
    other.horizon += 1;
    EXPECT_NE(specHash(other), specHash(spec));
    other = spec;
    other.spaces.actions[0].n += 1;
    EXPECT_NE(specHash(other), specHash(spec));
}

}  // namespace
}  // namespace seedbed
