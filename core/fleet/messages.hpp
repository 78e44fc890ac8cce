// SPDX-License-Identifier: Apache-2.0
// The messages between a learner and an actor; described in README.md. Numbers are little endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/env/env.hpp"
#include "core/fleet/link.hpp"

namespace seedbed {

inline constexpr int kFleetProtocol = 2;

// The first byte of a message.
enum class MessageKind : std::uint8_t { control, request, rows, window, begin, params, consumed };
inline constexpr std::size_t kMessageHeader = 16;  // kind, padding, number
// Writes the header of a message with at least that size.
void writeHeader(std::span<std::uint8_t> message, MessageKind kind, std::uint64_t number);
bool isOfKind(const Bytes& message, MessageKind kind);
// Of a message for which isOfKind() is true, except for control messages.
std::uint64_t messageNumber(std::span<const std::uint8_t> message);
// A message that consists of a header.
Bytes numberMessage(MessageKind kind, std::uint64_t number);
// The size in bytes of an array in a message.
constexpr std::size_t alignedBytes(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
tl::unexpected<Error> wrongLength(std::span<const std::uint8_t> message);

// A handshake message: a JSON object with the member "op".
Bytes controlMessage(const Json& json);
bool isControl(const Bytes& message);
// error: not a control message.
Result<Json> readControl(const Bytes& message);

// The layout of exchanges with `count` environments.
class ExchangeLayout {
public:
    ExchangeLayout(const EnvSpec& spec, int count);

    // The size in bytes of the largest message.
    std::size_t maxBytes() const { return rows_bytes_ + kTextBytes; }
    // The size in bytes of the outcome of an exchange without text.
    std::size_t rowsBytes() const { return rows_bytes_; }

    // From the learner: the commands, the actions f32 [columns, A], and a seed for each environment whose
    // command is reset.
    Bytes request(std::uint64_t sequence, std::span<const EnvCommand> commands, const float* actions,
                  std::span<const std::uint64_t> seeds) const;
    // Reads a request into arrays of these sizes. error: its length or a command is wrong.
    Result<std::uint64_t> readRequest(const Bytes& message, std::span<EnvCommand> commands, float* actions,
                                      std::span<std::uint64_t> seeds) const;

    // From the actor: a message with room for the outcome, into which an exchange writes.
    Bytes rows(std::uint64_t sequence) const;
    // The arrays of a message from rows(): leaves, mask, rewards and flags of `exchange`. `leaves` must
    // outlive the exchange.
    void place(std::span<std::uint8_t> message, std::vector<std::uint8_t*>& leaves, Exchange& exchange) const;
    // Copies the arrays of a message into those of `exchange`, without checking values. Returns the text that
    // follows them. error: its length or its sequence number is wrong.
    Result<std::string> readRows(std::span<const std::uint8_t> message, std::uint64_t sequence,
                                 const Exchange& exchange) const;

    static constexpr std::size_t kTextBytes = 4096;

private:
    std::size_t count_, columns_, action_bytes_;
    std::vector<std::size_t> leaf_at_, leaf_bytes_;
    std::size_t mask_at_ = 0, mask_bytes_ = 0, rewards_at_ = 0, flags_at_ = 0, rows_bytes_ = 0;
};

// Identifies what must be equal on both sides: spaces, agents, time limit and meaning of rewards.
std::string specHash(const EnvSpec& spec);

}  // namespace seedbed
