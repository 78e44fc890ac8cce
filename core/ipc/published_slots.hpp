// SPDX-License-Identifier: Apache-2.0
// Publishes the newest version of some data from one process to any number of readers, through slots in
// shared memory. The writer never waits for readers. Used for the parameters that players read and for the
// frames that players publish.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/ipc/shared_segment.hpp"

namespace seedbed {

struct PublishedHeader;

// Publishes versions. Thread: one at a time. publish() does not wait and makes no system calls.
class SlotWriter {
public:
    // Creates the slots; readers can map them for reading only. `kind.contract` identifies the format of a
    // version. error: out_of_memory, failure.
    static Result<SlotWriter> create(const std::string& name, const SegmentKind& kind, std::size_t slot_bytes,
                                     std::uint32_t slots = 4);

    // Publishes the concatenation of `parts`, at most slotBytes(), as the new version.
    void publish(std::initializer_list<std::span<const std::byte>> parts);
    // Marks the slots as closed: no further version follows, and readers request new slots.
    void close();

    std::uint64_t published() const { return published_; }
    std::size_t slotBytes() const { return slot_bytes_; }
    const Descriptor& descriptor() const { return segment_.descriptor(); }

private:
    explicit SlotWriter(SharedSegment segment) : segment_(std::move(segment)) {}

    SharedSegment segment_;
    std::size_t slot_bytes_ = 0;
    std::uint32_t slots_ = 0;
    std::uint64_t published_ = 0;
};

// Reads versions. Thread: one at a time.
class SlotReader {
public:
    // error: failure, with the mismatch.
    static Result<SlotReader> attach(Descriptor descriptor, const SegmentKind& kind);

    // The number of the newest version; 0: none yet. Costs one load.
    std::uint64_t newest() const;
    // Copies the newest version into `into` if it is newer than the last one returned, and returns its
    // number. nullopt if no newer version exists, or if the writer overwrote it during every attempt; the
    // caller can try again later.
    std::optional<std::uint64_t> take(std::vector<std::byte>& into);
    bool closed() const;

private:
    explicit SlotReader(SharedSegment segment) : segment_(std::move(segment)) {}

    SharedSegment segment_;
    // private copies, so that later changes by the writer cannot affect addresses
    std::size_t slot_bytes_ = 0;
    std::uint32_t slots_ = 0;
    std::uint64_t taken_ = 0;
};

}  // namespace seedbed
