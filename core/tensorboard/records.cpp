// SPDX-License-Identifier: Apache-2.0
#include "core/tensorboard/records.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace seedbed::tensorboard {

static_assert(std::endian::native == std::endian::little, "lengths and checksums are little-endian");

namespace {

constexpr std::size_t kHeaderBytes = 12;  // length and its checksum
constexpr std::size_t kFooterBytes = 4;   // checksum of the data

constexpr std::array<std::uint32_t, 256> crcTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82f63b78u : 0u);
        table[i] = value;
    }
    return table;
}

constexpr std::array<std::uint32_t, 256> kCrcTable = crcTable();

// TFRecord stores checksums rotated and shifted by a constant, so that a checksum of data that contains
// checksums is useful.
std::uint32_t masked(std::uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8u; }

template <class T>
void append(std::vector<std::uint8_t>& to, T value) {
    std::array<std::uint8_t, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    to.insert(to.end(), bytes.begin(), bytes.end());
}

template <class T>
T numberAt(std::span<const std::uint8_t> bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.subspan(offset, sizeof(T)).data(), sizeof value);
    return value;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::uint8_t> bytes) {
    std::uint32_t crc = ~0u;
    for (const std::uint8_t byte : bytes) crc = (crc >> 8) ^ kCrcTable[(crc ^ byte) & 0xff];
    return ~crc;
}

void appendRecord(std::vector<std::uint8_t>& to, std::span<const std::uint8_t> data) {
    const std::size_t begin = to.size();
    append(to, static_cast<std::uint64_t>(data.size()));
    append(to, masked(crc32c(std::span<const std::uint8_t>(to).subspan(begin, sizeof(std::uint64_t)))));
    to.insert(to.end(), data.begin(), data.end());
    append(to, masked(crc32c(data)));
}

Result<std::optional<std::span<const std::uint8_t>>> takeRecord(std::span<const std::uint8_t>& bytes) {
    using Record = std::optional<std::span<const std::uint8_t>>;
    if (bytes.size() < kHeaderBytes) {
        bytes = {};
        return Record();
    }
    const auto size = numberAt<std::uint64_t>(bytes, 0);
    if (masked(crc32c(bytes.first(sizeof size))) != numberAt<std::uint32_t>(bytes, sizeof size))
        return fail("the checksum of a record's length is wrong");
    if (size > kMaxRecordBytes)
        return fail("a record has " + std::to_string(size) + " bytes; the limit is " +
                    std::to_string(kMaxRecordBytes));
    if (bytes.size() - kHeaderBytes < size + kFooterBytes) {
        bytes = {};
        return Record();
    }
    const auto data = bytes.subspan(kHeaderBytes, size);
    if (masked(crc32c(data)) != numberAt<std::uint32_t>(bytes, kHeaderBytes + size))
        return fail("the checksum of a record is wrong");
    bytes = bytes.subspan(kHeaderBytes + size + kFooterBytes);
    return Record(data);
}

}  // namespace seedbed::tensorboard
