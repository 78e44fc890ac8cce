// SPDX-License-Identifier: Apache-2.0
// Both executors run a script that answers the requests of FloatPipe.
#include "core/export/executors/python.hpp"

#include "core/export/executors/float_pipe.hpp"
#include "core/export/executors/graph_executor.hpp"
#include "core/export/executors/interpreter.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/executors/scratch_folder.hpp"
#include "core/policy/networks.hpp"

namespace seedbed {

namespace {

// The loop that answers requests: `answer(rows, [flat arrays]) -> [arrays]` is defined by the preceding
// script; argv[2] contains the floats per row of each input. If the number of rows is negative, the rows are
// the steps of one episode, which the program plays with its own recurrent state.
constexpr const char* kServe = R"py(
def serve(version, answer):
    sizes = json.loads(sys.argv[2])
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sink.write(("ok " + version + "\n").encode()); sink.flush()
    while True:
        head = source.read(4)
        if len(head) < 4:
            return
        rows = int(np.frombuffer(head, np.int32)[0])
        inputs = [np.frombuffer(source.read(4 * abs(rows) * n), np.float32) for n in sizes]
        try:
            body = b"".join(np.ascontiguousarray(out, np.float32).tobytes() for out in answer(rows, inputs))
            sink.write(np.int32(0).tobytes() + body)
        except Exception as error:
            text = repr(error).encode()[:100000]
            sink.write(np.int32(len(text)).tobytes() + text)
        sink.flush()
)py";

// Prevents modules in the current folder from shadowing Python's; sys is built in.
constexpr const char* kImports = R"py(
import sys
sys.path = [folder for folder in sys.path if folder not in ("", ".")]
import json
try:
    import platform
    import numpy as np
    MODULES
except Exception as error:
    print("error", type(error).__name__ + ": " + " ".join(str(error).split()), flush=True)
    sys.exit(0)
)py";

// Uses one thread, so that the order of sums is fixed and executors do not compete for cores.
constexpr const char* kOnnxRuntime = R"py(
def main():
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
    except Exception as error:
        print("error onnxruntime rejects the model:", " ".join(str(error).split()), flush=True)
        return
    inputs, outputs = json.loads(sys.argv[3]), json.loads(sys.argv[4])
    def answer(rows, arrays):
        feed = {name: array.reshape([rows] + dims) for (name, dims), array in zip(inputs, arrays)}
        return session.run(outputs, feed)
    serve(ort.__version__ + " with Python " + platform.python_version(), answer)
main()
)py";

constexpr const char* kNumpyMain = R"py(
def main():
    import importlib.util
    spec = importlib.util.spec_from_file_location("seedbed_policy", sys.argv[1] + "/policy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    policy = module.Policy(sys.argv[1])
    names = json.loads(sys.argv[4])
    def play(steps, obs, rest):
        policy.reset()
        results = []
        for i in range(steps):
            one = [leaf[i] for leaf in obs]
            reward = float(rest["previous_reward"][i, 0]) if "previous_reward" in rest else 0.0
            policy.act(one if len(one) > 1 else one[0], rest["mask"][i] if "mask" in rest else None, reward)
            results.append(policy.result)
        return {name: np.concatenate([result[name] for result in results]) for name in names}
    def answer(rows, arrays):
        count, arrays = abs(rows), list(arrays)
        obs = [arrays.pop(0).reshape(count, -1) for _ in policy.spec["inputs"]["observations"]]
        rest = {name: arrays.pop(0).reshape(count, -1) for name in json.loads(sys.argv[3])}
        result = policy.run(obs, **rest) if rows > 0 else play(count, obs, rest)
        return [result[name] for name in names]
    serve(np.__version__ + " with safetensors " + safetensors.__version__ + " and Python " + platform.python_version(), answer)
main()
)py";

std::string scriptWith(const std::string& modules, const char* body) {
    std::string imports = kImports;
    imports.replace(imports.find("MODULES"), 7, modules);
    return imports + kServe + body;
}

// Starts the script with the first Python that has the required modules.
Result<FloatPipe> startPython(const ExecutorRequest& request, const std::string& script,
                              const std::vector<std::string>& arguments, const std::string& packages,
                              const ScratchFolder& folder) {
    std::string reasons;
    for (const std::string& python : pythonCandidates(request.python)) {
        std::vector<std::string> command{absoluteProgram(python), "-c", script};
        command.insert(command.end(), arguments.begin(), arguments.end());
        auto pipe = FloatPipe::start(command, folder.path().string(), request.stop);
        if (pipe || pipe.error().code == ErrorCode::interrupted) return pipe;
        if (!reasons.empty() && reasons.ends_with(": " + pipe.error().message))
            continue;  // python and python3 fail for the same reason
        reasons += (reasons.empty() ? "" : "; ") + python + ": " + pipe.error().message;
    }
    if (!request.python.empty() && !isRunnable(request.python))
        return fail("it cannot be run; correct --python");
    return fail("no Python has the required packages (" + reasons + "); 'pip install " + packages +
                "' installs them; --python or SEEDBED_PYTHON selects a Python");
}

class OnnxRuntimeExecutor final : public GraphExecutor {
public:
    OnnxRuntimeExecutor(const PolicyModel& model, onnx::PolicyGraph graph, ScratchFolder folder)
        : GraphExecutor(model, std::move(graph)), folder_(std::move(folder)) {}

