// SPDX-License-Identifier: Apache-2.0
// JSON messages, one per line: framing, limits, descriptors, hostile peers, listeners and permissions.
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ipc/json_socket.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/ipc/child.hpp"

namespace seedbed {
namespace {

using testing::kTooLongMs;

// The socket under test and the raw descriptor of a peer that may send anything.
struct Ends {
    JsonSocket ours;
    Descriptor theirs;
};

Ends ends() {
    int numbers[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, numbers), 0);
    return {JsonSocket::adopt(Descriptor(numbers[0])).value(), Descriptor(numbers[1])};
}

void sendRaw(const Descriptor& to, std::string_view text) {
    ASSERT_EQ(::send(to.get(), text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
}

// Sends bytes together with copies of `descriptor`.
void sendRawWith(const Descriptor& to, std::string_view text, std::size_t copies, int descriptor) {
    iovec part{const_cast<char*>(text.data()), text.size()};
    std::vector<int> numbers(copies, descriptor);
    std::vector<char> control(CMSG_SPACE(numbers.size() * sizeof(int)));
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(numbers.size() * sizeof(int));
    std::memcpy(CMSG_DATA(header), numbers.data(), numbers.size() * sizeof(int));
    ASSERT_EQ(::sendmsg(to.get(), &message, 0), static_cast<ssize_t>(text.size()));
}

std::string receiveError(JsonSocket& socket) {
    auto message = socket.receive({}, deadlineIn(kTooLongMs));
    EXPECT_FALSE(message);
    return message ? "" : message.error().message;
}

Json receiveJson(JsonSocket& socket) {
    auto message = socket.receive({}, deadlineIn(kTooLongMs));
    EXPECT_TRUE(message) << message.error().message;
    return message && *message ? (*message)->json : Json();
}

int openDescriptors() {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
    return count;
}

TEST(JsonSocket, MessagesKeepTheirOrderAndContent) {
    auto [a, b] = JsonSocket::pair().value();
    ASSERT_TRUE(a.send({{"text", "line\nbreak \"quoted\" ä"}, {"n", 1}}));
    ASSERT_TRUE(a.send({{"n", 2}}));
    EXPECT_EQ(receiveJson(b)["text"], "line\nbreak \"quoted\" ä");
    EXPECT_TRUE(b.hasBuffered());
    EXPECT_EQ(receiveJson(b)["n"], 2);
}

TEST(JsonSocket, AnySplitOfTheBytesGivesTheSameMessages) {
    const std::string bytes = "{\"n\":1}\n{\"n\":2,\"t\":\"ä\"}\n";
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        auto [ours, theirs] = ends();
        sendRaw(theirs, std::string_view(bytes).substr(0, cut));
        std::jthread later([&, cut] { sendRaw(theirs, std::string_view(bytes).substr(cut)); });
        EXPECT_EQ(receiveJson(ours)["n"], 1) << cut;
        EXPECT_EQ(receiveJson(ours)["n"], 2) << cut;
    }
}

TEST(JsonSocket, StopAndDeadlineLoseNothing) {
    auto [ours, theirs] = ends();
    sendRaw(theirs, "{\"n\":");
    EXPECT_EQ(ours.receive({}, deadlineIn(5)).value().has_value(), false);
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_EQ(ours.receive(stop.get_token(), kNoDeadline).value().has_value(), false);
    sendRaw(theirs, "7}\n");
    EXPECT_EQ(receiveJson(ours)["n"], 7);
}

TEST(JsonSocket, APeerThatDoesNotReadCannotBlockTheSenderForever) {
    auto [ours, theirs] = ends();
    const Json big{{"text", std::string(900'000, 'x')}};
    WaitResult result = WaitResult::ready;
    for (int i = 0; i < 100 && result == WaitResult::ready; ++i)
        result = ours.send(big, {}, {}, deadlineIn(20)).value();
    EXPECT_EQ(result, WaitResult::timed_out);
}

TEST(JsonSocket, LongMessagesArriveCompleteAndTooLongOnesAreRejectedOnBothSides) {
    auto [a, b] = JsonSocket::pair().value();
    const std::string text(500'000, 'x');
    std::jthread sender([&] { EXPECT_EQ(a.send({{"text", text}}).value(), WaitResult::ready); });
    EXPECT_EQ(receiveJson(b)["text"].get<std::string>().size(), text.size());
    sender.join();
    EXPECT_FALSE(a.send({{"text", std::string(JsonSocket::kDefaultMaxLine, 'x')}}));
    b.setMaxLine(100);
    ASSERT_TRUE(a.send({{"text", std::string(200, 'x')}}));
    EXPECT_NE(receiveError(b).find("longer than"), std::string::npos);
}

TEST(JsonSocket, AnEndlessLineIsRejectedAtTheLimitNotBuffered) {
    auto [ours, theirs] = ends();
    ours.setMaxLine(50'000);
    sendRaw(theirs, std::string(60'000, 'x'));
    EXPECT_NE(receiveError(ours).find("longer than"), std::string::npos);
}

TEST(JsonSocket, AnythingButAJsonObjectIsRejected) {
    const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
    for (const std::string& line :
         {std::string("hello"), std::string("[1]"), std::string("3"), std::string(""),
          std::string("{\"a\":}"), std::string("{\"a\":\"\xff\"}"), "{\"a\":" + deep + "}"}) {
        auto [ours, theirs] = ends();
        sendRaw(theirs, line + "\n");
        EXPECT_NE(receiveError(ours), "") << line.substr(0, 20);
        EXPECT_FALSE(ours.closedByPeer());
    }
}

TEST(JsonSocket, APeerThatClosesBetweenLinesIsARegularEnd) {
    auto [ours, theirs] = ends();
    sendRaw(theirs, "{\"last\":true}\n");
    theirs.reset();
    EXPECT_EQ(receiveJson(ours)["last"], true);
    EXPECT_NE(receiveError(ours).find("closed the connection"), std::string::npos);
    EXPECT_TRUE(ours.closedByPeer());
    EXPECT_FALSE(ours.send({{"n", 1}})) << "returns an error instead of raising SIGPIPE";
}

TEST(JsonSocket, APeerThatClosesInsideALineIsAnError) {
    auto [ours, theirs] = ends();
    sendRaw(theirs, "{\"last\":");
    theirs.reset();
    EXPECT_NE(receiveError(ours).find("in the middle of a message"), std::string::npos);
    EXPECT_FALSE(ours.closedByPeer());
}

TEST(JsonSocket, DescriptorsArriveWithTheirMessageAndCloseOnExec) {
    auto [a, b] = JsonSocket::pair().value();
    int pipe_ends[2];
    ASSERT_EQ(::pipe2(pipe_ends, O_CLOEXEC), 0);
    Descriptor reading(pipe_ends[0]), writing(pipe_ends[1]);
    ASSERT_TRUE(a.send({{"n", 1}}));
    const int numbers[] = {writing.get(), reading.get()};
    ASSERT_TRUE(a.send({{"n", 2}}, numbers));
    ASSERT_TRUE(a.send({{"n", 3}}));
    EXPECT_TRUE(b.receive().value()->descriptors.empty());
    auto second = std::move(*b.receive().value());
    EXPECT_EQ(second.json, Json({{"n", 2}})) << "the real count of descriptors, not the one in the message";
    ASSERT_EQ(second.descriptors.size(), 2u);
    EXPECT_TRUE(b.receive().value()->descriptors.empty());
    for (const auto& descriptor : second.descriptors)
        EXPECT_NE(::fcntl(descriptor.get(), F_GETFD) & FD_CLOEXEC, 0);
    ASSERT_EQ(::write(second.descriptors[0].get(), "x", 1), 1);
    char letter = 0;
    EXPECT_EQ(::read(reading.get(), &letter, 1), 1);
    EXPECT_EQ(letter, 'x');
}

TEST(JsonSocket, WrongDescriptorCountsAreRejected) {
    for (const char* line : {"{\"descriptors\":1}\n", "{\"descriptors\":-1}\n", "{\"descriptors\":\"x\"}\n",
                             "{\"descriptors\":18446744073709551615}\n"}) {
        auto [ours, theirs] = ends();
        sendRaw(theirs, line);
        EXPECT_NE(receiveError(ours).find("did not send the descriptors"), std::string::npos) << line;
    }
}

TEST(JsonSocket, UnexpectedDescriptorsDoNotAccumulate) {
    const int before = openDescriptors();
    {
        auto [ours, theirs] = ends();
        std::string error;
        for (int i = 0; i < 100 && error.empty(); ++i) {
            sendRawWith(theirs, "{\"n\":1}\n", 8, theirs.get());
            auto message = ours.receive({}, deadlineIn(kTooLongMs));
            if (!message) error = message.error().message;
        }
        EXPECT_NE(error.find("more descriptors than"), std::string::npos);
        EXPECT_LT(openDescriptors(), before + 100);
    }
    EXPECT_EQ(openDescriptors(), before) << "refused descriptors are closed";
}

TEST(JsonSocket, MoreDescriptorsThanFitAreAnErrorAndDoNotLeak) {
    const int before = openDescriptors();
    {
        auto [ours, theirs] = ends();
        sendRawWith(theirs, "{\"descriptors\":40}\n", 40, theirs.get());
        EXPECT_NE(receiveError(ours).find("were lost"), std::string::npos);
    }
    EXPECT_EQ(openDescriptors(), before);
}

TEST(JsonSocket, AnotherProcessAnswersAndItsExitClosesTheConnection) {
    auto [ours, theirs] = JsonSocket::pair().value();
    auto child = ChildProcess::start(testing::childWith("echo", {theirs.descriptor()})).value();
    { const JsonSocket closed_here = std::move(theirs); }
    const int number = ours.descriptor();
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(ours.send({{"i", i}}, std::span(&number, 1)));
        auto answer = std::move(*ours.receive({}, deadlineIn(kTooLongMs)).value());
        EXPECT_EQ(answer.json["i"], i);
        EXPECT_EQ(answer.descriptors.size(), 1u);
    }
    ASSERT_TRUE(child.signal(SIGKILL));
    receiveError(ours);
    EXPECT_EQ(child.wait().value()->signal, SIGKILL);
}

class Listener : public ::testing::Test {
protected:
    testing::TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "control.socket";
};

TEST_F(Listener, ConnectsBothWaysAndIdentifiesThePeer) {
    auto listener = JsonListener::create(path).value();
    auto client = JsonSocket::connect(path).value();
    auto server = std::move(*listener.accept({}, deadlineIn(kTooLongMs)).value());
    ASSERT_TRUE(client.send({{"hello", 1}}));
    EXPECT_EQ(receiveJson(server)["hello"], 1);
    ASSERT_TRUE(server.send({{"hello", 2}}));
    EXPECT_EQ(receiveJson(client)["hello"], 2);
    EXPECT_EQ(server.peerProcess(), ::getpid());
    EXPECT_NE(::fcntl(server.descriptor(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(Listener, OnlyTheOwnerCanOpenItForAnyUmask) {
    const mode_t old_mask = ::umask(0);
    const auto listener = JsonListener::create(path);
    ::umask(old_mask);
    ASSERT_TRUE(listener);
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
}

// Connects from another network namespace. Returns 0 if the listener has closed the connection.
constexpr int kNoNamespaces = 77;
int connectFromAnotherNetwork(const std::filesystem::path& path) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return kNoNamespaces;
    auto client = JsonSocket::connect(path);
    if (!client) return 1;
    const auto reply = client->receive({}, deadlineIn(kTooLongMs));
    return reply ? 2 : 0;
}

TEST_F(Listener, ProgramsInAnotherNetworkNamespaceAreRefused) {
    auto listener = JsonListener::create(path);
    ASSERT_TRUE(listener.has_value());
    const pid_t child = ::fork();
    if (child == 0) ::_exit(connectFromAnotherNetwork(path));
    int status = 0;
    std::stop_source stop;
    std::jthread waiting([&] {
        ::waitpid(child, &status, 0);
        stop.request_stop();
    });
    const auto accepted = listener->accept(stop.get_token(), deadlineIn(kTooLongMs));
    waiting.join();
    ASSERT_TRUE(accepted.has_value());
    EXPECT_FALSE(accepted->has_value());
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == kNoNamespaces) GTEST_SKIP() << "the kernel does not allow namespaces";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Listener, AcceptEndsAtStopAndDeadline) {
    auto listener = JsonListener::create(path).value();
    EXPECT_FALSE(listener.accept({}, deadlineIn(5)).value());
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_FALSE(listener.accept(stop.get_token(), kNoDeadline).value());
}

TEST_F(Listener, OnlyTheSocketOfAnExitedListenerIsReplaced) {
    {
        const auto living = JsonListener::create(path);
        const auto second = JsonListener::create(path);
        ASSERT_FALSE(second);
        EXPECT_NE(second.error().message.find("already listening"), std::string::npos);
    }
    EXPECT_FALSE(std::filesystem::exists(path)) << "removed by the destructor";

    // A bound name without a listener, as left behind by a killed process.
    {
        const Descriptor dead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
        ASSERT_EQ(::bind(dead.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    }
    ASSERT_TRUE(std::filesystem::exists(path));
    EXPECT_TRUE(JsonListener::create(path));
}

TEST_F(Listener, AFileAtThePathIsNotRemoved) {
    ASSERT_EQ(::close(::creat(path.c_str(), 0644)), 0);
    const auto refused = JsonListener::create(path);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(std::filesystem::is_regular_file(path));
}

TEST_F(Listener, PathsLongerThanAnAddressWork) {
    const auto deep = folder.path() / std::string(120, 'a');
    std::filesystem::create_directory(deep);
    auto listener = JsonListener::create(deep / "control.socket");
    ASSERT_TRUE(listener) << listener.error().message;
    EXPECT_TRUE(JsonSocket::connect(deep / "control.socket"));
    EXPECT_FALSE(JsonSocket::connect(deep / "other.socket"));
}

TEST_F(Listener, ConnectingWithoutAListenerNamesThePath) {
    const auto refused = JsonSocket::connect(path);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find(path.string()), std::string::npos);
}

}  // namespace
}  // namespace seedbed
