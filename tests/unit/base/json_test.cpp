// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.hpp"

#include <gtest/gtest.h>

#include <limits>

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

// Values for which a cast is undefined are errors, tested at the exact ends of each range.
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

}  // namespace
}  // namespace seedbed
