// SPDX-License-Identifier: Apache-2.0
#include "gpu/program.hpp"

#include <algorithm>
#include <array>

#include "gpu/operations/shared/copy.hpp"

namespace seedbed::gpu {

namespace {

// Programs of a context: each number of rows with the parameters in one of a few slots. Central inference
// forms batches of many sizes.
constexpr std::size_t kMostPrograms = 128;

}  // namespace

Programs::Programs(Device& device, const NetPlan& plan, VkCommandPool pool)
    : device_(device),
      plan_(plan),
      values_(device.memory(), Pool::device),
      scratch_(device.memory(), Pool::device),
      upload_(device.memory(), Pool::upload),
      readback_(device.memory(), Pool::readback),
      gradient_(device.memory(), Pool::device),
      recorder_(device, pool),
      pass_(plan, recorder_, values_, scratch_) {
    for (const PlanOp& op : plan.ops) {
        operations_.push_back(gpuOperations().find(op.kind));
        SEEDBED_CHECK(operations_.back() != nullptr, op.kind);
    }
}

Programs::~Programs() { clear(); }

void Programs::clear() {
    for (Program& program : programs_) recorder_.free(program.commands);
    programs_.clear();
    for (auto& [id, commands] : lanes_) recorder_.free(commands);
    lanes_.clear();
}

Result<Program*> Programs::get(const CallKind& kind, const Slice& blob) {
    const auto known = std::find_if(programs_.begin(), programs_.end(),
                                    [&kind](const Program& program) { return program.kind == kind; });
    if (known != programs_.end()) {
        programs_.splice(programs_.begin(), programs_, known);
        return &programs_.front();
    }
    if (programs_.size() >= kMostPrograms) {
        recorder_.free(programs_.back().commands);
        programs_.pop_back();
    }
    Program program;
    program.kind = kind;
    SEEDBED_TRY(record(program, blob));
    programs_.push_front(std::move(program));
    return &programs_.front();
}

Result<> Programs::record(Program& program, const Slice& blob) {
    recorder_.beginCounting();
    walk(program.kind, blob);
    const std::uint32_t kernels = recorder_.kernels();
    if (program.kind.tape && !program.kind.backward) {
        // Reserves the memory of every backward pass now, because growing would lose the tape.
        CallKind most = program.kind;
        most.backward = true;
        most.wants_lane = true;
        most.inputs.assign(plan_.spec.spaces.obs.size(), 1);
        recorder_.beginCounting();
        walk(most, blob);
    }
    SEEDBED_TRY(growArenas());
    recorder_.beginRecording(kernels);
    walk(program.kind, blob);
    SEEDBED_ASSIGN(program.commands, recorder_.end());
    program.panel = pass_.panel;
    for (const ParamEntry* entry : pass_.graded) program.graded.emplace_back(entry->offset, entry->count);
    if (!program.kind.backward) return {};
    program.graded_inputs.assign(plan_.spec.spaces.obs.size(), 0);
    for (const PlanOp& op : plan_.ops)
        if (op.leaf >= 0 && pass_.wants(op.output) && pass_.isWritten(op.output))
            program.graded_inputs[static_cast<std::size_t>(op.leaf)] = 1;
    return {};
}

Result<const Commands*> Programs::addToLane(const Program& program, const DeviceLane& lane) {
    for (const auto& [id, commands] : lanes_)
        if (id == lane.id) return &commands;
    if (!graded_) {
        SEEDBED_ASSIGN(graded_, BlockTable::create(device_.memory(), program.graded));
    }
    const auto blocks = static_cast<std::uint32_t>(graded_->blocks.size());
    recorder_.beginRecording(1);
    recorder_.dispatch("add_blocks", {graded_->slice(), program.panel.lane, sliceOf(lane.memory)}, &blocks,
                       sizeof blocks, graded_->threads(), 0);
    SEEDBED_ASSIGN(Commands commands, recorder_.end());
    lanes_.emplace_back(lane.id, std::move(commands));
    return &lanes_.back().second;
}

Result<> Programs::growArenas() {
    const std::array arenas{&values_, &scratch_, &upload_, &readback_, &gradient_};
    if (std::none_of(arenas.begin(), arenas.end(), [](const Arena* arena) { return arena->mustGrow(); }))
        return {};
    clear();  // the programs use the memory that is about to be freed
    for (Arena* arena : arenas) {
        auto grown = arena->grow();
        if (grown) continue;
        // Later calls may be smaller. They allocate what they need.
        for (Arena* each : arenas) each->release();
        return grown;
    }
    return {};
}

void Programs::walk(const CallKind& kind, const Slice& blob) {
    pass_.sequences = static_cast<std::uint32_t>(kind.sequences);
    pass_.steps = static_cast<std::uint32_t>(kind.steps);
    pass_.rows = pass_.sequences * pass_.steps;
    pass_.blob = blob;
    pass_.graded.clear();
    layPanel(kind);
    pass_.beginForward(kind.tape);
    recorder_.setActive(!kind.backward);
    forward(kind);
    recorder_.setActive(true);
    if (kind.backward) backward(kind);
}

void Programs::layPanel(const CallKind& kind) {
    upload_.begin();
    readback_.begin();
    gradient_.begin();
    Panel& panel = pass_.panel;
    const VkDeviceSize rows = pass_.rows, word = sizeof(float);
    const auto& leaves = plan_.spec.spaces.obs;
    panel.obs.resize(leaves.size());
    panel.input_gradients.assign(leaves.size(), {});
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        panel.obs[leaf] =
            upload_.take(rows * static_cast<VkDeviceSize>(leaves[leaf].stack) * leaves[leaf].bytes());
    const auto states = static_cast<VkDeviceSize>(plan_.state_words),
               heads = static_cast<VkDeviceSize>(plan_.head_words);
    panel.first = upload_.take(rows);
    panel.state = upload_.take(pass_.sequences * states * word);
    panel.previous_action =
        upload_.take(rows * static_cast<VkDeviceSize>(plan_.spec.spaces.actionWords()) * word);
    panel.previous_reward = upload_.take(rows * word);
    panel.heads = readback_.take(rows * heads * word);
    panel.state_out = readback_.take(pass_.sequences * states * word);
    if (!kind.tape) return;
    panel.head_gradients = upload_.take(rows * heads * word);
    panel.lane = (kind.keeps_gradients ? gradient_ : readback_).take(plan_.param_floats * word);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        if (leaves[leaf].kind == ObsLeaf::Kind::vector)
            panel.input_gradients[leaf] = readback_.take(
                rows * static_cast<VkDeviceSize>(leaves[leaf].stack) * leaves[leaf].elements() * word);
}

void Programs::forward(const CallKind&) {
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
        pass_.beginOperation();
        operations_[i]->forward(pass_, plan_.ops[i]);
    }
    writeHeads();
}

