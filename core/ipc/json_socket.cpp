// SPDX-License-Identifier: Apache-2.0
// Frames JSON lines and passes descriptors (SCM_RIGHTS).
#include "core/ipc/json_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/os/files.hpp"
#include "core/base/text.hpp"

namespace seedbed {

namespace {

constexpr int kMaxDepth = 64;
constexpr const char* kDescriptorsKey = "descriptors";

// A buffer for the descriptors of one message, aligned for the kernel.
union Control {
    cmsghdr header;
    std::array<char, CMSG_SPACE(sizeof(int) * JsonSocket::kMaxDescriptors)> bytes;
};

// Calls sendmsg once; the descriptors accompany the first byte. Returns the number of bytes sent, or -1 with
// errno.
ssize_t sendOnce(int socket, std::string_view text, std::span<const int> descriptors) {
    iovec part{const_cast<char*>(text.data()), text.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    Control control{};
    if (!descriptors.empty()) {
        message.msg_control = control.bytes.data();
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    }
    ssize_t count = 0;
    do {
        count = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count;
}

// Parses a line, with a limit on the nesting depth.
Result<Json> parseLine(std::string_view line) {
    bool too_deep = false;
    Json json = Json::parse(
        line.begin(), line.end(),
        [&](int depth, Json::parse_event_t, const Json&) {
            too_deep = too_deep || depth > kMaxDepth;
            return !too_deep;
        },
        false);
    if (too_deep) return fail("the peer sent JSON nested too deeply");
    if (json.is_discarded() || !json.is_object())
        return fail("the peer sent a line that is not a JSON object");
    return json;
}

}  // namespace

Result<WaitResult> JsonSocket::send(const Json& message, std::span<const int> descriptors,
                                    const std::stop_token& stop, Deadline deadline) {
    SEEDBED_CHECK(message.is_object() && descriptors.size() <= kMaxDescriptors);
    std::string line;
    if (descriptors.empty()) {
        SEEDBED_CHECK(!message.contains(kDescriptorsKey), "the member \"descriptors\" is set by send()");
        line = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    } else {
        Json with_count = message;
        with_count[kDescriptorsKey] = descriptors.size();
        line = with_count.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    line += '\n';
    if (line.size() > max_line_)
        return fail("a message of " + formatBytes(line.size()) + " is longer than " + formatBytes(max_line_));

    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t count = sendOnce(descriptor_.get(), rest, descriptors);
        if (count >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(count));
            descriptors = {};
            continue;
        }
        if (errno == EPIPE || errno == ECONNRESET) return fail("the other process closed the connection");
        if (errno != EAGAIN && errno != EWOULDBLOCK) return systemFailure("sending to another process");
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(descriptor_.get(), POLLOUT, stop, deadline));
        if (waited != WaitResult::ready) return waited;
    }
    return WaitResult::ready;
}

Result<std::optional<SocketMessage>> JsonSocket::receive(const std::stop_token& stop, Deadline deadline) {
    while (true) {
        SEEDBED_ASSIGN(auto message, takeLine());
        if (message) return message;
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(descriptor_.get(), POLLIN, stop, deadline));
        if (waited != WaitResult::ready) return std::optional<SocketMessage>();
        SEEDBED_TRY(readSome());
    }
}

// Removes the first complete line from the buffer.
Result<std::optional<SocketMessage>> JsonSocket::takeLine() {
    const std::size_t end = buffer_.find('\n', searched_);
    if ((end == std::string::npos ? buffer_.size() : end + 1) > max_line_)
        return fail("the peer sent a line longer than " + formatBytes(max_line_));
    if (end == std::string::npos) {
        searched_ = buffer_.size();
        return std::optional<SocketMessage>();
    }
    SocketMessage message;
    SEEDBED_ASSIGN(message.json, parseLine(std::string_view(buffer_).substr(0, end)));
    buffer_.erase(0, end + 1);
    searched_ = 0;

    if (const auto announced = message.json.find(kDescriptorsKey); announced != message.json.end()) {
        // Descriptors arrive with or before the line's first byte, in the order of the lines.
        const bool valid =
            announced->is_number_unsigned() && announced->get<std::uint64_t>() <= received_.size();
        if (!valid) return fail("the peer did not send the descriptors of a message");
        for (auto left = announced->get<std::uint64_t>(); left > 0; --left) {
            message.descriptors.push_back(std::move(received_.front()));
            received_.pop_front();
        }
        message.json.erase(kDescriptorsKey);
    }
    return std::optional<SocketMessage>(std::move(message));
}

Result<> JsonSocket::readSome() {
    std::array<char, 16384> chunk;
    iovec part{chunk.data(), chunk.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    const ssize_t count = ::recvmsg(descriptor_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return {};
    if (count < 0) {
        closed_by_peer_ = errno == ECONNRESET && buffer_.empty();
        return systemFailure("receiving from another process");
    }

    // Take ownership of the descriptors before anything can fail.
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < number; ++i) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
            received_.emplace_back(descriptor);
        }
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0)
        return fail("descriptors were lost: this process has too many open, or the peer sent too many");
    if (received_.size() > 4 * kMaxDescriptors)
        return fail("the peer sent more descriptors than its messages contain");
    if (count == 0) {
        closed_by_peer_ = buffer_.empty();
        return fail(closed_by_peer_ ? "the other process closed the connection"
                                    : "the other process closed the connection in the middle of a message");
    }
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    return {};
}

namespace {

Result<Descriptor> makeSocket() {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return systemFailure("creating a socket");
    return socket;
}

// A socket address. sun_path has room for 107 bytes; a longer path is opened through a descriptor of its
// folder.
struct Address {
    sockaddr_un value{};
    Descriptor folder;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }
};

