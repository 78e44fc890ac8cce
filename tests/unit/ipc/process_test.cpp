// SPDX-License-Identifier: Apache-2.0
// Child processes and mailboxes: what a child inherits, how its exit is detected, and the request-response
// protocol between processes.
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ipc/mailbox.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/ipc/child.hpp"
#include "tests/unit/ipc/layouts.hpp"

namespace seedbed {
namespace {

using testing::childWith;
using testing::kTestLayout;
using testing::kTooLongMs;
using Stream = ChildOptions::Stream;

std::string readAll(const Descriptor& from) {
    std::string text;
    char chunk[4096];
    for (ssize_t count = 0; (count = ::read(from.get(), chunk, sizeof chunk)) > 0;)
        text.append(chunk, static_cast<std::size_t>(count));
    return text;
}

ExitStatus ended(ChildProcess& child) { return child.wait({}, deadlineIn(kTooLongMs)).value().value(); }

TEST(ChildProcess, PipesTransferStreamsAndWaitReturnsTheExitCode) {
    ChildOptions options = childWith("streams");
    options.input = options.output = options.error = Stream::pipe;
    auto child = ChildProcess::start(options).value();
    ASSERT_EQ(::write(child.input().get(), "hello", 5), 5);
    child.input().reset();
    EXPECT_EQ(readAll(child.output()), "hello");
    EXPECT_EQ(readAll(child.error()), "to stderr\n");
    const ExitStatus status = ended(child);
    EXPECT_EQ(status.code, 7);
    EXPECT_EQ(status.text(), "exited with code 7");
    EXPECT_EQ(ended(child).code, 7) << "asked again";
}

TEST(ChildProcess, GetsOnlyThePassedDescriptors) {
    const testing::TemporaryFolder folder;
    // A descriptor that was opened without close-on-exec, a blocked and an ignored signal.
    const Descriptor leaky(::open("/dev/null", O_RDONLY));
    sigset_t usr1, old_mask;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &usr1, &old_mask);
    const auto old_handler = std::signal(SIGPIPE, SIG_IGN);
    ChildOptions options = childWith("inventory", {leaky.get(), leaky.get()});
    options.output = Stream::pipe;
    options.environment = {{"SEEDBED_TEST_VARIABLE", "set"}};
    options.working_folder = folder.path().string();
    auto child = ChildProcess::start(options).value();
    std::signal(SIGPIPE, old_handler);
    ::pthread_sigmask(SIG_SETMASK, &old_mask, nullptr);

