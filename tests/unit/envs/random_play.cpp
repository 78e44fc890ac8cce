// SPDX-License-Identifier: Apache-2.0
// Random play with the environment's time limit.
#include "tests/unit/envs/random_play.hpp"

#include "core/env/random_policy.hpp"

namespace seedbed {

RandomPlay::RandomPlay(const std::string& id, int count, std::uint64_t seed, int first_lane) {
    const auto entry = envRegistry().get(id, "environment");
    SEEDBED_CHECK(entry.has_value(), entry.error().text());
    auto made = (*entry)->makeLocal(Json::object(), count);
    SEEDBED_CHECK(made.has_value(), made.error().text());
    batch_ = std::move(*made);
    columns_ = count * spec().agents;
    const auto envs = static_cast<std::size_t>(count), columns = static_cast<std::size_t>(columns_);
    for (int env = 0; env < count; ++env) {
        const auto lane = static_cast<std::uint32_t>(first_lane + env);
        rngs_.emplace_back(seed, RngPurpose::test, lane);
        action_rngs_.emplace_back(seed, RngPurpose::action, lane);
    }
    for (const ObsLeaf& leaf : spec().spaces.obs) {
        leaves_.emplace_back((leaf.bytes() * columns + 7) / 8);
        pointers_.push_back(reinterpret_cast<std::uint8_t*>(leaves_.back().data()));
    }
    mask_.resize(columns * static_cast<std::size_t>(spec().spaces.maskBytes()));
    actions_.resize(columns * static_cast<std::size_t>(spec().spaces.actionWords()));
    rewards_.resize(columns);
    active_.assign(envs, 1);
    terminated_.resize(envs);
    truncated_.resize(envs);
    lengths_.resize(envs);
    for (int env = 0; env < count; ++env) batch_->reset(env, rngs_[static_cast<std::size_t>(env)]);
    observe();
}

void RandomPlay::observe() { batch_->observe(pointers_.data(), mask_.empty() ? nullptr : mask_.data()); }

void RandomPlay::drawActions() {
    const auto agents = static_cast<std::size_t>(spec().agents);
    const std::size_t words = agents * static_cast<std::size_t>(spec().spaces.actionWords());
    const std::size_t mask_bytes = agents * static_cast<std::size_t>(spec().spaces.maskBytes());
    for (std::size_t env = 0; env < rngs_.size(); ++env)
        randomActions(spec().spaces, spec().agents, mask_.empty() ? nullptr : mask_.data() + env * mask_bytes,
                      action_rngs_[env], actions_.data() + env * words);
}

void RandomPlay::step() {
    drawActions();
    const auto stepped = batch_->step(actions_.data(), active_.data(), rngs_.data(), rewards_.data(),
                                      terminated_.data(), truncated_.data());
    SEEDBED_CHECK(stepped.has_value(), stepped.error().text());
    for (std::size_t env = 0; env < rngs_.size(); ++env) {
        ++lengths_[env];
        const bool late = spec().horizon > 0 && lengths_[env] >= spec().horizon;
        if (terminated_[env] == 0 && truncated_[env] == 0 && !late) continue;
        batch_->reset(static_cast<int>(env), rngs_[env]);
        lengths_[env] = 0;
        ++episodes_ended_;
    }
    observe();
}

void RandomPlay::appendTo(std::vector<std::uint8_t>& record) const {
    const auto append = [&record](const void* data, std::size_t bytes) {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        record.insert(record.end(), begin, begin + bytes);
    };
    for (std::size_t index = 0; index < leaves_.size(); ++index)
        append(leaves_[index].data(), spec().spaces.obs[index].bytes() * static_cast<std::size_t>(columns_));
    append(mask_.data(), mask_.size());
    append(rewards_.data(), rewards_.size() * sizeof(float));
    append(terminated_.data(), terminated_.size());
    append(truncated_.data(), truncated_.size());
}

void RandomPlay::archive(Archive& archive) {
    for (std::size_t env = 0; env < rngs_.size(); ++env) {
        for (Rng* rng : {&rngs_[env], &action_rngs_[env]}) {
            std::uint64_t position = rng->position();
            archive.any(position);
            rng->seek(position);
        }
        archive.field("length", lengths_[env], range(0, 1 << 30));
        batch_->archive(static_cast<int>(env), archive);
    }
    if (archive.isLoading()) observe();
}

}  // namespace seedbed
