// SPDX-License-Identifier: Apache-2.0
// Errors as values. An expected failure (file, configuration, device, failed actor) is a Result with context;
// a bug is a failed SEEDBED_CHECK.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace seedbed {

// The kind of a failure. The command line maps it to a documented exit code.
enum class ErrorCode {
    failure,        // 1: any failure without its own code (I/O, database, numeric)
    usage,          // 2: the command line itself
    config,         // 3: unknown or out-of-range setting, environment, preset
    device,         // 4: device or engine not available
    out_of_memory,  // 5: the estimate exceeds the free memory, or an allocation failed
    disk_full,      // 1: no space or quota left; saving can be retried later
    parity,         // 7: two implementations disagree
    stalled,        // 1: an environment does not return
    interrupted,    // 130: stopped by the user
};

// The process exit code for an error. Never 0 (success) or 6 (a run did not reach its goal).
int exitCode(ErrorCode code);

// A failure: a sentence with the cause and the remedy, and the operations that were in progress, innermost
// first.
struct Error {
    ErrorCode code = ErrorCode::failure;
    std::string message;
    std::vector<std::string> context;

    // "message (while c0, while c1)".
    std::string text() const;
    // Appends the caller's operation ("reading x.json") to the context.
    Error withContext(std::string what) &&;
};

// A value or an Error. It is a class so that [[nodiscard]] makes the compiler warn when a result is ignored.
template <class T = void>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
    Result() = default;
    Result(const Result&) = default;
    Result(Result&&) = default;
    Result(const tl::expected<T, Error>& other) : tl::expected<T, Error>(other) {}  // from map(), and_then()
    Result(tl::expected<T, Error>&& other) : tl::expected<T, Error>(std::move(other)) {}
    // Copies a non-const Result; without it, `Result<bool> b(a)` would convert `a` to bool.
    Result(Result& other) : Result(std::as_const(other)) {}
    Result& operator=(const Result&) = default;
    Result& operator=(Result&&) = default;
};

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message), {}});
}
inline tl::unexpected<Error> fail(std::string message) {
    return fail(ErrorCode::failure, std::move(message));
}

// The exception being handled, as an Error; for calls into libraries. Call it only inside a catch block.
Error currentException();

// Prints the location and the reason, then aborts. For SEEDBED_CHECK only.
[[noreturn]] void checkFailed(const char* condition, const char* file, int line, const std::string& detail);

}  // namespace seedbed

// Aborts if `condition` is false, which is a bug in this program. Active in all builds. The optional detail
// is a string expression, evaluated only on failure.
#define SEEDBED_CHECK(condition, ...)                                                         \
    do {                                                                                      \
        if (!(condition)) [[unlikely]]                                                        \
            ::seedbed::checkFailed(#condition, __FILE__, __LINE__, std::string{__VA_ARGS__}); \
    } while (false)

#define SEEDBED_CONCAT_INNER(a, b) a##b
#define SEEDBED_CONCAT(a, b) SEEDBED_CONCAT_INNER(a, b)

// Returns the error of a Result<void> expression to the caller.
#define SEEDBED_TRY(expression)                                                             \
    do {                                                                                    \
        auto seedbed_try_result = (expression);                                             \
        if (!seedbed_try_result)                                                            \
            return tl::unexpected<::seedbed::Error>(std::move(seedbed_try_result).error()); \
    } while (false)

// Declares `variable` from a Result<T> expression, or returns its error.
#define SEEDBED_ASSIGN(variable, expression)                               \
    auto SEEDBED_CONCAT(seedbed_result_, __LINE__) = (expression);         \
    if (!SEEDBED_CONCAT(seedbed_result_, __LINE__))                        \
        return tl::unexpected<::seedbed::Error>(                           \
            std::move(SEEDBED_CONCAT(seedbed_result_, __LINE__)).error()); \
    variable = std::move(*SEEDBED_CONCAT(seedbed_result_, __LINE__))