    const Json json = Json::parse(readAll(child.output()));
    EXPECT_EQ(json["descriptors_above_2"], 2) << "3 and 4, not the leaky one itself";
    EXPECT_EQ(json["variable"], "set");
    EXPECT_EQ(json["folder"], std::filesystem::canonical(folder.path()).string());
    EXPECT_EQ(json["usr1_blocked"], false);
    EXPECT_EQ(json["pipe_ignored"], false);
    EXPECT_EQ(json["own_group"], true);
    EXPECT_TRUE(ended(child).ok());
}

TEST(ChildProcess, AProgramThatDoesNotExistIsAnErrorWithItsName) {
    ChildOptions options;
    options.arguments = {"/nonexistent/program"};
    const auto child = ChildProcess::start(options);
    ASSERT_FALSE(child);
    EXPECT_NE(child.error().message.find("/nonexistent/program"), std::string::npos);
}

TEST(ChildProcess, ExitMakesTheDescriptorReadable) {
    auto child = ChildProcess::start(childWith("sleep")).value();
    EXPECT_EQ(waitFor(child.deathDescriptor(), POLLIN, {}, deadlineIn(5)).value(), WaitResult::timed_out);
    EXPECT_FALSE(child.wait({}, deadlineIn(5)).value());
    ASSERT_TRUE(child.signal(SIGKILL));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(waitFor(child.deathDescriptor(), POLLIN, {}, deadlineIn(kTooLongMs)).value(),
              WaitResult::ready);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    RecordProperty("milliseconds_to_notice_death", std::to_string(time.count()));
    EXPECT_EQ(ended(child).text(), "was killed by signal 9 (Killed)");
    EXPECT_TRUE(child.signal(SIGTERM)) << "signalling an exited process succeeds without effect";
}

TEST(ChildProcess, TheDestructorKillsAndReapsIt) {
    pid_t id = 0;
    {
        auto child = ChildProcess::start(childWith("sleep")).value();
        auto moved = std::move(child);
        id = moved.id();
        EXPECT_EQ(::kill(id, 0), 0);
    }
    EXPECT_NE(::kill(id, 0), 0) << "not even a zombie is left";
}

TEST(ChildProcess, ReleasingLeavesItRunning) {
    pid_t id = 0;
    {
        auto child = ChildProcess::start(childWith("sleep")).value();
        id = child.id();
        child.release();
    }
    EXPECT_EQ(::kill(id, 0), 0);
    ::kill(id, SIGKILL);
    ::waitpid(id, nullptr, 0);
}

TEST(Mailbox, StateFollowsFromTheTwoNumbersAlone) {
    EXPECT_EQ(mailboxState(0, 0), MailboxState::idle);
    EXPECT_EQ(mailboxState(6, 5), MailboxState::busy);
    EXPECT_EQ(mailboxState(5, 6), MailboxState::broken);
    EXPECT_EQ(mailboxState(7, 5), MailboxState::broken);
    EXPECT_EQ(mailboxState(0, ~std::uint64_t{0}), MailboxState::busy) << "the numbers may wrap";
}

// Sends `number` and returns the answer.
std::uint64_t ask(MailboxHost& host, std::uint64_t number) {
    std::memcpy(host.request().data(), &number, sizeof number);
    EXPECT_TRUE(host.post());
    EXPECT_EQ(host.await({}, deadlineIn(kTooLongMs)).value(), MailboxWait::ready);
    std::memcpy(&number, host.response().data(), sizeof number);
    return number;
}

TEST(Mailbox, RequestsAreAnsweredAcrossProcesses) {
    auto host = MailboxHost::create(kTestLayout).value();
    EXPECT_EQ(host.request().size(), 8u);
    EXPECT_EQ(host.response().size(), 100u);
    auto child = ChildProcess::start(childWith("double", {host.segment().descriptor().get()})).value();
    EXPECT_EQ(ask(host, 21), 42u);
    const auto start = std::chrono::steady_clock::now();
    constexpr std::uint64_t kRequests = 2000;
    for (std::uint64_t i = 1; i <= kRequests; ++i) ASSERT_EQ(ask(host, i), 2 * i);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    RecordProperty("microseconds_per_request", std::to_string(time.count() / kRequests));
    std::memset(host.request().data(), 0, 8);
    ASSERT_TRUE(host.post());
    EXPECT_TRUE(ended(child).ok());
}

TEST(Mailbox, RequestsAreAnsweredAcrossThreadsWithoutARace) {
    auto host = MailboxHost::create(kTestLayout).value();
    std::jthread worker_thread([&](const std::stop_token& stop) {
        auto worker =
            MailboxWorker::attach(host.segment().descriptor().duplicate().value(), kTestLayout).value();
        while (worker.await(stop, kNoDeadline).value() == MailboxWait::ready) {
            std::memcpy(worker.response().data(), worker.request().data(), 8);
            worker.answer();
        }
    });
    for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_EQ(ask(host, i), i);
}

TEST(Mailbox, AWorkerThatExitsDuringARequestEndsTheWait) {
    auto host = MailboxHost::create(kTestLayout).value();
    auto child =
        ChildProcess::start(childWith("die-in-request", {host.segment().descriptor().get()})).value();
    std::jthread watcher([&] {
        if (waitFor(child.deathDescriptor(), POLLIN, {}, deadlineIn(kTooLongMs)).value() == WaitResult::ready)
            host.markPeerGone();
    });
    ASSERT_TRUE(host.post());
    EXPECT_EQ(host.await({}, deadlineIn(kTooLongMs)).value(), MailboxWait::peer_gone);
    EXPECT_EQ(host.await({}, kNoDeadline).value(), MailboxWait::peer_gone) << "on all later calls";
}

TEST(Mailbox, StopAndDeadlineEndAWaitAndTheAnswerCanStillCome) {
    auto host = MailboxHost::create(kTestLayout).value();
    auto worker = MailboxWorker::attach(host.segment().descriptor().duplicate().value(), kTestLayout).value();
    EXPECT_EQ(worker.await({}, deadlineIn(2)).value(), MailboxWait::timed_out);
    ASSERT_TRUE(host.post());
    EXPECT_EQ(host.await({}, deadlineIn(2)).value(), MailboxWait::timed_out);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(host.await(stop.get_token(), kNoDeadline).value(), MailboxWait::stopped);
    EXPECT_EQ(worker.await({}, deadlineIn(kTooLongMs)).value(), MailboxWait::ready);
    worker.answer();
    EXPECT_EQ(host.await({}, deadlineIn(kTooLongMs)).value(), MailboxWait::ready);
}

TEST(Mailbox, ViolatingTheProtocolIsAnErrorOnTheOtherSide) {
    auto host = MailboxHost::create(kTestLayout).value();
    auto worker = MailboxWorker::attach(host.segment().descriptor().duplicate().value(), kTestLayout).value();
    worker.answer();
    EXPECT_FALSE(host.post()) << "an answer without a request";
    EXPECT_FALSE(host.await({}, deadlineIn(kTooLongMs)));

    auto second = MailboxHost::create(kTestLayout).value();
    ASSERT_TRUE(second.post());
    EXPECT_FALSE(second.post()) << "the first request is still under way";
}

TEST(Mailbox, HostileNumbersNeverMoveAnAddress) {
    auto host = MailboxHost::create(kTestLayout).value();
    auto raw = SharedSegment::attach(host.segment().descriptor().duplicate().value(),
                                     {segmentKind("mail"), 1, kTestLayout.contract}, 0,
                                     SharedSegment::Access::read_write)
                   .value();
    const auto* request = host.request().data();
    std::memset(raw.bytes().data(), 0xff, raw.bytes().size());
    EXPECT_EQ(host.request().data(), request);
    EXPECT_EQ(host.request().size(), 8u);
    EXPECT_EQ(host.response().size(), 100u);
    EXPECT_FALSE(host.post() && host.await({}, deadlineIn(100)) == MailboxWait::ready);
}

TEST(Mailbox, AnotherLayoutIsRejected) {
    auto host = MailboxHost::create(kTestLayout).value();
    MailboxLayout other = kTestLayout;
    other.response_bytes = 10'000;
    EXPECT_FALSE(MailboxWorker::attach(host.segment().descriptor().duplicate().value(), other));
    other = kTestLayout;
    other.contract[0] = 9;
    EXPECT_FALSE(MailboxWorker::attach(host.segment().descriptor().duplicate().value(), other));
}

}  // namespace
}  // namespace seedbed