void Programs::writeHeads() {
    const auto words = static_cast<std::uint32_t>(plan_.head_words);
    for (const PlanHead& head : plan_.heads) {
        const auto width = static_cast<std::uint32_t>(head.width);
        copyColumns(pass_, {pass_.value(head.value), 0, width},
                    {pass_.panel.heads, static_cast<std::uint32_t>(head.begin), words}, width, pass_.rows);
    }
}

void Programs::backward(const CallKind& kind) {
    pass_.wants_lane = kind.wants_lane;
    pass_.beginBackward();
    markWanted(kind);
    const auto words = static_cast<std::uint32_t>(plan_.head_words);
    for (const PlanHead& head : plan_.heads) {
        if (!pass_.wants(head.value)) continue;
        const auto width = static_cast<std::uint32_t>(head.width);
        copyColumns(pass_, {pass_.panel.head_gradients, static_cast<std::uint32_t>(head.begin), words},
                    {pass_.gradient(head.value), 0, width}, width, pass_.rows, pass_.adding(head.value));
    }
    for (std::size_t i = plan_.ops.size(); i-- > 0;) {
        const PlanOp& op = plan_.ops[i];
        pass_.beginOperation();
        // A value that no head depends on has no gradient.
        if (operations_[i]->backward != nullptr && pass_.wants(op.output) && pass_.isWritten(op.output))
            operations_[i]->backward(pass_, op);
    }
    for (const PlanOp& op : plan_.ops) {
        if (op.leaf < 0 || !isWantedLeaf(kind, op.leaf) || !pass_.isWritten(op.output)) continue;
        const std::uint32_t size = pass_.size(op.output);
        copyColumns(pass_, {pass_.gradient(op.output), 0, size},
                    {pass_.panel.input_gradients[static_cast<std::size_t>(op.leaf)], 0, size}, size,
                    pass_.rows);
    }
}

bool Programs::isWantedLeaf(const CallKind& kind, int leaf) const {
    const auto i = static_cast<std::size_t>(leaf);
    return i < kind.inputs.size() && kind.inputs[i] != 0 &&
           plan_.spec.spaces.obs[i].kind == ObsLeaf::Kind::vector;
}

void Programs::markWanted(const CallKind& kind) {
    pass_.wants_gradient.assign(plan_.values.size(), 0);
    for (const PlanOp& op : plan_.ops) {
        bool wanted = op.leaf >= 0 && isWantedLeaf(kind, op.leaf);
        for (const int param : op.params)
            wanted = wanted || (kind.wants_lane && plan_.params[static_cast<std::size_t>(param)].role ==
                                                       ParamEntry::Role::weight);
        for (const int x : op.inputs) wanted = wanted || pass_.wants(x);
        pass_.wants_gradient[static_cast<std::size_t>(op.output)] = wanted ? 1 : 0;
    }
}

}  // namespace seedbed::gpu