Result<Address> addressOf(const std::filesystem::path& path) {
    Address address;
    address.value.sun_family = AF_UNIX;
    std::string text = path.string();
    if (text.size() >= sizeof address.value.sun_path) {
        address.folder = Descriptor(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!address.folder) return systemFailure("opening '" + path.parent_path().string() + "'");
        text = "/proc/self/fd/" + std::to_string(address.folder.get()) + "/" + path.filename().string();
    }
    if (text.empty() || text.size() >= sizeof address.value.sun_path)
        return fail("'" + path.string() + "' cannot be the path of a socket");
    std::memcpy(address.value.sun_path, text.c_str(), text.size() + 1);
    return address;
}

Result<> connectTo(const Descriptor& socket, const Address& address, const std::filesystem::path& path) {
    int result = 0;
    do {
        result = ::connect(socket.get(), address.get(), sizeof address.value);
    } while (result != 0 && errno == EINTR);
    // Fails immediately: if the backlog is full, the process no longer accepts connections.
    if (result != 0 && errno == EAGAIN)
        return fail("'" + path.string() + "' does not answer: too many connections are waiting");
    // EISCONN: an earlier connect() was interrupted by a signal but completed.
    if (result != 0 && errno != EISCONN) return systemFailure("connecting to '" + path.string() + "'");
    return {};
}

Result<ucred> peerOf(const Descriptor& socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return systemFailure("reading the credentials of the peer");
    return peer;
}

// Whether a process is in the same network namespace as this one. False if it has exited or its namespace
// cannot be read.
bool sharesNetwork(pid_t process) {
    struct stat ours {};
    struct stat theirs {};
    const std::string path = "/proc/" + std::to_string(process) + "/ns/net";
    return ::stat("/proc/self/ns/net", &ours) == 0 && ::stat(path.c_str(), &theirs) == 0 &&
           ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

}  // namespace

Result<JsonSocket> JsonSocket::adopt(Descriptor descriptor) {
    SEEDBED_ASSIGN(const ucred peer, peerOf(descriptor));
    if (peer.uid != ::geteuid()) return fail("the peer of the connection belongs to another user");
    JsonSocket socket;
    socket.descriptor_ = std::move(descriptor);
    socket.peer_process_ = peer.pid;
    return socket;
}

Result<JsonSocket> JsonSocket::connect(const std::filesystem::path& path) {
    SEEDBED_ASSIGN(Descriptor socket, makeSocket());
    SEEDBED_ASSIGN(const Address address, addressOf(path));
    SEEDBED_TRY(connectTo(socket, address, path));
    return adopt(std::move(socket));
}

Result<std::pair<JsonSocket, JsonSocket>> JsonSocket::pair() {
    int numbers[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, numbers) != 0)
        return systemFailure("creating a pair of sockets");
    Descriptor left(numbers[0]), right(numbers[1]);
    SEEDBED_ASSIGN(JsonSocket first, adopt(std::move(left)));
    SEEDBED_ASSIGN(JsonSocket second, adopt(std::move(right)));
    return std::pair(std::move(first), std::move(second));
}

Result<JsonListener> JsonListener::create(const std::filesystem::path& path) {
    JsonListener listener;
    SEEDBED_ASSIGN(listener.descriptor_, makeSocket());
    SEEDBED_ASSIGN(const Address address, addressOf(path));
    // The file inherits the mode of the socket, so other users can never open it.
    if (::fchmod(listener.descriptor_.get(), 0600) != 0)
        return systemFailure("protecting '" + path.string() + "'");
    int bound = ::bind(listener.descriptor_.get(), address.get(), sizeof address.value);
    if (bound != 0 && errno == EADDRINUSE) {
        SEEDBED_ASSIGN(const Descriptor probe, makeSocket());
        if (connectTo(probe, address, path))
            return fail("another process is already listening on '" + path.string() + "'");
        // The owner was killed. Remove the path only if it is a socket.
        struct stat status {};
        if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode))
            return fail("'" + path.string() + "' exists and is not a socket");
        if (::unlink(path.c_str()) != 0)
            return systemFailure("removing the old socket '" + path.string() + "'");
        bound = ::bind(listener.descriptor_.get(), address.get(), sizeof address.value);
    }
    if (bound != 0) return systemFailure("creating socket '" + path.string() + "'");
    listener.path_ = path;
    if (::listen(listener.descriptor_.get(), 64) != 0)
        return systemFailure("listening on '" + path.string() + "'");
    return listener;
}

JsonListener::JsonListener(JsonListener&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), path_(std::exchange(other.path_, {})) {}

JsonListener::~JsonListener() {
    if (!path_.empty()) ::unlink(path_.c_str());
}

Result<std::optional<JsonSocket>> JsonListener::accept(const std::stop_token& stop, Deadline deadline) {
    while (true) {
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(descriptor_.get(), POLLIN, stop, deadline));
        if (waited != WaitResult::ready) return std::optional<JsonSocket>();
        Descriptor connection(::accept4(descriptor_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!connection) {
            // The peer has closed the connection in the meantime, or a signal arrived.
            if (errno == EINTR || errno == ECONNABORTED || errno == EAGAIN) continue;
            return systemFailure("accepting a connection");
        }
        auto socket = JsonSocket::adopt(std::move(connection));
        // Rejects environment programs, which run in separate network namespaces.
        if (socket && sharesNetwork(socket->peerProcess()))
            return std::optional<JsonSocket>(std::move(*socket));
    }
}

}  // namespace seedbed
