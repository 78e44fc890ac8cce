// SPDX-License-Identifier: Apache-2.0
// The ring in isolation: layout, pins, back-pressure, protected rows, saving and restoring.
#include "core/rollout/ring.hpp"

#include <cstring>
#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/base/thread.hpp"

// Lets an oversized allocation fail, as in builds without sanitizers.
extern "C" [[gnu::visibility("default")]] const char* __asan_default_options() {
    return "allocator_may_return_null=1";
}
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_options() {
    return "allocator_may_return_null=1";
}

namespace seedbed {
namespace {

RingSpec smallSpec(int rows, int stack = 1) {
    RingSpec spec;
    spec.spaces.obs = {ObsLeaf{.name = "vector", .shape = {3}}, ObsLeaf{.name = "image",
                                                                        .kind = ObsLeaf::Kind::image,
                                                                        .dtype = DType::u8,
                                                                        .shape = {1, 2, 3},
                                                                        .stack = stack}};
    spec.spaces.actions = {ActionLeaf{.n = 3},
                           ActionLeaf{.kind = ActionLeaf::Kind::box, .low = {-1, -1}, .high = {1, 1}}};
    spec.spaces.has_mask = true;
    spec.columns = 5;
    spec.rows = rows;
    spec.policy_words = 7;
    spec.state_words = 2;
    spec.state_every = 3;
    return spec;
}

std::unique_ptr<Ring> makeRing(const RingSpec& spec) {
    auto ring = Ring::create(spec);
    if (!ring) throw std::runtime_error(ring.error().text());
    return std::move(*ring);
}

// All byte ranges of row t.
std::vector<std::pair<std::uint8_t*, std::size_t>> pieces(Ring& ring, std::uint64_t t) {
    const auto bytes = [](auto* p) { return reinterpret_cast<std::uint8_t*>(p); };
    const auto n = static_cast<std::size_t>(ring.columns());
    std::vector<std::pair<std::uint8_t*, std::size_t>> all{{ring.obs(0, t), n * 12},
                                                           {ring.obs(1, t), n * 6},
                                                           {bytes(ring.action(t)), n * 12},
                                                           {bytes(ring.logProb(t)), n * 4},
                                                           {bytes(ring.policy(t)), n * 28},
                                                           {bytes(ring.value(t)), n * 4},
                                                           {bytes(ring.reward(t)), n * 4},
                                                           {bytes(ring.discount(t)), n * 4},
                                                           {ring.valid(t), n},
                                                           {ring.first(t), n},
                                                           {bytes(ring.episodeStep(t)), n * 4},
                                                           {ring.mask(t), n * 3},
                                                           {bytes(ring.policyId(t)), n * 2},
                                                           {bytes(ring.version(t)), n * 4}};
    if (t % 3 == 0) all.emplace_back(bytes(ring.state(t)), n * 8);
    return all;
}

void fillRow(Ring& ring, std::uint64_t t) {
    std::uint8_t value = static_cast<std::uint8_t>(t * 16);
    for (const auto& [data, size] : pieces(ring, t)) std::memset(data, value++, size);
}

void expectRow(Ring& ring, std::uint64_t t) {
    std::uint8_t value = static_cast<std::uint8_t>(t * 16);
    for (const auto& [data, size] : pieces(ring, t)) {
        for (std::size_t i = 0; i < size; ++i)
            ASSERT_EQ(data[i], value) << "row " << t << " byte " << i << " of field " << value % 16;
        ++value;
    }
}

TEST(Ring, RowsOfAllFieldsAreAlignedAndApart) {
    const auto ring = makeRing(smallSpec(11));
    std::map<std::uint8_t*, std::size_t> ranges;
    for (std::uint64_t t = 0; t < 11; ++t) {
        for (const auto& [data, size] : pieces(*ring, t)) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0U);
            EXPECT_TRUE(ranges.emplace(data, size).second);
            for (std::size_t i = 0; i < size; ++i)
                ASSERT_EQ(data[i], 0) << "the memory must be zero-initialised";
        }
    }
    std::uint8_t* end = nullptr;
    for (const auto& [data, size] : ranges) {
        EXPECT_GE(data, end);
        end = data + size;
    }
    EXPECT_LE(static_cast<std::size_t>(end - ranges.begin()->first), Ring::bytes(ring->spec()));
}

