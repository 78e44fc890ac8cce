// SPDX-License-Identifier: Apache-2.0
#include "core/base/repeated_texts.hpp"

#include <gtest/gtest.h>

namespace seedbed {
namespace {

TEST(RepeatedTexts, ReportsTheFirstOfEachKindAndThenCounts) {
    RepeatedTexts texts;
    EXPECT_EQ(texts.add("environment 1 failed: bad\nline 7", 0), "environment 1 failed: bad\nline 7");
    EXPECT_EQ(texts.add("environment 12 failed: bad\nline 7", 1), std::nullopt);
    EXPECT_EQ(texts.add("thread 0x7f07aebff", 1), "thread 0x7f07aebff");
    EXPECT_EQ(texts.add("thread 0x7f2caebc", 1), std::nullopt);
    EXPECT_EQ(texts.add("environment 1 failed: worse", 2), "environment 1 failed: worse");
    EXPECT_EQ(texts.add("environment 3 failed: bad\nline 7", 59), std::nullopt);
    EXPECT_EQ(texts.add("environment 4 failed: bad\nline 7", 60),
              "environment 4 failed: bad (3 more messages like this)");
    EXPECT_EQ(texts.rest(), std::vector<std::string>{"thread 0x7f2caebc (1 more message like this)"});
    EXPECT_EQ(texts.add("environment 5 failed: bad\nline 7", 61), std::nullopt);
    EXPECT_EQ(texts.rest(), std::vector<std::string>{"environment 5 failed: bad (1 more message like this)"});
    EXPECT_TRUE(texts.rest().empty());
}

TEST(RepeatedTexts, NamesEachThingThatIsLeftOut) {
    RepeatedTexts texts;
    for (const char* text : {"environment 1 of 'x' failed 5 times in a row and is left out",
                             "environment 2 of 'x' failed 5 times in a row and is left out"})
        EXPECT_EQ(texts.add(text, 0), text);
    EXPECT_TRUE(texts.rest().empty());
}

TEST(RepeatedTexts, RemembersALimitedNumberOfKinds) {
    RepeatedTexts texts;
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(texts.add(std::string(static_cast<std::size_t>(i), 'x'), 0));
    int again = 0;
    for (int i = 0; i < 1000; ++i)
        again += texts.add(std::string(static_cast<std::size_t>(i), 'x'), 0).has_value() ? 1 : 0;
    EXPECT_GE(again, 900);
}

TEST(RepeatedTexts, ForgetsTheKindThatWasSeenLeastRecently) {
    RepeatedTexts texts;
    const auto text = [](int i) { return std::string(static_cast<std::size_t>(i) + 1, 'x'); };
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(texts.add(text(i), 0.1 * i));
    EXPECT_FALSE(texts.add(text(0), 10));
    EXPECT_TRUE(texts.add(text(100), 11));
    EXPECT_FALSE(texts.add(text(0), 12)) << "the alphabetically first kind is still known";
    EXPECT_TRUE(texts.add(text(1), 13)) << "the oldest kind was forgotten";
}

}  // namespace
}  // namespace seedbed
