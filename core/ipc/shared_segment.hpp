// SPDX-License-Identifier: Apache-2.0
// Anonymous shared memory: a sealed memfd with a checked header, passed between processes as a descriptor. It
// needs no cleanup.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// The identity of a memory layout; both sides must agree on it.
struct SegmentKind {
    std::uint32_t kind = 0;            // protocol: four letters; see segmentKind()
    std::uint32_t layout_version = 0;  // version of that protocol's layout
    // Hash of the specs that determine the layout, or zeros.
    std::array<std::uint8_t, 32> contract{};
};
constexpr std::uint32_t segmentKind(const char (&letters)[5]) {
    std::uint32_t kind = 0;
    for (int i = 3; i >= 0; --i) kind = kind << 8 | static_cast<std::uint8_t>(letters[i]);
    return kind;
}

// Shared memory with a fixed size: seals prevent peers from shrinking it (which would cause SIGBUS) or
// growing it. Every peer with a writable mapping can modify the contents at any time: copy a value once, then
// check the copy. Thread: any; access to the bytes follows the protocol of the kind.
class SharedSegment {
public:
    enum class Access { read_only, read_write };

    // Creates a segment with all pages allocated. With `peers_read_only` other processes can only read.
    // error: out_of_memory if there is not enough free memory (checked before allocating, to avoid the
    // kernel's out-of-memory killer); failure otherwise.
    static Result<SharedSegment> create(const std::string& name, const SegmentKind& kind, std::size_t bytes,
                                        bool peers_read_only = false);
    // Maps a segment after checking seals, size and header. `bytes` 0 accepts any size. error: failure, with
    // the mismatch.
    static Result<SharedSegment> attach(Descriptor descriptor, const SegmentKind& expected, std::size_t bytes,
                                        Access access);

    SharedSegment(SharedSegment&& other) noexcept;
    SharedSegment& operator=(SharedSegment&& other) noexcept;
    ~SharedSegment();

    // The contents without the header, 64-byte aligned. Writable access to a read_only segment is a bug.
    std::span<std::byte> bytes();
    std::span<const std::byte> bytes() const;
    const Descriptor& descriptor() const { return descriptor_; }

private:
    SharedSegment() = default;
    Result<> map(std::size_t total, Access access);

    Descriptor descriptor_;
    std::byte* memory_ = nullptr;
    std::size_t total_ = 0;
    Access access_ = Access::read_write;
};

}  // namespace seedbed
