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

enum Kind : std::uint8_t { control_kind, request_kind, rows_kind };

constexpr std::size_t kHeader = 16;  // kind, padding, sequence number
constexpr std::size_t kMaxControlBytes = 1 << 16;

std::size_t aligned(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

void writeHeader(Bytes& message, Kind kind, std::uint64_t sequence) {
    message[0] = kind;
    std::memcpy(message.data() + 8, &sequence, 8);
}

std::uint64_t sequenceOf(const Bytes& message) {
    std::uint64_t sequence = 0;
    std::memcpy(&sequence, message.data() + 8, 8);
    return sequence;
}

tl::unexpected<Error> wrongLength(const Bytes& message) {
    return fail("a message of " + std::to_string(message.size()) + " bytes does not have the expected form");
}

}  // namespace

Bytes controlMessage(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    Bytes message(1 + text.size(), control_kind);
    std::copy(text.begin(), text.end(), message.begin() + 1);
    return message;
}

bool isControl(const Bytes& message) { return !message.empty() && message[0] == control_kind; }

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
    std::size_t at = kHeader;
    const auto add = [&](std::size_t bytes) {
        const std::size_t begin = at;
        at += aligned(bytes);
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
    Bytes message(kHeader + aligned(count_) + action_bytes_ + resets * 8);
    writeHeader(message, request_kind, sequence);
    std::uint8_t* out = message.data() + kHeader;
    std::memcpy(out, commands.data(), count_);
    out += aligned(count_);
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
    const std::size_t fixed = kHeader + aligned(count_) + action_bytes_;
    if (message.size() < fixed || message[0] != request_kind) return wrongLength(message);
    const std::uint8_t* in = message.data() + kHeader;
    std::size_t resets = 0;
    for (std::size_t env = 0; env < count_; ++env) {
        if (in[env] > static_cast<std::uint8_t>(EnvCommand::reset)) return fail("a command does not exist");
        commands[env] = static_cast<EnvCommand>(in[env]);
        resets += commands[env] == EnvCommand::reset ? 1 : 0;
    }
    if (message.size() != fixed + resets * 8) return wrongLength(message);
    in += aligned(count_);
    if (action_bytes_ > 0) std::memcpy(actions, in, action_bytes_);
    in += action_bytes_;
    for (std::size_t env = 0; env < count_; ++env) {
        if (commands[env] != EnvCommand::reset) continue;
        std::memcpy(&seeds[env], in, 8);
        in += 8;
    }
    return sequenceOf(message);
}

Bytes ExchangeLayout::rows(std::uint64_t sequence) const {
    Bytes message(rows_bytes_);
    writeHeader(message, rows_kind, sequence);
    return message;
}

void ExchangeLayout::place(Bytes& message, std::vector<std::uint8_t*>& leaves, Exchange& exchange) const {
    leaves.clear();
    for (const std::size_t at : leaf_at_) leaves.push_back(message.data() + at);
    exchange.leaves = leaves.data();
    exchange.mask = mask_bytes_ > 0 ? message.data() + mask_at_ : nullptr;
    exchange.rewards = reinterpret_cast<float*>(message.data() + rewards_at_);
    exchange.flags = message.data() + flags_at_;
}

Result<std::string> ExchangeLayout::readRows(const Bytes& message, std::uint64_t sequence,
                                             const Exchange& exchange) const {
    if (message.size() < rows_bytes_ || message.size() > maxBytes() || message[0] != rows_kind)
        return wrongLength(message);
    if (sequenceOf(message) != sequence)
        return fail("a message has the number " + std::to_string(sequenceOf(message)) + " instead of " +
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
