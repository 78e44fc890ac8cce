// SPDX-License-Identifier: Apache-2.0
// Records the forward and backward passes of a plan as programs, which can be run any number of times.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/blocks.hpp"
#include "gpu/pass.hpp"

namespace seedbed::gpu {

// The kind of a call. Calls of the same kind run the same program.
struct CallKind {
    int sequences = 0, steps = 0;
    bool tape = false;
    bool keeps_gradients = false;  // with a tape: the lane of the panel is on the device
    bool backward = false;         // the backward pass of a call with a tape
    bool wants_lane = false;       // backward only
    std::vector<char> inputs{};    // backward only: per leaf, whether its gradient is requested
    std::uint32_t param_slot = 0;

    bool operator==(const CallKind&) const = default;
};

struct Program {
    CallKind kind;
    Commands commands;
    Panel panel;
    std::vector<std::pair<std::size_t, std::size_t>> graded;  // ranges of the lane: offset, floats
    std::vector<char>
        graded_inputs;  // per leaf: whether its input gradient was written; otherwise it is zero
};

// A lane on the device, [param_floats]. `id` is unique in the process.
struct DeviceLane {
    Region memory;
    std::uint64_t id = 0;
};

// Thread: one owner.
class Programs {
public:
    Programs(Device& device, const NetPlan& plan, VkCommandPool pool);
    ~Programs();
    Programs(const Programs&) = delete;
    Programs& operator=(const Programs&) = delete;

    // The program for a call; valid until the next call of get(). Programs with the same tape, sequences and
    // steps share their memory, so that a backward program finds the values of the forward program. error:
    // out_of_memory, device; other calls are still possible.
    Result<Program*> get(const CallKind& kind, const Slice& blob);
    // Commands that add the gradients of a backward program with CallKind::keeps_gradients to a lane; valid
    // until the next call of get() or addToLane().
    Result<const Commands*> addToLane(const Program& program, const DeviceLane& lane);

private:
    Result<> record(Program& program, const Slice& blob);
    // Lays out the memory and runs all operations of the plan on the recorder.
    void walk(const CallKind& kind, const Slice& blob);
    void layPanel(const CallKind& kind);
    void forward(const CallKind& kind);
    void backward(const CallKind& kind);
    void writeHeads();
    void markWanted(const CallKind& kind);
    bool isWantedLeaf(const CallKind& kind, int leaf) const;
    Result<> growArenas();
    void clear();

    Device& device_;
    const NetPlan& plan_;
    Arena values_, scratch_, upload_, readback_, gradient_;
    Recorder recorder_;
    Pass pass_;
    std::vector<const GpuOperation*> operations_;  // per operation of the plan
    std::list<Program> programs_;                  // most recently used first
    std::optional<BlockTable> graded_;             // Program::graded, the same for all programs with a lane
    std::vector<std::pair<std::uint64_t, Commands>> lanes_;  // by DeviceLane::id
};

}  // namespace seedbed::gpu
