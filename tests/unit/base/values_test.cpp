// SPDX-License-Identifier: Apache-2.0
// Values that are saved and drawn: archives, spaces, scenes, SHA-256, strings and the registry.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/archive.hpp"
#include "core/base/integer_range.hpp"
#include "core/base/registry.hpp"
#include "core/base/rng.hpp"
#include "core/base/scene.hpp"
#include "core/base/sha256.hpp"
#include "core/base/spaces.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

struct Saved {
    int a = 1;
    double b = 2;
    std::vector<float> c{1, 2, 3};
    std::string d = "text";
    std::array<bool, 3> e{true, false, true};
    void archive(Archive& archive) {
        archive.field("a", a, range(0, 9))
            .field("b", b, kFinite<double>)
            .list("c", c, 5)
            .any(d)
            .field("e", e, range(false, true));
    }
    bool operator==(const Saved&) const = default;
};

TEST(Archive, LoadingRestoresSavedValues) {
    Saved saved{7, -0.0, {}, std::string("a\0b", 3), {false, true, true}};
    auto out = Archive::saving();
    saved.archive(out);
    Saved loaded;
    auto in = Archive::loading(out.bytes());
    loaded.archive(in);
    EXPECT_TRUE(in.finish());
    EXPECT_EQ(loaded, saved);
    EXPECT_TRUE(std::signbit(loaded.b));
}

TEST(Archive, EveryTruncationIsDetected) {
    auto out = Archive::saving();
    Saved().archive(out);
    for (std::size_t size = 0; size < out.bytes().size(); ++size) {
        auto in =
            Archive::loading({out.bytes().begin(), out.bytes().begin() + static_cast<std::ptrdiff_t>(size)});
        Saved loaded;
        loaded.archive(in);
        EXPECT_TRUE(in.failed()) << size;
        EXPECT_FALSE(in.finish()) << size;
    }
}

TEST(Archive, LeftOverBytesAreAnError) {
    auto in = Archive::loading({1, 2, 3, 4, 5});
    int value = 0;
    in.field("value", value, range(0, 1 << 30));
    EXPECT_FALSE(in.failed());
    EXPECT_FALSE(in.finish());
}

enum class Suit : std::uint8_t { clubs, hearts };
struct Limited {
    int index = 3;
    Suit suit = Suit::hearts;
    bool flag = true;
    double angle = 0.5;
    std::vector<float> state{1, 2};
    void archive(Archive& archive) {
        archive.field("index", index, range(0, 4)).field("suit", suit, range(Suit::clubs, Suit::hearts));
        archive.flag("flag", flag).field("angle", angle, range(-1.0, 1.0)).fixed("state", state);
    }
    bool operator==(const Limited&) const = default;
};

// Overwrites the saved bytes at `offset` with `value`, loads them, and returns the error.
template <class T>
std::string errorOf(std::size_t offset, T value) {
    Limited saved;
    auto out = Archive::saving();
    saved.archive(out);
    std::vector<std::uint8_t> bytes = out.bytes();
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    auto in = Archive::loading(bytes);
    Limited loaded;
    loaded.archive(in);
    if (in.finish()) return "";
    EXPECT_TRUE(in.failed());
    EXPECT_EQ(loaded, Limited()) << "an invalid field keeps its value";
    return in.finish().error().text();
}

TEST(Archive, NumbersOutsideTheirLimitsAreRefusedByName) {
    EXPECT_EQ(errorOf(0, 4), "");
    EXPECT_EQ(errorOf(0, 5), "the saved state is invalid: index is 5, outside 0 to 4");
    EXPECT_EQ(errorOf(0, -1), "the saved state is invalid: index is -1, outside 0 to 4");
    EXPECT_EQ(errorOf(4, std::uint8_t{2}), "the saved state is invalid: suit is 2, outside 0 to 1");
    EXPECT_EQ(errorOf(5, std::uint8_t{255}), "the saved state is invalid: flag is 255, outside 0 to 1");
    EXPECT_NE(errorOf(6, std::nan("")), "");
    EXPECT_NE(errorOf(6, 1.5), "");
    EXPECT_EQ(errorOf(14, std::uint64_t{3}),
              "the saved state is invalid: the size of state is 3 instead of 2");
    EXPECT_NE(errorOf(14, ~std::uint64_t{0}), "");
}
TEST(Archive, SavedBytesAreThoseOfTheNumbersAlone) {
    Limited saved;
    auto out = Archive::saving();
    saved.archive(out);
    EXPECT_EQ(out.bytes().size(), 4 + 1 + 1 + 8 + 8 + 2 * sizeof(float));
}
// Real numbers, integers, flags and enumerators need limits.
template <class T>
concept HasAny = requires(Archive archive, T value) { archive.any(value); };
static_assert(HasAny<std::uint64_t> && !HasAny<double> && !HasAny<float> && !HasAny<int> && !HasAny<bool> &&
              !HasAny<Suit> && !HasAny<std::uint8_t> && !HasAny<Limited>);
