// SPDX-License-Identifier: Apache-2.0
// One sequence lock per slot. Words are stored with release order and loaded with acquire order, instead of
// relaxed order with fences: the instructions on x86 are the same, and thread sanitizers understand them
// (Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012, section 4).
//
// Version n (from 1) is in slot (n - 1) mod slots. A slot's sequence number is 2n while it contains version n
// and odd while it is being written. A reader copies the words and accepts the copy only if the sequence
// number was the same even number before and after. All words are atomics, so a mixed copy, which is
// discarded, is not a data race.
#include "core/ipc/published_slots.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace seedbed {

// The start of the segment; the slots follow, each at a multiple of 64 bytes.
struct PublishedHeader {
    std::uint64_t slot_bytes;
    std::uint64_t slots;
    alignas(64) std::atomic<std::uint64_t> newest;
    std::atomic<std::uint64_t> closed;
};
static_assert(sizeof(PublishedHeader) == 128 && std::atomic<std::uint64_t>::is_always_lock_free);

namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t), kSlotHeader = 64;
constexpr std::uint64_t kMaxSlots = 16;
constexpr int kAttempts = 8;

struct SlotHeader {
    std::atomic<std::uint64_t> sequence;
    std::atomic<std::uint64_t> bytes;
};

std::size_t slotStride(std::size_t slot_bytes) { return kSlotHeader + (slot_bytes + 63) / 64 * 64; }

template <class Memory>
auto* slotAt(Memory* base, std::size_t slot_bytes, std::uint64_t slot) {
    return base + sizeof(PublishedHeader) + slot * slotStride(slot_bytes);
}

}  // namespace

Result<SlotWriter> SlotWriter::create(const std::string& name, const SegmentKind& kind,
                                      std::size_t slot_bytes, std::uint32_t slots) {
    SEEDBED_CHECK(slots >= 2 && slots <= kMaxSlots && slot_bytes > 0);
    SEEDBED_ASSIGN(
        SharedSegment segment,
        SharedSegment::create(name, kind, sizeof(PublishedHeader) + slots * slotStride(slot_bytes), true));
    SlotWriter writer(std::move(segment));
    writer.slot_bytes_ = slot_bytes;
    writer.slots_ = slots;
    auto* header = reinterpret_cast<PublishedHeader*>(writer.segment_.bytes().data());
    header->slot_bytes = slot_bytes;
    header->slots = slots;
    return writer;
}

void SlotWriter::publish(std::initializer_list<std::span<const std::byte>> parts) {
    std::byte* const base = segment_.bytes().data();
    const std::uint64_t version = ++published_;
    std::byte* const slot = slotAt(base, slot_bytes_, (version - 1) % slots_);
    auto* header = reinterpret_cast<SlotHeader*>(slot);
    auto* words = reinterpret_cast<std::atomic<std::uint64_t>*>(slot + kSlotHeader);
    header->sequence.store(2 * version - 1, std::memory_order_relaxed);
    std::size_t bytes = 0;
    std::uint64_t word = 0;
    for (const std::span<const std::byte> part : parts) {
        SEEDBED_CHECK(part.size() <= slot_bytes_ - bytes, "a version is larger than its slot");
        std::size_t at = 0;
        while (at < part.size()) {
            const std::size_t within = bytes % kWord, count = std::min(kWord - within, part.size() - at);
            std::memcpy(reinterpret_cast<std::byte*>(&word) + within, part.data() + at, count);
            bytes += count;
            at += count;
            if (bytes % kWord == 0) words[bytes / kWord - 1].store(word, std::memory_order_release);
        }
    }
    if (bytes % kWord != 0) words[bytes / kWord].store(word, std::memory_order_release);
    header->bytes.store(bytes, std::memory_order_release);
    header->sequence.store(2 * version, std::memory_order_release);
    reinterpret_cast<PublishedHeader*>(base)->newest.store(version, std::memory_order_release);
}

void SlotWriter::close() {
    reinterpret_cast<PublishedHeader*>(segment_.bytes().data())->closed.store(1, std::memory_order_release);
}

Result<SlotReader> SlotReader::attach(Descriptor descriptor, const SegmentKind& kind) {
    SEEDBED_ASSIGN(SharedSegment segment,
                   SharedSegment::attach(std::move(descriptor), kind, 0, SharedSegment::Access::read_only));
    const std::size_t total = std::as_const(segment).bytes().size();
    if (total < sizeof(PublishedHeader)) return fail("the shared memory is too small for its header");
    SlotReader reader(std::move(segment));
    const auto* header =
        reinterpret_cast<const PublishedHeader*>(std::as_const(reader.segment_).bytes().data());
    const std::uint64_t slot_bytes = header->slot_bytes, slots = header->slots;
    if (slots < 2 || slots > kMaxSlots || slot_bytes == 0 || slot_bytes > total ||
        total != sizeof(PublishedHeader) + slots * slotStride(slot_bytes))
        return fail("the size of the shared memory does not match its slots");
    reader.slot_bytes_ = slot_bytes;
    reader.slots_ = static_cast<std::uint32_t>(slots);
    return reader;
}

std::uint64_t SlotReader::newest() const {
    return reinterpret_cast<const PublishedHeader*>(segment_.bytes().data())
        ->newest.load(std::memory_order_acquire);
}

bool SlotReader::closed() const {
    return reinterpret_cast<const PublishedHeader*>(segment_.bytes().data())
               ->closed.load(std::memory_order_acquire) != 0;
}

std::optional<std::uint64_t> SlotReader::take(std::vector<std::byte>& into) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const std::uint64_t version = newest();
        if (version <= taken_) return std::nullopt;
        const std::byte* slot =
            slotAt(std::as_const(segment_).bytes().data(), slot_bytes_, (version - 1) % slots_);
        const auto* header = reinterpret_cast<const SlotHeader*>(slot);
        const auto* words = reinterpret_cast<const std::atomic<std::uint64_t>*>(slot + kSlotHeader);
        if (header->sequence.load(std::memory_order_acquire) != 2 * version) continue;
        const std::uint64_t bytes = header->bytes.load(std::memory_order_acquire);
        if (bytes > slot_bytes_) continue;
        into.resize(bytes);
        for (std::size_t at = 0; at < bytes; at += kWord) {
            const std::uint64_t word = words[at / kWord].load(std::memory_order_acquire);
            std::memcpy(into.data() + at, &word, std::min<std::size_t>(kWord, bytes - at));
        }
        if (header->sequence.load(std::memory_order_relaxed) != 2 * version) continue;
        taken_ = version;
        return version;
    }
    return std::nullopt;
}

}  // namespace seedbed
