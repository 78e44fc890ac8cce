// SPDX-License-Identifier: Apache-2.0
// Error messages, exit codes, and failed checks.
#include "core/base/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

namespace seedbed {

int exitCode(ErrorCode code) {
    switch (code) {
        case ErrorCode::failure: return 1;
        case ErrorCode::usage: return 2;
        case ErrorCode::config: return 3;
        case ErrorCode::device: return 4;
        case ErrorCode::out_of_memory: return 5;
        case ErrorCode::disk_full: return 1;
        case ErrorCode::parity: return 7;
        case ErrorCode::stalled: return 1;
        case ErrorCode::interrupted: return 130;
    }
    return 1;
}

std::string Error::text() const {
    if (context.empty()) return message;
    std::string result = message + " (";
    for (std::size_t i = 0; i < context.size(); ++i) result += (i == 0 ? "while " : ", while ") + context[i];
    return result + ")";
}

Error Error::withContext(std::string what) && {
    context.push_back(std::move(what));
    return std::move(*this);
}

namespace {

// May throw std::bad_alloc itself.
Error describeCurrentException() {
    SEEDBED_CHECK(std::current_exception() != nullptr, "called outside a catch block");
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {ErrorCode::out_of_memory,
                "an allocation failed: the memory of the machine is exhausted, or this process has reached "
                "its limit",
                {}};
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again)
            return {ErrorCode::out_of_memory,
                    "a thread could not be started: not enough memory, or the thread limit has been reached",
                    {}};
        return {ErrorCode::failure, std::string("unexpected exception: ") + error.what(), {}};
    } catch (const std::exception& exception) {
        return {ErrorCode::failure, std::string("unexpected exception: ") + exception.what(), {}};
    } catch (...) {
        return {ErrorCode::failure, "unexpected exception of unknown type", {}};
    }
}

}  // namespace

Error currentException() {
    try {
        return describeCurrentException();
    } catch (...) {
        // The text is short enough for std::string to store it without allocating.
        return {ErrorCode::out_of_memory, "out of memory", {}};
    }
}

void checkFailed(const char* condition, const char* file, int line, const std::string& detail) {
    // Uses stdio only: the state of the program may be corrupt.
    std::fprintf(stderr,
                 "%s:%d: check failed: %s%s%s\nThis is a bug in Seedbed; saved data is not affected.\n", file,
                 line, condition, detail.empty() ? "" : ": ", detail.c_str());
    std::fflush(stderr);
    std::abort();
}

}  // namespace seedbed
