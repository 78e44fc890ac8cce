// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/window_messages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/finite.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kWindowHeader = kMessageHeader + 16;  // first row, number of rows
constexpr std::size_t kParamsHeader = kMessageHeader + 8;   // version of the base
constexpr std::uint64_t kNoBase = ~std::uint64_t{0};
constexpr float kLogProbTolerance = 1e-3F;  // CPUs differ in the last bits of exp and log

std::uint64_t wordAt(std::span<const std::uint8_t> bytes, std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

void setWordAt(std::span<std::uint8_t> bytes, std::size_t at, std::uint64_t word) {
    std::memcpy(bytes.data() + at, &word, sizeof word);
}

}  // namespace

// --- windows

WindowLayout::WindowLayout(const EnvSpec& spec, int count, const RingSpec& ring, int length)
    : exchange_(spec, count),
      columns_(static_cast<std::size_t>(ring.columns)),
      action_words_(static_cast<std::size_t>(ring.spaces.actionWords())),
      policy_words_(static_cast<std::size_t>(ring.policy_words)),
      state_words_(static_cast<std::size_t>(ring.state_words)),
      acted_at_(exchange_.rowsBytes() + 8),
      acted_bytes_(alignedBytes(columns_ * (action_words_ + policy_words_ + 2) * sizeof(float))),
      state_every_(static_cast<std::uint64_t>(ring.state_every)),
      length_(static_cast<std::uint64_t>(length)) {}

std::size_t WindowLayout::recordBytes(std::uint64_t row) const {
    return acted_at_ + acted_bytes_ +
           (storesState(row) ? alignedBytes(columns_ * state_words_ * sizeof(float)) : 0);
}

std::size_t WindowLayout::maxBytes() const {
    std::size_t bytes = kWindowHeader + ExchangeLayout::kTextBytes;
    for (std::uint64_t row = 0; row < length_; ++row) bytes += recordBytes(row);
    return bytes;
}

std::size_t WindowLayout::maxOpen() const {
    return std::clamp(kOpenBytes / maxBytes(), kMinOpenWindows, kMaxOpenWindows);
}

Bytes WindowLayout::begin(std::uint64_t number, std::uint64_t first_row) const {
    Bytes message;
    message.reserve(maxBytes());
    message.resize(kWindowHeader);
    writeHeader(message, MessageKind::window, number);
    setWordAt(message, kMessageHeader, first_row);
    return message;
}

std::size_t WindowLayout::addRecord(Bytes& message, std::uint64_t row) const {
    const std::size_t at = message.size();
    message.resize(at + recordBytes(row));
    writeHeader(std::span(message).subspan(at), MessageKind::rows, row);
    setWordAt(message, kMessageHeader + 8, wordAt(message, kMessageHeader + 8) + 1);
    return at;
}

void WindowLayout::finish(Bytes& message, std::string text) const {
    text.resize(std::min(text.size(), ExchangeLayout::kTextBytes));
    message.insert(message.end(), text.begin(), text.end());
}

Result<WindowLayout::Message> WindowLayout::read(const Bytes& message, std::uint64_t number,
                                                 std::uint64_t first_row) const {
    if (!isOfKind(message, MessageKind::window) || message.size() < kWindowHeader)
        return wrongLength(message);
    const std::uint64_t rows = wordAt(message, kMessageHeader + 8);
    if (messageNumber(message) != number || wordAt(message, kMessageHeader) != first_row || rows == 0 ||
        rows > length_)
        return fail("window " + std::to_string(messageNumber(message)) + " has " + std::to_string(rows) +
                    " rows from row " + std::to_string(wordAt(message, kMessageHeader)) +
                    "; expected was window " + std::to_string(number) + " with 1 to " +
                    std::to_string(length_) + " rows from row " + std::to_string(first_row));
    Message out;
    std::size_t at = kWindowHeader;
    for (std::uint64_t row = first_row; row < first_row + rows; ++row) {
        const std::size_t bytes = recordBytes(row);
        if (bytes > message.size() - at) return wrongLength(message);
        if (message[at] != static_cast<std::uint8_t>(MessageKind::rows) ||
            messageNumber(std::span(message).subspan(at)) != row)
            return fail("a record does not belong to row " + std::to_string(row));
        out.records.push_back(at);
        at += bytes;
    }
    if (message.size() - at > ExchangeLayout::kTextBytes) return wrongLength(message);
    out.text.assign(message.begin() + static_cast<std::ptrdiff_t>(at), message.end());
    return out;
}

