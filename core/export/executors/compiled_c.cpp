// SPDX-License-Identifier: Apache-2.0
// The header of the folder and a harness, compiled in a folder of their own.
#include "core/export/executors/compiled_c.hpp"

#include <cstdlib>

#include "core/export/c_source.hpp"
#include "core/export/executors/float_pipe.hpp"
#include "core/export/executors/programs.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kCompileMs = 300'000;

// A folder that goes with its owner.
class ScratchFolder {
public:
    static Result<ScratchFolder> create() {
        std::error_code error;
        const Path base = std::filesystem::temp_directory_path(error);
        std::string name = ((error ? Path("/tmp") : base) / "seedbed-c-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            return tl::unexpected<Error>(systemError(errno, "making the folder '" + name + "' for the compiler"));
        return ScratchFolder(name);
    }
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, Path())) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder() {
        RealFileSystem files;
        if (!path_.empty()) (void)removeTree(files, path_);
    }
    const Path& path() const { return path_; }

private:
    explicit ScratchFolder(Path path) : path_(std::move(path)) {}
    Path path_;
};

class CompiledC final : public Executor {
public:
    CompiledC(const PolicyModel& model, const TargetOptions& options, ScratchFolder folder, FloatPipe pipe, std::string version)
        : model_(model),
          with_value_(options.with_value && model.value_words > 0),
          folder_(std::move(folder)),
          pipe_(std::move(pipe)),
          version_(std::move(version)) {}

    Result<> run(const ModelBatch& batch, ModelResult& result) override {
        resizeResult(model_, batch.rows, result);
        if (!with_value_) result.value.clear();
        std::vector<const std::vector<float>*> in;
        for (const auto& leaf : batch.obs) in.push_back(&leaf);
        for (const auto* field : {&batch.mask, &batch.previous_action, &batch.previous_reward, &batch.state})
            if (!field->empty()) in.push_back(field);
        // The program answers row by row, one row's outputs after the other.
        std::vector<std::vector<float>*> fields{&result.policy, &result.value, &result.action, &result.state, &result.feedback};
        std::size_t total = 0;
        for (const auto* field : fields) total += field->size();
        answer_.resize(total);
        SEEDBED_TRY(pipe_.exchange(batch.rows, in, {&answer_}));
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
    std::string id() const override { return "c"; }
    std::string version() const override { return version_; }

private:
    const PolicyModel& model_;
    bool with_value_;
    ScratchFolder folder_;
    FloatPipe pipe_;
    std::string version_;
    std::vector<float> answer_;
};

Result<> compile(const std::string& compiler, const Path& folder, const Path& header_folder) {
    ChildOptions options;
    options.arguments = {compiler,
                         "-std=c99",
                         "-O2",
                         "-Wall",
                         "-Wextra",
                         "-Wpedantic",
                         "-Wconversion",
                         "-Werror",
                         "-I" + header_folder.string(),
                         "-o",
                         (folder / "policy_check").string(),
                         (folder / "policy_check.c").string(),
                         "-lm"};
    options.output = options.error = ChildOptions::Stream::null;
    SEEDBED_ASSIGN(ChildProcess child, ChildProcess::start(options));
    SEEDBED_ASSIGN(const auto status, child.wait({}, deadlineIn(kCompileMs)));
    if (!status) return fail("'" + compiler + "' needs more than five minutes for the header; export to onnx instead");
    if (!status->ok()) return fail("'" + compiler + "' " + status->text() + " instead of compiling the header; try another one with --cc");
    return {};
}

}  // namespace

Result<std::unique_ptr<Executor>> openCompiledC(const ExecutorRequest& request) {
    SEEDBED_ASSIGN(const std::string compiler, findCompiler(request.compiler));
    SEEDBED_ASSIGN(ScratchFolder folder, ScratchFolder::create());
    RealFileSystem files;
    SEEDBED_TRY(writeFileAtomically(files, folder.path() / "policy_check.c", cHarness(request.model, request.options)));
    std::error_code error;
    const Path header_folder = std::filesystem::absolute(request.folder, error);
    SEEDBED_TRY(compile(compiler, folder.path(), header_folder));
    SEEDBED_ASSIGN(FloatPipe pipe, FloatPipe::start({(folder.path() / "policy_check").string()}, ""));
    std::string version = compiler + " (" + pipe.version() + ")";
    return std::unique_ptr<Executor>(
        std::make_unique<CompiledC>(request.model, request.options, std::move(folder), std::move(pipe), std::move(version)));
}

}  // namespace seedbed
