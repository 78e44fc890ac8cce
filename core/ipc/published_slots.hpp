// SPDX-License-Identifier: Apache-2.0
// The newest version of something, published from one process to any number of readers without ever waiting
// for them: a few slots in shared memory, each one complete version. Parameters go to players this way, and
// pictures from players to who watches.
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

// Version n (counted from 1) lies in slot (n - 1) mod slots. A slot's sequence is 2n while it holds version n
// and odd while it is written; a reader copies the words and takes them only when the sequence was the same
// even number before and after. All words are atomics, so a copy may be of mixed versions (and is thrown
// away) but is never a data race.
struct PublishedHeader;

// Thread: one at a time; it never waits and makes no system call.
class SlotWriter {
public:
    // Readers can map the memory for reading only. `contract` of the kind says what a version holds. error:
    // out_of_memory, failure.
    static Result<SlotWriter> create(const std::string& name, const SegmentKind& kind, std::size_t slot_bytes,
                                     std::uint32_t slots = 4);

    // The parts one after another are the new version; together at most slotBytes().
    void publish(std::initializer_list<std::span<const std::byte>> parts);
    // Tells readers that nothing more comes here; they ask for the successor.
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

// Thread: one at a time.
class SlotReader {
public:
    // error: failure, with what does not fit.
    static Result<SlotReader> attach(Descriptor descriptor, const SegmentKind& kind);

    // Number of the newest version; 0: none yet. Costs one load.
    std::uint64_t newest() const;
    // Copies the newest version when it is newer than the last one taken; nullopt when there is none, or when
    // the writer was faster than every attempt (it then published newer ones; call again). The number of the
    // version taken.
    std::optional<std::uint64_t> take(std::vector<std::byte>& into);
    bool closed() const;

private:
    explicit SlotReader(SharedSegment segment) : segment_(std::move(segment)) {}

    SharedSegment segment_;
    std::size_t slot_bytes_ =
        0;  // private copies: nothing that the writer changes later decides about an address
    std::uint32_t slots_ = 0;
    std::uint64_t taken_ = 0;
};

}  // namespace seedbed
