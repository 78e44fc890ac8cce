// SPDX-License-Identifier: Apache-2.0
// Shared memory without a name: a sealed memfd with a checked header. It travels by descriptor and leaves
// nothing behind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// What both sides must agree on before they trust an offset.
struct SegmentKind {
    std::uint32_t kind = 0;            // which protocol: four letters, see segmentKind()
    std::uint32_t layout_version = 0;  // of that protocol
    std::array<std::uint8_t, 32>
        contract{};  // hash of the specs that the layout was computed from; zeros when there are none
};
constexpr std::uint32_t segmentKind(const char (&letters)[5]) {
    std::uint32_t kind = 0;
    for (int i = 3; i >= 0; --i) kind = kind << 8 | static_cast<std::uint8_t>(letters[i]);
    return kind;
}

// The size is fixed by seals: no peer can cut it under a reader (SIGBUS) or let it grow. The contents are
// writable by every peer that maps it for writing, at any time: copy a value once, then check the copy.
// Thread: any; the bytes follow the protocol of their kind.
class SharedSegment {
public:
    enum class Access { read_only, read_write };

    // All pages are there on return. With `peers_read_only` nobody but this mapping can ever write. error:
    // out_of_memory when the memory is not free (checked first: allocating until the system kills somebody
    // helps nobody), failure otherwise.
    static Result<SharedSegment> create(const std::string& name, const SegmentKind& kind, std::size_t bytes,
                                        bool peers_read_only = false);
    // Checks seals, size and header before anything is believed; says what is wrong. `bytes` 0 accepts any
    // size.
    static Result<SharedSegment> attach(Descriptor descriptor, const SegmentKind& expected, std::size_t bytes,
                                        Access access);

    SharedSegment(SharedSegment&& other) noexcept;
    SharedSegment& operator=(SharedSegment&& other) noexcept;
    ~SharedSegment();

    // 64-byte aligned, without the header. Writable bytes of a read_only segment are a bug.
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
