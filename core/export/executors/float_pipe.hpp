// SPDX-License-Identifier: Apache-2.0
// Exchanges floats with a child process (Python or compiled C) that runs a policy.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/ipc/child_process.hpp"

namespace seedbed {

// Thread: one owner at a time.
class FloatPipe {
public:
    // `stop` interrupts this call and every exchange. error: the program cannot be started or reports an
    // error.
    static Result<FloatPipe> start(const std::vector<std::string>& arguments,
                                   const std::string& working_folder, const std::stop_token& stop = {});

    // The caller sets the sizes of `outputs`. error: the program failed, exited or did not respond within 60
    // s; interrupted.
    Result<> exchange(int rows, const std::vector<const std::vector<float>*>& inputs,
                      const std::vector<std::vector<float>*>& outputs);

    const std::string& version() const { return version_; }

private:
    FloatPipe(ChildProcess child, std::stop_token stop) : child_(std::move(child)), stop_(std::move(stop)) {}
    Result<> readAll(void* to, std::size_t bytes);
    Result<> writeAllBytes(const void* from, std::size_t bytes);

    // error: a stop was requested, or the deadline has passed.
    Result<> await(int descriptor, short event, Deadline deadline);

    ChildProcess child_;
    std::stop_token stop_;
    std::string version_;
};

}  // namespace seedbed
