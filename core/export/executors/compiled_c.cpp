// SPDX-License-Identifier: Apache-2.0
// Compiles the header and the harness in a scratch folder.
#include "core/export/executors/compiled_c.hpp"

#include <fcntl.h>

#include "core/export/c_programs.hpp"
#include "core/export/c_source.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/executors/row_pipe.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kCompileMs = 300'000;

// The first lines of the compiler's messages.
std::string firstLines(const Path& path) {
    RealFileSystem files;
    const auto text = readFile(files, path, 1 << 20);
    if (!text) return "";
    constexpr int kLines = 6;
    std::size_t end = 0;
    for (int line = 0; line < kLines && end != std::string::npos; ++line)
        end = text->find('\n', end + (line > 0 ? 1 : 0));
    return text->substr(0, end);
}

Result<> compile(const std::string& compiler, const Path& folder, const std::stop_token& stop) {
    ChildOptions options;
    options.arguments = splitCommand(compiler);
    for (const char* argument : {"-std=c99", "-O2", "-o", "policy_check", "policy_check.c", "-lm"})
        options.arguments.emplace_back(argument);
    options.working_folder = folder.string();
    const Path messages = folder / "messages.txt";
    const Descriptor log(::open(messages.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (log.get() < 0)
        return tl::unexpected<Error>(systemError(errno, "writing '" + messages.string() + "'"));
    options.log = log.get();
    SEEDBED_ASSIGN(ChildProcess child, ChildProcess::start(options));
    SEEDBED_ASSIGN(const auto status, child.wait(stop, deadlineIn(kCompileMs)));
    if (stop.stop_requested())
        return fail(ErrorCode::interrupted, "stopped while the header was being compiled");
    if (!status)
        return fail("'" + compiler +
                    "' took more than five minutes to compile the header; export to onnx instead");
    if (!status->ok())
        return fail("'" + compiler + "' " + status->text() +
                    " while compiling the header; try another compiler with --cc. Its messages: " +
                    firstLines(messages));
    return {};
}

}  // namespace

Result<std::unique_ptr<Executor>> openCompiledC(const ExecutorRequest& request) {
    SEEDBED_ASSIGN(const std::string compiler, findCompiler(request.compiler));
    SEEDBED_ASSIGN(ScratchFolder folder, ScratchFolder::create());
    SEEDBED_TRY(folder.add(request.files, {kHeaderName}));
    SEEDBED_TRY(folder.add(textFile("policy_check.c", cHarness(request.model, request.options))));
    SEEDBED_TRY(compile(compiler, folder.path(), request.stop));
    SEEDBED_ASSIGN(FloatPipe pipe, FloatPipe::start({(folder.path() / "policy_check").string()},
                                                    folder.path().string(), request.stop));
    std::string version = "compiled by " + compiler + " (" + pipe.version() + ")";
    const bool with_value = request.options.with_value && request.model.value_words > 0;
    return std::unique_ptr<Executor>(std::make_unique<RowPipe>(
        request.model, with_value, "c", std::move(version), std::move(folder), std::move(pipe)));
}

}  // namespace seedbed
