// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/protobuf.hpp"

#include <bit>
#include <cstring>

namespace seedbed::protobuf {

static_assert(std::endian::native == std::endian::little, "fixed-size numbers are little-endian");

namespace {

constexpr std::uint64_t kMaxFieldNumber = (1 << 29) - 1;  // protobuf's limit

template <class T>
Result<T> fixedNumber(const Field& field) {
    if (field.wire == 0 || field.bytes.size() != sizeof(T))
        return fail("it contains a number of another size");
    T value;
    std::memcpy(&value, field.bytes.data(), sizeof value);
    return value;
}

}  // namespace

void Message::integer(int field, std::int64_t value) {
    tag(field, 0);
    varint(static_cast<std::uint64_t>(value));
}

void Message::number(int field, float value) {
    tag(field, 5);
    raw(&value, sizeof value);
}

void Message::number(int field, double value) {
    tag(field, 1);
    raw(&value, sizeof value);
}

void Message::bytes(int field, const void* data, std::size_t size) {
    tag(field, 2);
    varint(size);
    raw(data, size);
}

void Message::varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(value));
}

void Message::raw(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
}

Result<float> Field::float32() const { return fixedNumber<float>(*this); }

Result<double> Field::float64() const { return fixedNumber<double>(*this); }

Result<std::uint64_t> readVarint(std::span<const std::uint8_t>& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (bytes.empty()) return fail("it ends inside a number");
        const std::uint8_t byte = bytes.front();
        bytes = bytes.subspan(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return value;
    }
    return fail("it contains a number of more than 64 bits");
}

Result<Field> readField(std::span<const std::uint8_t>& bytes) {
    SEEDBED_ASSIGN(const std::uint64_t tag, readVarint(bytes));
    // A larger number must be rejected, not truncated, because other readers would ignore the field or reject
    // the file.
    if (tag >> 3 == 0 || tag >> 3 > kMaxFieldNumber)
        return fail("it contains a field with an invalid number");
    Field field{.number = static_cast<int>(tag >> 3), .wire = static_cast<unsigned>(tag & 7)};
    std::uint64_t size = 0;
    switch (field.wire) {
        case 0: {
            SEEDBED_ASSIGN(field.value, readVarint(bytes));
            return field;
        }
        case 1: size = 8; break;
        case 2: {
            SEEDBED_ASSIGN(size, readVarint(bytes));
            break;
        }
        case 5: size = 4; break;
        default: return fail("it contains a field of an unknown kind");
    }
    if (size > bytes.size()) return fail("a part of it is longer than the file");
    field.bytes = bytes.first(size);
    bytes = bytes.subspan(size);
    return field;
}

}  // namespace seedbed::protobuf
