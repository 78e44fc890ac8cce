// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/messages.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/sha256.hpp"
#include "core/base/strict_json.hpp"

namespace seedbed {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMaxControlBytes = 1 << 16;

}  // namespace

void writeHeader(std::span<std::uint8_t> message, MessageKind kind, std::uint64_t number) {
    message[0] = static_cast<std::uint8_t>(kind);
    std::memcpy(message.data() + 8, &number, 8);
}

bool isOfKind(const Bytes& message, MessageKind kind) {
    return message.size() >= kMessageHeader && message[0] == static_cast<std::uint8_t>(kind);
}

std::uint64_t messageNumber(std::span<const std::uint8_t> message) {
    std::uint64_t number = 0;
    std::memcpy(&number, message.data() + 8, 8);
    return number;
}

Bytes numberMessage(MessageKind kind, std::uint64_t number) {
    Bytes message(kMessageHeader);
    writeHeader(message, kind, number);
    return message;
}

tl::unexpected<Error> wrongLength(std::span<const std::uint8_t> message) {
    return fail("a message of " + std::to_string(message.size()) + " bytes does not have the expected form");
}

Bytes controlMessage(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    Bytes message(1 + text.size(), static_cast<std::uint8_t>(MessageKind::control));
    std::copy(text.begin(), text.end(), message.begin() + 1);
    return message;
}

bool isControl(const Bytes& message) {
    return !message.empty() && message[0] == static_cast<std::uint8_t>(MessageKind::control);
}

Result<Json> readControl(const Bytes& message) {
    if (!isControl(message) || message.size() > kMaxControlBytes) return wrongLength(message);
    Json json = parseStrictJson({reinterpret_cast<const char*>(message.data()) + 1, message.size() - 1});
    if (json.is_object() && json.contains("op") && json["op"].is_string()) return json;
    return fail("a message is not a JSON object with the member 'op'");
}

ExchangeLayout::ExchangeLayout(const EnvSpec& spec, int count)
    : count_(static_cast<std::size_t>(count)),
      columns_(count_ * static_cast<std::size_t>(spec.agents)),
      action_bytes_(columns_ * static_cast<std::size_t>(spec.spaces.actionWords()) * sizeof(float)) {
    std::size_t at = kMessageHeader;
    const auto add = [&](std::size_t bytes) {
        const std::size_t begin = at;
        at += alignedBytes(bytes);
        return begin;
    };
    for (const ObsLeaf& leaf : spec.spaces.obs) {
        leaf_bytes_.push_back(columns_ * leaf.bytes());
        leaf_at_.push_back(add(leaf_bytes_.back()));
    }
    if (spec.spaces.has_mask) mask_bytes_ = columns_ * static_cast<std::size_t>(spec.spaces.maskBytes());
    mask_at_ = add(mask_bytes_);
    rewards_at_ = add(columns_ * sizeof(float));
    flags_at_ = add(columns_);
    rows_bytes_ = at;
}

Bytes ExchangeLayout::request(std::uint64_t sequence, std::span<const EnvCommand> commands,
                              const float* actions, std::span<const std::uint64_t> seeds) const {
    const auto resets = static_cast<std::size_t>(std::ranges::count(commands, EnvCommand::reset));
    Bytes message(kMessageHeader + alignedBytes(count_) + action_bytes_ + resets * 8);
    writeHeader(message, MessageKind::request, sequence);
    std::uint8_t* out = message.data() + kMessageHeader;
    std::memcpy(out, commands.data(), count_);
    out += alignedBytes(count_);
    if (action_bytes_ > 0) std::memcpy(out, actions, action_bytes_);
    out += action_bytes_;
    for (std::size_t env = 0; env < count_; ++env) {
        if (commands[env] != EnvCommand::reset) continue;
        std::memcpy(out, &seeds[env], 8);
        out += 8;
    }
    return message;
}

Result<std::uint64_t> ExchangeLayout::readRequest(const Bytes& message, std::span<EnvCommand> commands,
                                                  float* actions, std::span<std::uint64_t> seeds) const {
    const std::size_t fixed = kMessageHeader + alignedBytes(count_) + action_bytes_;
    if (message.size() < fixed || !isOfKind(message, MessageKind::request)) return wrongLength(message);
    const std::uint8_t* in = message.data() + kMessageHeader;
    std::size_t resets = 0;
    for (std::size_t env = 0; env < count_; ++env) {
        if (in[env] > static_cast<std::uint8_t>(EnvCommand::reset)) return fail("a command does not exist");
        commands[env] = static_cast<EnvCommand>(in[env]);
        resets += commands[env] == EnvCommand::reset ? 1 : 0;
    }
    if (message.size() != fixed + resets * 8) return wrongLength(message);
    in += alignedBytes(count_);
    if (action_bytes_ > 0) std::memcpy(actions, in, action_bytes_);
    in += action_bytes_;
    for (std::size_t env = 0; env < count_; ++env) {
        if (commands[env] != EnvCommand::reset) continue;
        std::memcpy(&seeds[env], in, 8);
        in += 8;
    }
    return messageNumber(message);
}

Bytes ExchangeLayout::rows(std::uint64_t sequence) const {
    Bytes message(rows_bytes_);
    writeHeader(message, MessageKind::rows, sequence);
    return message;
}

void ExchangeLayout::place(std::span<std::uint8_t> message, std::vector<std::uint8_t*>& leaves,
                           Exchange& exchange) const {
    leaves.clear();
    for (const std::size_t at : leaf_at_) leaves.push_back(message.data() + at);
    exchange.leaves = leaves.data();
    exchange.mask = mask_bytes_ > 0 ? message.data() + mask_at_ : nullptr;
    exchange.rewards = reinterpret_cast<float*>(message.data() + rewards_at_);
    exchange.flags = message.data() + flags_at_;
}

Result<std::string> ExchangeLayout::readRows(std::span<const std::uint8_t> message, std::uint64_t sequence,
                                             const Exchange& exchange) const {
    if (message.size() < rows_bytes_ || message.size() > maxBytes() ||
        message[0] != static_cast<std::uint8_t>(MessageKind::rows))
        return wrongLength(message);
    if (messageNumber(message) != sequence)
        return fail("a message has the number " + std::to_string(messageNumber(message)) + " instead of " +
                    std::to_string(sequence));
    for (std::size_t leaf = 0; leaf < leaf_at_.size(); ++leaf)
        std::memcpy(exchange.leaves[leaf], message.data() + leaf_at_[leaf], leaf_bytes_[leaf]);
    if (exchange.mask != nullptr) std::memcpy(exchange.mask, message.data() + mask_at_, mask_bytes_);
    std::memcpy(exchange.rewards, message.data() + rewards_at_, columns_ * sizeof(float));
    std::memcpy(exchange.flags, message.data() + flags_at_, columns_);
    return std::string(message.begin() + static_cast<std::ptrdiff_t>(rows_bytes_), message.end());
}

std::string specHash(const EnvSpec& spec) {
    const Json json{{"spaces", toJson(spec.spaces)},
                    {"agents", spec.agents},
                    {"horizon", spec.horizon},
                    {"frames", spec.frames_per_step},
                    {"goal", spec.goal.has_value()}};
    return sha256Hex(json.dump());
}

}  // namespace seedbed