std::uint64_t WindowLayout::version(const std::uint8_t* record) const {
    return wordAt({record, acted_at_}, acted_at_ - 8);
}

void WindowLayout::setVersion(std::uint8_t* record, std::uint64_t version) const {
    setWordAt({record, acted_at_}, acted_at_ - 8, version);
}

ActedRow WindowLayout::acted(std::uint8_t* record, std::uint64_t row) const {
    ActedRow acted;
    acted.action = reinterpret_cast<float*>(record + acted_at_);
    acted.log_prob = acted.action + columns_ * action_words_;
    acted.policy = acted.log_prob + columns_;
    acted.value = acted.policy + columns_ * policy_words_;
    if (storesState(row)) acted.state = reinterpret_cast<float*>(record + acted_at_ + acted_bytes_);
    return acted;
}

ActedRow WindowLayout::acted(Ring& ring, std::uint64_t row) const {
    return {.action = ring.action(row),
            .log_prob = ring.logProb(row),
            .policy = ring.policy(row),
            .value = ring.value(row),
            .state = storesState(row) ? ring.state(row) : nullptr};
}

void WindowLayout::copy(const ActedRow& from, const ActedRow& to) const {
    std::copy_n(from.action, columns_ * action_words_, to.action);
    std::copy_n(from.log_prob, columns_, to.log_prob);
    std::copy_n(from.policy, columns_ * policy_words_, to.policy);
    std::copy_n(from.value, columns_, to.value);
    if (to.state != nullptr) std::copy_n(from.state, columns_ * state_words_, to.state);
}

std::string WindowLayout::problem(const ActionDistribution& distribution, const ActedRow& row,
                                  const std::uint8_t* mask, const std::uint8_t* flags) const {
    const std::pair<const char*, std::span<const float>> arrays[] = {
        {"an action", {row.action, columns_ * action_words_}},
        {"a log-probability", {row.log_prob, columns_}},
        {"an output of the policy", {row.policy, columns_ * policy_words_}},
        {"a value estimate", {row.value, columns_}},
        {"a recurrent state", {row.state, row.state != nullptr ? columns_ * state_words_ : 0}}};
    for (const auto& [name, values] : arrays)
        if (!allFinite(values.data(), values.size())) return std::string(name) + " is not finite";
    const Spaces& spaces = distribution.spaces();
    std::vector<float> expected(columns_);
    for (std::size_t n = 0; n < columns_; ++n)
        if (!isAction(spaces, row.action + n * action_words_)) return "an action is outside its space";
    // A squashed action does not determine its log-probability where tanh saturates.
    if (!distribution.squash())
        distribution.logProb(static_cast<int>(columns_), row.policy, mask, row.action, expected.data());
    for (std::size_t n = 0; n < columns_; ++n) {
        const float* action = row.action + n * action_words_;
        if ((flags[n] & column_flag::failed) != 0) continue;
        const std::uint8_t* allowed =
            mask != nullptr ? mask + n * static_cast<std::size_t>(spaces.maskBytes()) : nullptr;
        for (const ActionLeaf& leaf : spaces.actions) {
            if (allowed != nullptr && leaf.kind == ActionLeaf::Kind::discrete) {
                if (allowed[static_cast<std::size_t>(*action)] == 0) return "an action is forbidden";
                allowed += leaf.n;
            }
            action += leaf.words();
        }
        if (distribution.squash()) continue;
        const float error = std::abs(row.log_prob[n] - expected[n]);
        if (!(error <= kLogProbTolerance * (1 + std::abs(expected[n]))))
            return "a log-probability does not belong to its action";
    }
    return "";
}