TEST(Ring, RowIndexIsTimeModuloRowsForAllTimes) {
    std::mt19937_64 random(7);
    for (const int rows : {3, 4, 5, 7, 64, 97, 1000, 65536}) {
        RingSpec spec = smallSpec(rows);
        const auto ring = makeRing(spec);
        const auto r = static_cast<std::uint64_t>(rows);
        for (int i = 0; i < 2000; ++i) {
            const std::uint64_t t = i % 4 == 0 ? std::numeric_limits<std::uint64_t>::max() - random() % 1000
                                               : random() >> (random() % 64);
            ASSERT_EQ(ring->reward(t), ring->reward(t % r)) << t << " mod " << rows;
        }
    }
}

TEST(Ring, RejectsInvalidSizes) {
    RingSpec spec = smallSpec(3, 4);
    EXPECT_EQ(spec.history(), 3);
    EXPECT_EQ(Ring::create(spec).error().code, ErrorCode::config);
    spec.rows = 5;
    EXPECT_TRUE(Ring::create(spec).has_value());
    spec.columns = 0;
    EXPECT_EQ(Ring::create(spec).error().code, ErrorCode::config);
    spec.columns = std::numeric_limits<int>::max();
    spec.rows = std::numeric_limits<int>::max();
    EXPECT_EQ(Ring::create(spec).error().code, ErrorCode::out_of_memory);
}

TEST(Ring, EveryReadableRowKeepsWhatWasWritten) {
    for (const int rows : {3, 4, 6, 9, 13}) {
        const auto ring = makeRing(smallSpec(rows));
        fillRow(*ring, 0);
        for (std::uint64_t t = 1; t < 60; ++t) {
            ASSERT_TRUE(ring->hasRoom());
            fillRow(*ring, t);
            ring->advance();
            ASSERT_EQ(ring->head(), t);
            const std::uint64_t lowest =
                t + 1 > static_cast<std::uint64_t>(rows) ? t + 1 - static_cast<std::uint64_t>(rows) : 0;
            ASSERT_EQ(ring->tail(), lowest == 0 ? 0 : lowest + 1)
                << "one more row is kept for the previous action and reward";
            for (std::uint64_t row = lowest; row <= t; ++row) expectRow(*ring, row);
        }
    }
}

TEST(Ring, PinnedRowsAndTheirHistoryStopTheWriter) {
    for (const int stack : {1, 2, 4}) {
        const auto ring = makeRing(smallSpec(10, stack));
        const auto history = static_cast<std::uint64_t>(ring->spec().history());
        while (ring->head() < 20) ring->advance();
        Ring::Pin pin = ring->pin(20);
        const std::uint64_t lowest = 20 - history;
        // Rows lowest .. lowest + 9 fit.
        while (ring->hasRoom()) ring->advance();
        EXPECT_EQ(ring->head(), lowest + 9);
        EXPECT_EQ(ring->tail(), 20U);
        EXPECT_FALSE(ring->tryPin(19));
        EXPECT_TRUE(ring->tryPin(20));
        pin.moveTo(22);
        EXPECT_TRUE(ring->hasRoom());
        ring->advance();
        ring->advance();
        EXPECT_FALSE(ring->hasRoom());
        pin = {};
        EXPECT_TRUE(ring->hasRoom());
    }
}

TEST(Ring, EarliestRowsNeedNoHistory) {
    const auto ring = makeRing(smallSpec(10, 4));
    const Ring::Pin pin = ring->pin(0);
    while (ring->hasRoom()) ring->advance();
    EXPECT_EQ(ring->head(), 9U);
    EXPECT_EQ(ring->tail(), 0U);
}

