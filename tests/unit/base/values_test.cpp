// SPDX-License-Identifier: Apache-2.0
// Values that are saved and drawn: archives, spaces, scenes, SHA-256, texts, registry.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/archive.hpp"
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
    void archive(Archive& archive) { archive(a)(b)(c)(d)(e); }
    bool operator==(const Saved&) const = default;
};

TEST(Archive, LoadingGivesBackWhatWasSaved) {
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

TEST(Archive, EveryTruncationIsNoticed) {
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
    in(value);
    EXPECT_FALSE(in.failed());
    EXPECT_FALSE(in.finish());
}

TEST(Archive, HostileSizesAllocateNothing) {
    for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
        auto out = Archive::saving();
        std::uint64_t copy = count;
        out(copy);
        std::vector<double> values{5};
        auto in = Archive::loading(out.bytes());
        in(values);
        EXPECT_TRUE(in.failed());
        EXPECT_EQ(values, std::vector<double>{5}) << "a failed load leaves the field alone";
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

TEST(Spaces, JsonTextGivesBackTheSameSpaces) {
    const Json json = Json::parse(toJson(someSpaces()).dump());
    EXPECT_EQ(spacesFromJson(json).value(), someSpaces());
}

TEST(Spaces, HostileJsonIsRefusedWithAReason) {
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
    refused("/obs", Json::array());
    refused("/has_mask", 3);
    EXPECT_FALSE(spacesFromJson(Json::array()));
    EXPECT_FALSE(spacesFromJson(Json::object()));
}

TEST(Scene, ClearStartsAfreshAndShapesKeepTheirOrder) {
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
    EXPECT_EQ(parseInteger("9007199254740993"), 9'007'199'254'740'993) << "no detour over double";
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

}  // namespace
}  // namespace seedbed