TEST(Archive, ListsOfRealNumbersHaveLimits) {
    const auto loaded = [](std::vector<float> numbers, Limits<float> limits) {
        auto out = Archive::saving();
        out.reals("a number", std::span(numbers), limits);
        out.list("numbers", numbers, 9, limits).fixed("numbers", numbers, limits);
        std::vector<float> values(numbers.size()), list, fixed(numbers.size());
        auto in = Archive::loading(out.bytes());
        in.reals("a number", std::span(values), limits);
        const std::string first = in.failed() ? in.status().error().text() : "";
        if (first.empty()) in.list("numbers", list, 9, limits).fixed("numbers", fixed, limits);
        EXPECT_EQ(in.finish().has_value(), first.empty());
        return first;
    };
    EXPECT_EQ(loaded({1, -2, 3e38F}, kFinite<float>), "");
    EXPECT_EQ(loaded({1, NAN}, kFinite<float>),
              "the saved state is invalid: a number is not a finite number");
    EXPECT_EQ(loaded({-INFINITY}, kFinite<float>),
              "the saved state is invalid: a number is not a finite number");
    EXPECT_EQ(loaded({0.5F, 1.5F}, range(0.0F, 1.0F)),
              "the saved state is invalid: a number is 1.5, outside 0 to 1");
}
TEST(Archive, HostileSizesAllocateNothing) {
    for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
        auto out = Archive::saving();
        std::uint64_t copy = count;
        out.any(copy);
        std::vector<double> values{5};
        auto in = Archive::loading(out.bytes());
        in.list("values", values, ~std::uint64_t{0});
        EXPECT_TRUE(in.failed());
        EXPECT_EQ(values, std::vector<double>{5}) << "a failed load must not change the field";
    }
}

Spaces someSpaces() {
    Spaces spaces;
    ObsLeaf vector{.name = "state",
                   .shape = {4},
                   .low = -4.8,
                   .high = std::numeric_limits<double>::infinity(),
                   .labels = {"x"}};
    ObsLeaf image{.name = "screen",
                  .kind = ObsLeaf::Kind::image,
                  .dtype = DType::u8,
                  .shape = {1, 84, 84},
                  .low = 0,
                  .high = 255,
                  .stack = 4};
    ObsLeaf token{.name = "token",
                  .kind = ObsLeaf::Kind::discrete,
                  .dtype = DType::i32,
                  .shape = {2},
                  .cardinality = 9};
    spaces.obs = {vector, image, token};
    spaces.actions = {
        ActionLeaf{.name = "move", .n = 3},
        ActionLeaf{.name = "push", .kind = ActionLeaf::Kind::box, .low = {-1, -2}, .high = {1, 2}}};
    spaces.has_mask = true;
    return spaces;
}

TEST(Spaces, CountsOfWordsMasksAndBytes) {
    const Spaces spaces = someSpaces();
    EXPECT_EQ(spaces.actionWords(), 3);
    EXPECT_EQ(spaces.maskBytes(), 3);
    EXPECT_EQ(spaces.obs[0].bytes(), 16u);
    EXPECT_EQ(spaces.obs[1].bytes(), 7056u);
    EXPECT_EQ(spaces.obs[2].bytes(), 8u);
}

TEST(Spaces, JsonTextRestoresTheSameSpaces) {
    const Json json = Json::parse(toJson(someSpaces()).dump());
    EXPECT_EQ(spacesFromJson(json).value(), someSpaces());
}

TEST(Spaces, ScalingIsStoredAndDoesNotBelongToTheEnvironment) {
    const Spaces scaled = withScaledActions(someSpaces());
    EXPECT_EQ(spacesFromJson(toJson(scaled)).value(), scaled);
    EXPECT_NE(scaled, someSpaces());
    Spaces unit{.obs = {}, .actions = {ActionLeaf{.kind = ActionLeaf::Kind::box, .low = {-1}, .high = {1}}}};
    EXPECT_EQ(withScaledActions(unit), unit) << "networks for -1 to 1 stay the same";
    EXPECT_EQ(withoutLabels(scaled), withoutLabels(someSpaces()));
    EXPECT_FALSE(toJson(someSpaces()).dump().find("scaled") != std::string::npos)
        << "old files stay the same";
}

