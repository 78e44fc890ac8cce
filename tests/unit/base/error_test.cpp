// SPDX-License-Identifier: Apache-2.0
// Errors: messages, exit codes, macros, and the conversions of Result.
#include "core/base/error.hpp"

#include <memory>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include "core/base/json.hpp"

namespace seedbed {
namespace {

Result<int> half(int value) {
    if (value % 2 != 0) return fail(ErrorCode::config, "odd");
    return value / 2;
}

Result<int> quarter(int value) {
    SEEDBED_ASSIGN(const int once, half(value));
    SEEDBED_ASSIGN(const int twice, half(once));
    return twice;
}

Result<> evenTwice(int value) {
    SEEDBED_TRY(quarter(value));
    return {};
}

TEST(Error, ExitCodesAreTheDocumentedOnes) {
    EXPECT_EQ(exitCode(ErrorCode::failure), 1);
    EXPECT_EQ(exitCode(ErrorCode::usage), 2);
    EXPECT_EQ(exitCode(ErrorCode::config), 3);
    EXPECT_EQ(exitCode(ErrorCode::device), 4);
    EXPECT_EQ(exitCode(ErrorCode::out_of_memory), 5);
    EXPECT_EQ(exitCode(ErrorCode::disk_full), 1);
    EXPECT_EQ(exitCode(ErrorCode::parity), 7);
    EXPECT_EQ(exitCode(ErrorCode::interrupted), 130);
}

TEST(Error, TextNamesTheChainInnermostFirst) {
    Error error{ErrorCode::failure, "no space left", {}};
    EXPECT_EQ(error.text(), "no space left");
    error = std::move(error).withContext("writing a.json").withContext("saving run 3");
    EXPECT_EQ(error.text(), "no space left (while writing a.json, while saving run 3)");
}

TEST(Error, MacrosReturnTheFirstFailureWithItsCode) {
    EXPECT_EQ(quarter(8).value(), 2);
    EXPECT_EQ(quarter(6).error().message, "odd");
    EXPECT_EQ(quarter(6).error().code, ErrorCode::config);
    EXPECT_TRUE(evenTwice(8));
    EXPECT_FALSE(evenTwice(7));
}

TEST(Error, ResultOfBoolCopiesTheValueNotWhetherThereIsOne) {
    Result<bool> no = false;
    Result<bool> copy(no);
    EXPECT_FALSE(copy.value());
    Result<Json> json = Json{{"a", 1}};
    Result<Json> json_copy(json);
    EXPECT_EQ(json_copy.value(), Json({{"a", 1}}));
}

TEST(Error, MonadicFormsConvertBackToResult) {
    const Result<std::string> text = half(4).map([](int value) { return std::to_string(value); });
    EXPECT_EQ(text.value(), "2");
    const Result<int> failed = half(3).map([](int value) { return value + 1; });
    EXPECT_EQ(failed.error().message, "odd");
}

TEST(Error, ExceptionsBecomeErrorsWithTheirKind) {
    const auto caught = [](auto exception) {
        try {
            throw exception;
        } catch (...) {
            return currentException();
        }
    };
    EXPECT_EQ(caught(std::bad_alloc()).code, ErrorCode::out_of_memory);
    EXPECT_NE(caught(std::runtime_error("broken pipe")).message.find("broken pipe"), std::string::npos);
    EXPECT_EQ(caught(3).code, ErrorCode::failure);
}

TEST(ErrorDeathTest, BrokenCheckNamesConditionAndDetail) {
    EXPECT_DEATH(SEEDBED_CHECK(1 + 1 == 3, "arithmetic"), "check failed: 1 \\+ 1 == 3: arithmetic");
}

TEST(Error, DetailOfACheckIsEvaluatedOnlyOnFailure) {
    int evaluated = 0;
    SEEDBED_CHECK(true, std::to_string(++evaluated));
    EXPECT_EQ(evaluated, 0);
}

}  // namespace
}  // namespace seedbed