TEST(Ring, ClaimedRowsCannotBePinned) {
    const auto ring = makeRing(smallSpec(6));
    while (ring->head() < 5) ring->advance();
    EXPECT_TRUE(ring->tryPin(0));
    EXPECT_TRUE(ring->hasRoom());
    EXPECT_FALSE(ring->tryPin(0)) << "row 0 may be overwritten from now on";
    EXPECT_FALSE(ring->tryPin(1)) << "the previous row may be overwritten";
    EXPECT_TRUE(ring->tryPin(2));
}

TEST(Ring, PinsOfManyReadersAreIndependent) {
    const auto ring = makeRing(smallSpec(8));
    std::vector<Ring::Pin> pins;
    for (int i = 0; i < 200; ++i) pins.push_back(ring->pin(static_cast<std::uint64_t>(i % 4)));
    while (ring->hasRoom()) ring->advance();
    EXPECT_EQ(ring->head(), 7U);
    for (std::size_t i = 0; i < pins.size(); ++i)
        if (i % 4 != 3) pins[i] = {};
    while (ring->hasRoom()) ring->advance();
    EXPECT_EQ(ring->head(), 9U) << "rows 2 (previous row) to 9 are kept";
}

TEST(RingDeath, PinningALostRowIsABug) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto ring = makeRing(smallSpec(5));
    while (ring->head() < 30) ring->advance();
    EXPECT_DEATH(static_cast<void>(ring->pin(3)), "row 3 has been overwritten");
}

TEST(RingDeath, AdvancingIntoAPinnedRowIsABug) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto ring = makeRing(smallSpec(5));
    const Ring::Pin pin = ring->pin(0);
    while (ring->hasRoom()) ring->advance();
    EXPECT_DEATH(ring->advance(), "full");
}

TEST(Ring, WaitsEndWhenStopped) {
    const auto ring = makeRing(smallSpec(4));
    const Ring::Pin pin = ring->pin(0);
    while (ring->hasRoom()) ring->advance();
    std::stop_source stop;
    bool had_room = true;
    bool had_row = true;
    {
        const std::jthread writer([&] { had_room = ring->waitForRoom(stop.get_token()); });
        const std::jthread reader([&] { had_row = ring->waitForRow(100, stop.get_token()); });
        stop.request_stop();
    }
    EXPECT_FALSE(had_room);
    EXPECT_FALSE(had_row);
    EXPECT_TRUE(ring->waitForRow(3, {}));
}

// A row that an archive accepts: its actions, flags and observations are legal.
void fillLegalRow(Ring& ring, std::uint64_t t) {
    for (const auto& [data, size] : pieces(ring, t)) std::memset(data, 0, size);
    for (int n = 0; n < ring.columns(); ++n) {
        ring.obs(1, t)[6 * n] = static_cast<std::uint8_t>(t);
        ring.value(t)[n] = static_cast<float>(t) + 0.5f * static_cast<float>(n);
    }
}

void expectLegalRow(Ring& ring, std::uint64_t t) {
    for (int n = 0; n < ring.columns(); ++n) {
        ASSERT_EQ(ring.obs(1, t)[6 * n], static_cast<std::uint8_t>(t)) << "row " << t;
        ASSERT_EQ(ring.value(t)[n], static_cast<float>(t) + 0.5f * static_cast<float>(n)) << "row " << t;
    }
}

