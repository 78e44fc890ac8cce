// SPDX-License-Identifier: Apache-2.0
// Published slots: only complete versions are read, whatever the timing; sizes stored in the segment are not
// trusted.
#include "core/ipc/published_slots.hpp"

#include <array>
#include <cstring>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace seedbed;

namespace {

constexpr SegmentKind kKind{segmentKind("test"), 1, {7}};

SlotReader readerOf(const SlotWriter& writer) {
    auto reader = SlotReader::attach(*writer.descriptor().duplicate(), kKind);
    EXPECT_TRUE(reader) << reader.error().text();
    return std::move(*reader);
}

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto span = std::as_bytes(std::span(text.data(), text.size()));
    return {span.begin(), span.end()};
}

}  // namespace

TEST(PublishedSlots, ReadersGetTheNewestVersionOnceAndComplete) {
    auto writer = SlotWriter::create("slots", kKind, 100);
    ASSERT_TRUE(writer) << writer.error().text();
    SlotReader reader = readerOf(*writer);
    std::vector<std::byte> taken;
    EXPECT_EQ(reader.newest(), 0u);
    EXPECT_FALSE(reader.take(taken));
    // Parts of odd sizes are read as one block.
    const auto a = bytesOf("first "), b = bytesOf("version, thirteen+"), c = bytesOf("!");
    writer->publish({a, b, c});
    ASSERT_EQ(reader.take(taken), 1u);
    EXPECT_EQ(taken, bytesOf("first version, thirteen+!"));
    EXPECT_FALSE(reader.take(taken));
    for (int i = 0; i < 9; ++i) writer->publish({a});
    ASSERT_EQ(reader.take(taken), 10u);
    EXPECT_EQ(taken, a);
    writer->publish({});
    ASSERT_EQ(reader.take(taken), 11u);
    EXPECT_TRUE(taken.empty());
    EXPECT_FALSE(reader.closed());
    writer->close();
    EXPECT_TRUE(reader.closed());
}

TEST(PublishedSlots, ReadersNeverSeeMixedVersionsWhileTheWriterNeverPauses) {
    constexpr std::size_t kWords = 257;  // a prime number
    auto writer = SlotWriter::create("slots", kKind, kWords * sizeof(std::uint64_t), 2);
    ASSERT_TRUE(writer) << writer.error().text();
    std::atomic<int> done{0};
    std::array<std::uint64_t, 2> taken{};
    std::array<bool, 2> torn{};
    std::vector<std::jthread> readers;
    for (std::size_t r = 0; r < 2; ++r) {
        readers.emplace_back([&, r, reader = readerOf(*writer)]() mutable {
            std::vector<std::byte> bytes;
            std::uint64_t before = 0;
            while (taken[r] < 200) {
                const auto version = reader.take(bytes);
                if (!version) continue;
                ++taken[r];
                torn[r] = torn[r] || *version <= before || bytes.size() != kWords * sizeof(std::uint64_t);
                before = *version;
                std::array<std::uint64_t, kWords> words{};
                std::memcpy(words.data(), bytes.data(), std::min(bytes.size(), sizeof words));
                for (std::size_t i = 0; i < kWords; ++i) torn[r] = torn[r] || words[i] != *version * 1000 + i;
            }
            ++done;
        });
    }
    std::array<std::uint64_t, kWords> words{};
    while (done < 2) {
        std::iota(words.begin(), words.end(), (writer->published() + 1) * 1000);
        writer->publish({std::as_bytes(std::span(words))});
    }
    readers.clear();
    EXPECT_FALSE(torn[0] || torn[1]);
    EXPECT_GE(writer->published(), 200u);
}

TEST(PublishedSlots, ReadersCannotWriteAndRejectOtherMemory) {
    auto writer = SlotWriter::create("slots", kKind, 64);
    ASSERT_TRUE(writer) << writer.error().text();
    void* mapped = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, writer->descriptor().get(), 0);
    EXPECT_EQ(mapped, MAP_FAILED);
    const auto other = SlotReader::attach(*writer->descriptor().duplicate(), {segmentKind("test"), 1, {8}});
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().text().find("different specifications"), std::string::npos);
    // A segment whose size does not match its slots.
    auto segment = SharedSegment::create("slots", kKind, 4096);
    ASSERT_TRUE(segment);
    const std::uint64_t huge = UINT64_MAX / 2, slots = 4;
    std::memcpy(segment->bytes().data(), &huge, 8);
    std::memcpy(segment->bytes().data() + 8, &slots, 8);
    const auto refused = SlotReader::attach(*segment->descriptor().duplicate(), kKind);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("does not match"), std::string::npos);
}