TEST(Spaces, TheUnitOfAnActionIsHalfTheWidthOfItsFiniteBounds) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity(),
                     kHuge = std::numeric_limits<float>::max();
    const ActionLeaf leaf{.kind = ActionLeaf::Kind::box,
                          .low = {-1, 100, 7, 0, -kInfinity, -kHuge},
                          .high = {1, 200, 7, kInfinity, kInfinity, kHuge}};
    const double centre[] = {0, 150, 7, 0, 0, 0}, half[] = {1, 50, 1, 1, 1, 1};
    for (std::size_t i = 0; i < leaf.low.size(); ++i) {
        EXPECT_EQ(rangeOf(leaf, i).centre, centre[i]) << i;
        EXPECT_EQ(rangeOf(leaf, i).half, half[i]) << i;
    }
}

TEST(Spaces, HostileJsonIsRejectedWithAReason) {
    const Json good = toJson(someSpaces());
    const auto refused = [&](const char* pointer, const Json& value) {
        Json bad = good;
        bad[Json::json_pointer(pointer)] = value;
        EXPECT_FALSE(spacesFromJson(bad)) << pointer << " = " << value;
    };
    refused("/obs/0/shape", {0});
    refused("/obs/0/shape", {-4});
    refused("/obs/0/shape", Json::array());
    refused("/obs/0/kind", "matrix");
    refused("/obs/0/dtype", "f64");
    refused("/obs/1/shape", {65536, 65536, 65536});
    refused("/obs/1/dtype", "f32");
    refused("/obs/1/stack", 0);
    refused("/obs/2/cardinality", 0);
    refused("/obs/1/name", "state");
    refused("/obs/0/low", "x");
    refused("/actions/0/n", 0);
    refused("/actions/0/kind", "continuous");
    refused("/actions/1/high", {1});
    refused("/actions/1/high", {1, -3});
    refused("/actions/1/scaled", 1);
    refused("/obs", Json::array());
    refused("/has_mask", 3);
    EXPECT_FALSE(spacesFromJson(Json::array()));
    EXPECT_FALSE(spacesFromJson(Json::object()));
}

TEST(Scene, ClearRemovesShapesAndShapesKeepTheirOrder) {
    Scene scene;
    scene.clear(0, 0, 10, 5, {1, 2, 3, 255});
    scene.rectangle(1, 2, 3, 4, {255, 0, 0, 255}, 0.5f);
    scene.line(0, 0, 3, 4, 0.1f, {0, 0, 0, 255});
    ASSERT_EQ(scene.shapes.size(), 2u);
    EXPECT_EQ(scene.shapes[1].w, 3);
    EXPECT_EQ(scene.shapes[1].fill.a, 0);
    scene.frame_width = 3;
    scene.clear(0, 0, 1, 1);
    EXPECT_TRUE(scene.shapes.empty());
    EXPECT_EQ(scene.frame_width, 0);
    EXPECT_EQ(scene.right, 1);
}

