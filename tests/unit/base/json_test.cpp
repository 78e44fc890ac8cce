// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.hpp"

#include "core/base/strict_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace seedbed {
namespace {

template <class T>
bool fits(double number) {
    try {
        (void)Json(number).get<T>();
        return true;
    } catch (const Json::out_of_range&) {
        return false;
    }
}

// Values whose cast is undefined are errors; this is tested at the exact ends of each range.
TEST(Json, ANumberOutsideTheRangeOfAnIntegerIsAnError) {
    EXPECT_TRUE(fits<int>(2147483647.0) && fits<int>(-2147483648.0) && fits<int>(-0.5));
    EXPECT_FALSE(fits<int>(2147483648.0) || fits<int>(-2147483649.0) || fits<int>(1e31));
    EXPECT_TRUE(fits<std::int64_t>(-0x1p63) && fits<std::int64_t>(0x1.fffffffffffffp62));
    EXPECT_FALSE(fits<std::int64_t>(0x1p63) || fits<std::int64_t>(-0x1.0000000000001p63));
    EXPECT_TRUE(fits<std::uint64_t>(0) && fits<std::uint64_t>(0x1.fffffffffffffp63) &&
                fits<std::uint64_t>(-0.5));
    EXPECT_FALSE(fits<std::uint64_t>(0x1p64) || fits<std::uint64_t>(-1.0));
    EXPECT_TRUE(fits<std::uint8_t>(255.0));
    EXPECT_FALSE(fits<std::uint8_t>(256.0));
    for (const double strange :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        EXPECT_FALSE(fits<int>(strange) || fits<std::uint64_t>(strange));
        EXPECT_TRUE(fits<double>(strange));
    }
    EXPECT_EQ(Json(1e6).get<int>(), 1'000'000);
    EXPECT_THROW((void)Json("5").get<int>(), Json::type_error);
}

TEST(Json, AListOfIntegersIsReadThroughTheSameCheck) {
    EXPECT_EQ(Json::parse("[64, 32.0]").get<std::vector<int>>(), (std::vector{64, 32}));
    EXPECT_THROW((void)Json::parse("[64, 1e31]").get<std::vector<int>>(), Json::out_of_range);
    EXPECT_THROW((void)Json::parse(R"({"size": 1e31})").value("size", 1), Json::out_of_range);
}

TEST(Json, StrictParsingGivesTheSameDocument) {
    for (const char* text :
         {"3", "-3", "18446744073709551615", "0.1", "1e300", "null", "true", "false", R"("a\u00e9\n")", "[]",
          "{}", R"({"b": {"z": [1, {"y": []}, "x"], "a": {}}, "a": [[null], -0.0], "": 1})"}) {
        const Json document = parseStrictJson(text);
        EXPECT_EQ(document, Json::parse(text)) << text;
        EXPECT_EQ(document.dump(), Json::parse(text).dump()) << text;
    }
}

TEST(Json, StrictParsingRefusesRepeatedKeysDepthAndWhatIsNotJson) {
    for (const char* text : {R"({"a": 1, "a": 1})", R"([{"a": {"b": 1, "c": 2, "b": 3}}])", "", "{", "[1,]",
                             "nul", "1 2", "1e999", "\"\xff\"", "{\"a\": 1}}"})
        EXPECT_TRUE(parseStrictJson(text).is_discarded()) << text;
    EXPECT_FALSE(parseStrictJson(R"([{"a": 1}, {"a": {"a": 2}}])").is_discarded());
    EXPECT_FALSE(parseStrictJson("[[]]", 1).is_discarded());
    EXPECT_FALSE(parseStrictJson("[1]", 1).is_discarded());
    EXPECT_TRUE(parseStrictJson("[[1]]", 1).is_discarded());
    EXPECT_TRUE(parseStrictJson("[[[]]]", 1).is_discarded());
    EXPECT_TRUE(parseStrictJson(R"([{"a": []}])", 1).is_discarded());
    EXPECT_TRUE(parseStrictJson(std::string(1'000'000, '[')).is_discarded());
    EXPECT_TRUE(parseStrictJson(std::string_view("{}\0more", 7)).is_discarded());
    EXPECT_TRUE(parseStrictJson(std::string_view("{}\0", 3)).is_discarded());
}

// An object with `members` members, "0": 0 and so on, followed by `more`.
std::string largeObject(int members, const std::string& more) {
    std::string text = "{";
    for (int i = 0; i < members; ++i) text += "\"" + std::to_string(i) + "\":0,";
    return text + more + "}";
}

TEST(Json, StrictParsingOfManyMembersTakesLittleTimeAndFindsRepeatedOnes) {
    // If each member were searched for separately, parsing would take minutes.
    constexpr int kMany = 300'000;
    EXPECT_EQ(parseStrictJson(largeObject(kMany, "\"x\":0")).size(), std::size_t{kMany} + 1);
    for (const int members : {31, 32, 33, 40, kMany})
        for (const int repeated : {0, 30, members - 1}) {
            const std::string twice = "\"" + std::to_string(repeated) + "\":0";
            EXPECT_TRUE(parseStrictJson(largeObject(members, twice)).is_discarded()) << members << twice;
            EXPECT_FALSE(parseStrictJson(largeObject(members, "\"x\":{" + twice + "}")).is_discarded());
        }
}

TEST(Json, StrictParsingRefusesDocumentsOfMoreThanHalfAMillionValues) {
    const auto list = [](std::size_t values) {
        std::string text = "[";
        for (std::size_t i = 1; i < values - 1; ++i) text += "0,";
        return text + "0]";
    };
    EXPECT_EQ(parseStrictJson(list(1 << 19)).size(), (std::size_t{1} << 19) - 1);
    EXPECT_TRUE(parseStrictJson(list((1 << 19) + 1)).is_discarded());
    EXPECT_FALSE(parseStrictJson(list(7), 32, 7).is_discarded());
    EXPECT_TRUE(parseStrictJson(list(8), 32, 7).is_discarded());
}

}  // namespace
}  // namespace seedbed
