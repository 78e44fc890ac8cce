// SPDX-License-Identifier: Apache-2.0
#include "gpu/learn.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

namespace seedbed::gpu {

namespace {

// As in optimiser.glsl.
constexpr std::size_t kStepFactors = 8;
// As in sum_lanes.comp.
constexpr std::size_t kLanesPerKernel = 6;

std::uint64_t nextLaneId() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

VulkanLearner::VulkanLearner(VulkanNet& net, Optimiser* optimiser)
    : net_(net), device_(net.device()), optimiser_(optimiser), pool_(device_) {
    net_.keeps_gradients = true;
}

VulkanLearner::~VulkanLearner() {
    net_.keeps_gradients = false;
    net_.uploads().release(slot_);
    if (recorder_)
        for (auto& [key, commands] : commands_) recorder_->free(commands);
}

Slice VulkanLearner::part(const Region& region, std::size_t blobs) const {
    const VkDeviceSize begin = blobs * stride();
    return {region.buffer(), region.offset() + begin, bytes(),
            region.mapped() == nullptr ? nullptr : region.mapped() + begin};
}

Result<> VulkanLearner::open() {
    if (recorder_) return {};
    SEEDBED_TRY(pool_.open());
    SEEDBED_ASSIGN(exchange_,
                   device_.memory().allocate(Pool::readback, (optimiser_ != nullptr ? 3 : 1) * stride()));
    recorder_.emplace(device_, pool_.pool());
    return {};
}

Result<> VulkanLearner::openOptimiser() {
    SEEDBED_TRY(open());
    if (blocks_) return {};
    SEEDBED_CHECK(optimiser_ != nullptr, "a network without an optimiser");
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (const Optimiser::Range& range : optimiser_->ranges())
        ranges.emplace_back(range.begin, range.end - range.begin);
    Memory& memory = device_.memory();
    SEEDBED_ASSIGN(first_, memory.allocate(Pool::device, bytes()));
    if (!optimiser_->state().second.empty()) {
        SEEDBED_ASSIGN(second_, memory.allocate(Pool::device, bytes()));
    }
    SEEDBED_ASSIGN(factors_,
                   memory.allocate(Pool::upload, (kStepFactors + 2 * ranges.size()) * sizeof(float)));
    SEEDBED_ASSIGN(BlockTable blocks, BlockTable::create(memory, ranges));
    SEEDBED_ASSIGN(squares_, memory.allocate(Pool::readback, 2 * blocks.blocks.size() * sizeof(float)));
    blocks_ = std::move(blocks);
    return {};
}

template <class Walk>
Result<> VulkanLearner::run(Work work, std::size_t first, std::size_t second, const Walk& walk) {
    const Key key{static_cast<std::size_t>(work), first, second};
    auto known = commands_.find(key);
    if (known == commands_.end()) {
        recorder_->beginCounting();
        walk();
        const std::uint32_t kernels = recorder_->kernels();
        recorder_->beginRecording(kernels);
        walk();
        SEEDBED_ASSIGN(Commands commands, recorder_->end());
        known = commands_.emplace(key, std::move(commands)).first;
    }
    return device_.run(known->second.batches, pool_.fence(), known->second.macs);
}

template <class Push>
void VulkanLearner::dispatch(const char* kernel, std::initializer_list<Slice> slices, const Push& push,
                             std::uint64_t threads) {
    recorder_->dispatch(kernel, slices, &push, sizeof push, threads, static_cast<double>(floats()));
}

void VulkanLearner::dispatchBlocks(const char* kernel, std::initializer_list<Slice> slices) {
    dispatch(kernel, slices, static_cast<std::uint32_t>(blocks_->blocks.size()), blocks_->threads());
}

void VulkanLearner::copy(const Slice& from, const Slice& to) {
    const auto count = static_cast<std::uint32_t>(floats());
    dispatch("copy_columns", {from, to}, std::array<std::uint32_t, 7>{1, count, 0, count, 0, count, 0},
             count);
}

Result<> VulkanLearner::requireLanes(std::size_t count) {
    if (lanes_.size() >= count) return {};
    SEEDBED_TRY(openOptimiser());
    while (lanes_.size() < count) {
        DeviceLane lane;
        SEEDBED_ASSIGN(lane.memory, device_.memory().allocate(Pool::device, bytes()));
        lane.id = nextLaneId();
        lanes_.push_back(std::move(lane));
    }
    // All lanes are zero between minibatches.
    return clearLanes();
}

Result<> VulkanLearner::clearLanes() {
    if (lanes_.empty()) return {};
    return run(Work::clear, lanes_.size(), 0, [this] {
        const auto count = static_cast<std::uint32_t>(floats());
        for (const DeviceLane& lane : lanes_) dispatch("zero", {part(lane.memory, 0)}, count, count);
    });
}

Result<> VulkanLearner::backward(NetContext& context, const float* head_gradients, std::size_t lane,
                                 const std::vector<float*>* input_gradient) {
    auto* own = dynamic_cast<LaneContext*>(&context);
    SEEDBED_CHECK(own != nullptr && lane < lanes_.size());
    return own->backwardToLane(head_gradients, lanes_[lane], input_gradient);
}

Result<Optimiser::StepInfo> VulkanLearner::sum(std::size_t count) {
    const auto lane = [this, count](std::size_t i) { return part(lanes_[i < count ? i : 0].memory, 0); };
    struct Push {
        std::uint32_t blocks, lanes;
    };
    const auto blocks = static_cast<std::uint32_t>(blocks_->blocks.size());
    SEEDBED_TRY(run(Work::sum, count, 0, [&] {
        for (std::size_t i = 1; i < count; i += kLanesPerKernel)
            dispatch("sum_lanes",
                     {blocks_->slice(), lane(0), lane(i), lane(i + 1), lane(i + 2), lane(i + 3), lane(i + 4),
                      lane(i + 5)},
                     Push{blocks, static_cast<std::uint32_t>(std::min(kLanesPerKernel, count - i))},
                     blocks_->threads());
        dispatchBlocks("square_sums", {blocks_->slice(), lane(0), sliceOf(squares_)});
    }));
    Optimiser::StepInfo info;
    const auto* squares = reinterpret_cast<const float*>(squares_.mapped());
    double square = 0;
    for (std::size_t i = 0; i < blocks_->blocks.size(); ++i) {
        const double sum = squares[2 * i], scale = squares[2 * i + 1];
        square += sum / (scale * scale);
        if (scale != 0) continue;
        info.finite = false;
        info.culprit = optimiser_->ranges()[blocks_->blocks[i].range].name;
        break;
    }
    info.grad_norm = std::sqrt(square);
    return info;
}

Result<> VulkanLearner::load(const Params& params) {
    SEEDBED_TRY(open());
    return net_.uploads().use(params, slot_);
}

Result<> VulkanLearner::loadMoments() {
    SEEDBED_TRY(openOptimiser());
    const Optimiser::State state = optimiser_->state();
    std::memcpy(part(exchange_, 1).host, state.first.data(), state.first.size_bytes());
    if (!state.second.empty())
        std::memcpy(part(exchange_, 2).host, state.second.data(), state.second.size_bytes());
    return run(Work::load_moments, 0, 0, [&] {
        copy(part(exchange_, 1), part(first_, 0));
        if (!state.second.empty()) copy(part(exchange_, 2), part(second_, 0));
    });
}

// The numbers that kernels read, computed as in Optimiser::updateBlock().
void VulkanLearner::writeFactors(const Optimiser::Factors& factors) {
    const OptimiserParams& params = optimiser_->params();
    auto* to = reinterpret_cast<float*>(factors_.mapped());
    const auto number = [](double value) { return static_cast<float>(value); };
    const float beta1 = number(params.beta1), beta2 = number(params.beta2), alpha = number(params.alpha);
    to[0] = factors.clip;
    if (params.kind == "adam") {
        const std::array rest{
            beta1, 1 - beta1, beta2, 1 - beta2, number(params.epsilon), factors.square_correction};
        std::copy(rest.begin(), rest.end(), to + 1);
    } else if (params.kind == "rmsprop") {
        const bool inside = params.epsilon_inside_sqrt;
        const float epsilon = number(params.epsilon);
        const std::array rest{alpha,
                              1 - alpha,
                              inside ? epsilon : 0.0f,
                              inside ? 0.0f : epsilon,
                              number(params.momentum),
                              inside ? 1.0f : 0.0f};
        std::copy(rest.begin(), rest.end(), to + 1);
    } else {
        to[1] = number(params.momentum);
    }
    float* of_range = to + kStepFactors;
    for (const Optimiser::Range& range : optimiser_->ranges()) {
        const double rate = factors.learning_rate * range.lr_scale;
        *of_range++ = number(1 - rate * range.weight_decay);
        *of_range++ = number(params.kind == "adam" ? rate / factors.rate_correction : rate);
    }
}

Result<> VulkanLearner::step(const Optimiser::Factors& factors) {
    writeFactors(factors);
    return run(Work::step, slot_->number, 0, [this] {
        const Slice blocks = blocks_->slice(), gradient = part(lanes_[0].memory, 0), first = part(first_, 0);
        const std::string& kind = optimiser_->params().kind;
        if (kind == "sgd") return dispatchBlocks("sgd", {blocks, blob(), gradient, sliceOf(factors_), first});
        dispatchBlocks(kind == "adam" ? "adam" : "rmsprop",
                       {blocks, blob(), gradient, sliceOf(factors_), first, part(second_, 0)});
    });
}

Result<> VulkanLearner::follow(LearnDevice& other, double tau) {
    auto& leader = dynamic_cast<VulkanLearner&>(other);
    SEEDBED_CHECK(&leader.device_ == &device_ && leader.floats() == floats());
    struct Push {
        std::uint32_t count;
        float tau;
    };
    const Push push{static_cast<std::uint32_t>(floats()), static_cast<float>(tau)};
    return run(Work::follow, slot_->number, leader.slot_->number, [&] {
        dispatch("approach", {blob(), leader.blob()}, push, floats());
    });
}

void VulkanLearner::rename(const Params& before, const Params& after) {
    if (slot_ != nullptr && slot_->holds(before)) net_.uploads().rename(*slot_, after);
}

Result<> VulkanLearner::read(float* blob_out) {
    const bool has_second = optimiser_ != nullptr && !optimiser_->state().second.empty();
    SEEDBED_TRY(run(Work::read, slot_->number, 0, [&] {
        copy(blob(), part(exchange_, 0));
        if (optimiser_ != nullptr) copy(part(first_, 0), part(exchange_, 1));
        if (has_second) copy(part(second_, 0), part(exchange_, 2));
    }));
    std::memcpy(blob_out, part(exchange_, 0).host, bytes());
    if (optimiser_ == nullptr) return {};
    const Optimiser::State state = optimiser_->state();
    std::memcpy(state.first.data(), part(exchange_, 1).host, bytes());
    if (has_second) std::memcpy(state.second.data(), part(exchange_, 2).host, bytes());
    return {};
}

std::unique_ptr<LearnDevice> VulkanNet::learnDevice(Optimiser* optimiser) {
    SEEDBED_CHECK(!keeps_gradients, "a network learns twice");
    return std::make_unique<VulkanLearner>(*this, optimiser);
}

}  // namespace seedbed::gpu