TEST(Ring, SavedRowsAreRestoredInARingOfAnotherLength) {
    for (const int stack : {1, 3}) {
        const auto ring = makeRing(smallSpec(12, stack));
        fillLegalRow(*ring, 0);
        for (std::uint64_t t = 1; t <= 40; ++t) {
            ASSERT_TRUE(ring->hasRoom());
            fillLegalRow(*ring, t);
            ring->advance();
        }
        const auto history = static_cast<std::uint64_t>(ring->spec().history());
        Archive saved = Archive::saving();
        ASSERT_TRUE(ring->archive(saved, 36));
        EXPECT_GE(ring->archiveBytes(36), saved.bytes().size());

        for (const int rows : {8, 12, 31}) {
            const auto restored = makeRing(smallSpec(rows, stack));
            Archive loading = Archive::loading(saved.bytes());
            ASSERT_TRUE(restored->archive(loading, 0));
            ASSERT_TRUE(loading.finish());
            EXPECT_EQ(restored->head(), 40U);
            EXPECT_EQ(restored->tail(), 36U);
            EXPECT_FALSE(restored->tryPin(35));
            for (std::uint64_t t = 36 - history; t <= 40; ++t) expectLegalRow(*restored, t);
            // The restored ring continues normally.
            const Ring::Pin pin = restored->pin(36);
            while (restored->hasRoom()) restored->advance();
            EXPECT_EQ(restored->head(), 36 - history + static_cast<std::uint64_t>(rows) - 1);
        }
    }
}

TEST(Ring, DamagedArchivesAreRejected) {
    const auto ring = makeRing(smallSpec(12));
    while (ring->head() < 20) ring->advance();
    Archive saved = Archive::saving();
    ASSERT_TRUE(ring->archive(saved, 15));
    for (std::size_t length = 0; length < saved.bytes().size(); length += 13) {
        const auto other = makeRing(smallSpec(12));
        Archive cut = Archive::loading(
            {saved.bytes().begin(), saved.bytes().begin() + static_cast<std::ptrdiff_t>(length)});
        EXPECT_FALSE(other->archive(cut, 0)) << length << " bytes";
    }
    RingSpec wider = smallSpec(12);
    wider.columns = 6;
    Archive whole = Archive::loading(saved.bytes());
    const auto result = makeRing(wider)->archive(whole, 0);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().text().find("do not match this ring"), std::string::npos);
    Archive again = Archive::loading(saved.bytes());
    EXPECT_FALSE(makeRing(smallSpec(4))->archive(again, 0)) << "too many rows";
}

// Rows are used as indices, so each number of an archive is checked.
TEST(Ring, RowsOutsideTheSpacesAreRefused) {
    RingSpec spec = smallSpec(12);
    const auto discrete = [](int cardinality) {
        return ObsLeaf{
            .kind = ObsLeaf::Kind::discrete, .dtype = DType::i32, .shape = {1}, .cardinality = cardinality};
    };
    spec.spaces.obs = {discrete(4)};
    spec.spaces.actions = {ActionLeaf{.n = 3}};
    auto ring = makeRing(spec);
    for (int row = 0; row < 5; ++row) ring->advance();
    const auto errorAfter = [&](const std::function<void(Ring&, std::uint64_t)>& change) {
        auto saved_ring = makeRing(spec);
        for (int row = 0; row < 5; ++row) saved_ring->advance();
        change(*saved_ring, 4);
        Archive saved = Archive::saving();
        EXPECT_TRUE(saved_ring->archive(saved, 3));
        Archive loading = Archive::loading(saved.bytes());
        const auto loaded = makeRing(spec)->archive(loading, 0);
        return loaded ? std::string() : loaded.error().text();
    };
    EXPECT_EQ(errorAfter([](Ring&, std::uint64_t) {}), "");
    const auto expectRefused = [&](const char* what,
                                   const std::function<void(Ring&, std::uint64_t)>& change) {
        EXPECT_NE(errorAfter(change).find(what), std::string::npos) << what << ": " << errorAfter(change);
    };
    for (const std::int32_t value : {-1, 4})
        expectRefused("observation", [&](Ring& r, std::uint64_t t) { std::memcpy(r.obs(0, t), &value, 4); });
    for (const float value : {-1.0F, 3.0F, 0.5F, std::nanf("")})
        expectRefused("action", [&](Ring& r, std::uint64_t t) { r.action(t)[0] = value; });
    expectRefused("flag", [](Ring& r, std::uint64_t t) { r.first(t)[0] = 2; });
    expectRefused("step", [](Ring& r, std::uint64_t t) { r.episodeStep(t)[0] = -1; });
}

}  // namespace
}  // namespace seedbed
