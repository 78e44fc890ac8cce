// SPDX-License-Identifier: Apache-2.0
#include "core/control/launch.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/os/files.hpp"
#include "core/base/text.hpp"

namespace seedbed {

Result<std::filesystem::path> ownProgram() {
    std::error_code error;
    auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return fail("cannot find this program's executable: " + error.message());
    return program;
}

Result<ChildProcess> launchInBackground(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& log, FileSystem& files) {
    SEEDBED_TRY(makeFolders(files, log.parent_path()));
    {
        SEEDBED_ASSIGN(const auto made, files.open(log, OpenMode::append));
        SEEDBED_TRY(made->close());
    }
    // The child inherits a descriptor, which FileSystem does not provide.
    const Descriptor file(::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (!file) return tl::unexpected<Error>(systemError(errno, "opening '" + log.string() + "'"));
    ChildOptions options;
    options.arguments = arguments;
    options.own_session = true;
    options.log = file.get();
    return ChildProcess::start(options);
}

std::string lastLine(const std::filesystem::path& log, FileSystem& files) {
    constexpr std::uint64_t kMaxLog = 16 << 20;
    const auto text = readFile(files, log, kMaxLog);
    if (!text) return "";
    std::string last;
    for (const std::string& line : split(*text, '\n'))
        if (!trimmed(line).empty()) last = trimmed(line);
    return last;
}

}  // namespace seedbed
