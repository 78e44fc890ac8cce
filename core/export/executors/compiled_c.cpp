// SPDX-License-Identifier: Apache-2.0
// Compiles header and harness in a scratch folder.
#include "core/export/executors/compiled_c.hpp"

#include <algorithm>

#include <fcntl.h>

#include "core/export/c_programs.hpp"
#include "core/export/c_source.hpp"
#include "core/export/executors/float_pipe.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/executors/scratch_folder.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kCompileMs = 300'000;

class CompiledC final : public Executor {
public:
    CompiledC(const PolicyModel& model, const TargetOptions& options, ScratchFolder folder, FloatPipe pipe,
              std::string version)
        : model_(model),
          with_value_(options.with_value && model.value_words > 0),
          folder_(std::move(folder)),
          pipe_(std::move(pipe)),
          version_(std::move(version)) {}

    Result<> run(const ModelBatch& batch, ModelResult& result) override { return ask(batch, false, result); }
    // Uses the memory of one struct policy, reset at the first step.
    Result<> playSequence(const PolicyModel&, const ModelBatch& steps, ModelResult& result) override {
        return ask(steps, true, result);
    }
    std::string id() const override { return "c"; }
    std::string version() const override { return version_; }

private:
    Result<> ask(const ModelBatch& batch, bool own_memory, ModelResult& result) {
        resizeResult(model_, batch.rows, result);
        if (!with_value_) result.value.clear();
        std::vector<const std::vector<float>*> in;
        for (const auto& leaf : batch.obs) in.push_back(&leaf);
        for (const auto* field : {&batch.mask, &batch.previous_action, &batch.previous_reward, &batch.state})
            if (!field->empty()) in.push_back(field);
        // The program writes all outputs of a row, then those of the next row.
        std::vector<std::vector<float>*> fields{&result.policy, &result.value, &result.action, &result.state,
                                                &result.feedback};
        std::size_t total = 0;
        for (const auto* field : fields) total += field->size();
        answer_.resize(total);
        SEEDBED_TRY(pipe_.exchange(own_memory ? -batch.rows : batch.rows, in, {&answer_}));
        const auto rows = static_cast<std::size_t>(batch.rows);
        const float* from = answer_.data();
        for (std::size_t row = 0; row < rows; ++row) {
            for (auto* field : fields) {
                const std::size_t words = field->size() / rows;
                std::copy_n(from, words, field->data() + row * words);
                from += words;
            }
        }
        return {};
    }

    const PolicyModel& model_;
    bool with_value_;
    ScratchFolder folder_;
    FloatPipe pipe_;
    std::string version_;
    std::vector<float> answer_;
};

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
    return std::unique_ptr<Executor>(std::make_unique<CompiledC>(
        request.model, request.options, std::move(folder), std::move(pipe), std::move(version)));
}

}  // namespace seedbed
