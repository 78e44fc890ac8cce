// SPDX-License-Identifier: Apache-2.0
// The wire format of protocol buffers, for formats that are defined by it: ONNX models and TensorBoard
// events. https://protobuf.dev/programming-guides/encoding
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed::protobuf {

// A message under construction.
class Message {
public:
    void integer(int field, std::int64_t value);
    void number(int field, float value);
    void number(int field, double value);
    void text(int field, std::string_view value) { bytes(field, value.data(), value.size()); }
    void message(int field, const Message& inner) { bytes(field, inner.bytes_.data(), inner.bytes_.size()); }
    void bytes(int field, const void* data, std::size_t size);

    const std::vector<std::uint8_t>& data() const { return bytes_; }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

private:
    void tag(int field, unsigned wire) { varint(static_cast<std::uint64_t>(field) << 3 | wire); }
    void varint(std::uint64_t value);
    void raw(const void* data, std::size_t size);
    std::vector<std::uint8_t> bytes_;
};

// One field of a message: a number (wire 0), or a part of the message's bytes.
struct Field {
    int number = 0;
    unsigned wire = 0;
    std::uint64_t value = 0;
    std::span<const std::uint8_t> bytes{};

    std::string text() const { return {bytes.begin(), bytes.end()}; }
    std::int64_t integer() const { return static_cast<std::int64_t>(value); }
    // The value of a fixed32 or fixed64 field. error: it has another size.
    Result<float> float32() const;
    Result<double> float64() const;
};

// Each removes what it reads from `bytes`, and never reads beyond them. error: the bytes are malformed; the
// message begins with "it".
Result<std::uint64_t> readVarint(std::span<const std::uint8_t>& bytes);
Result<Field> readField(std::span<const std::uint8_t>& bytes);

// Calls visit(field), which returns a Result<>, for all fields of a message. error: malformed, from `visit`,
// or more than `limit` fields.
template <class Visit>
Result<> forFields(std::span<const std::uint8_t> bytes, std::size_t limit, const Visit& visit) {
    std::size_t count = 0;
    while (!bytes.empty()) {
        if (++count > limit) return fail("it has too many parts");
        SEEDBED_ASSIGN(const Field field, readField(bytes));
        SEEDBED_TRY(visit(field));
    }
    return {};
}

}  // namespace seedbed::protobuf
