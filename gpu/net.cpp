// SPDX-License-Identifier: Apache-2.0
#include "gpu/net.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/nn/operation.hpp"
#include "gpu/commands.hpp"

namespace seedbed::gpu {

namespace {

// Rows of one program without a tape and without memory: larger calls are divided, which bounds the memory of
// a context.
constexpr int kBlockRows = 4096;

class VulkanContext final : public LaneContext {
public:
    explicit VulkanContext(VulkanNet& net)
        : net_(net), plan_(net.plan()), device_(net.device()), commands_(device_) {}
    ~VulkanContext() override;

    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override;
    Result<> backward(const float* head_gradients, float* lane,
                      const std::vector<float*>* input_gradient) override;
    Result<> backwardToLane(const float* head_gradients, const DeviceLane& lane,
                            const std::vector<float*>* input_gradient) override;

private:
    Result<> open();
    Result<> runBlock(const Rows& rows, int begin, int count, const Outputs& out);
    void upload(const Rows& rows, std::size_t begin, const Panel& panel);
    Result<Program*> backwardProgram(const float* head_gradients, bool wants_lane,
                                     const std::vector<float*>* input_gradient);
    void copyInputGradients(const Program& program, const std::vector<float*>* input_gradient) const;
    Slice blob() const { return slot_->slice(plan_.param_floats * sizeof(float)); }

