// SPDX-License-Identifier: Apache-2.0
// Shared segments: seals, hostile headers and full memory; wake words between threads and processes.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/os/memory.hpp"
#include "core/ipc/shared_segment.hpp"
#include "core/ipc/wake.hpp"
#include "tests/unit/ipc/child.hpp"
#include "tests/unit/ipc/layouts.hpp"

namespace seedbed {
namespace {

using testing::kTestKind;
using testing::kTooLongMs;
using Access = SharedSegment::Access;

SharedSegment make(std::size_t bytes) { return SharedSegment::create("test", kTestKind, bytes).value(); }

std::string attachError(const Descriptor& descriptor, const SegmentKind& kind = kTestKind,
                        std::size_t bytes = 0) {
    const auto attached =
        SharedSegment::attach(descriptor.duplicate().value(), kind, bytes, Access::read_only);
    EXPECT_FALSE(attached);
    return attached ? "" : attached.error().message;
}

TEST(SharedSegment, BytesAreZeroAlignedAndShared) {
    SharedSegment made = make(100'000);
    EXPECT_EQ(made.bytes().size(), 100'000u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made.bytes().data()) % 64, 0u);
    for (const std::byte byte : made.bytes()) ASSERT_EQ(byte, std::byte{0});
    const auto attached =
        SharedSegment::attach(made.descriptor().duplicate().value(), kTestKind, 100'000, Access::read_only);
    ASSERT_TRUE(attached) << attached.error().message;
    made.bytes()[99'999] = std::byte{5};
    EXPECT_EQ(attached->bytes()[99'999], std::byte{5});
}

TEST(SharedSegment, IsCloseOnExecAndHasNoNameInTheFileSystem) {
    const SharedSegment made = make(10);
    EXPECT_EQ(::fcntl(made.descriptor().get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EXPECT_FALSE(std::filesystem::exists("/dev/shm/seedbed-test"));
}

TEST(SharedSegment, AnotherProcessCannotResizeItSoReadersCannotGetSigbus) {
    SharedSegment made = make(1 << 20);
    auto child = ChildProcess::start(testing::childWith("attack-segment", {made.descriptor().get()})).value();
    EXPECT_EQ(child.wait({}, deadlineIn(kTooLongMs)).value()->text(), "exited with code 0");
    EXPECT_EQ(made.bytes()[0], std::byte{42});
    EXPECT_EQ(made.bytes()[(1 << 20) - 1], std::byte{0}) << "the last page is still mapped";
}

TEST(SharedSegment, ReadOnlyForPeersPreventsWritableMappings) {
    auto made = SharedSegment::create("test", kTestKind, 4096, true).value();
    EXPECT_FALSE(
        SharedSegment::attach(made.descriptor().duplicate().value(), kTestKind, 0, Access::read_write));
    const auto reader =
        SharedSegment::attach(made.descriptor().duplicate().value(), kTestKind, 0, Access::read_only);
    ASSERT_TRUE(reader);
    made.bytes()[7] = std::byte{1};
    EXPECT_EQ(reader->bytes()[7], std::byte{1});
}

TEST(SharedSegment, EveryDisagreementIsNamed) {
    const SharedSegment made = make(1000);
    SegmentKind kind = kTestKind;
    kind.kind = segmentKind("blob");
    EXPECT_NE(attachError(made.descriptor(), kind).find("an unexpected purpose"), std::string::npos);
    kind = kTestKind;
    kind.layout_version = 4;
    EXPECT_NE(attachError(made.descriptor(), kind).find("layout version 3, this program supports version 4"),
              std::string::npos);
    kind = kTestKind;
    kind.contract[31] = 1;
    EXPECT_NE(attachError(made.descriptor(), kind).find("different specifications"), std::string::npos);
    EXPECT_NE(attachError(made.descriptor(), kTestKind, 1001).find(", expected "), std::string::npos);
}

// A memfd with arbitrary content and seals, as a malicious peer could send.
Descriptor foreign(std::size_t bytes, const std::vector<std::uint64_t>& words, int seals,
                   bool allocate = true) {
    Descriptor descriptor(::memfd_create("foreign", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(::ftruncate(descriptor.get(), static_cast<off_t>(bytes)), 0);
    EXPECT_TRUE(!allocate || bytes == 0 ||
                ::fallocate(descriptor.get(), 0, 0, static_cast<off_t>(bytes)) == 0);
    const std::size_t size = std::min(bytes, words.size() * 8);
    EXPECT_EQ(::pwrite(descriptor.get(), words.data(), size, 0), static_cast<ssize_t>(size));
    EXPECT_EQ(::fcntl(descriptor.get(), F_ADD_SEALS, seals), 0);
    return descriptor;
}

TEST(SharedSegment, HostileMemoryIsRejectedBeforeItIsAccessed) {
    constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    std::vector<std::uint64_t> good(8);
    SharedSegment made = make(4032);
    std::memcpy(good.data(), made.bytes().data() - 64, 64);
    ASSERT_TRUE(SharedSegment::attach(foreign(4096, good, seals), kTestKind, 4032, Access::read_only))
        << "an unchanged copy is valid";

    EXPECT_NE(attachError(foreign(4096, good, 0)).find("not sealed"), std::string::npos);
    EXPECT_NE(attachError(foreign(4096, good, F_SEAL_SHRINK | F_SEAL_SEAL)).find("not sealed"),
              std::string::npos);
    EXPECT_NE(attachError(foreign(4096, good, F_SEAL_SHRINK | F_SEAL_GROW)).find("not sealed"),
              std::string::npos)
        << "more seals could be added";
    EXPECT_NE(attachError(foreign(0, {}, seals)).find("too small"), std::string::npos);
    EXPECT_NE(attachError(foreign(64, good, seals)).find("too small"), std::string::npos);
    EXPECT_NE(attachError(foreign(8192, good, seals)).find("does not match"), std::string::npos);
    EXPECT_NE(attachError(foreign(1 << 20, good, seals, false)).find("holes"), std::string::npos);
    EXPECT_NE(
        attachError(foreign(4096, std::vector<std::uint64_t>(8, 0), seals)).find("not created by Seedbed"),
        std::string::npos);
    EXPECT_NE(attachError(Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC))).find("not shared memory"),
              std::string::npos);
    EXPECT_FALSE(SharedSegment::attach(Descriptor(), kTestKind, 0, Access::read_only));
}

TEST(SharedSegment, EverySingleByteOfTheHeaderMatters) {
    constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    SharedSegment made = make(4032);
    for (std::size_t byte = 0; byte < 64; ++byte) {
        if (byte >= 20 && byte < 24) continue;  // reserved
        std::vector<std::uint64_t> words(8);
        std::memcpy(words.data(), made.bytes().data() - 64, 64);
        reinterpret_cast<unsigned char*>(words.data())[byte] ^= 0x10;
        EXPECT_NE(attachError(foreign(4096, words, seals)), "") << byte;
    }
}

TEST(SharedSegment, MoreThanTheFreeMemoryIsAnErrorUpFront) {
    const std::uint64_t free_before = readMemory().value().available_bytes;
    for (const std::size_t bytes :
         {static_cast<std::size_t>(free_before), std::size_t{1} << 45, ~std::size_t{0}, std::size_t{0}}) {
        const auto segment = SharedSegment::create("huge", kTestKind, bytes);
        ASSERT_FALSE(segment);
        EXPECT_EQ(segment.error().code, ErrorCode::out_of_memory);
    }
    // Nothing was allocated in the meantime: even half of that memory would be noticeable.
    EXPECT_GT(readMemory().value().available_bytes, free_before / 2);
}

TEST(SharedSegment, AFailedAllocationIsAnErrorNotASignal) {
    auto child = ChildProcess::start(testing::childWith("exceed-limit")).value();
    EXPECT_EQ(child.wait({}, deadlineIn(kTooLongMs)).value()->text(), "exited with code 0");
}

TEST(WakeWord, ChangeStopAndDeadlineEndAWait) {
    WakeWord word{};
    EXPECT_EQ(word.wait(1, {}, kNoDeadline), WaitResult::ready) << "the word differs already";
    EXPECT_EQ(word.wait(0, {}, deadlineIn(1)), WaitResult::timed_out);
    EXPECT_EQ(word.wait(0, {}, 0), WaitResult::timed_out) << "the deadline is in the past";
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_EQ(word.wait(word.sequence(), stopped.get_token(), kNoDeadline), WaitResult::stopped);

    std::stop_source later;
    const std::uint32_t seen = word.sequence();
    std::jthread stopper([&] {
        while (word.waiters.load() == 0) std::this_thread::yield();
        later.request_stop();
    });
    EXPECT_EQ(word.wait(seen, later.get_token(), deadlineIn(kTooLongMs)), WaitResult::stopped);
    EXPECT_EQ(word.waiters.load(), 0u);
}

TEST(WakeWord, NoNotificationIsLostBetweenThreads) {
    WakeWord ping{}, pong{};
    std::jthread other([&] {
        for (std::uint32_t round = 0; round < 20'000; ++round) {
            while (ping.sequence() == round) ping.wait(round, {}, deadlineIn(kTooLongMs));
            pong.notify();
        }
    });
    for (std::uint32_t round = 0; round < 20'000; ++round) {
        ping.notify();
        while (pong.sequence() == round)
            ASSERT_NE(pong.wait(round, {}, deadlineIn(kTooLongMs)), WaitResult::timed_out) << round;
    }
}

TEST(WakeWord, NoNotificationIsLostBetweenProcesses) {
    SharedSegment segment = make(2 * sizeof(WakeWord));
    auto* words = reinterpret_cast<WakeWord*>(segment.bytes().data());
    auto child = ChildProcess::start(testing::childWith("ping-pong", {segment.descriptor().get()})).value();
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t round = 0; round < testing::kRounds; ++round) {
        words[0].notify();
        while (words[1].sequence() == round)
            ASSERT_NE(words[1].wait(round, {}, deadlineIn(kTooLongMs)), WaitResult::timed_out) << round;
    }
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    RecordProperty("microseconds_per_round_trip", std::to_string(time.count() / testing::kRounds));
    EXPECT_TRUE(child.wait({}, deadlineIn(kTooLongMs)).value()->ok());
}

}  // namespace
}  // namespace seedbed
