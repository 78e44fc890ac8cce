// SPDX-License-Identifier: Apache-2.0
// Contexts: binding of shapes, runs and backward passes. On the CPU they work directly in the caller's
// memory; on other devices they use a separate stream.
#include "core/nn/engines/torch/module/net.hpp"

#include <algorithm>
#include <stdexcept>

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/nn/engines/torch/module/torch_versions.hpp"

namespace seedbed::torch_module {

namespace {

// A bound shape uses a few kilobytes for its tensor objects. All shapes share the memory of the activations.
constexpr std::size_t kFrames = 16;

// Runs kernels on `stream` during its lifetime; no effect on the CPU.
struct OnStream {
    explicit OnStream(const std::optional<c10::Stream>& stream) {
        if (stream) guard.emplace(*stream);
    }
    std::optional<c10::StreamGuard> guard;
};

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

bool uses(const NetPlan& plan, const char* kind) {
    return std::any_of(plan.ops.begin(), plan.ops.end(), [&](const PlanOp& op) { return op.kind == kind; });
}

}  // namespace

UploadedParams uploadParams(const Net& net, const float* blob) {
    if (net.device.is_cpu()) return {{}, blob};
    const auto count = static_cast<std::int64_t>(net.plan.param_floats);
    UploadedParams params;
    // The call is synchronous, so any stream may read the copy afterwards.
    params.copy = at::from_blob(const_cast<float*>(blob), {count}, at::kFloat).to(net.device);
    const c10::impl::VirtualGuardImpl guard(net.device.type());
    guard.synchronizeStream(guard.getStream(net.device));
    params.memory = params.copy.data_ptr<float>();
    return params;
}

Context::Context(const Net& net) : net_(&net) {
    if (!net.device.is_cpu())
        stream_ = c10::impl::VirtualGuardImpl(net.device.type()).getStreamFromGlobalPool(net.device);
    const OnStream on_stream(stream_);
    workspace_ = std::make_unique<Workspace>(net.plan, net.device);
}

void Context::finish() {
    if (stream_) c10::impl::VirtualGuardImpl(net_->device.type()).synchronizeStream(*stream_);
}

Frame& Context::frameFor(const Shape& shape) {
    const auto found = std::find_if(frames_.rbegin(), frames_.rend(),
                                    [&](const auto& frame) { return frame->shape() == shape; });
    if (found != frames_.rend()) return **found;
    if (frames_.size() == kFrames) frames_.erase(frames_.begin());
    frames_.push_back(std::make_unique<Frame>(net_->plan, net_->analysis, *workspace_, shape));
    return *frames_.back();
}

void Context::readRows(const SeedbedTorchRows& rows, std::size_t count) {
    const NetPlan& plan = net_->plan;
    const auto& leaves = plan.spec.spaces.obs;
    require(static_cast<std::size_t>(rows.leaves) == leaves.size(),
            "the number of observation leaves of the rows differs from that of the network");
    for (std::size_t i = 0; i < leaves.size(); ++i)
        workspace_->leaves[i].read(rows.obs[i],
                                   count * static_cast<std::size_t>(leaves[i].stack) * leaves[i].elements());
    if (rows.first != nullptr) workspace_->first.read(rows.first, count);
    if (plan.state_words > 0 && rows.state != nullptr)
        workspace_->state_in.read(rows.state, static_cast<std::size_t>(rows.sequences) *
                                                  static_cast<std::size_t>(plan.state_words));
    if (uses(plan, "previous_action")) {
        require(rows.previous_action != nullptr,
                "the network needs the previous action, but the rows have none");
        workspace_->previous_action.read(rows.previous_action,
                                         count * static_cast<std::size_t>(plan.spec.spaces.actionWords()));
    }
    if (uses(plan, "previous_reward")) {
        require(rows.previous_reward != nullptr,
                "the network needs the previous reward, but the rows have none");
        workspace_->previous_reward.read(rows.previous_reward, count);
    }
}

void Context::run(const UploadedParams& params, const SeedbedTorchRows& rows, const SeedbedTorchOutputs& out,
                  bool keep) {
    taped_ = nullptr;
    const auto count = static_cast<std::size_t>(rows.sequences) * static_cast<std::size_t>(rows.steps);
    no_rows_ = count == 0;
    if (no_rows_) return;
    const OnStream on_stream(stream_);
    const NetPlan& plan = net_->plan;
    const auto state_count =
        static_cast<std::size_t>(rows.sequences) * static_cast<std::size_t>(plan.state_words);
    const Shape shape{rows.sequences, rows.steps, keep, rows.first != nullptr,
                      plan.state_words > 0 && rows.state != nullptr};
    Frame& frame = frameFor(shape);
    workspace_->params.point(params.memory);
    readRows(rows, count);
    workspace_->heads.write(out.heads, count * static_cast<std::size_t>(plan.head_words), false);
    workspace_->state_wanted = out.state != nullptr && state_count > 0;
    if (workspace_->state_wanted) workspace_->state_out.write(out.state, state_count, false);

    frame.forward();

    workspace_->heads.fetch();
    if (workspace_->state_wanted) workspace_->state_out.fetch();
    finish();
    workspace_->heads.store();
    if (workspace_->state_wanted) workspace_->state_out.store();
    if (keep) taped_ = &frame;
}

void Context::backward(const float* head_gradients, float* lane, float* const* input_gradient) {
    if (no_rows_) return;
    require(taped_ != nullptr, "backward() requires a run with Keep::tape before it");
    const OnStream on_stream(stream_);
    const NetPlan& plan = net_->plan;
    const auto count = static_cast<std::size_t>(taped_->rows());
    workspace_->head_gradients.read(head_gradients, count * static_cast<std::size_t>(plan.head_words));
    // The operations always compute the gradients of parameters.
    if (lane == nullptr) {
        spare_lane_.resize(plan.param_floats);
        lane = spare_lane_.data();
    }
    workspace_->lane.write(lane, plan.param_floats, true);
    std::vector<Panel*> wanted;
    for (std::size_t i = 0; i < plan.spec.spaces.obs.size(); ++i) {
        const ObsLeaf& leaf = plan.spec.spaces.obs[i];
        const bool asked = input_gradient != nullptr && input_gradient[i] != nullptr;
        require(!asked || leaf.kind == ObsLeaf::Kind::vector,
                "only vector observations have input gradients");
        workspace_->leaf_wanted[i] = asked;
        if (!asked) continue;
        const std::size_t size = count * static_cast<std::size_t>(leaf.stack) * leaf.elements();
        if (net_->device.is_cpu()) std::fill_n(input_gradient[i], size, 0.0f);
        workspace_->leaf_gradients[i].write(input_gradient[i], size, true);
        wanted.push_back(&workspace_->leaf_gradients[i]);
    }

    taped_->backward(!wanted.empty());

    workspace_->lane.fetch();
    for (Panel* panel : wanted) panel->fetch();
    finish();
    workspace_->lane.addTo(lane);
    for (Panel* panel : wanted) panel->store();
}

std::string parseDevice(const std::string& name, at::Device& device) {
    if (name == "cpu") {
        device = at::Device(at::kCPU);
        return "";
    }
    const std::string number = name == "cuda" ? "0" : name.rfind("cuda:", 0) == 0 ? name.substr(5) : "";
    const bool is_number =
        !number.empty() && number.size() < 4 && number.find_first_not_of("0123456789") == std::string::npos;
    const int count = cudaDeviceCount();
    if (is_number && std::stoi(number) < count) {
        device = at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(std::stoi(number)));
        return "";
    }
    std::string text = "device '" + name + "' is not available here: the torch engine can use cpu";
    for (int i = 0; i < count; ++i) text += ", cuda:" + std::to_string(i);
    if (count == 0)
        text += loadCuda() ? " (LibTorch finds no CUDA device)" : " (this LibTorch was built without CUDA)";
    return text;
}

std::string deviceLines() {
    std::string lines = "cpu";
    for (int i = 0; i < cudaDeviceCount(); ++i) lines += "\ncuda:" + std::to_string(i);
    return lines;
}

}  // namespace seedbed::torch_module