    VulkanNet& net_;
    const NetPlan& plan_;
    Device& device_;
    CommandPool commands_;
    std::optional<Programs> programs_;
    ParamSlot* slot_ = nullptr;
    CallKind kind_;
    int kept_rows_ = -1;  // rows of the tape, -1 for none
    std::vector<VkSubmitInfo> batches_;
};

VulkanContext::~VulkanContext() {
    programs_.reset();
    net_.uploads().release(slot_);
}

Result<> VulkanContext::open() {
    if (programs_) return {};
    SEEDBED_TRY(commands_.open());
    programs_.emplace(device_, plan_, commands_.pool());
    return {};
}

// Copies `count` rows, the first of which is row `begin` of the panel.
void VulkanContext::upload(const Rows& rows, std::size_t begin, const Panel& panel) {
    const auto count = static_cast<std::size_t>(kind_.sequences) * static_cast<std::size_t>(kind_.steps);
    const auto copy = [&](const void* from, const Slice& to, std::size_t row_bytes) {
        if (from != nullptr && row_bytes > 0)
            std::memcpy(to.host, static_cast<const std::byte*>(from) + begin * row_bytes, count * row_bytes);
    };
    const auto& spaces = plan_.spec.spaces;
    for (std::size_t leaf = 0; leaf < rows.obs.size() && leaf < spaces.obs.size(); ++leaf)
        copy(rows.obs[leaf], panel.obs[leaf],
             static_cast<std::size_t>(spaces.obs[leaf].stack) * spaces.obs[leaf].bytes());
    copy(rows.first, panel.first, 1);
    copy(rows.previous_action, panel.previous_action,
         static_cast<std::size_t>(spaces.actionWords()) * sizeof(float));
    copy(rows.previous_reward, panel.previous_reward, sizeof(float));
    const std::size_t state_bytes = static_cast<std::size_t>(plan_.state_words) * sizeof(float);
    if (rows.state != nullptr && state_bytes > 0)
        std::memcpy(panel.state.host, reinterpret_cast<const std::byte*>(rows.state) + begin * state_bytes,
                    static_cast<std::size_t>(kind_.sequences) * state_bytes);
}

Result<> VulkanContext::run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) {
    SEEDBED_CHECK(params.blob().size() == plan_.param_floats, "parameters of another network");
    SEEDBED_CHECK(
        plan_.state_words == 0 || rows.count() == 0 || (rows.first != nullptr && rows.state != nullptr),
        "a recurrent network needs Rows::first and Rows::state");
    kept_rows_ = -1;
    SEEDBED_TRY(open());
    SEEDBED_TRY(net_.uploads().use(params, slot_));
    kind_ = CallKind{};
    kind_.steps = rows.steps;
    kind_.tape = keep == Keep::tape;
    kind_.keeps_gradients = kind_.tape && net_.keeps_gradients;
    kind_.param_slot = slot_->number;
    const int block = kind_.tape || rows.steps != 1 ? rows.sequences : kBlockRows;
    if (rows.count() > 0)
        for (int begin = 0; begin < rows.sequences; begin += block) {
            SEEDBED_TRY(runBlock(rows, begin, std::min(block, rows.sequences - begin), out));
        }
    if (kind_.tape) kept_rows_ = rows.count();
    return {};
}

Result<> VulkanContext::runBlock(const Rows& rows, int begin, int count, const Outputs& out) {
    kind_.sequences = count;
    SEEDBED_ASSIGN(const Program* program, programs_->get(kind_, blob()));
    const auto first = static_cast<std::size_t>(begin), sequences = static_cast<std::size_t>(count);
    upload(rows, first, program->panel);
    SEEDBED_TRY(device_.run(program->commands.batches, commands_.fence(), program->commands.macs));
    const auto heads = static_cast<std::size_t>(plan_.head_words),
               states = static_cast<std::size_t>(plan_.state_words);
    std::memcpy(out.heads + first * heads, program->panel.heads.host,
                sequences * static_cast<std::size_t>(rows.steps) * heads * sizeof(float));
    if (out.state != nullptr && states > 0)
        std::memcpy(out.state + first * states, program->panel.state_out.host,
                    sequences * states * sizeof(float));
    return {};
}

// The program of a backward pass, with the gradients of the heads; null if there are no rows.
Result<Program*> VulkanContext::backwardProgram(const float* head_gradients, bool wants_lane,
                                                const std::vector<float*>* input_gradient) {
    SEEDBED_CHECK(kept_rows_ >= 0, "backward() requires a run with Keep::tape before it");
    if (kept_rows_ == 0) return nullptr;
    CallKind kind = kind_;
    kind.backward = true;
    kind.wants_lane = wants_lane;
    if (input_gradient != nullptr) {
        kind.inputs.resize(plan_.spec.spaces.obs.size());
        for (std::size_t leaf = 0; leaf < kind.inputs.size(); ++leaf)
            kind.inputs[leaf] = (*input_gradient)[leaf] != nullptr ? 1 : 0;
    }
    SEEDBED_ASSIGN(Program * program, programs_->get(kind, blob()));
    std::memcpy(
        program->panel.head_gradients.host, head_gradients,
        static_cast<std::size_t>(kept_rows_) * static_cast<std::size_t>(plan_.head_words) * sizeof(float));
    return program;
}

void VulkanContext::copyInputGradients(const Program& program,
                                       const std::vector<float*>* input_gradient) const {
    const auto& leaves = plan_.spec.spaces.obs;
    for (std::size_t leaf = 0; leaf < program.kind.inputs.size(); ++leaf) {
        if (program.kind.inputs[leaf] == 0 || leaves[leaf].kind != ObsLeaf::Kind::vector) continue;
        const std::size_t bytes = static_cast<std::size_t>(kept_rows_) *
                                  static_cast<std::size_t>(leaves[leaf].stack) * leaves[leaf].elements() *
                                  sizeof(float);
        if (program.graded_inputs[leaf] != 0)
            std::memcpy((*input_gradient)[leaf], program.panel.input_gradients[leaf].host, bytes);
        else std::memset((*input_gradient)[leaf], 0, bytes);
    }
}

Result<> VulkanContext::backward(const float* head_gradients, float* lane,
                                 const std::vector<float*>* input_gradient) {
    SEEDBED_CHECK(lane == nullptr || !kind_.keeps_gradients, "the gradients stay on the device");
    SEEDBED_ASSIGN(const Program* program, backwardProgram(head_gradients, lane != nullptr, input_gradient));
    if (program == nullptr) return {};
    SEEDBED_TRY(device_.run(program->commands.batches, commands_.fence(), program->commands.macs));
    const float* from = reinterpret_cast<const float*>(program->panel.lane.host);
    for (const auto& [offset, count] : program->graded)
        for (std::size_t i = offset; i < offset + count; ++i) lane[i] += from[i];
    copyInputGradients(*program, input_gradient);
    return {};
}

Result<> VulkanContext::backwardToLane(const float* head_gradients, const DeviceLane& lane,
                                       const std::vector<float*>* input_gradient) {
    SEEDBED_ASSIGN(const Program* program, backwardProgram(head_gradients, true, input_gradient));
    if (program == nullptr) return {};
    SEEDBED_CHECK(kind_.keeps_gradients);
    SEEDBED_ASSIGN(const Commands* add, programs_->addToLane(*program, lane));
    batches_ = program->commands.batches;
    batches_.insert(batches_.end(), add->batches.begin(), add->batches.end());
    SEEDBED_TRY(device_.run(batches_, commands_.fence(), program->commands.macs + add->macs));
    copyInputGradients(*program, input_gradient);
    return {};
}

}  // namespace

VulkanNet::VulkanNet(const NetPlan& plan, std::shared_ptr<Device> device)
    : plan_(plan), device_(device), uploads_(std::move(device), plan.param_floats * sizeof(float)) {}

std::unique_ptr<NetContext> VulkanNet::context() { return std::make_unique<VulkanContext>(*this); }

std::size_t vulkanContextBytes(const NetPlan& plan, std::size_t rows, int steps, Keep keep) {
    const bool tape = keep == Keep::tape;
    if (!tape && steps == 1) rows = std::min(rows, std::size_t{kBlockRows});
    std::size_t floats = static_cast<std::size_t>(plan.head_words) * 2;
    for (const PlanValue& value : plan.values) floats += value.size() * (tape ? 2 : 1);
    for (const PlanOp& op : plan.ops) floats += costOf(plan, op).tape_floats * (tape ? 2 : 1);
    return (rows * floats + plan.param_floats * 2) * sizeof(float);
}

}  // namespace seedbed::gpu