    Result<> start(const ExecutorRequest& request) {
        Json sizes = Json::array(), inputs = Json::array(), names = Json::array();
        for (const onnx::InputBinding& binding : graph().inputs) {
            std::int64_t words = 1;
            for (const std::int64_t dim : binding.dims) words *= dim;
            sizes.push_back(words);
            inputs.push_back({binding.name, binding.dims});
        }
        for (const auto& [name, words] : outputs()) names.push_back(name);
        const std::string script = scriptWith("import onnxruntime as ort", kOnnxRuntime);
        SEEDBED_TRY(folder_.add(request.files, {kOnnxName}));
        auto pipe = startPython(request, script, {kOnnxName, sizes.dump(), inputs.dump(), names.dump()},
                                "onnxruntime numpy", folder_);
        if (!pipe) return tl::unexpected<Error>(std::move(pipe).error());
        pipe_ = std::make_unique<FloatPipe>(std::move(*pipe));
        return {};
    }
    std::string id() const override { return "onnxruntime"; }
    std::string version() const override { return pipe_->version(); }

protected:
    Result<> runGraph(int rows, const std::vector<std::vector<float>>& inputs,
                      std::vector<std::vector<float>>& to) override {
        std::vector<const std::vector<float>*> in;
        std::vector<std::vector<float>*> out;
        for (const auto& input : inputs) in.push_back(&input);
        const auto names = outputs();
        for (std::size_t i = 0; i < names.size(); ++i) {
            to[i].resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(names[i].second));
            out.push_back(&to[i]);
        }
        return pipe_->exchange(rows, in, out);
    }

private:
    ScratchFolder folder_;
    std::unique_ptr<FloatPipe> pipe_;
};

class NumpyExecutor final : public Executor {
public:
    NumpyExecutor(const PolicyModel& model, ScratchFolder folder, FloatPipe pipe)
        : model_(model), folder_(std::move(folder)), pipe_(std::move(pipe)) {}

    static Result<std::unique_ptr<Executor>> open(const ExecutorRequest& request) {
        const PolicyModel& model = request.model;
        Json sizes = Json::array(), rest = Json::array(), names = Json::array({"policy", "value", "action"});
        for (std::size_t leaf = 0; leaf < model.spaces().obs.size(); ++leaf)
            sizes.push_back(model.obsWords(leaf));
        const auto add = [&](bool wanted, const char* name, int words) {
            if (wanted) {
                sizes.push_back(words);
                rest.push_back(name);
            }
        };
        add(model.spaces().has_mask, "mask", model.spaces().maskBytes());
        add(model.wants_previous_action, "previous_action", model.spaces().actionWords());
        add(model.wants_previous_reward, "previous_reward", 1);
        add(model.stateWords() > 0, "state", model.stateWords());
        if (model.stateWords() > 0) names.push_back("state");
        if (model.wants_previous_action) names.push_back("feedback");
        SEEDBED_ASSIGN(ScratchFolder folder, ScratchFolder::create());
        SEEDBED_TRY(folder.add(request.files, {"policy.py", kSpecName, kExportedParamsName}));
        auto pipe = startPython(request, scriptWith("import safetensors", kNumpyMain),
                                {".", sizes.dump(), rest.dump(), names.dump()}, "safetensors numpy", folder);
        if (!pipe) return tl::unexpected<Error>(std::move(pipe).error());
        return std::unique_ptr<Executor>(
            std::make_unique<NumpyExecutor>(model, std::move(folder), std::move(*pipe)));
    }

    Result<> run(const ModelBatch& batch, ModelResult& result) override { return ask(batch, false, result); }
    // Uses Policy.act(), which keeps the recurrent state.
    Result<> playSequence(const PolicyModel&, const ModelBatch& steps, ModelResult& result) override {
        return ask(steps, true, result);
    }
    std::string id() const override { return "numpy"; }
    std::string version() const override { return pipe_.version(); }

private:
    Result<> ask(const ModelBatch& batch, bool own_memory, ModelResult& result) {
        resizeResult(model_, batch.rows, result);
        std::vector<const std::vector<float>*> in;
        for (const auto& leaf : batch.obs) in.push_back(&leaf);
        if (model_.spaces().has_mask) in.push_back(&batch.mask);
        if (model_.wants_previous_action) in.push_back(&batch.previous_action);
        if (model_.wants_previous_reward) in.push_back(&batch.previous_reward);
        if (model_.stateWords() > 0) in.push_back(&batch.state);
        std::vector<std::vector<float>*> out{&result.policy, &result.value, &result.action};
        if (model_.stateWords() > 0) out.push_back(&result.state);
        if (model_.wants_previous_action) out.push_back(&result.feedback);
        return pipe_.exchange(own_memory ? -batch.rows : batch.rows, in, out);
    }

    const PolicyModel& model_;
    ScratchFolder folder_;
    FloatPipe pipe_;
};

}  // namespace

Result<std::unique_ptr<Executor>> openOnnxRuntime(const ExecutorRequest& request) {
    SEEDBED_ASSIGN(const onnx::Profile profile, onnx::profileFromName(request.options.profile));
    SEEDBED_ASSIGN(onnx::PolicyGraph graph,
                   onnx::buildPolicyGraph(request.model, profile, request.options.with_value));
    graph.model = {};
    SEEDBED_ASSIGN(ScratchFolder folder, ScratchFolder::create());
    auto executor = std::make_unique<OnnxRuntimeExecutor>(request.model, std::move(graph), std::move(folder));
    SEEDBED_TRY(executor->start(request));
    return std::unique_ptr<Executor>(std::move(executor));
}

Result<std::unique_ptr<Executor>> openNumpy(const ExecutorRequest& request) {
    return NumpyExecutor::open(request);
}

}  // namespace seedbed
