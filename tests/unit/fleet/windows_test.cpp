// SPDX-License-Identifier: Apache-2.0
// Actors that choose the actions: their rows are those that the learner's machine would make, wrong messages
// are refused, and a new actor continues with a restart.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/text.hpp"
#include "tests/unit/fleet/window_rig.hpp"

namespace seedbed::test {
namespace {

// Everything in a row whose actions were chosen, and the reward before it.
std::string bytesOf(ActorGroup& group) {
    Ring& ring = group.ring();
    const std::uint64_t t = ring.head();
    const Spaces& spaces = ring.spec().spaces;
    const auto columns = static_cast<std::size_t>(ring.columns());
    std::string out;
    const auto add = [&](const auto* values, std::size_t count) {
        out.append(reinterpret_cast<const char*>(values), count * columns * sizeof *values);
    };
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        add(ring.obs(static_cast<int>(leaf), t), spaces.obs[leaf].bytes());
    add(ring.action(t), static_cast<std::size_t>(spaces.actionWords()));
    add(ring.policy(t), static_cast<std::size_t>(ring.spec().policy_words));
    add(ring.mask(t), static_cast<std::size_t>(spaces.maskBytes()));
    for (const float* values : {ring.logProb(t), ring.value(t), ring.reward(t - 1), ring.discount(t - 1)})
        add(values, 1);
    add(ring.version(t), 1);
    add(ring.episodeStep(t), 1);
    add(ring.first(t), 1);
    add(ring.valid(t), 1);
    if (ring.spec().state_every > 0 && t % static_cast<std::uint64_t>(ring.spec().state_every) == 0)
        add(ring.state(t), static_cast<std::size_t>(ring.spec().state_words));
    return out;
}

TEST(FleetWindows, RowsAreThoseOfALocalGroup) {
    SEEDBED_NEEDS_FLEET();
    const std::pair<const char*, Json> cases[] = {
        {"feed-forward", Json::object()},
        {"recurrent",
         {{"network",
           {{"core", "lstm"}, {"core_size", 8}, {"previous_action", true}, {"previous_reward", true}}},
          {"env", {{"wrap", {{"reward_scale", 0.1}}}}}}},
        {"pictures", {{"env", {{"id", "minatar_breakout"}}}, {"network", {{"core", "lstm"}}}}},
        {"frame stacks", {{"env", {{"id", "catch_pixels"}}}, {"network", {{"hidden", {16}}}}}},
        {"masks and agents", {{"env", {{"id", "connect_four"}}}}},
        {"box", {{"env", {{"id", "pendulum"}}}}},
        {"squashed, normalised",
         {{"env", {{"id", "pendulum"}}}, {"network", {{"squash", true}, {"normalise_obs", true}}}}}};
    for (const auto& [name, changes] : cases) {
        WindowRig rig(changes);
        rig.listen();
        const ActorThread actor(rig.credentials(), "actor");
        const auto local = rig.local();
        for (int row = 0; row < 300; ++row) {
            rig.advance(rig.group());
            rig.advance(*local);
            ASSERT_EQ(bytesOf(rig.group()), bytesOf(*local)) << name << ", row " << row;
        }
        EXPECT_EQ(rig.group().env().decisions(), local->env().decisions()) << name;
    }
}

TEST(FleetWindows, ActorsReceiveTheNewestParametersOnly) {
    SEEDBED_NEEDS_FLEET();
    WindowRig rig;
    rig.listen();
    const Params first = rig.params();
    std::thread actor([&] {
        const auto link = rig.join();
        const Params full = readParams(link->receive(60, {}).value(), {}, rig.floats()).value();
        EXPECT_EQ(full.sha256(), first.sha256());
        rig.publish(5);
        rig.publish(9);
        link->send(rig.window(1, 1, 1));
        // The versions are consecutive for the actor, and 5 was skipped.
        Bytes message = link->receive(60, {}).value();
        if (isOfKind(message, MessageKind::consumed)) message = link->receive(60, {}).value();
        const auto newest = readParams(message, full, rig.floats());
        ASSERT_TRUE(newest.has_value()) << newest.error().text();
        EXPECT_EQ(newest->version(), 9U);
        EXPECT_EQ(newest->sha256(), rig.params().sha256());
        // A row with the new parameters, then one with the old ones.
        link->send(rig.window(2, 2, 9, false));
        link->send(rig.window(3, 3, 1, false));
        (void)link->receive(60, {});
        (void)link->receive(60, {});
    });
    rig.advance(rig.group());
    rig.advance(rig.group());
    EXPECT_EQ(rig.group().ring().version(2)[0], 9U);
    rig.advance(rig.group());
    actor.join();
    EXPECT_NE(join(rig.group().takeNotices(), "\n").find("version 1, which it did not receive"),
              std::string::npos);
}

TEST(FleetWindows, GarbageIsRefusedWithItsCauseAndTheNextActorContinues) {
    SEEDBED_NEEDS_FLEET();
    WindowRig rig;
    rig.listen();
    static constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    using Spoil = std::function<void(Bytes&, std::uint8_t * record, const ActedRow&)>;
    const std::pair<const char*, Spoil> cases[] = {
        {"does not have the expected form", [](auto& m, auto*, auto&) { m.resize(m.size() - 8); }},
        {"does not have the expected form", [](auto& m, auto*, auto&) { m.resize(m.size() + 5000); }},
        {"does not have the expected form", [](auto& m, auto*, auto&) { m.clear(); }},
        {"expected was window 1", [](auto& m, auto*, auto&) { m[8] = 7; }},
        {"expected was window 1", [](auto& m, auto*, auto&) { m[16] ^= 1; }},
        {"expected was window 1", [](auto& m, auto*, auto&) { m[24] = 0; }},
        {"expected was window 1", [](auto& m, auto*, auto&) { m[31] = 255; }},
        {"a record does not belong to row", [](auto&, auto* record, auto&) { record[8] ^= 1; }},
        {"which it did not receive", [&](auto&, auto* r, auto&) { rig.layout().setVersion(r, 77); }},
        {"an action is outside its space", [](auto&, auto*, auto& row) { row.action[2] = 2; }},
        {"an action is not finite", [](auto&, auto*, auto& row) { row.action[2] = kNan; }},
        {"does not belong to its action", [](auto&, auto*, auto& row) { row.log_prob[1] = 0.5F; }},
        {"does not belong to its action", [](auto&, auto*, auto& row) { row.log_prob[1] = -9; }},
        {"a log-probability is not finite", [](auto&, auto*, auto& row) { row.log_prob[1] = kNan; }},
        {"an output of the policy is not", [](auto&, auto*, auto& row) { row.policy[0] = kNan; }},
        {"a value estimate is not finite", [](auto&, auto*, auto& row) { row.value[0] = kNan; }},
        {"contains a value that is not finite",
         [](auto&, auto* record, auto&) { std::memcpy(record + 16, &kNan, 4); }},
        {"its flags are 0 after command 2",
         [&](auto&, auto* record, auto&) { record[rig.layout().exchange().rowsBytes() - 8] = 0; }}};
    for (const auto& [cause, spoil] : cases) {
        const std::uint64_t head = rig.group().ring().head();
        std::thread actor([&, spoil = spoil] {
            const auto link = rig.join();
            ASSERT_TRUE(readParams(link->receive(60, {}).value(), {}, rig.floats()).has_value());
            Bytes message = rig.window(1, head + 1, 1);
            std::uint8_t* record = message.data() + 32;
            spoil(message, record, rig.layout().acted(record, head + 1));
            link->send(std::move(message));
            EXPECT_EQ(control(*link).at("why"), "refused");
        });
        const std::uint64_t before = rig.group().env().decisions();
        rig.advance(rig.group());
        actor.join();
        std::vector<std::string> notices = rig.group().takeNotices();
        EXPECT_NE(join(notices, "\n").find(cause), std::string::npos) << cause << ": " << join(notices, "\n");
        EXPECT_EQ(rig.group().env().decisions(), before);
    }
    const ActorThread good(rig.credentials(), "good");
    for (int row = 0; row < 10; ++row) rig.advance(rig.group());
    EXPECT_TRUE(rig.group().env().failed().empty());
    EXPECT_EQ(rig.group().ring().valid(rig.group().ring().head())[0], 1);
}

// The rows from 1 on, of which `spoil` changes the last one, as the only rows of an actor.
std::string noticesOfRows(WindowRig& rig, std::uint64_t rows,
                          const std::function<void(std::uint8_t* record, const ActedRow&)>& spoil) {
    rig.listen();
    std::thread actor([&] {
        const auto link = rig.join();
        for (std::uint64_t row = 1; row <= rows; ++row) {
            Bytes message = rig.window(row, row, 1, row == 1);
            std::uint8_t* record = message.data() + 32;
            if (row == rows) spoil(record, rig.layout().acted(record, row));
            link->send(std::move(message));
        }
        auto message = link->receive(60, {});
        while (message && !isControl(*message)) message = link->receive(60, {});
        ASSERT_TRUE(message.has_value()) << message.error().text();
        EXPECT_EQ(readControl(*message)->at("why"), "refused");
    });
    for (std::uint64_t row = 1; row <= rows; ++row) rig.advance(rig.group());
    actor.join();
    return join(rig.group().takeNotices(), "\n");
}

TEST(FleetWindows, ForbiddenActionsAndStatesThatAreNotFiniteAreRefused) {
    SEEDBED_NEEDS_FLEET();
    WindowRig masked(Json{{"env", {{"id", "connect_four"}}}});
    std::string notices = noticesOfRows(masked, 1, [&](std::uint8_t* record, const ActedRow& row) {
        row.action[0] = 3;
        masked.outcome(record).mask[3] = 0;
    });
    EXPECT_NE(notices.find("an action is forbidden"), std::string::npos) << notices;
    WindowRig recurrent(Json{{"network", {{"core", "lstm"}, {"core_size", 4}}}});
    notices = noticesOfRows(recurrent, kLength, [](std::uint8_t*, const ActedRow& row) {
        row.state[5] = std::numeric_limits<float>::infinity();
    });
    EXPECT_NE(notices.find("a recurrent state is not finite"), std::string::npos) << notices;
}

// The windows that arrived completely are used; then the columns restart with the next actor, whose random
// numbers differ.
TEST(FleetWindows, ALostActorIsAGap) {
    SEEDBED_NEEDS_FLEET();
    WindowRig rig;
    rig.listen();
    Ring& ring = rig.group().ring();
    auto actor = std::make_unique<ActorThread>(rig.credentials(), "first");
    std::uint64_t rows = 0;
    rig.advance(rig.group());
    const std::string begun(reinterpret_cast<const char*>(ring.obs(0, 1)), 3 * 16);
    // Takes the middle of a window.
    for (int row = 0; row < 3; ++row, ++rows) rig.advance(rig.group());
    actor->stop();
    while (rig.group().env().failed().empty()) {
        rig.advance(rig.group());
        rows += rig.group().env().failed().empty() ? 1 : 0;
    }
    // Nothing after the last complete window.
    EXPECT_EQ((rows + 1) % kLength, 0U);
    EXPECT_EQ(ring.valid(ring.head())[0], 0);
    actor = std::make_unique<ActorThread>(rig.credentials(), "next");
    rig.advance(rig.group());
    EXPECT_EQ(ring.first(ring.head())[0], 1);
    EXPECT_EQ(ring.valid(ring.head() - 1)[0], 0);
    EXPECT_NE(std::string(reinterpret_cast<const char*>(ring.obs(0, ring.head())), 3 * 16), begun);
    const std::uint64_t before = rig.group().env().decisions();
    rig.advance(rig.group());
    EXPECT_EQ(rig.group().env().decisions(), before + 3);
}

TEST(FleetWindows, ParametersWaitUntilEarlierOnesAreSent) {
    WindowRig rig;
    const auto link = std::make_shared<QueueLink>();
    WindowReceiver receiver(link, rig.layout(), rig.acting(), {});
    // The row `row` claims the newest parameters that were passed to the link; then newer ones exist.
    const auto claim = [&](std::uint64_t row, std::uint64_t version) {
        link->in.push_back(rig.window(row, row, version));
        rig.publish(version + 1);
        ASSERT_TRUE(receiver.await(1, {}).has_value());
        receiver.pop();
    };
    const auto sent = [&] {
        std::vector<std::uint64_t> versions;
        for (const Bytes& message : link->out)
            if (isOfKind(message, MessageKind::params)) versions.push_back(messageNumber(message));
        return versions;
    };
    claim(1, 1);
    link->waiting = 1;
    for (std::uint64_t row = 2; row < 20; ++row) claim(row, 2);
    EXPECT_EQ(sent(), (std::vector<std::uint64_t>{1, 2}));
    rig.publish(7);
    link->waiting = 0;
    receiver.advance({});
    EXPECT_EQ(sent(), (std::vector<std::uint64_t>{1, 2, 7}));
}

// Its messages are dropped, instead of being kept in memory until it reads.
TEST(FleetWindows, AnActorThatDoesNotReadIsCutOff) {
    SEEDBED_NEEDS_FLEET();
    // 16 MB of parameters, more than a connection stores on its way.
    WindowRig rig(Json{{"network", {{"hidden", {32768, 128}}}}});
    rig.listen();
    std::unique_ptr<Link> link;
    std::thread actor([&] {
        link = rig.join();
        link->send(rig.window(1, 1, 1));
    });
    rig.advance(rig.group());
    actor.join();
    rig.publish(2);
    std::string notices = join(rig.group().takeNotices(), "\n");
    for (std::uint64_t row = 2; row < 10 * kMaxUnsent && notices.empty(); ++row) {
        link->send(rig.window(row, row, row == 2 ? 1 : 2, false));
        rig.advance(rig.group());
        notices = join(rig.group().takeNotices(), "\n");
    }
    EXPECT_NE(notices.find("it does not read the learner's messages"), std::string::npos) << notices;
    std::size_t received = 0;
    Result<Bytes> message = link->receive(60, {});
    for (; message; message = link->receive(60, {})) ++received;
    EXPECT_EQ(message.error().code, ErrorCode::failure) << message.error().text();
    EXPECT_LT(received, kMaxUnsent);
}

TEST(FleetWindows, TheMemoryEstimateCoversTheLargestWindowsAndTheParameters) {
    WindowRig rig(Json{{"network", {{"core", "lstm"}, {"core_size", 8}}}});
    const auto link = std::make_shared<QueueLink>();
    const WindowLayout layout = rig.layout();
    WindowReceiver receiver(link, layout, rig.acting(), {});
    std::uint64_t row = 1;
    for (std::uint64_t number = 1; number <= kMaxOpenWindows; ++number) {
        Bytes message = layout.begin(number, row);
        for (int i = 0; i < kLength; ++i, ++row)
            layout.setVersion(message.data() + layout.addRecord(message, row), 1);
        layout.finish(message, std::string(ExchangeLayout::kTextBytes, 'x'));
        link->in.push_back(std::move(message));
    }
    receiver.advance({});
    const std::size_t used =
        receiver.takeBytes() + rig.params().blob().size_bytes() + link->out.back().size();
    const std::size_t estimate = RemoteBatch::bytes(rig.spec(), rig.plan(), true);
    EXPECT_GE(estimate, used);
    EXPECT_LE(estimate, used + used / 3);
    EXPECT_EQ(rig.server().bytes({rig.spec(), rig.spec()}, rig.plan(), "auto"), 2 * estimate);
    // In the other form, a request and its answer.
    const ExchangeLayout exchange(rig.spec().env_spec, 3);
    EXPECT_GE(RemoteBatch::bytes(rig.spec(), rig.plan(), false), 2 * exchange.rowsBytes());
    EXPECT_LE(RemoteBatch::bytes(rig.spec(), rig.plan(), false), 3 * exchange.maxBytes());
}

TEST(FleetWindows, AnActorThatDoesNotWaitIsRefused) {
    WindowRig rig;
    const auto link = std::make_shared<QueueLink>();
    WindowReceiver receiver(link, rig.layout(), rig.acting(), {});
    for (std::uint64_t i = 1; i <= kMaxOpenWindows + 1; ++i) link->in.push_back(rig.window(i, i, 1));
    for (std::uint64_t i = 1; i <= kMaxOpenWindows; ++i) {
        ASSERT_TRUE(receiver.await(1, {}).has_value());
        EXPECT_EQ(receiver.row(), i);
        receiver.pop();
        EXPECT_EQ(messageNumber(link->out.back()), i);
    }
    const auto last = receiver.await(1, {});
    ASSERT_FALSE(last.has_value());
    EXPECT_NE(last.error().text().find("does not wait for the learner"), std::string::npos);
}

TEST(FleetWindows, LargeWindowsAreFewer) {
    const WindowRig rig(Json{{"actor", {{"num_envs", 60'000}}}});
    const WindowLayout layout = rig.layout();
    ASSERT_EQ(layout.maxOpen(), 5U) << layout.maxBytes();
    EXPECT_LT(RemoteBatch::bytes(rig.spec(), rig.plan(), true), 7 * layout.maxBytes());
    const auto link = std::make_shared<QueueLink>();
    link->in.push_back(paramsMessage(rig.params(), nullptr));
    EXPECT_FALSE(rig.actor()->run(*link, {0, 1e6}, nullptr, {}).has_value());
    ASSERT_EQ(link->out.size(), 5U);
    // The learner accepts these and no further one.
    link->in = std::exchange(link->out, {});
    link->in.emplace_back(8, 3);
    WindowReceiver receiver(link, layout, rig.acting(), {});
    for (int row = 0; row < 5 * kLength; ++row) {
        ASSERT_TRUE(receiver.await(1, {}).has_value());
        receiver.pop();
    }
    const auto last = receiver.await(1, {});
    ASSERT_FALSE(last.has_value());
    EXPECT_NE(last.error().text().find("does not wait for the learner"), std::string::npos);
}

// Two windows, and as many as are made during two round trips.
TEST(FleetWindows, AnActorWaitsForTheLearner) {
    WindowRig rig;
    for (const auto& [round_trip_s, most] : {std::pair{0.0, std::size_t{2}}, {1e6, kMaxOpenWindows}}) {
        QueueLink link;
        link.in.push_back(paramsMessage(rig.params(), nullptr));
        EXPECT_FALSE(rig.actor()->run(link, {0, round_trip_s}, nullptr, {}).has_value());
        ASSERT_EQ(link.out.size(), most);
        link.in = {paramsMessage(rig.params(), nullptr)};
        for (std::uint64_t i = 1; i <= 3; ++i) link.in.push_back(numberMessage(MessageKind::consumed, i));
        link.out.clear();
        // Confirms windows that were not sent.
        const auto ended = rig.actor()->run(link, {0, round_trip_s}, nullptr, {});
        EXPECT_NE(ended.error().text().find("the learner broke the protocol"), std::string::npos);
    }
}

// --- messages

TEST(FleetParams, DifferencesAreExactAndShorter) {
    std::vector<float> values(1001);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
    const Params base(values, 3);
    // Small changes, none, another sign, and the smallest bit.
    for (std::size_t i = 0; i < values.size(); i += 2)
        values[i] *= 1 + 1e-3F * std::cos(static_cast<float>(i));
    values[7] = -values[7];
    values[9] = std::nextafter(values[9], 2.0F);
    values[11] = -0.0F;
    const Params next(values, 4);
    const Bytes full = paramsMessage(next, nullptr), difference = paramsMessage(next, &base);
    EXPECT_LT(difference.size(), full.size() / 2);
    EXPECT_EQ(readParams(difference, base, values.size())->sha256(), next.sha256());
    EXPECT_EQ(readParams(full, {}, values.size())->sha256(), next.sha256());
    EXPECT_EQ(readParams(difference, base, values.size())->version(), 4U);
    // If every bit may have changed, all values are sent.
    std::vector<float> others(values.size());
    for (std::size_t i = 0; i < others.size(); ++i) others[i] = -1e9F * values[i] - 1;
    EXPECT_EQ(paramsMessage(Params(others, 5), &base).size(), full.size());

    EXPECT_FALSE(readParams(difference, {}, values.size()).has_value());    // no base
    EXPECT_FALSE(readParams(difference, next, values.size()).has_value());  // another base
    EXPECT_FALSE(readParams(full, base, values.size() + 1).has_value());
    for (std::size_t size = 0; size < difference.size(); size += 13)
        EXPECT_FALSE(
            readParams(Bytes(difference.begin(), difference.begin() + static_cast<std::ptrdiff_t>(size)),
                       base, values.size())
                .has_value());
    Bytes longer = difference;
    longer.push_back(0);
    EXPECT_FALSE(readParams(longer, base, values.size()).has_value());
    values[0] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(readParams(paramsMessage(Params(values, 4), &base), base, values.size()).has_value());
}

}  // namespace
}  // namespace seedbed::test
