// SPDX-License-Identifier: Apache-2.0
// Ports, panels and the arena.
#include "core/nn/engines/torch/module/workspace.hpp"

#include <cstring>

#include "core/nn/engines/torch/module/torch_versions.hpp"

namespace seedbed::torch_module {

namespace {

constexpr std::int64_t kAlignment = 16;  // floats: one cache line

at::ScalarType typeOf(DType dtype) {
    return dtype == DType::u8 ? at::kByte : dtype == DType::i32 ? at::kInt : at::kFloat;
}

Sizes contiguousStrides(const Sizes& sizes) {
    Sizes strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    return strides;
}

}  // namespace

Port::Port(at::Device device, at::ScalarType type)
    : device_(device), base_(at::empty({0}, at::TensorOptions().device(device).dtype(type))) {
    base_.set_(borrowedStorage(device), 0, {0}, {1});
}

at::Tensor Port::view(const Sizes& sizes, const Sizes& strides, std::int64_t offset) const {
    return base_.as_strided(sizes, strides, offset);
}

at::Tensor Port::view(const Sizes& sizes, std::int64_t offset) const {
    return view(sizes, contiguousStrides(sizes), offset);
}

void Port::point(const void* memory) {
    // Inputs are only read; LibTorch has no storage for constant memory.
    base_.storage().set_data_ptr_noswap(at::DataPtr(const_cast<void*>(memory), device_));
}

void Panel::reserve(std::size_t count) {
    count_ = count;
    const auto wanted = static_cast<std::int64_t>(count);
    if (device_copy_.defined() && device_copy_.numel() >= wanted) return;
    device_copy_ = at::empty({wanted}, at::TensorOptions().device(device_).dtype(type_));
    pinned_ = at::empty({wanted}, at::TensorOptions().dtype(type_).pinned_memory(true));
    port_.point(device_copy_.data_ptr());
}

void Panel::read(const void* host, std::size_t count) {
    if (device_.is_cpu()) return port_.point(host);
    reserve(count);
    const auto length = static_cast<std::int64_t>(count);
    std::memcpy(pinned_.data_ptr(), host, count * pinned_.element_size());
    device_copy_.narrow(0, 0, length).copy_(pinned_.narrow(0, 0, length), /*non_blocking=*/true);
}

void Panel::write(void* host, std::size_t count, bool zero) {
    if (device_.is_cpu()) return port_.point(host);
    reserve(count);
    host_ = host;
    if (zero) device_copy_.narrow(0, 0, static_cast<std::int64_t>(count)).zero_();
}

void Panel::fetch() {
    if (device_.is_cpu()) return;
    const auto length = static_cast<std::int64_t>(count_);
    pinned_.narrow(0, 0, length).copy_(device_copy_.narrow(0, 0, length), /*non_blocking=*/true);
}

void Panel::store() {
    if (!device_.is_cpu()) std::memcpy(host_, pinned_.data_ptr(), count_ * pinned_.element_size());
}

void Panel::addTo(float* host) {
    if (device_.is_cpu()) return;
    const float* gradient = pinned_.data_ptr<float>();
    for (std::size_t i = 0; i < count_; ++i) host[i] += gradient[i];
}

Workspace::Workspace(const NetPlan& plan, at::Device device)
    : params(device, at::kFloat),
      lane(device, at::kFloat),
      first(device, at::kByte),
      state_in(device, at::kFloat),
      previous_action(device, at::kFloat),
      previous_reward(device, at::kFloat),
      heads(device, at::kFloat),
      head_gradients(device, at::kFloat),
      state_out(device, at::kFloat),
      device_(device),
      arena_(device, at::kFloat) {
    for (const ObsLeaf& leaf : plan.spec.spaces.obs) {
        leaves.emplace_back(device, typeOf(leaf.dtype));
        leaf_gradients.emplace_back(device, at::kFloat);
        leaf_wanted.push_back(false);
    }
}

std::int64_t Workspace::place(std::int64_t count) {
    const std::int64_t offset = placed_;
    placed_ += (count + kAlignment - 1) / kAlignment * kAlignment;
    return offset;
}

void Workspace::reserve() {
    if (memory_.defined() && memory_.numel() >= placed_) return;
    memory_ = at::Tensor();  // frees the old memory before growing
    memory_ = at::empty({placed_}, at::TensorOptions().device(device_).dtype(at::kFloat));
    arena_.point(memory_.data_ptr());
}

}  // namespace seedbed::torch_module
