// SPDX-License-Identifier: Apache-2.0
// Uses zlib, which also reads plain files.
#include "core/env/trace_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <unistd.h>
#include <zlib.h>

#include "core/base/os/files.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;

gzFile handle(void* file) { return static_cast<gzFile>(file); }
void closeFile(void* file) {
    if (file != nullptr) gzclose(handle(file));
}

}  // namespace

TraceFile::TraceFile(std::string path, void* file) : path_(std::move(path)), file_(file, &closeFile) {}

Result<TraceFile> TraceFile::open(const std::string& path) {
    SEEDBED_ASSIGN(const int descriptor, openForReading(resolveLinks(path)));
    void* file = gzdopen(descriptor, "rb");
    if (file == nullptr) {
        ::close(descriptor);
        return fail(ErrorCode::out_of_memory, "cannot read the trace '" + path + "': out of memory");
    }
    return TraceFile(path, file);
}

Result<bool> TraceFile::readLine(std::string& text) {
    text.clear();
    std::array<char, 16384> buffer;
    while (gzgets(handle(file_.get()), buffer.data(), static_cast<int>(buffer.size())) != nullptr) {
        text += buffer.data();
        if (text.size() > kLongestLine)
            return fail("line " + std::to_string(line_ + 1) + " of '" + path_ + "' is too long for a trace");
        if (text.back() == '\n') {
            text.pop_back();
            return true;
        }
    }
    int code = Z_OK;
    const char* reason = gzerror(handle(file_.get()), &code);
    if (code == Z_ERRNO) reason = std::strerror(errno);
    if (code != Z_OK && code != Z_STREAM_END) return fail("cannot read the trace '" + path_ + "': " + reason);
    return !text.empty();
}

Result<std::optional<Json>> TraceFile::next() {
    std::string text;
    while (true) {
        SEEDBED_ASSIGN(const bool more, readLine(text));
        if (!more) return std::nullopt;
        ++line_;
        if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
        Json json = Json::parse(text, nullptr, false);
        if (!json.is_object())
            return fail("line " + std::to_string(line_) + " of '" + path_ + "' is not a JSON object");
        return json;
    }
}

}  // namespace seedbed
