// SPDX-License-Identifier: Apache-2.0
#include "app/terminal.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include <unistd.h>

#include "core/base/log.hpp"
#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

// A stream that writes to a descriptor. `rest` is an incomplete character, which the next write completes.
struct OutputFilter {
    int descriptor;
    std::string rest{};
};

ssize_t writeFiltered(void* cookie, const char* bytes, std::size_t size) {
    auto& filter = *static_cast<OutputFilter*>(cookie);
    filter.rest.append(bytes, size);
    const std::size_t whole = filter.rest.size() - incompleteUtf8(filter.rest);
    const std::string text = printableText(std::string_view(filter.rest).substr(0, whole));
    filter.rest.erase(0, whole);
    return writeBytes(filter.descriptor, text) ? static_cast<ssize_t>(size) : 0;
}

// Returns null if memory is exhausted; the stream is then unchanged.
std::FILE* filteredStream(OutputFilter& filter, int buffering) {
    std::FILE* stream = ::fopencookie(&filter, "w", {nullptr, writeFiltered, nullptr, nullptr});
    if (stream != nullptr) std::setvbuf(stream, nullptr, buffering, BUFSIZ);
    return stream;
}

}  // namespace

bool writeBytes(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void filterStandardStreams() {
    // Never destroyed, because the streams are flushed during process exit.
    static OutputFilter& out = *new OutputFilter{STDOUT_FILENO};
    static OutputFilter& errors = *new OutputFilter{STDERR_FILENO};
    // Initialises the log first, so that it writes to the original descriptor, with its own colours.
    (void)log::enabled(log::Level::error);
    if (std::FILE* stream = filteredStream(out, ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF))
        stdout = stream;
    if (std::FILE* stream = filteredStream(errors, _IONBF)) stderr = stream;
}

void eraseLine() {
    std::fflush(stderr);
    (void)writeBytes(STDERR_FILENO, "\r\x1b[K");
}

}  // namespace seedbed::app
