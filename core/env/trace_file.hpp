// SPDX-License-Identifier: Apache-2.0
// A reader of JSON lines from a gzipped or plain file.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

class TraceFile {
public:
    static Result<TraceFile> open(const std::string& path);
    // Reads the next non-empty line; nullopt at the end. error: damaged file; a line that is not a JSON
    // object or is longer than 64 MiB.
    Result<std::optional<Json>> next();
    // The number of the last line returned by next(), from 1.
    std::size_t line() const { return line_; }

private:
    TraceFile(std::string path, void* file);
    // Returns false at the end of the file.
    Result<bool> readLine(std::string& text);

    std::string path_;
    std::size_t line_ = 0;
    std::unique_ptr<void, void (*)(void*)> file_;
};

}  // namespace seedbed
