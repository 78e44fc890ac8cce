// SPDX-License-Identifier: Apache-2.0
// The messages of actors that choose the actions: windows of rows, and parameters. Described in README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/fleet/messages.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/params.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// Windows of an actor that the learner has not consumed yet: this many if they are small, otherwise those
// that fit in kOpenBytes, but at least kMinOpenWindows.
inline constexpr std::size_t kMaxOpenWindows = 32, kMinOpenWindows = 4;
inline constexpr std::size_t kOpenBytes = std::size_t{64} << 20;

// The arrays of a row that belong to its actions, in the ring or in a message.
struct ActedRow {
    float* action = nullptr;    // [columns, A]
    float* log_prob = nullptr;  // [columns]
    float* policy = nullptr;    // [columns, P]
    float* value = nullptr;     // [columns]
    float* state = nullptr;     // [columns, S]; null if the row stores no recurrent state
};

// A window consists of records: for each row, the outcome of the exchange that led to it, and its actions.
class WindowLayout {
public:
    // `ring`: of the group; `length`: the maximum number of rows in a message.
    WindowLayout(const EnvSpec& spec, int count, const RingSpec& ring, int length);

    // The size in bytes of the largest message.
    std::size_t maxBytes() const;
    // The largest number of windows that the learner has not consumed yet.
    std::size_t maxOpen() const;
    std::uint64_t length() const { return length_; }
    const ExchangeLayout& exchange() const { return exchange_; }

    // --- the actor
    // A message without rows; the first one will be `first_row`.
    Bytes begin(std::uint64_t number, std::uint64_t first_row) const;
    // Appends the record of a row and returns its position.
    std::size_t addRecord(Bytes& message, std::uint64_t row) const;
    // Ends the message with text about failures.
    void finish(Bytes& message, std::string text) const;

    // --- the learner
    struct Message {
        std::vector<std::size_t> records;  // positions
        std::string text;
    };
    // Checks lengths and numbers. error: the message is not this window.
    Result<Message> read(const Bytes& message, std::uint64_t number, std::uint64_t first_row) const;

    // The parts of a record.
    std::span<std::uint8_t> outcome(std::uint8_t* record) const { return {record, exchange_.rowsBytes()}; }
    std::uint64_t version(const std::uint8_t* record) const;
    void setVersion(std::uint8_t* record, std::uint64_t version) const;
    ActedRow acted(std::uint8_t* record, std::uint64_t row) const;
    // The arrays of the ring's row.
    ActedRow acted(Ring& ring, std::uint64_t row) const;
    void copy(const ActedRow& from, const ActedRow& to) const;
    // Checks finite numbers, actions and log-probabilities of a row whose mask is `mask` ([columns, mask
    // bytes] or null) and whose flags are `flags`; only numbers for failed environments. Returns "" or the
    // problem.
    std::string problem(const ActionDistribution& distribution, const ActedRow& row, const std::uint8_t* mask,
                        const std::uint8_t* flags) const;

private:
    bool storesState(std::uint64_t row) const { return state_every_ > 0 && row % state_every_ == 0; }
    std::size_t recordBytes(std::uint64_t row) const;

    ExchangeLayout exchange_;
    std::size_t columns_, action_words_, policy_words_, state_words_, acted_at_, acted_bytes_;
    std::uint64_t state_every_, length_;
};

// Lets an actor begin at this row; the round trip determines how many windows it may send ahead.
struct Beginning {
    std::uint64_t head = 0;
    double round_trip_s = 0;
};
Bytes beginMessage(const Beginning& beginning);
Result<Beginning> readBegin(const Bytes& message);

// Parameters with their version: the difference to `base` (null: none), or all values if that is shorter.
Bytes paramsMessage(const Params& params, const Params* base);
// `current`: the receiver's parameters, with `floats` values unless empty. error: a wrong length, a
// difference to another version, or values that are not finite.
Result<Params> readParams(const Bytes& message, const Params& current, std::size_t floats);

}  // namespace seedbed