// FIPS 180-2, appendix B.
TEST(Sha256, AgreesWithTheKnownAnswers) {
    EXPECT_EQ(sha256Hex(std::string_view("")),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256Hex(std::string_view("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    Sha256 streamed;
    for (int i = 0; i < 1000; ++i) streamed.update(std::string(1000, 'a'));
    EXPECT_EQ(streamed.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Text, NumbersForReading) {
    EXPECT_EQ(formatNumber(0.001), "0.001");
    EXPECT_EQ(formatNumber(3), "3");
    EXPECT_EQ(formatNumber(1e-8), "1e-08");
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(1000), "1,000");
    EXPECT_EQ(formatCount(-123456), "-123,456");
    EXPECT_EQ(formatCount(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
    EXPECT_EQ(formatBytes(950), "950 B");
    EXPECT_EQ(formatBytes(1536), "1.5 KiB");
    EXPECT_EQ(formatBytes(std::uint64_t{12} << 30), "12 GiB");
    EXPECT_EQ(formatBytes(1024 * 1024 - 1), "1.0 MiB");
    EXPECT_EQ(formatDuration(0.4), "0.40 s");
    EXPECT_EQ(formatDuration(59.9), "1 min 00 s");
    EXPECT_EQ(formatDuration(185), "3 min 05 s");
    EXPECT_EQ(formatDuration(7620), "2 h 07 min");
    EXPECT_EQ(formatDuration(273600), "3 d 4 h");
    EXPECT_EQ(formatDuration(-1), "?");
    EXPECT_EQ(formatDuration(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(Text, NumbersAsTyped) {
    EXPECT_EQ(parseInteger("1e6"), 1'000'000);
    EXPECT_EQ(parseInteger("1_000_000"), 1'000'000);
    EXPECT_EQ(parseInteger("+5"), 5);
    EXPECT_EQ(parseInteger("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(parseInteger("9007199254740993"), 9'007'199'254'740'993) << "not converted through double";
    for (const char* bad :
         {"", " 1", "1 ", "1.5", "1e30", "_1", "1_", "1__0", "0x10", "9223372036854775808", "+-5", "nan"})
        EXPECT_FALSE(parseInteger(bad)) << bad;
    EXPECT_EQ(parseNumber("3e-4"), 3e-4);
    EXPECT_EQ(parseNumber(".5"), 0.5);
    for (const char* bad : {"", "nan", "inf", "1e999", "1,5", "abc", "1.0x"})
        EXPECT_FALSE(parseNumber(bad)) << bad;
    EXPECT_EQ(parseBoolean("ON"), true);
    EXPECT_EQ(parseBoolean("No"), false);
    EXPECT_FALSE(parseBoolean("2"));
}

TEST(Text, RangesAsTyped) {
    const auto range = parseRange("2..1_000");
    ASSERT_TRUE(range);
    EXPECT_EQ(range->first, 2);
    EXPECT_EQ(range->last, 1000);
    EXPECT_TRUE(parseRange("0..0"));
    for (const char* text :
         {"", "3", "..", "1..", "..5", "5..1", "-1..5", "1..5..7", "a..b", "1.5..2", "1 .. 2"})
        EXPECT_FALSE(parseRange(text)) << text;
}

TEST(Text, SplittingAndJoining) {
    EXPECT_TRUE(split("", ',').empty());
    EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
    EXPECT_EQ(trimmed(" \t x y\n"), "x y");
    EXPECT_EQ(trimmed("  "), "");
}

struct Entry {
    std::string id;
    std::vector<std::string> aliases;
};

TEST(Registry, FindsByIdAndAliasAndSuggests) {
    Registry<Entry> registry;
    registry.add({"cartpole", {"CartPole-v1"}});
    registry.add({"acrobot", {}});
    EXPECT_EQ(registry.find("CartPole-v1")->id, "cartpole");
    EXPECT_EQ(registry.ids(), (std::vector<std::string>{"acrobot", "cartpole"}));
    const auto missing = registry.get("cartpol", "environment");
    EXPECT_EQ(missing.error().code, ErrorCode::config);
    EXPECT_EQ(missing.error().message, "unknown environment 'cartpol'; did you mean 'cartpole'?");
}

TEST(PrintableText, ControlsBecomeReplacementCharactersAndOtherTextStays) {
    const std::string bad = "\xEF\xBF\xBD";
    EXPECT_EQ(printableText("a\tb\n\xC3\xBC \xE4\xBD\xA0 \xF0\x9F\x8C\xB1"),
              "a\tb\n\xC3\xBC \xE4\xBD\xA0 \xF0\x9F\x8C\xB1");
    EXPECT_EQ(printableText("\x1b[2J\r\x07\x7f"), bad + "[2J" + bad + bad + bad);
    EXPECT_EQ(printableText("\xC2\x9B"
                            "31m"),
              bad + "31m")
        << "the 8-bit form of ESC [";
    EXPECT_EQ(printableText("\xE2\x80\xAEx\xE2\x81\xA6"), bad + "x" + bad)
        << "characters that change the text direction";
    // Not UTF-8: a lone byte, an overlong form of ESC, and half a character.
    EXPECT_EQ(printableText("\x9B\xC0\x9B\xE4\xBD"), bad + bad + bad + bad + bad);
    EXPECT_EQ(printableText(std::string("a\0b", 3)), "a" + bad + "b");
    EXPECT_EQ(incompleteUtf8("ab"), 0U);
    EXPECT_EQ(incompleteUtf8("ab\xE4\xBD"), 2U);
    EXPECT_EQ(incompleteUtf8("ab\xE4\xBD\xA0"), 0U);
    EXPECT_EQ(incompleteUtf8("\xF0\x9F\x8C"), 3U);
    EXPECT_EQ(incompleteUtf8("\xBD\xBD\xBD\xBD"), 0U) << "this sequence can never be completed";
}

}  // namespace
}  // namespace seedbed
