// SPDX-License-Identifier: Apache-2.0
#include "core/env/joined_batch.hpp"

#include <algorithm>
#include <utility>

#include "core/base/sleep.hpp"

namespace seedbed {
namespace {

constexpr double kPauseS = 0.02;  // pause between exchanges in which every environment failed

}  // namespace

JoinedBatch::JoinedBatch(std::vector<std::unique_ptr<EnvBatch>> parts) : parts_(std::move(parts)) {
    leaves_.assign(parts_.size(), std::vector<std::uint8_t*>(spec().spaces.obs.size()));
    begun_.assign(parts_.size(), false);
    errors_.resize(parts_.size());
    for (const auto& part : parts_) count_ += part->count();
}

// After an error, a part is no longer used: its environments are flagged as failed in all later exchanges.
Result<> JoinedBatch::begin(const Exchange& exchange) {
    exchange_ = exchange;
    const Spaces& spaces = spec().spaces;
    const auto agents = static_cast<std::size_t>(spec().agents),
               words = static_cast<std::size_t>(spaces.actionWords()),
               mask_bytes = static_cast<std::size_t>(spaces.maskBytes());
    std::size_t env = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const std::size_t column = env * agents;
        env += static_cast<std::size_t>(parts_[part]->count());
        begun_[part] = !errors_[part];
        if (errors_[part]) continue;
        for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
            leaves_[part][leaf] = exchange.leaves[leaf] + column * spaces.obs[leaf].bytes();
        const std::size_t first = column / agents;
        Result<> begun = parts_[part]->begin(
            {.actions = exchange.actions + column * words,
             .commands = exchange.commands + first,
             .rngs = exchange.rngs + first,
             .leaves = leaves_[part].data(),
             .mask = exchange.mask == nullptr ? nullptr : exchange.mask + column * mask_bytes,
             .rewards = exchange.rewards + column,
             .flags = exchange.flags + column,
             .stepped = exchange.stepped,
             .stop = exchange.stop});
        if (!begun) lose(part, std::move(begun).error());
    }
    return {};
}

void JoinedBatch::lose(std::size_t part, Error error) {
    begun_[part] = false;
    notices_.push_back(error.text());
    errors_[part] = std::move(error);
}

bool JoinedBatch::ready() {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->ready(); });
}

Result<> JoinedBatch::await() {
    const auto agents = static_cast<std::size_t>(spec().agents);
    std::uint8_t* flags = exchange_.flags;
    bool any = false, any_works = false;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (begun_[part])
            if (Result<> awaited = parts_[part]->await(); !awaited) lose(part, std::move(awaited).error());
        const std::size_t columns = static_cast<std::size_t>(parts_[part]->count()) * agents;
        if (errors_[part]) std::fill_n(flags, columns, column_flag::failed);
        any = any || !errors_[part];
        any_works = any_works || std::any_of(flags, flags + columns, [](std::uint8_t flag) {
                        return (flag & column_flag::failed) == 0;
                    });
        flags += columns;
    }
    if (!any) return tl::unexpected<Error>(*errors_.front());
    // Without a pause, the ring would fill with useless rows.
    if (!any_works) sleepFor(kPauseS, exchange_.stopToken());
    return {};
}

std::vector<std::string> JoinedBatch::takeNotices() {
    std::vector<std::string> all = std::exchange(notices_, {});
    for (const auto& part : parts_)
        for (std::string& text : part->takeNotices()) all.push_back(std::move(text));
    return all;
}

bool JoinedBatch::isSupervised() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->isSupervised(); });
}

bool JoinedBatch::canArchive() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->canArchive(); });
}

EnvBatch& JoinedBatch::partOf(int& env) const {
    std::size_t part = 0;
    while (env >= parts_[part]->count()) env -= parts_[part++]->count();
    return *parts_[part];
}

}  // namespace seedbed
