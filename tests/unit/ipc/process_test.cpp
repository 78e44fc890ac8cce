// SPDX-License-Identifier: Apache-2.0
// Child processes: what a child inherits, and how its exit is detected.
#include <chrono>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ipc/child_process.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/ipc/child.hpp"

namespace seedbed {
namespace {

using testing::childWith;
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
    EXPECT_EQ(ended(child).code, 7) << "a second call returns the same";
}

TEST(ChildProcess, GetsOnlyThePassedDescriptors) {
    const testing::TemporaryFolder folder;
    // A descriptor that was opened without close-on-exec, a blocked signal and an ignored signal.
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
    EXPECT_EQ(json["descriptors_above_2"], 2) << "only 3 and 4, not the leaky descriptor";
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

TEST(ExitStatus, StatesTheCauseUnlessASignalFromOutsideEndedTheProcess) {
    EXPECT_TRUE((ExitStatus{.code = 1, .signal = 0}.statesCause()));
    EXPECT_TRUE((ExitStatus{.code = 0, .signal = SIGABRT}.statesCause())) << "abort() follows its message";
    EXPECT_FALSE((ExitStatus{.code = 0, .signal = SIGKILL}.statesCause()));
    EXPECT_FALSE((ExitStatus{.code = 0, .signal = SIGSEGV}.statesCause()));
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

TEST(Supervised, ATestThatCrashesLeavesNoProcessBehind) {
    ChildOptions options = childWith("crash");
    options.output = Stream::pipe;
    auto child = ChildProcess::start(options).value();
    const pid_t left = std::stoi(readAll(child.output()));
    EXPECT_EQ(ended(child).code, 128 + SIGABRT);
    EXPECT_NE(::kill(left, 0), 0);
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

}  // namespace
}  // namespace seedbed