Bytes beginMessage(const Beginning& beginning) {
    Bytes message(kMessageHeader + 8);
    writeHeader(message, MessageKind::begin, beginning.head);
    setWordAt(message, kMessageHeader, std::bit_cast<std::uint64_t>(beginning.round_trip_s));
    return message;
}

Result<Beginning> readBegin(const Bytes& message) {
    if (!isOfKind(message, MessageKind::begin) || message.size() != kMessageHeader + 8)
        return wrongLength(message);
    const auto round_trip_s = std::bit_cast<double>(wordAt(message, kMessageHeader));
    if (!(round_trip_s >= 0) || std::isinf(round_trip_s)) return fail("a round trip is not a time");
    return Beginning{.head = messageNumber(message), .round_trip_s = round_trip_s};
}

// --- parameters
// A difference consists of the bits that changed (exclusive or), as 2 bits per value, the number of bytes
// (0, 2, 3, 4), followed by these bytes of all values: an update rarely changes sign, exponent and the first
// bits of the mantissa.

namespace {

constexpr std::size_t kWordBytes[4] = {0, 2, 3, 4};

std::size_t codeOf(std::uint32_t word) {
    return word == 0 ? 0 : word < 1U << 16 ? 1 : word < 1U << 24 ? 2 : 3;
}

Bytes packed(std::span<const float> values, std::span<const float> base) {
    const std::size_t codes = (values.size() + 3) / 4;
    Bytes out(codes, 0);
    out.reserve(codes + 3 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t word =
            std::bit_cast<std::uint32_t>(values[i]) ^ std::bit_cast<std::uint32_t>(base[i]);
        const std::size_t code = codeOf(word);
        out[i / 4] = static_cast<std::uint8_t>(out[i / 4] | code << (2 * (i % 4)));
        for (std::size_t byte = 0; byte < kWordBytes[code]; ++byte)
            out.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
    }
    return out;
}

// False if the length is wrong.
bool unpack(std::span<const std::uint8_t> in, std::span<float> values) {
    const std::size_t codes = (values.size() + 3) / 4;
    if (in.size() < codes) return false;
    std::size_t at = codes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t bytes = kWordBytes[in[i / 4] >> (2 * (i % 4)) & 3];
        if (bytes > in.size() - at) return false;
        std::uint32_t word = 0;
        for (std::size_t byte = 0; byte < bytes; ++byte)
            word |= static_cast<std::uint32_t>(in[at + byte]) << (8 * byte);
        at += bytes;
        values[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(values[i]) ^ word);
    }
    return at == in.size();
}

}  // namespace

Bytes paramsMessage(const Params& params, const Params* base) {
    const auto values = params.blob();
    Bytes difference;
    if (base != nullptr) difference = packed(values, base->blob());
    const bool is_shorter = base != nullptr && difference.size() < values.size_bytes();
    Bytes message(kParamsHeader);
    writeHeader(message, MessageKind::params, params.version());
    setWordAt(message, kMessageHeader, is_shorter ? base->version() : kNoBase);
    if (is_shorter) {
        message.insert(message.end(), difference.begin(), difference.end());
    } else {
        message.resize(kParamsHeader + values.size_bytes());
        std::memcpy(message.data() + kParamsHeader, values.data(), values.size_bytes());
    }
    return message;
}

Result<Params> readParams(const Bytes& message, const Params& current, std::size_t floats) {
    if (!isOfKind(message, MessageKind::params) || message.size() < kParamsHeader)
        return wrongLength(message);
    const std::uint64_t base = wordAt(message, kMessageHeader);
    const std::span body = std::span(message).subspan(kParamsHeader);
    std::vector<float> values(floats);
    if (base == kNoBase) {
        if (body.size() != floats * sizeof(float)) return wrongLength(message);
        std::memcpy(values.data(), body.data(), body.size());
    } else {
        if (current.empty() || current.version() != base)
            return fail("the parameters are a difference to version " + std::to_string(base) +
                        ", which is not the current one");
        values.assign(current.blob().begin(), current.blob().end());
        if (!unpack(body, values)) return wrongLength(message);
    }
    if (!allFinite(values.data(), values.size())) return fail("a parameter is not finite");
    return Params(std::move(values), messageNumber(message));
}

}  // namespace seedbed
